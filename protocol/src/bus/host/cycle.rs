//! The cycle over all boards: whose turn it is, what is asked next, what an answer or its absence leads to.
use super::board::{Board, Step};
use super::flight::Flight;
use super::machine::Host;
use super::said::{HostOutput, Said};
use super::translate::{Entered, booted, log_message};
use crate::bus::answer::BusMessage;
use crate::bus::command::BusOpcode;
use crate::clock::ClockReport;
use crate::message::Message;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// A command whose answer was damaged is sent so often more, one that was not answered …
const DAMAGED: u8 = 3;
/// … so often: the first may have been thrown away by a board that another host had set to single mode.
const SILENT: u8 = 1;
/// A board that missed its turn is asked again so long after.
const PAUSE_MS: u64 = 300;
/// What a turn without a whole answer counts: somebody who is not understood is there, most likely.
const SILENCE: u8 = 3;
const DAMAGE: u8 = 1;
/// So much of that in a row, and for how long, before a board counts as gone.
const MISSES: u8 = 2 * SILENCE;
const GONE_MS: u64 = 1_500;
/// Dumps in a round that can wait: each takes as long as two boards' turns.
const DUMPS: u8 = 2;
/// What stands on a board is compared with what its log said at least so often …
const CHECK_MS: u64 = 60_000;
/// … and where an entry does not fit at most so often.
const MISFIT_MS: u64 = 3_000;

impl Host {
    /// Sends what is due, if nothing is on the wire.
    pub(super) fn go_on(&mut self) {
        if self.flight.is_some() || self.now < self.rests_until {
            return;
        }
        // A search that ends, a turn that ends, and then there is a turn or nothing is due.
        loop {
            if self.search.is_some() && self.search_on() {
                return;
            }
            if self.is_visiting {
                return self.ask();
            }
            if self.search_due() {
                continue;
            }
            if !self.next_turn() {
                return;
            }
        }
    }

    /// When something is due, if nothing is on the wire.
    pub(super) fn next_at(&self) -> u64 {
        if self.search.is_some() || self.is_visiting {
            return self.now;
        }
        let board = self.boards.iter().map(|board| board.due).min();
        let round = board.map(|due| due.max(self.round_began + self.config.cycle_ms.max(1)));
        round.into_iter().chain(self.search_at).min().unwrap_or(self.now + CHECK_MS)
    }

    /// The next board that is due has its turn; `false`: nobody is.
    fn next_turn(&mut self) -> bool {
        for _ in 0..2 {
            while let Some(board) = self.boards.get_mut(self.turn) {
                if board.due <= self.now && (board.is_here || !self.knocked) {
                    self.knocked |= !board.is_here;
                    self.asked_in_round |= board.is_here;
                    self.is_visiting = true;
                    board.begin();
                    return true;
                }
                self.turn += 1;
            }
            if core::mem::take(&mut self.asked_in_round) {
                self.outputs.push_back(HostOutput::Cycle(self.now - self.round_began));
            }
            if self.now < self.round_began + self.config.cycle_ms.max(1) {
                return false;
            }
            (self.turn, self.round_began, self.knocked, self.dumps) = (0, self.now, false, 0);
        }
        false
    }

    /// Sends the command of the step that is on.
    fn ask(&mut self) {
        let Some(board) = self.boards.get_mut(self.turn) else {
            self.is_visiting = false;
            return;
        };
        let opcode = match board.step {
            Step::Knock => BusOpcode::Ping,
            Step::Version => BusOpcode::SendVersion,
            Step::Clock | Step::LateClock => BusOpcode::SendClock,
            Step::Changes if board.repeats => BusOpcode::RepeatChanges,
            Step::Changes => BusOpcode::SendChanges,
            Step::Board => BusOpcode::SendBoard,
            Step::Start => BusOpcode::SetStartGame,
            Step::Log => BusOpcode::SendFromStart,
        };
        board.is_asked |= opcode == BusOpcode::SendChanges;
        let address = board.address;
        self.write(opcode, address);
    }

    /// The step is done.
    fn next_step(&mut self) {
        let room = self.dumps < DUMPS;
        let Some(board) = self.boards.get_mut(self.turn) else { return };
        match board.next_step(room) {
            Some(Step::Board) => self.dumps += 1,
            Some(_) => {}
            None => self.end_turn(),
        }
    }

    pub(super) fn end_turn(&mut self) {
        self.is_visiting = false;
        self.count_if_doubtful();
        self.turn += 1;
    }

    /// The answer that was waited for.
    pub(super) fn answered(&mut self, flight: &Flight, message: BusMessage) {
        let (now, address) = (self.now, flight.command.address);
        if self.search.is_some() {
            self.met(address);
            return;
        }
        self.exchanged(None);
        let Some(board) = self.boards.get_mut(self.turn).filter(|board| board.address == address) else { return };
        (board.heard, board.misses) = (now, 0);
        board.whole();
        let whole = |board: &Board, messages| HostOutput::Said(Said { address, from: board.asked, messages, waited: false });
        match message {
            BusMessage::Ping if board.is_twice => {
                board.rest(now);
                return self.end_turn();
            }
            BusMessage::Ping => {
                board.found(now);
                self.knocked = false;
            }
            BusMessage::Version(version) => board.version = Some(version),
            BusMessage::Clock(report) if board.step == Step::LateClock => {
                if let Some(message) = board.read_clock(report) {
                    self.outputs.push_back(whole(board, vec![message]));
                }
            }
            BusMessage::Clock(report) => board.reading = Some(report),
            BusMessage::Changes { alternate, entries } => {
                let repeated = flight.command.opcode == BusOpcode::RepeatChanges;
                board.repeats = false;
                // Where it was taken already the command had not reached the board.
                if !repeated || !board.is_taken(alternate, &entries) {
                    board.take(alternate, &entries);
                    self.changes(&entries);
                }
                if repeated {
                    // What it logged since then comes before all else that is asked of it.
                    self.boards.iter_mut().filter(|board| board.address == address).for_each(|board| board.retries = 0);
                    return;
                }
            }
            BusMessage::Board(dump) => {
                let told = core::mem::take(&mut board.asked_for_board) || board.is_new || board.image != Some(*dump);
                board.image = Some(*dump);
                (board.wants_board, board.is_new, board.catches_up, board.shown) = (false, false, false, now);
                if told {
                    let said = whole(board, vec![Message::BoardDump(dump)]);
                    self.outputs.push_back(said);
                }
            }
            BusMessage::FromStart(log) => {
                let said = whole(board, vec![log_message(&log)]);
                self.outputs.push_back(said);
            }
            _ => {}
        }
        self.next_step();
    }

    /// What happened on the board whose turn it is.
    fn changes(&mut self, entries: &[u8]) {
        let now = self.now;
        let Some(board) = self.boards.get_mut(self.turn) else { return };
        let Board { address, heard: _, asked: from, .. } = *board;
        let since = board.asked;
        board.asked = now;
        let mut afresh = booted(entries);
        if board.is_told && afresh {
            // It was without power between two turns: nobody knows for how long.
            self.outputs.push_back(HostOutput::Down { address, since });
            board.is_told = false;
        }
        if !board.is_told {
            let version = board.version.flatten();
            afresh |= board.image.is_none() || !board.was_up;
            (board.is_told, board.was_up, board.is_new) = (true, true, true);
            self.outputs.push_back(HostOutput::Up { address, version });
            self.outputs.push_back(HostOutput::Said(Said { address, from: now, messages: board.identity(), waited: false }));
            if afresh {
                board.booted();
                return;
            }
            // What stood when it was heard last, and then all that its log has kept for us.
            let image = board.image.map(|image| Message::BoardDump(Box::new(image)));
            let clock = board.clock.map(|clock| Message::Clock(ClockReport::Time(clock)));
            let messages: Vec<Message> = image.into_iter().chain(clock).collect();
            self.outputs.push_back(HostOutput::Said(Said { address, from, messages, waited: true }));
            board.catches_up = true;
            let Entered { messages, .. } = board.enter(entries, None);
            self.outputs.push_back(HostOutput::Said(Said { address, from, messages, waited: true }));
            return;
        }
        if board.catches_up {
            let Entered { messages, .. } = board.enter(entries, None);
            self.outputs.push_back(HostOutput::Said(Said { address, from, messages, waited: true }));
            return;
        }
        if board.is_new {
            // What it logged before it showed its pieces is in the picture that it shows next.
            return;
        }
        // The clock was read before it was asked: a reading is behind all that was logged in turns before.
        let reading = board.reading.take_if(|_| board.is_asked);
        let Entered { messages, misfit } = board.enter(entries, reading);
        let unseen = now.saturating_sub(board.shown);
        board.wants_board |= unseen >= CHECK_MS || (misfit && unseen >= MISFIT_MS);
        self.outputs.push_back(HostOutput::Said(Said { address, from, messages, waited: false }));
    }

    /// The command was given up.
    pub(super) fn unanswered(&mut self, flight: &Flight) {
        let now = self.now;
        if self.search.is_some() || !self.is_visiting {
            return;
        }
        let Some(board) = self.boards.get_mut(self.turn).filter(|board| board.address == flight.command.address) else { return };
        if flight.is_changes() {
            board.repeats = board.is_told || flight.damaged;
        }
        if flight.damaged {
            board.damaged();
            self.exchanged(Some(flight.command.address));
            if self.is_doubtful(self.turn) {
                // Who speaks, and is not understood, may be two, and is counted first.
                return self.end_turn();
            }
        }
        let Some(board) = self.boards.get_mut(self.turn) else { return };
        let most = if flight.damaged { DAMAGED } else { SILENT };
        if board.retries < most && self.quiet < 2 {
            board.retries += 1;
            self.quiet += u8::from(!flight.damaged);
            return;
        }
        self.quiet = if flight.damaged { 0 } else { self.quiet.saturating_add(1) };
        match board.step {
            Step::Knock => {
                board.rest(now);
                self.end_turn();
            }
            Step::Version | Step::Start | Step::LateClock | Step::Log => self.next_step(),
            Step::Clock if flight.damaged => self.next_step(),
            Step::Clock | Step::Changes | Step::Board => {
                board.misses = board.misses.saturating_add(if flight.damaged { DAMAGE } else { SILENCE });
                board.due = now + PAUSE_MS;
                if board.misses >= MISSES && now.saturating_sub(board.heard) >= GONE_MS {
                    self.lose(self.turn);
                }
                self.end_turn();
            }
        }
    }

    /// The board with this index does not answer any more.
    pub(super) fn lose(&mut self, index: usize) {
        let now = self.now;
        let Some(board) = self.boards.get_mut(index).filter(|board| board.is_here) else { return };
        let (told, address, since) = (board.is_told, board.address, board.heard);
        board.lost(now);
        if told {
            self.outputs.push_back(HostOutput::Down { address, since });
        }
    }
}
