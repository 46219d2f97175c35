//! A whole e-board and its clock as one state machine in simulated time: host bytes and a script of hands in, board bytes out.
//!
//! Pure: time is an argument, milliseconds outside and microseconds inside. `handle` host bytes or `advance` to the next [`Device::deadline`],
//! then drain [`Device::poll`].
use super::bus_side::{BusManner, BusSide};
use super::clock::{ChessClock, PeriodChange, Side};
use super::hands::default_control;
use super::memory::Memory;
use super::pace::Kind;
use super::people::ClockDelay;
use super::scanner::{ScanOrder, Scanner};
use super::script::{Act, Script, Squares, Truth, squares_of, wire_of};
use super::wire::{Split, Wire};
use dgt_protocol::clock::{Ack, ClockReport, ClockTimes};
use dgt_protocol::command::CommandDecoder;
use dgt_protocol::message::Message;
use dgt_protocol::square::{PieceCode, WirePlacement};
use flagfall_events::{ClockPair, Colour, Mono, TimeControl};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// What kind of device it is.
#[derive(Clone, Debug)]
pub struct DeviceConfig {
    /// Everything random about the device comes from here.
    pub seed: u64,
    /// Five digits.
    pub serial: u16,
    /// Firmware: main and sub number.
    pub firmware: (u8, u8),
    /// Answers `48` and `55`, as newer boards do.
    pub answers_new_queries: bool,
    /// Answers `4C`, as Bluetooth boards do, and sends null messages and repeated acknowledgements around clock commands.
    pub bluetooth: bool,
    /// Milliseconds of one scan; `None`: 200–250 by the seed, twice that over Bluetooth.
    pub scan_ms: Option<u64>,
    /// White sits at the board's other side.
    pub turned: bool,
    /// Every piece reads as a white pawn.
    pub occupancy: bool,
    /// White's side of the clock; `None`: no clock on the jack.
    pub clock_white: Option<Side>,
    /// What the clock is set to.
    pub control: TimeControl,
    /// When it goes on to the next period.
    pub period_change: PeriodChange,
    /// The host sets the clock (option 25).
    pub remote_clock: bool,
    /// In which order the fields are read.
    pub scan_order: ScanOrder,
    /// Milliseconds from a change on the clock to the board knowing it; changes that come close together are one message.
    pub clock_lag_ms: u64,
    /// A delay of each report by itself instead.
    pub clock_delay: Option<ClockDelay>,
    /// How the host's reads cut the stream.
    pub split: Split,
    /// Share of frames that are lost, doubled or changed on the wire.
    pub damage: f64,
    /// What suffers is lost, at once or because no decoder takes it; nothing reads as something else.
    pub damage_is_loss: bool,
    /// The hands wait until the host has asked for updates.
    pub wait_for_host: bool,
    /// It shares a line with other boards, and behaves there so.
    pub bus: Option<BusManner>,
}

impl DeviceConfig {
    /// An ordinary USB board with a DGT3000-like clock, White's side left.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            serial: 24680,
            firmware: (1, 8),
            answers_new_queries: true,
            bluetooth: false,
            scan_ms: None,
            turned: false,
            occupancy: false,
            clock_white: Some(Side::Left),
            control: default_control(Kind::Human),
            period_change: PeriodChange::AtZero,
            remote_clock: false,
            scan_order: ScanOrder::Rows,
            clock_lag_ms: 40,
            clock_delay: None,
            split: Split::Frames,
            damage: 0.0,
            damage_is_loss: false,
            wait_for_host: true,
            bus: None,
        }
    }
}

/// What the world sees of the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceOutput {
    /// Bytes that the host can read now.
    Bytes(Vec<u8>),
    /// The cable was pulled.
    Unplugged,
    /// It is in again.
    Plugged,
}

/// The players were asked to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// The move that is being made is still pressed.
    AfterThePress,
    /// They have waited since then, microseconds.
    Since(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UpdateMode {
    Bus,
    Idle,
    Update,
    UpdateBoard,
    UpdateNice,
}

/// The device.
#[derive(Debug)]
pub struct Device {
    pub(super) config: DeviceConfig,
    pub(super) rng: ChaCha8Rng,
    pub(super) mode: UpdateMode,
    pub(super) plugged: bool,
    commands: CommandDecoder,
    pub(super) bus: BusSide,
    /// Bytes of a bus command that are thrown away.
    pub(super) skip: u8,
    pub(super) wire: Wire,
    pub(super) scanner: Scanner,
    pub(super) memory: Memory,
    pub(super) clock: Option<ChessClock>,
    /// Its cable is out.
    pub(super) unplugged_clock: bool,
    /// What the clock said in the last message, and when that was.
    pub(super) reported: Option<(u64, ClockTimes)>,
    report_due: Option<u64>,
    /// Reports under way from a clock that delays each by itself.
    late_reports: VecDeque<(u64, ClockTimes)>,
    /// Acknowledgements under way from the clock.
    pub(super) acks: VecDeque<(u64, Ack)>,
    pub(super) last_ack: Option<(u64, Ack)>,
    scripts: VecDeque<Script>,
    /// When the current script began, and its next step.
    pub(super) playing: Option<(u64, usize)>,
    pub(super) hold: Option<Hold>,
    pub(super) games: Vec<Truth>,
    pub(super) revision: u64,
    start: WirePlacement,
    links: VecDeque<(u64, DeviceOutput)>,
    pub(super) now: u64,
}

pub(super) const MS: u64 = 1000;

impl Device {
    /// A device that has just got its power, with the script's pieces on it.
    pub fn new(config: DeviceConfig, script: Script) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(config.seed ^ 0x00B0_A12D);
        let factor = if config.bluetooth { 2 } else { 1 };
        let period = config.scan_ms.unwrap_or_else(|| factor * rng.random_range(200..=250)).max(1) * MS;
        let phase = rng.random_range(0..period);
        let pieces = sensed(&config, &script.before);
        let clock = config.clock_white.map(|first| {
            if config.remote_clock {
                ChessClock::remote(config.control.clone(), first)
            } else {
                ChessClock::new(config.control.clone(), config.period_change, first)
            }
        });
        let mut memory = Memory::default();
        memory.power_up(&pieces);
        let usual = squares_of(&shakmaty::Board::new());
        let start = sensed(&config, &usual);
        Self {
            wire: Wire::new(config.split, config.damage, config.seed ^ 0xDA3A_6E00).with_losses_only(config.damage_is_loss),
            mode: UpdateMode::Bus,
            plugged: true,
            commands: CommandDecoder::new(),
            bus: BusSide::new(&memory),
            skip: 0,
            scanner: Scanner::new(pieces, period, phase).in_order(config.scan_order),
            memory,
            clock,
            unplugged_clock: false,
            reported: None,
            report_due: None,
            late_reports: VecDeque::new(),
            acks: VecDeque::new(),
            last_ack: None,
            scripts: VecDeque::from([script]),
            playing: None,
            hold: None,
            games: Vec::new(),
            revision: 0,
            start,
            links: VecDeque::new(),
            now: 0,
            config,
            rng,
        }
    }

    /// Plays this script after the ones it already has.
    pub fn queue(&mut self, script: Script) {
        self.scripts.push_back(script);
        if self.playing.is_none() && !self.games.is_empty() {
            self.begin();
        }
    }

    /// The cable is pulled at `t`; the players go on.
    pub fn unplug(&mut self, t: Mono) {
        self.advance(t);
        self.cut();
    }

    /// The cable is plugged in again at `t`: the board boots, with its mode lost and its move memory kept.
    pub fn replug(&mut self, t: Mono) {
        self.advance(t);
        self.power_up();
    }

    /// An arbiter stops the clock at `t`.
    pub fn stop_clock(&mut self, t: Mono) {
        self.advance(t);
        self.turn_clock(|clock, now, _| clock.stop(now));
    }

    /// An arbiter sets the clock at `t`, seconds.
    pub fn set_clock(&mut self, t: Mono, left: u32, right: u32) {
        self.advance(t);
        self.turn_clock(|clock, now, _| clock.set(now, left, right));
    }

    /// An arbiter starts the clock at `t`.
    pub fn start_clock(&mut self, t: Mono) {
        self.advance(t);
        self.turn_clock(|clock, now, _| clock.start(now));
    }

    /// What the clock shows on its left and its right, seconds; `None` where there is none.
    pub fn shown(&self) -> Option<[u32; 2]> {
        self.clock.as_ref().map(|clock| [Side::Left, Side::Right].map(|side| clock.shown(side)))
    }

    /// What kind of device it is.
    pub const fn config(&self) -> &DeviceConfig {
        &self.config
    }

    /// All scripts are over.
    pub fn is_done(&self) -> bool {
        self.scripts.is_empty()
    }

    /// Nothing is under way: no touched field, no byte, no acknowledgement.
    pub fn is_quiet(&self) -> bool {
        let waiting = [self.scanner.deadline(), self.wire.deadline(), self.report_due, self.acks.front().map(|(at, _)| *at)];
        self.links.is_empty() && self.late_reports.is_empty() && waiting.iter().all(Option::is_none)
    }

    /// Milliseconds of one scan.
    pub const fn scan_ms(&self) -> u64 {
        self.scanner.period() / MS
    }

    /// What was really played so far, one entry a game that has begun; times are the device's milliseconds.
    pub fn games(&self) -> &[Truth] {
        &self.games
    }

    /// Counts the changes of [`Device::games`].
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// What physically stands on the board now, in the board's own numbering.
    pub const fn physical(&self) -> &WirePlacement {
        self.scanner.physical()
    }

    /// Bytes from the host, written at `t`.
    pub fn handle(&mut self, t: Mono, bytes: &[u8]) {
        self.advance(t);
        if !self.plugged {
            return;
        }
        for byte in bytes {
            if self.skip > 0 && *byte < 0x80 {
                self.skip -= 1;
            } else if self.mode != UpdateMode::Bus || !self.bus_byte(*byte) {
                self.skip = 0;
                self.commands.feed(&[*byte]);
                while let Some(command) = self.commands.next() {
                    self.command(&command);
                }
            }
        }
    }

    /// Lets the time go by until `t`.
    pub fn advance(&mut self, t: Mono) {
        let t = t.millis() * MS;
        while let Some(at) = self.next_event().filter(|at| *at <= t) {
            self.now = self.now.max(at);
            self.event();
        }
        self.now = self.now.max(t);
        if let Some(clock) = &mut self.clock {
            clock.advance(self.now);
        }
    }

    /// When something happens next by itself, rounded up to milliseconds.
    pub fn deadline(&self) -> Option<Mono> {
        let wire = self.wire.deadline();
        let link = self.links.front().map(|(at, _)| *at);
        [self.next_event(), wire, link].into_iter().flatten().min().map(up)
    }

    /// What has come out by now, until there is no more.
    pub fn poll(&mut self) -> Option<(Mono, DeviceOutput)> {
        if let Some((at, output)) = self.links.pop_front() {
            return Some((up(at), output));
        }
        self.wire.poll(self.now).map(|(at, bytes)| (up(at), DeviceOutput::Bytes(bytes)))
    }

    fn next_event(&self) -> Option<u64> {
        let plays = self.playing.filter(|_| !self.is_held());
        let step = plays.and_then(|(epoch, next)| {
            let script = self.scripts.front()?;
            Some(epoch + script.steps.get(next).map_or(script.end, |step| step.at) * MS)
        });
        let begin = (self.playing.is_none() && !self.scripts.is_empty() && !self.config.wait_for_host).then_some(self.now);
        let clock = self.clock.as_ref().and_then(ChessClock::deadline);
        let regular = match (self.mode, self.reported) {
            (UpdateMode::Update, Some((at, _))) => Some(at + 1000 * MS),
            _ => None,
        };
        let ack = self.acks.front().map(|(at, _)| *at);
        let late = self.late_reports.front().map(|(at, _)| *at);
        let answer = self.bus.deadline();
        [step, begin, self.scanner.deadline(), clock, regular, self.report_due, late, ack, answer].into_iter().flatten().min()
    }

    /// Does what is due now.
    fn event(&mut self) {
        let now = self.now;
        if let Some(clock) = &mut self.clock
            && clock.deadline().is_some_and(|at| at <= now)
        {
            clock.advance(now);
            self.clock_changed();
        }
        self.hands();
        while let Some((at, square, piece)) = self.scanner.poll(now) {
            if self.is_without_power() {
                continue;
            }
            self.memory.change(at, square, piece);
            self.bus.wrote(at);
            if *self.scanner.image() == self.start {
                self.memory.start_position(self.config.turned);
            }
            if matches!(self.mode, UpdateMode::Update | UpdateMode::UpdateBoard | UpdateMode::UpdateNice) {
                self.send(&Message::FieldUpdate { square, piece });
            }
        }
        self.clock_report();
        self.bus_answers();
        while let Some((_, ack)) = self.acks.pop_front_if(|(at, _)| *at <= now) {
            self.last_ack = Some((now, ack));
            self.send(&Message::Clock(ClockReport::Ack(ack)));
        }
    }

    fn hands(&mut self) {
        if self.playing.is_none() && !self.config.wait_for_host {
            self.begin();
        }
        while let (false, Some((epoch, next)), Some(script)) = (self.is_held(), self.playing, self.scripts.front()) {
            let Some(step) = script.steps.get(next).copied() else {
                if epoch + script.end * MS <= self.now {
                    self.scripts.pop_front();
                    self.playing = None;
                    self.begin();
                    continue;
                }
                return;
            };
            if epoch + step.at * MS > self.now {
                return;
            }
            self.playing = Some((epoch, next + 1));
            self.act(step.act);
            if self.hold == Some(Hold::AfterThePress) && matches!(step.act, Act::Press { ply: Some(_), .. }) {
                self.hold = Some(Hold::Since(self.now));
            }
        }
    }

    /// The next script's time starts now.
    fn begin(&mut self) {
        let Some(script) = self.scripts.front() else { return };
        let mut truth = script.truth.clone();
        truth.later(self.now / MS);
        self.games.push(truth);
        self.revision += 1;
        self.playing = Some((self.now, 0));
    }

    fn act(&mut self, act: Act) {
        let now = self.now;
        match act {
            Act::Lift(square) => self.scanner.set(now, wire_of(square, self.config.turned), PieceCode::Empty),
            Act::Put(square, piece) => {
                let piece = if self.config.occupancy { PieceCode::WhitePawn } else { piece };
                self.scanner.set(now, wire_of(square, self.config.turned), piece);
            }
            Act::Press { by, ply } => self.press(by, ply),
            Act::StartClock => {
                self.wire.expose();
                self.turn_clock(|clock, now, _| clock.start(now));
            }
            Act::StopClock => self.turn_clock(|clock, now, _| clock.stop(now)),
            Act::ResetClock => self.turn_clock(|clock, _, white| clock.reset(white)),
            Act::FailClock(fault, by) => self.turn_clock(|clock, now, white| {
                clock.fail(now, fault, if by == Colour::White { white } else { white.other() });
            }),
            Act::Unplug => self.cut(),
            Act::Replug => self.power_up(),
        }
    }

    /// A board on a bus has its power from there.
    pub(super) const fn is_without_power(&self) -> bool {
        !self.plugged && self.config.bus.is_some()
    }

    fn cut(&mut self) {
        if std::mem::take(&mut self.plugged) {
            self.mode = UpdateMode::Bus;
            self.wire.cut(self.now);
            self.acks.clear();
            self.reported = None;
            self.links.push_back((self.now, DeviceOutput::Unplugged));
        }
    }

    fn power_up(&mut self) {
        if !std::mem::replace(&mut self.plugged, true) {
            self.commands = CommandDecoder::new();
            self.bus.clear();
            self.skip = 0;
            self.bus.booted(&self.memory);
            self.scanner.restart();
            self.memory.power_up(self.scanner.image());
            self.links.push_back((self.now, DeviceOutput::Plugged));
        }
    }

    fn turn_clock(&mut self, turn: impl FnOnce(&mut ChessClock, u64, Side)) {
        if let (Some(clock), Some(white)) = (&mut self.clock, self.config.clock_white) {
            turn(clock, self.now, white);
            self.clock_changed();
        }
    }

    fn press(&mut self, by: Colour, ply: Option<u32>) {
        let pressed = match (&mut self.clock, self.config.clock_white) {
            (Some(clock), Some(white)) => {
                let side = if by == Colour::White { white } else { white.other() };
                let stopped = clock.running() == Some(side);
                let pressed = clock.press(self.now, side);
                // On a bus the log has it when the board knows of it.
                if pressed && stopped && self.plugged && !self.unplugged_clock && self.config.bus.is_none() {
                    self.memory.clock(side == Side::Right, clock.shown(side));
                }
                let ms = |side| i64::from(clock.shown(side)) * 1000;
                pressed.then(|| Some(ClockPair { white_ms: ms(white), black_ms: ms(white.other()) }))
            }
            _ => None,
        };
        let Some(clock) = pressed else { return };
        let entry = ply.and_then(|ply| {
            let plies = &mut self.games.last_mut()?.plies;
            plies.iter_mut().find(|entry| entry.ply == ply && entry.press.is_none())
        });
        if let Some(entry) = entry {
            entry.press = Some(self.now / MS);
            entry.clock = clock;
            self.revision += 1;
        }
        self.clock_changed();
    }

    /// The board hears of the clock a little later; changes that come close together are one message.
    pub(super) fn clock_changed(&mut self) {
        if let (Some(delay), Some(clock)) = (&self.config.clock_delay, &self.clock) {
            let due = self.now + delay.draw(&mut self.rng) * MS;
            // A later report waits for those before it.
            let due = self.late_reports.back().map_or(due, |(at, _)| due.max(*at));
            self.late_reports.push_back((due, clock.report()));
            return;
        }
        let due = self.now + self.config.clock_lag_ms * MS;
        if let Some(clock) = self.clock.as_ref().filter(|_| self.config.bus.is_some()) {
            self.late_reports.push_back((due, clock.report()));
            return;
        }
        self.report_due = Some(self.report_due.map_or(due, |at| at.min(due)));
    }

    fn clock_report(&mut self) {
        while let Some((_, report)) = self.late_reports.pop_front_if(|(at, _)| *at <= self.now) {
            if self.config.bus.is_some() {
                self.bus_clock(report);
            }
            if matches!(self.mode, UpdateMode::Update | UpdateMode::UpdateNice) && self.reported.is_none_or(|(_, last)| last != report) {
                self.reported = Some((self.now, report));
                self.send(&Message::Clock(self.jack(report)));
            }
        }
        let regular = self.mode == UpdateMode::Update && self.reported.is_some_and(|(at, _)| at + 1000 * MS <= self.now);
        if self.report_due.is_some_and(|at| at <= self.now) {
            self.report_due = None;
        } else if !regular {
            return;
        }
        let Some(clock) = &self.clock else { return };
        let report = clock.report();
        let changed = self.reported.is_none_or(|(_, last)| last != report);
        match self.mode {
            UpdateMode::Update | UpdateMode::UpdateNice if changed || regular => {
                self.reported = Some((self.now, report));
                self.send(&Message::Clock(self.jack(report)));
            }
            _ => {}
        }
    }

    pub(super) fn send(&mut self, message: &Message) {
        if self.plugged {
            // Boards on one line are no clockwork: their answers to one question do not lie over each other bit by bit.
            let wait = if self.config.bus.is_some() { self.rng.random_range(MS..=6 * MS) } else { 0 };
            self.wire.send(self.now + wait, message.encode());
        }
    }

    /// The hands have waited for a host.
    pub(super) fn begin_once(&mut self) {
        if self.playing.is_none() && self.games.is_empty() {
            self.begin();
        }
    }

    pub(super) fn enter(&mut self, mode: UpdateMode) {
        self.mode = mode;
        if mode != UpdateMode::Idle {
            self.begin_once();
        }
        if mode == UpdateMode::Update {
            self.report_due = Some(self.now);
            self.reported = None;
        }
    }
}

/// What the sensors of this device read of pieces that stand so.
fn sensed(config: &DeviceConfig, squares: &Squares) -> WirePlacement {
    let mut fields = [PieceCode::Empty; 64];
    for square in shakmaty::Square::ALL {
        let piece = squares[square.to_usize()];
        let read = if config.occupancy && piece != PieceCode::Empty { PieceCode::WhitePawn } else { piece };
        fields[usize::from(wire_of(square, config.turned).index())] = read;
    }
    fields
}

/// Microseconds to the millisecond that is not earlier.
const fn up(us: u64) -> Mono {
    Mono::from_millis(us.div_ceil(MS))
}
