//! One game as the bytes that a host would read, in simulated time, as fast as it goes; and the same as a capture file.
//!
//! The host here is a fixed one: the usual start-up sequence, then it only listens.
use super::clock::{PeriodChange, Side};
use super::device::{Device, DeviceConfig, DeviceOutput};
use super::games::PgnGame;
use super::habits::Habits;
use super::hands::{Hands, default_control};
use super::incident::{Incident, IncidentKind};
use super::pace::Kind;
use super::people::{Board, Tempo};
use super::scanner::ScanOrder;
use super::script::{Script, Squares, Truth};
use super::wire::Split;
use flagfall_capture::{CaptureLine, Header, Writer};
use flagfall_events::{BoardKind, Entry, GameResult, LinkState, Mono, Order, Play, TimeControl, Wall};
use flagfall_game::settings::{ClockWhite, Settings};
use std::io;

/// Everything that can be said about one simulated game.
#[derive(Clone, Debug)]
pub struct Options {
    /// Kind of hands.
    pub hands: Kind,
    /// Everything random comes from here.
    pub seed: u64,
    /// Thinking is divided by it.
    pub speed: f64,
    /// How often hands slip; 1 is usual for their kind.
    pub noise: f64,
    /// What the clock is set to; `None`: as usual for these hands.
    pub control: Option<TimeControl>,
    /// What goes wrong on purpose.
    pub incidents: Vec<Incident>,
    /// So many first plies of the first game are known by heart: nobody thinks about them for longer than a moment.
    pub by_heart: u32,
    /// The kings show the result at the end.
    pub show_result: bool,
    /// What the players do between two games.
    pub habits: Habits,
    /// White sits at the board's other side.
    pub turned: bool,
    /// Every piece reads as a white pawn.
    pub occupancy: bool,
    /// White's side of the clock.
    pub clock_white: ClockSide,
    /// A Bluetooth board: it scans at half the speed.
    pub bluetooth: bool,
    /// Milliseconds of a scan; `None`: as the kind of board does.
    pub scan_ms: Option<u64>,
    /// Share of frames lost, doubled or changed, after the clock was started.
    pub damage: f64,
    /// How reads cut the stream.
    pub split: Split,
    /// The host asks for a dump this often, milliseconds.
    pub verify_ms: Option<u64>,
    /// The host sends `45` every second.
    pub keep_alive: bool,
    /// When the clock goes on to the next period.
    pub period_change: PeriodChange,
    /// The board's serial number, five digits; `None`: every board says the same.
    pub serial: Option<u16>,
    /// Two of many people play at this pace, on a board of its own, whatever `hands` says.
    pub people: Option<Tempo>,
}

/// White's side of the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockSide {
    /// As it usually stands: left, on a turned board right.
    #[default]
    Usual,
    /// The other one, and nobody says so.
    Turned,
    /// This one.
    At(Side),
    /// There is no clock.
    None,
}

impl Options {
    /// These hands on an ordinary board.
    pub const fn new(hands: Kind, seed: u64) -> Self {
        Self {
            hands,
            seed,
            speed: 1.0,
            noise: 1.0,
            control: None,
            incidents: Vec::new(),
            by_heart: 0,
            show_result: false,
            habits: Habits::NONE,
            turned: false,
            occupancy: false,
            clock_white: ClockSide::Usual,
            bluetooth: false,
            scan_ms: None,
            damage: 0.0,
            split: Split::Frames,
            verify_ms: None,
            keep_alive: false,
            period_change: PeriodChange::AtZero,
            serial: None,
            people: None,
        }
    }

    /// Two of many people at this pace, who stop the clock after the last move. Even seeds are for fitting, odd ones for tests.
    pub const fn people(tempo: Tempo, seed: u64) -> Self {
        let mut options = Self::new(Kind::Human, seed);
        options.people = Some(tempo);
        options
    }

    /// The board that many people play on.
    pub fn board(&self) -> Option<Board> {
        let drawn = self.people.map(|_| Board::draw(self.seed))?;
        Some(Board { scan_ms: self.scan_ms.unwrap_or(if self.bluetooth { 440 } else { drawn.scan_ms }), ..drawn })
    }

    /// The time control in force.
    pub fn control(&self) -> TimeControl {
        self.control.clone().unwrap_or_else(|| self.people.map_or_else(|| default_control(self.hands), Tempo::control))
    }

    /// White's side of the clock.
    pub const fn side(&self) -> Option<Side> {
        match (self.clock_white, self.turned) {
            (ClockSide::None, _) => None,
            (ClockSide::At(side), _) => Some(side),
            (ClockSide::Usual, false) | (ClockSide::Turned, true) => Some(Side::Left),
            (ClockSide::Usual, true) | (ClockSide::Turned, false) => Some(Side::Right),
        }
    }

    /// The players.
    pub fn players(&self) -> Hands {
        Hands {
            speed: self.speed,
            noise: self.noise,
            control: self.control(),
            incidents: self.incidents.clone(),
            by_heart: self.by_heart,
            show_result: self.show_result,
            habits: self.habits,
            people: self.people,
            ..Hands::new(self.hands, self.seed)
        }
    }

    /// What hands do in the game with this index of a row of games on one board. Each has a seed of its own, counted up from the one given;
    /// `before` is what stands on the board when the one before is over. The incidents asked for are the first game's.
    pub fn script(&self, index: usize, game: &PgnGame, before: Option<Squares>) -> Script {
        let mut players = self.players();
        // Many people's seeds are even or odd for good.
        let step = if self.people.is_some() { 1 << 32 } else { 1 };
        players.seed = players.seed.wrapping_add(step * index as u64);
        players.set_up_from = before;
        if index > 0 {
            players.incidents.clear();
            players.by_heart = 0;
        }
        players.incidents.extend(self.habits.mishap(players.seed, game.moves.len()));
        players.play(game)
    }

    /// The device.
    pub fn config(&self) -> DeviceConfig {
        // Only a clock that counts can forget the bonus of a count.
        let counts = self.incidents.iter().any(|incident| incident.kind == IncidentKind::BonusMissing);
        let board = self.board();
        DeviceConfig {
            turned: self.turned,
            serial: self.serial.unwrap_or(24_680),
            occupancy: self.occupancy,
            clock_white: self.side(),
            control: self.control(),
            bluetooth: self.bluetooth,
            scan_ms: board.map_or(self.scan_ms, |board| Some(board.scan_ms)),
            scan_order: board.map_or(ScanOrder::Rows, |board| board.order),
            clock_delay: board.map(|board| board.clock),
            damage: self.damage,
            damage_is_loss: self.people.is_some(),
            split: self.split,
            period_change: if counts { PeriodChange::AtMove } else { self.period_change },
            ..DeviceConfig::new(self.seed)
        }
    }

    /// The device with this game on it.
    pub fn device(&self, game: &PgnGame) -> Device {
        self.device_with(std::slice::from_ref(game))
    }

    /// The device with these games on it, one after another.
    pub fn device_with(&self, games: &[PgnGame]) -> Device {
        let mut scripts: Vec<Script> = Vec::with_capacity(games.len());
        for (index, game) in games.iter().enumerate() {
            let before = scripts.last().map(Script::after);
            scripts.push(self.script(index, game, before));
        }
        let mut scripts = scripts.into_iter();
        let mut device = Device::new(self.config(), scripts.next().expect("there is a game to play"));
        scripts.for_each(|script| device.queue(script));
        device
    }

    /// What flagfall has to know to read the game; the clock's side and the board's are left to be found.
    pub fn settings(&self, game: &PgnGame) -> Settings {
        Settings {
            play: match self.people {
                Some(tempo) => tempo.play(),
                None if self.hands == Kind::Blitz => Play::Blitz,
                None => Play::Standard,
            },
            time_control: self.side().is_some().then(|| self.control()),
            clock_white: match self.clock_white {
                ClockSide::Usual | ClockSide::Turned => ClockWhite::Auto,
                ClockSide::At(Side::Left) => ClockWhite::Left,
                ClockSide::At(Side::Right) => ClockWhite::Right,
                ClockSide::None => ClockWhite::None,
            },
            start_fen: game.start_fen().filter(|_| game.mode.is_standard()),
            kind: if self.occupancy { BoardKind::Occupancy } else { BoardKind::Dgt },
            link: if self.bluetooth { String::from("rfcomm:simulated") } else { Settings::default().link },
            ..Settings::default()
        }
    }
}

/// A whole game as it went over the wire, and what it really was.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Both directions and the link's state, in the order of time.
    pub lines: Vec<(Mono, CaptureLine)>,
    /// What was really played; of several games the first.
    pub truth: Truth,
    /// The same of all games.
    pub games: Vec<Truth>,
    /// What the reader has to know.
    pub settings: Settings,
}

impl Stream {
    /// What the host read, read by read.
    pub fn chunks(&self) -> impl Iterator<Item = (Mono, &[u8])> {
        self.lines.iter().filter_map(|(t, line)| match line {
            CaptureLine::FromBoard(bytes) => Some((*t, bytes.as_slice())),
            _ => None,
        })
    }

    /// Writes it as a capture file; `about` and what was really played are comment lines of the header.
    pub fn write(&self, out: impl io::Write, opened_at: Wall, about: &str) -> io::Result<()> {
        let header = Header { settings: self.settings.clone(), opened_at, ..Header::default() };
        let mut writer = Writer::new(out, &header)?;
        writer.comment(about)?;
        for (n, truth) in self.games.iter().enumerate() {
            let which = if n == 0 { String::from("played") } else { format!("played in game {}", n + 1) };
            writer.comment(&format!("{which}: {}", truth.uci().join(" ")))?;
        }
        for (t, line) in &self.lines {
            writer.line(*t, line)?;
        }
        // Time ends with the last line: what settles after the last move needs some.
        if let Some((t, _)) = self.lines.last() {
            writer.link(*t + CLOSING, LinkState::Down)?;
        }
        writer.flush()
    }
}

/// From the clock's stop to the operator's entry, milliseconds.
const RESULT: u64 = 1_000;

/// From the board's last word to the end of a capture, milliseconds.
const CLOSING: u64 = 10_000;

/// What the host sends after it opened the port, with milliseconds since then.
const START_UP: [(u64, &[u8]); 10] = [
    (500, &[0x40]),
    (600, &[0x4D]),
    (720, &[0x45]),
    (840, &[0x47]),
    (1100, &[0x55]),
    (1220, &[0x48]),
    (1340, &[0x4B]),
    (1440, &[0x42]),
    (1620, &[0x41]),
    (1740, &[0x2B, 0x03, 0x03, 0x09, 0x00]),
];

/// Plays a game from the open port to the end.
pub fn stream(game: &PgnGame, options: &Options) -> Stream {
    stream_of(std::slice::from_ref(game), options)
}

/// Plays games one after another on one board, from the open port to the end. Of several no result is entered by anybody.
pub fn stream_of(games: &[PgnGame], options: &Options) -> Stream {
    let mut device = options.device_with(games);
    let mut lines = Vec::new();
    let mut host: Vec<(Mono, Vec<u8>)> = start_up(Mono::ZERO);
    let (mut up, mut said, mut verified) = (true, Mono::ZERO, Mono::ZERO);
    loop {
        if host.is_empty() && up {
            let (alive, verify) = (said + 1000, options.verify_ms.map(|every| verified + every));
            match verify {
                Some(at) if at <= alive || !options.keep_alive => host.push((at, vec![0x42])),
                _ if options.keep_alive => host.push((alive, vec![0x45])),
                _ => {}
            }
        }
        let next = host.first().map(|(t, _)| *t);
        let due = device.deadline();
        match (next, due) {
            (Some(t), due) if due.is_none_or(|due| t <= due) => {
                let (_, bytes) = host.remove(0);
                device.handle(t, &bytes);
                said = t;
                if bytes == [0x42] {
                    verified = t;
                }
                lines.push((t, CaptureLine::ToBoard(bytes)));
            }
            (_, Some(due)) => device.advance(due),
            (_, None) => break,
        }
        while let Some((t, output)) = device.poll() {
            lines.push(match output {
                DeviceOutput::Bytes(bytes) => (t, CaptureLine::FromBoard(bytes)),
                DeviceOutput::Unplugged => {
                    (host, up) = (Vec::new(), false);
                    (t, CaptureLine::Link(LinkState::Down))
                }
                DeviceOutput::Plugged => {
                    (host, up) = (start_up(t), true);
                    (t, CaptureLine::Link(LinkState::Up))
                }
            });
        }
        if device.is_done() && device.is_quiet() {
            break;
        }
    }
    let mut played = device.games().to_vec();
    if played.is_empty() {
        played.push(options.script(0, &games[0], None).truth);
    }
    let truth = played[0].clone();
    let alone = games.len() == 1 && options.habits.are_none();
    if alone && !truth.kings_shown && !options.incidents.iter().any(|incident| incident.kind.ends_the_game()) {
        enter_result(&mut lines, &truth);
    }
    Stream { lines, truth, games: played, settings: options.settings(&games[0]) }
}

/// The players have stopped the clock, and the operator enters what they agreed; a mate needs nobody.
fn enter_result(lines: &mut Vec<(Mono, CaptureLine)>, truth: &Truth) {
    let stopped = lines
        .iter()
        .rposition(|(_, line)| matches!(line, CaptureLine::FromBoard(bytes) if matches!(bytes[..], [0x8D, .., status] if status & 1 == 0)));
    // What the clock said of it may have been lost.
    let over = Mono::from_millis(truth.over);
    let said = stopped.map(|index| lines[index].0.max(over) + RESULT);
    let (Some(at), Some(last)) = (said, truth.plies.last()) else { return };
    // A result that nobody knows is not entered: it would open again what has ended.
    if !last.san.ends_with('#') && truth.result != GameResult::Open {
        let order = Order::Result { result: truth.result, reason: None, game: None };
        let entry = Entry::new(order);
        let place = lines.iter().rposition(|(t, _)| *t <= at).map_or(0, |index| index + 1);
        lines.insert(place, (at, CaptureLine::Entry(entry)));
    }
}

fn start_up(opened: Mono) -> Vec<(Mono, Vec<u8>)> {
    START_UP.iter().map(|(after, bytes)| (opened + *after, bytes.to_vec())).collect()
}
