//! A line of boards in bus mode with the host and a game behind every board, in simulated time: what the daemon's tasks do in real time.
#![allow(dead_code, clippy::unwrap_used, reason = "each test uses a part of it, and may fail")]
use dgt_protocol::bus::BusAddress;
use dgt_protocol::bus::host::{Ask, Host, HostConfig, HostInput, HostOutput, Said};
use dgt_protocol::command::Command;
use flagfall_events::{Body, ClockPair, Colour, Entry, Event, LinkState, Mono, Order, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_game::settings::Settings;
use flagfall_simulator::bus_line::BusLine;
use flagfall_simulator::bus_run::BusRun;
use flagfall_simulator::bus_side::BusManner;
use flagfall_simulator::device::Device;
use flagfall_simulator::games::bundled;
use flagfall_simulator::people::Tempo;
use flagfall_simulator::script::Truth;
use flagfall_simulator::stream::Options;
use std::collections::BTreeMap;
use std::fmt;

/// A USB adapter holds bytes back for so long.
const ADAPTER_MS: u64 = 3;
/// So long after the last act everything is said.
const AFTERMATH: u64 = 15_000;

/// A board's reader.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) board: Board,
    pub(crate) events: Vec<Event>,
    last: Mono,
    is_up: bool,
    wants: Vec<Ask>,
}

impl Reader {
    fn expire(&mut self, t: Mono) {
        while let Some(at) = self.board.deadline().filter(|at| *at <= t) {
            self.board.timeout(at.max(self.last));
            self.last = self.last.max(at);
            if !self.drain() && self.board.deadline() == Some(at) {
                return;
            }
        }
    }

    fn drain(&mut self) -> bool {
        let mut any = false;
        while let Some(output) = self.board.poll() {
            any = true;
            match output {
                Output::Event(event) => self.events.push(event),
                Output::Command(Command::SendBoard) => self.wants.push(Ask::Board),
                Output::Command(Command::SendClock) => self.wants.push(Ask::Clock),
                Output::Command(Command::SendMoveMemory) => self.wants.push(Ask::Log),
                Output::Command(_) | Output::Question(_) => {}
            }
        }
        any
    }

    fn link(&mut self, t: Mono, state: LinkState) {
        let t = t.max(self.last);
        self.expire(t);
        self.last = t;
        self.board.link(t, state, None);
        self.drain();
    }

    /// As the link and the board's task do it.
    fn said(&mut self, now: Mono, said: &Said) {
        let from = Mono::from_millis(said.from).max(self.last).min(now);
        let shares = said.messages.len() as u64;
        for (n, message) in (1..).zip(&said.messages) {
            let t = (from + now.since(from) * n / shares).max(self.last);
            if said.waited {
                self.link(t, LinkState::Up);
            }
            self.expire(t);
            self.last = t;
            self.board.bytes(t, &message.encode());
            self.drain();
        }
        if said.waited {
            self.link(now, LinkState::Up);
        }
        let now = now.max(self.last);
        self.expire(now);
        self.last = now;
    }

    /// Every completed ply of each game: its move, when that was said, and the clock told with it.
    pub(crate) fn games(&self) -> Vec<BTreeMap<u32, Ply>> {
        let mut games: Vec<BTreeMap<u32, Ply>> = Vec::new();
        for event in &self.events {
            match &event.body {
                Body::GameStart { .. } => games.push(BTreeMap::new()),
                Body::MoveCompleted { ply, uci, clock, by, .. } => {
                    let entry = Ply { uci: uci.clone(), said: event.t.millis(), clock: *clock, by: *by };
                    games.last_mut().map(|game| game.insert(*ply, entry));
                }
                Body::MoveRevised { ply, uci, .. } => {
                    if let Some(entry) = games.last_mut().and_then(|game| game.get_mut(ply)) {
                        entry.uci.clone_from(uci);
                    }
                }
                Body::MoveWithdrawn { ply, .. } => _ = games.last_mut().map(|game| game.remove(ply)),
                _ => {}
            }
        }
        games
    }
}

/// A completed ply as it was said.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    pub(crate) uci: String,
    pub(crate) said: u64,
    pub(crate) clock: Option<ClockPair>,
    pub(crate) by: Colour,
}

/// A line, its host and its readers.
pub(crate) struct Hosted {
    pub(crate) run: BusRun,
    pub(crate) readers: Vec<Reader>,
    /// What every cycle took, milliseconds.
    pub(crate) cycles: Vec<u64>,
    pub(crate) outputs: Vec<(u64, HostOutput)>,
}

pub(crate) fn address(index: usize) -> BusAddress {
    BusAddress::new(1_000 + u16::try_from(index).unwrap()).unwrap()
}

impl Hosted {
    /// So many boards with two of many people at each, who play so many games in a row.
    pub(crate) fn new(boards: usize, tempo: Tempo, seed: u64, games: usize) -> Self {
        let all = bundled();
        let (mut devices, mut readers) = (Vec::new(), Vec::new());
        for index in 0..boards {
            // Odd seeds are for tests.
            let options = Options::people(tempo, (seed + 17 * index as u64) * 2 + 1);
            let row: Vec<_> = all.iter().cycle().skip(index + usize::try_from(seed % 97).unwrap()).take(games).cloned().collect();
            let config = BusLine::config(address(index).number(), BusManner { alternates: index % 2 == 1 }, options.config());
            let mut device = Device::new(config, options.script(0, &row[0], None));
            let mut before = options.script(0, &row[0], None).after();
            for (number, game) in row.iter().enumerate().skip(1) {
                let script = options.script(number, game, Some(before));
                before = script.after();
                device.queue(script);
            }
            devices.push(device);
            let settings = Settings { link: String::from("bus:/dev/ttyUSB0"), ..options.settings(&row[0]) };
            let board = Board::new(&index.to_string(), Wall::EPOCH, settings);
            readers.push(Reader { board, events: Vec::new(), last: Mono::ZERO, is_up: false, wants: Vec::new() });
        }
        let expected = (0..boards).map(address).collect();
        let host = Host::new(0, HostConfig { expected, ..HostConfig::default() });
        Self { run: BusRun::new(host, BusLine::new(seed, devices), ADAPTER_MS), readers, cycles: Vec::new(), outputs: Vec::new() }
    }

    /// Until this millisecond.
    pub(crate) fn run(&mut self, until: u64) {
        while let Some((t, output)) = self.run.next(until) {
            self.take(Mono::from_millis(t), output);
        }
    }

    /// Until all games are over and said.
    pub(crate) fn finish(&mut self) {
        while !self.run.line().is_done() {
            self.run(self.run.now() + 10_000);
        }
        self.run(self.run.now() + AFTERMATH);
    }

    fn take(&mut self, now: Mono, output: HostOutput) {
        let of = |address: BusAddress| usize::from(address.number()).checked_sub(1_000);
        match &output {
            HostOutput::Up { address: who, .. } => {
                if let Some(reader) = of(*who).and_then(|index| self.readers.get_mut(index)) {
                    reader.is_up = true;
                    reader.link(now, LinkState::Up);
                }
            }
            HostOutput::Down { address: who, .. } => {
                if let Some(reader) = of(*who).and_then(|index| self.readers.get_mut(index)) {
                    reader.is_up = false;
                    reader.link(now, LinkState::Down);
                }
            }
            HostOutput::Said(said) => {
                let Some(index) = of(said.address) else { return };
                if let Some(reader) = self.readers.get_mut(index) {
                    reader.said(now, said);
                    for ask in std::mem::take(&mut reader.wants) {
                        self.run.tell(HostInput::Ask(said.address, ask));
                    }
                }
                return;
            }
            HostOutput::Cycle(ms) => {
                self.cycles.push(*ms);
                return;
            }
            _ => {}
        }
        self.outputs.push((now.millis(), output));
    }

    /// An arbiter's entry at the board with this index.
    pub(crate) fn enter(&mut self, index: usize, order: Order) {
        let t = Mono::from_millis(self.run.now());
        let reader = &mut self.readers[index];
        let t = t.max(reader.last);
        reader.expire(t);
        reader.last = t;
        reader.board.entry(t, Entry::new(order));
        reader.drain();
    }

    /// What was played on the board with this index.
    pub(crate) fn truth(&self, index: usize) -> &[Truth] {
        self.run.line().boards()[index].games()
    }
}

/// What many lines come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) games: usize,
    pub(crate) exact: usize,
    pub(crate) plies: usize,
    /// Plies that were completed as what they were.
    pub(crate) right: usize,
    pub(crate) played_ms: u64,
    cycles: Vec<u64>,
    /// From the press to the word, milliseconds.
    late: Vec<u64>,
    /// How far the presser's time was from what the display showed after the press, seconds.
    off: Vec<u64>,
    bytes: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, hosted: &Hosted) {
        self.add_boards(hosted, &(0..hosted.readers.len()).collect::<Vec<_>>());
    }

    /// Of these boards alone.
    pub(crate) fn add_boards(&mut self, hosted: &Hosted, boards: &[usize]) {
        for (index, reader) in boards.iter().map(|index| (*index, &hosted.readers[*index])) {
            let told = reader.games();
            let truths = hosted.truth(index);
            for (number, truth) in truths.iter().enumerate() {
                let none = BTreeMap::new();
                let told = told.get(number).unwrap_or(&none);
                // The last ply of a game that nobody pressed is not completed by everybody.
                let wanted: Vec<_> = truth.plies.iter().filter(|ply| ply.legal).collect();
                let right = wanted.iter().filter(|ply| told.get(&ply.ply).is_some_and(|said| said.uci == ply.uci)).count();
                let open = wanted.last().is_some_and(|ply| ply.press.is_none() && !told.contains_key(&ply.ply));
                let exact = right + usize::from(open) == wanted.len() && told.len() == right;
                self.games += 1;
                self.exact += usize::from(exact);
                self.plies += wanted.len();
                self.right += right + usize::from(open);
                if !exact && std::env::var_os("FLAGFALL_BUS_SHOW").is_some() {
                    let first = wanted.iter().find(|ply| told.get(&ply.ply).is_none_or(|said| said.uci != ply.uci));
                    eprintln!(
                        "board {index}, game {number}: {right} of {} right, {} told, first wrong {first:?}",
                        wanted.len(),
                        told.len()
                    );
                    let from = first.map_or(1, |ply| ply.ply.saturating_sub(2));
                    for ply in wanted.iter().filter(|ply| (from..from + 9).contains(&ply.ply)) {
                        let said = told.get(&ply.ply).map(|said| (said.uci.as_str(), said.said));
                        eprintln!("  {} {} down {} pressed {:?}, told {said:?}", ply.ply, ply.uci, ply.last_down, ply.press);
                    }
                }
                for ply in wanted {
                    let (Some(said), Some(press), Some(clock)) = (told.get(&ply.ply), ply.press, ply.clock) else { continue };
                    self.late.push(said.said.saturating_sub(press));
                    let own = |pair: ClockPair| if said.by == Colour::White { pair.white_ms } else { pair.black_ms };
                    if let Some(told) = said.clock {
                        self.off.push(own(told).abs_diff(own(clock)) / 1_000);
                    }
                }
            }
        }
        self.cycles.extend(&hosted.cycles);
        self.bytes += hosted.run.bytes().iter().sum::<u64>();
        self.played_ms += hosted.run.now();
    }
}

fn at(sorted: &[u64], share: f64) -> u64 {
    sorted.get((sorted.len().saturating_sub(1) as f64 * share) as usize).copied().unwrap_or(0)
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sorted = |list: &[u64]| {
            let mut list = list.to_vec();
            list.sort_unstable();
            list
        };
        let (cycles, late, off) = (sorted(&self.cycles), sorted(&self.late), sorted(&self.off));
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(
            f,
            "{} of {} games exact ({:.2} %), {} of {} plies right ({:.3} %)",
            self.exact,
            self.games,
            share(self.exact, self.games),
            self.right,
            self.plies,
            share(self.right, self.plies)
        )?;
        writeln!(f, "  a cycle takes {} ms (p50), {} ms (p99), {} ms at most", at(&cycles, 0.5), at(&cycles, 0.99), at(&cycles, 1.0))?;
        writeln!(
            f,
            "  a move is said {} ms after its press (p50), {} ms (p99); its player's time is the display's in {:.2} %, within a second in {:.2} % of {}",
            at(&late, 0.5),
            at(&late, 0.99),
            share(off.iter().filter(|off| **off == 0).count(), off.len()),
            share(off.iter().filter(|off| **off <= 1).count(), off.len()),
            off.len()
        )?;
        write!(f, "  {:.0} bytes a second on a line", self.bytes as f64 * 1_000.0 / self.played_ms.max(1) as f64)
    }
}
