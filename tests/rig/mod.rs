//! Two parties in one simulated time: a [`Device`], and flagfall's own [`Board`] behind a real link [`Session`]. A step moves the time to the
//! nearest deadline of either side; a five-hour game takes milliseconds.
//! Tests and benches share it.
#![allow(dead_code, reason = "each test uses a part of it")]

use dgt_protocol::clock::{ClockReport, ClockTimes, SideTime};
use dgt_protocol::command::Command;
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_events::{Body, Entry, Event, LinkState, Mono, Wall};
use flagfall_game::board::{self, Board};
use flagfall_game::questions::Question;
use flagfall_game::settings::Settings;
use flagfall_link::startup::{Loss, Session, Verdict};
use flagfall_simulator::device::{Device, DeviceOutput};
use flagfall_simulator::games::PgnGame;
use flagfall_simulator::stream::Options;
use flagfall_solver::Solver;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;

/// How long a lost port is left alone, milliseconds.
const BACK_OFF: u64 = 250;
/// First byte of a clock message.
const CLOCK: u8 = 0x8d;
/// How long the world goes on after the last act.
const AFTERMATH: u64 = 5000;

/// The rig.
#[derive(Debug)]
pub(crate) struct Rig {
    /// The board and its players.
    pub(crate) device: Device,
    /// The reader.
    pub(crate) board: Board,
    /// The time both live in.
    pub(crate) now: Mono,
    /// What the reader has said so far.
    pub(crate) events: Vec<Event>,
    /// What it has heard so far, read by read.
    pub(crate) heard: Vec<(Mono, Vec<u8>)>,
    session: Option<Session>,
    reopen_at: Option<Mono>,
    receiver: Receiver,
    plugged: bool,
    over_since: Option<Mono>,
    questions: VecDeque<Question>,
    solver: Solver,
    /// What the board's jack does to what the clock says.
    pub(crate) jack: Jack,
}

/// The cable between clock and board.
#[derive(Debug, Default)]
pub(crate) enum Jack {
    /// It works.
    #[default]
    Whole,
    /// So many reports in a hundred do not arrive.
    Loses(u64),
    /// No clock is on it from one moment to another; then it is another clock, whose displays show this much more than the first one's, seconds.
    Replaced(Mono, Mono, [i32; 2]),
    /// The clock's battery is low from one moment to another.
    Weak(Mono, Mono),
}

impl Jack {
    /// What the host reads at `t` instead of these frames.
    fn pass(&self, t: Mono, bytes: Vec<u8>) -> Vec<u8> {
        if matches!(self, Self::Whole) {
            return bytes;
        }
        let (mut rest, mut passed) = (bytes.as_slice(), Vec::new());
        // Identifier, length of the whole frame in two bytes of seven bits.
        while let [_, high, low, ..] = *rest {
            let (frame, after) = rest.split_at((usize::from(high) << 7 | usize::from(low)).clamp(3, rest.len()));
            rest = after;
            match <[u8; 7]>::try_from(&frame[3..]).ok().filter(|_| frame[0] == CLOCK) {
                Some(payload) => passed.extend(self.report(t, payload).into_iter().flat_map(|payload| [&frame[..3], &payload].concat())),
                None => passed.extend(frame),
            }
        }
        passed.extend(rest);
        passed
    }

    fn report(&self, t: Mono, payload: [u8; 7]) -> Option<[u8; 7]> {
        match *self {
            Self::Whole => Some(payload),
            // Any mixing will do: the same moment is always lost.
            Self::Loses(share) => {
                (t.millis().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33).checked_rem(100).is_none_or(|n| n >= share).then_some(payload)
            }
            Self::Replaced(from, until, more) => match ClockReport::parse(&payload) {
                Ok(ClockReport::Time(_)) if t >= from && t < until => Some(ClockReport::NoClock.encode()),
                Ok(ClockReport::Time(times)) if t >= until => {
                    let add = |side: SideTime, more: i32| {
                        let seconds = side.total_seconds().saturating_add_signed(more);
                        let SideTime { hours, minutes, seconds, .. } = SideTime::from_seconds(seconds).unwrap_or(side);
                        SideTime { hours, minutes, seconds, ..side }
                    };
                    let [left, right] = more;
                    let times = ClockTimes { left: add(times.left, left), right: add(times.right, right), ..times };
                    Some(ClockReport::Time(times).encode())
                }
                _ => Some(payload),
            },
            Self::Weak(from, until) => match ClockReport::parse(&payload) {
                Ok(ClockReport::Time(times)) => {
                    Some(ClockReport::Time(ClockTimes { battery_low: (from..until).contains(&t), ..times }).encode())
                }
                _ => Some(payload),
            },
        }
    }
}

impl Rig {
    /// A device that is plugged in at millisecond 0 to this reader.
    pub(crate) fn new(device: Device, board: Board) -> Self {
        let mut rig = Self {
            device,
            board,
            now: Mono::ZERO,
            events: Vec::new(),
            heard: Vec::new(),
            session: None,
            reopen_at: None,
            receiver: Receiver::new(Single::Dgt),
            plugged: true,
            over_since: None,
            questions: VecDeque::new(),
            solver: Solver::default(),
            jack: Jack::Whole,
        };
        rig.open();
        rig
    }

    /// This game with these options, read with the settings that belong to them.
    pub(crate) fn of(game: &PgnGame, options: &Options) -> Self {
        Self::of_row(std::slice::from_ref(game), options)
    }

    /// These games one after another on one board.
    pub(crate) fn of_row(games: &[PgnGame], options: &Options) -> Self {
        Self::new(options.device_with(games), Board::new("1", Wall::EPOCH, options.settings(&games[0])))
    }

    /// Runs until the hands are done and all that follows from them is said.
    pub(crate) fn run(&mut self) -> &[Event] {
        while self.step() {}
        &self.events
    }

    /// The completed moves in UCI as the reader has them now: one entry a ply, those taken back left out.
    pub(crate) fn completed(&self) -> Vec<String> {
        let mut moves: Vec<Option<String>> = Vec::new();
        for event in &self.events {
            match &event.body {
                Body::GameStart { .. } => moves.clear(),
                Body::MoveCompleted { ply, uci, .. } => {
                    let index = ply.saturating_sub(1) as usize;
                    moves.resize(moves.len().max(index + 1), None);
                    moves[index] = Some(uci.clone());
                }
                Body::MoveWithdrawn { ply, .. } => moves.truncate(ply.saturating_sub(1) as usize),
                _ => {}
            }
        }
        moves.into_iter().map(|m| m.unwrap_or_else(|| String::from("?"))).collect()
    }

    /// Whether the link is up: its session was asked and answers.
    pub(crate) fn is_settled(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_settled)
    }

    /// Whether nobody listens to the port.
    pub(crate) const fn is_down(&self) -> bool {
        self.session.is_none()
    }

    /// Moves on to the nearest deadline. `false`: the hands were done five seconds ago.
    pub(crate) fn step(&mut self) -> bool {
        if self.device.is_done() && self.over_since.is_none() {
            self.over_since = Some(self.now);
        }
        let end = self.over_since.map(|since| since + AFTERMATH);
        let session = self.session.as_ref().and_then(Session::deadline);
        let next = [self.device.deadline(), self.board.deadline(), session, self.reopen_at, end].into_iter().flatten().min();
        let Some(next) = next.filter(|next| end.is_none_or(|end| *next < end)) else { return false };
        self.now = self.now.max(next);
        self.device.advance(self.now);
        self.receive();
        if self.board.deadline().is_some_and(|at| at <= self.now) {
            self.board.timeout(self.now);
            self.drain();
        }
        if self.reopen_at.is_some_and(|at| at <= self.now) {
            self.open();
        }
        self.write();
        true
    }

    /// Plies of this game, the first one being 0, that stand on the board.
    pub(crate) fn played(&self, game: usize) -> usize {
        let now = self.now.millis();
        self.device.games().get(game).map_or(0, |game| game.plies.iter().filter(|ply| ply.last_down <= now).count())
    }

    /// Runs until so many do.
    pub(crate) fn until_played(&mut self, game: usize, plies: usize) {
        while self.played(game) < plies && self.step() {}
    }

    /// An arbiter or operator says so now.
    pub(crate) fn enter(&mut self, entry: Entry) {
        self.board.entry(self.now, entry);
        self.drain();
    }

    /// The reader is another one from now on, which knows nothing; what the one before said is forgotten.
    pub(crate) fn replace(&mut self, board: Board) {
        self.board = board;
        self.events.clear();
        self.questions.clear();
    }

    /// Where the pieces of another game stand, the board as a journal has it that begins now.
    pub(crate) fn next_journal(&mut self, settings: &Settings) {
        let seq = self.events.last().map_or(0, |event| event.seq);
        let next = Board::new("1", Wall::EPOCH, settings.clone()).numbered_after(seq).games_after(self.board.games());
        let (stands, raised) = (as_read(&self.board.stands(self.now)), as_read(&self.board.raised()));
        self.board = next.standing(&stands).alarmed(&raised);
        for command in [Command::SendBoard, Command::SendClock] {
            if let Some(session) = &mut self.session {
                session.send(command);
            }
        }
    }

    fn open(&mut self) {
        self.reopen_at = None;
        self.session = Some(Session::new(self.now, false));
        self.receiver = Receiver::new(Single::Dgt);
        self.board.link(self.now, LinkState::Up, None);
        self.drain();
    }

    fn down(&mut self, loss: &Loss) {
        if self.session.take().is_some() {
            self.board.link(self.now, LinkState::Down, Some(loss.to_string()));
            self.drain();
        }
        self.reopen_at = self.plugged.then_some(self.now + BACK_OFF);
    }

    /// Takes what the device sent.
    fn receive(&mut self) {
        while let Some((t, output)) = self.device.poll() {
            match output {
                DeviceOutput::Bytes(bytes) => {
                    let Some(session) = &mut self.session else { continue };
                    if !session.is_listening() {
                        continue;
                    }
                    let bytes = self.jack.pass(t, bytes);
                    session.bytes(t);
                    for message in self.receiver.feed(t.millis(), &bytes).flatten() {
                        session.message(t, &message);
                    }
                    self.board.bytes(t, &bytes);
                    self.heard.push((t, bytes));
                    self.drain();
                }
                DeviceOutput::Unplugged => {
                    self.plugged = false;
                    self.down(&Loss::HungUp);
                }
                DeviceOutput::Plugged => {
                    self.plugged = true;
                    self.reopen_at = Some(t + BACK_OFF);
                }
            }
        }
    }

    /// Sends what the link or the game want to say.
    fn write(&mut self) {
        while let Some(command) = self.session.as_mut().and_then(|session| session.wants_write(self.now)) {
            self.device.handle(self.now, &command.encode());
        }
        if let Some(Verdict::Lost(loss)) = self.session.as_ref().map(Session::verdict) {
            self.down(&loss);
        }
    }

    fn drain(&mut self) {
        self.poll();
        while let Some(question) = self.questions.pop_front() {
            if let Some(verdict) = self.solver.answer(&question) {
                self.board.verdict(self.now, verdict);
                self.poll();
            }
        }
    }

    fn poll(&mut self) {
        while let Some(output) = self.board.poll() {
            match output {
                board::Output::Event(event) => self.events.push(event),
                board::Output::Question(question) => self.questions.push_back(question),
                board::Output::Command(command) => {
                    if let Some(session) = &mut self.session {
                        session.send(command);
                    }
                }
            }
        }
    }
}

/// What is read of this in a journal.
fn as_read<T: Serialize + DeserializeOwned>(written: &T) -> T {
    serde_json::to_value(written).and_then(serde_json::from_value).expect("JSON")
}
