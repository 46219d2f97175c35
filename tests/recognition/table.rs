//! One run: the acts of a [`Hand`] on a physical board, and flagfall's own `Board` reading its wire.
use super::referee::Referee;
use super::report::Report;
use super::rig::{Act, Fate, Hand, Lie, Style};
use dgt_protocol::command::Command;
use dgt_protocol::message::Message;
use dgt_protocol::square::{PieceCode, WireSquare};
use flagfall_capture::Header;
use flagfall_events::{BoardKind, Event, LinkState, Mono, Wall};
use flagfall_game::board::{Board, Output};
use std::fmt::Write as _;

/// One run: the board as it physically is, and its reader.
pub(crate) struct Table {
    squares: [PieceCode; 64],
    lie: Lie,
    occupancy: bool,
    plugged: bool,
    dumb: bool,
    clock: Vec<u8>,
    pub(crate) board: Board,
    events: Vec<Event>,
    asked: Vec<u64>,
    dump_due: Option<u64>,
    capture: String,
    style: Style,
    nudged: u64,
}

impl Table {
    pub(crate) fn new(hand: &Hand, style: Style) -> Self {
        let header = Header { settings: hand.settings.clone(), ..Header::default() };
        Self {
            squares: hand.first,
            lie: hand.lie,
            occupancy: hand.settings.kind == BoardKind::Occupancy,
            plugged: false,
            dumb: hand.dumb,
            clock: Vec::new(),
            board: Board::new("1", Wall::EPOCH, hand.settings.clone()),
            events: Vec::new(),
            asked: Vec::new(),
            dump_due: None,
            capture: header.to_string(),
            style,
            nudged: 0,
        }
    }

    /// Fires every deadline and answers every request up to this moment.
    pub(crate) fn go_on_until(&mut self, t: u64) {
        loop {
            let dump = self.dump_due.filter(|at| *at <= t);
            let due = self.board.deadline().map(Mono::millis).filter(|at| *at <= t);
            match (due, dump) {
                (Some(due), dump) if dump.is_none_or(|dump| due <= dump) => {
                    self.nudge(due);
                    self.time_out(due);
                }
                (_, Some(dump)) => {
                    self.nudge(dump);
                    self.dump_due = None;
                    self.dump(dump);
                }
                (_, None) => break,
            }
        }
        self.nudge(t);
    }

    /// Calls that nothing asked for.
    fn nudge(&mut self, until: u64) {
        while let Some(at) = self.style.nudge.map(|step| self.nudged + step).filter(|at| *at < until) {
            self.nudged = at;
            self.time_out(at);
        }
    }

    fn time_out(&mut self, t: u64) {
        for _ in 0..=usize::from(self.style.nudge.is_some()) {
            self.board.timeout(Mono::from_millis(t));
            self.drain(t);
        }
    }

    pub(crate) fn act(&mut self, t: u64, act: &Act) {
        let at = Mono::from_millis(t);
        match act {
            Act::Square(square, piece, fate) => {
                self.squares[*square] = *piece;
                let wire = WireSquare::new(u8::try_from(self.lie.wire(*square)).unwrap()).unwrap();
                let mut bytes = Message::FieldUpdate { square: wire, piece: self.reads(*piece) }.encode();
                match fate {
                    Fate::Sent => {}
                    Fate::Lost => return,
                    Fate::CutShort => {
                        bytes.pop();
                    }
                }
                self.send(t, &bytes);
            }
            Act::Clock(bytes) => {
                self.clock.clone_from(bytes);
                self.send(t, bytes);
            }
            Act::Raw(bytes) => self.send(t, bytes),
            Act::Entry(entry) => {
                writeln!(self.capture, "{t} ! {}", serde_json::to_string(entry).unwrap()).unwrap();
                self.board.entry(at, entry.clone());
                self.drain(t);
            }
            Act::Unplug => {
                self.plugged = false;
                self.dump_due = None;
                writeln!(self.capture, "{t} = down").unwrap();
                self.board.link(at, LinkState::Down, None);
                self.drain(t);
            }
            Act::Plug { clock } => {
                self.plugged = true;
                writeln!(self.capture, "{t} = up").unwrap();
                self.board.link(at, LinkState::Up, None);
                self.drain(t);
                // The start-up sequence asks for the image, then for the clock.
                self.dump(t);
                let said = self.clock.clone();
                if *clock && !said.is_empty() {
                    self.send(t, &said);
                }
            }
        }
    }

    /// What the sensors make of a piece.
    fn reads(&self, piece: PieceCode) -> PieceCode {
        if self.occupancy && !piece.is_empty() { PieceCode::WhitePawn } else { piece }
    }

    fn dump(&mut self, t: u64) {
        let mut wire = [PieceCode::Empty; 64];
        for (square, piece) in self.squares.iter().enumerate() {
            wire[self.lie.wire(square)] = self.reads(*piece);
        }
        self.send(t, &Message::BoardDump(Box::new(wire)).encode());
    }

    fn send(&mut self, t: u64, bytes: &[u8]) {
        if !self.plugged {
            return;
        }
        self.capture += &format!("{t} <");
        for byte in bytes {
            write!(self.capture, " {byte:02x}").unwrap();
        }
        self.capture.push('\n');
        let mut rest = bytes;
        while !rest.is_empty() {
            let length = match &mut self.style.cut {
                Some(state) => {
                    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    1 + usize::try_from((*state >> 33) % 7).unwrap()
                }
                None => rest.len(),
            };
            let (portion, after) = rest.split_at(length.min(rest.len()));
            self.board.bytes(Mono::from_millis(t), portion);
            self.drain(t);
            rest = after;
        }
    }

    fn drain(&mut self, t: u64) {
        while let Some(output) = self.board.poll() {
            match output {
                Output::Event(event) => self.events.push(event),
                // No position of these tests is dead.
                Output::Question(_) => {}
                Output::Command(command) => {
                    if command == Command::SendBoard {
                        self.asked.push(t);
                        if self.plugged && !self.dumb {
                            self.dump_due.get_or_insert(t + 100);
                        }
                    }
                }
            }
        }
        let deadline = self.board.deadline().map(Mono::millis);
        assert!(deadline.is_none_or(|at| at > t), "at {t} the deadline is {deadline:?}\n{}", self.capture);
    }

    pub(crate) fn report(self) -> Report {
        Report { events: self.events, asked: self.asked, capture: self.capture }
    }

    pub(crate) fn finish(self) -> Report {
        let report = self.report();
        if let Err(wrong) = Referee::judge(&report.events) {
            panic!("{wrong}\n{}\n{}", report.story(), report.capture);
        }
        report
    }
}
