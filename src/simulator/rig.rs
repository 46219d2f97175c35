//! Two parties in one simulated time: a [`Device`], and flagfall's own [`Board`] behind a real link [`Session`]. A step moves the time to the
//! nearest deadline of either side; a five-hour game takes milliseconds.
use super::device::{Device, Output};
use super::games::PgnGame;
use super::stream::Options;
use crate::link::startup::{Loss, Session, Verdict};
use crate::solver::Solver;
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_events::{Body, Event, LinkState, Mono, Wall};
use flagfall_game::board;
use flagfall_game::board::Board;
use flagfall_game::questions::Question;
use std::collections::VecDeque;

/// How long a lost port is left alone, milliseconds.
const BACK_OFF: u64 = 250;
/// How long the world goes on after the last act.
const AFTERMATH: u64 = 5000;

/// The rig.
#[derive(Debug)]
pub struct Rig {
    /// The board and its players.
    pub device: Device,
    /// The reader.
    pub board: Board,
    /// The time both live in.
    pub now: Mono,
    /// What the reader has said so far.
    pub events: Vec<Event>,
    /// What it has heard so far, read by read.
    pub heard: Vec<(Mono, Vec<u8>)>,
    session: Option<Session>,
    reopen_at: Option<Mono>,
    receiver: Receiver,
    plugged: bool,
    over_since: Option<Mono>,
    questions: VecDeque<Question>,
    solver: Solver,
}

impl Rig {
    /// A device that is plugged in at millisecond 0 to this reader.
    pub fn new(device: Device, board: Board) -> Self {
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
        };
        rig.open();
        rig
    }

    /// This game with these options, read with the settings that belong to them.
    pub fn of(game: &PgnGame, options: &Options) -> Self {
        Self::of_row(std::slice::from_ref(game), options)
    }

    /// These games one after another on one board.
    pub fn of_row(games: &[PgnGame], options: &Options) -> Self {
        Self::new(options.device_with(games), Board::new("1", Wall::EPOCH, options.settings(&games[0])))
    }

    /// Runs until the hands are done and all that follows from them is said.
    pub fn run(&mut self) -> &[Event] {
        while self.step() {}
        &self.events
    }

    /// The completed moves in UCI as the reader has them now: one entry a ply, those taken back left out.
    pub fn completed(&self) -> Vec<String> {
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

    /// Moves on to the nearest deadline. `false`: the hands were done five seconds ago.
    pub fn step(&mut self) -> bool {
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
                Output::Bytes(bytes) => {
                    let Some(session) = &mut self.session else { continue };
                    if !session.is_listening() {
                        continue;
                    }
                    session.bytes(t);
                    for message in self.receiver.feed(t.millis(), &bytes).flatten() {
                        session.message(t, &message);
                    }
                    self.board.bytes(t, &bytes);
                    self.heard.push((t, bytes));
                    self.drain();
                }
                Output::Unplugged => {
                    self.plugged = false;
                    self.down(&Loss::HungUp);
                }
                Output::Plugged => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulator::games::read_games;
    use crate::simulator::line::Split;
    use crate::simulator::pace::Kind;
    use crate::simulator::stream::ClockSide;

    #[test]
    fn a_real_link_session_brings_the_device_up_and_the_game_is_played_to_its_end() {
        let game = read_games(b"1.e4 e5 2.Nf3 Nc6 *").unwrap().remove(0);
        for kind in [Kind::Clean, Kind::Human, Kind::Blitz] {
            let mut rig = Rig::of(&game, &Options::new(kind, 1));
            rig.run();
            assert!(rig.session.as_ref().is_some_and(Session::is_settled), "{kind:?}");
            assert!(rig.device.is_done() && rig.device.games()[0].plies.iter().all(|ply| ply.press.is_some()));
            assert_eq!(rig.completed(), game.uci(), "{kind:?}");
        }
    }

    #[test]
    fn every_kind_of_board_is_read_to_the_end_of_its_game() {
        let game = read_games(b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 *").unwrap().remove(0);
        let usual = Options::new(Kind::Human, 2);
        let kinds = [
            Options { turned: true, ..usual.clone() },
            Options { occupancy: true, ..usual.clone() },
            Options { clock_white: ClockSide::None, ..usual.clone() },
            Options { bluetooth: true, ..usual.clone() },
            Options { damage: 0.05, ..usual.clone() },
            Options { split: Split::Anywhere, ..usual.clone() },
            Options { noise: 5.0, ..usual },
        ];
        for options in kinds {
            let mut rig = Rig::of(&game, &options);
            rig.run();
            assert!(rig.device.is_done() && rig.session.is_some() && !rig.events.is_empty(), "{options:?}");
        }
    }

    #[test]
    fn a_pulled_cable_is_noticed_and_the_session_starts_again() {
        let game = read_games(b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 *").unwrap().remove(0);
        let incidents = vec!["unplug@3".parse().unwrap()];
        let mut rig = Rig::of(&game, &Options { incidents, ..Options::new(Kind::Human, 1) });
        let mut was_down = false;
        while rig.step() {
            was_down |= rig.session.is_none();
        }
        assert!(was_down && rig.session.as_ref().is_some_and(Session::is_settled));
    }
}
