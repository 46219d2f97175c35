//! The machine's parts; bytes in, time over. What it does next is in `cycle.rs` and `search.rs`.
use super::board::Board;
use super::damage::Exchanges;
use super::flight::{Flight, LATE_MS};
use super::line::{Line, LineState, TOGETHER_MS};
use super::rounds::Search;
use super::said::{HostConfig, HostInput, HostOutput, MOST};
use crate::bus::address::BusAddress;
use crate::bus::answer::BusAnswer;
use crate::bus::command::{BusCommand, BusOpcode};
use crate::bus::dialect::Bus;
use crate::receiver::Receiver;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// Bytes that are looked at in one go, so that the receiver never holds more than a frame and these.
const PORTION: usize = 512;

/// The host of one line.
#[derive(Clone, Debug)]
pub struct Host {
    pub(super) config: HostConfig,
    pub(super) receiver: Receiver<Bus>,
    pub(super) flight: Option<Flight>,
    /// Nothing is sent before: an answer may be late.
    pub(super) rests_until: u64,
    pub(super) search: Option<Search>,
    /// When new boards are looked for next.
    pub(super) search_at: Option<u64>,
    pub(super) boards: Vec<Board>,
    /// Whose turn it is, and what of his turn is left.
    pub(super) turn: usize,
    pub(super) is_visiting: bool,
    pub(super) is_closed: bool,
    pub(super) round_began: u64,
    pub(super) asked_in_round: bool,
    /// The one silent board of this round was asked.
    pub(super) knocked: bool,
    /// Dumps in this round that could have waited.
    pub(super) dumps: u8,
    /// Commands in a row that nobody answered.
    pub(super) quiet: u8,
    pub(super) line: Line,
    pub(super) exchanges: Exchanges,
    pub(super) outputs: VecDeque<HostOutput>,
    pub(super) now: u64,
}

impl Host {
    /// A line that was opened at `ms`; it begins with a search.
    pub fn new(ms: u64, config: HostConfig) -> Self {
        let mut boards: Vec<Board> = Vec::new();
        for address in config.expected.iter().copied().filter(|address| *address != BusAddress::ALL).take(MOST) {
            if !boards.iter().any(|board| board.address == address) {
                boards.push(Board::new(address, ms));
            }
        }
        Self {
            config,
            receiver: Receiver::new(Bus),
            flight: None,
            rests_until: ms,
            search: Some(Search::whole()),
            search_at: None,
            boards,
            turn: 0,
            is_visiting: false,
            is_closed: false,
            round_began: ms,
            asked_in_round: false,
            knocked: false,
            dumps: 0,
            quiet: 0,
            line: Line::new(ms),
            exchanges: Exchanges::default(),
            outputs: VecDeque::new(),
            now: ms,
        }
    }

    /// Takes what happened at `ms`; then drain [`Host::poll`].
    pub fn handle(&mut self, ms: u64, input: HostInput<'_>) {
        self.now = self.now.max(ms);
        match input {
            HostInput::Bytes(bytes) => {
                for portion in bytes.chunks(PORTION) {
                    self.bytes(portion);
                }
            }
            HostInput::Ask(address, ask) => {
                if let Some(board) = self.boards.iter_mut().find(|board| board.address == address) {
                    board.want(ask);
                }
            }
            HostInput::Search => self.search_at = Some(self.now),
            HostInput::Closed => self.close(),
            HostInput::Opened => self.open(),
            HostInput::Timeout => {}
        }
        if self.is_closed {
            return;
        }
        self.expire();
        if self.line.is_mended() {
            self.look_at_the_line();
        }
        self.go_on();
    }

    /// The next output, until there is none.
    pub fn poll(&mut self) -> Option<HostOutput> {
        self.outputs.pop_front()
    }

    /// When to call [`Host::handle`] if nothing else happens; `None` only while the port is gone.
    pub fn deadline(&self) -> Option<u64> {
        let at = match &self.flight {
            Some(flight) => flight.deadline(&self.receiver),
            None => self.next_at().max(self.rests_until),
        };
        (!self.is_closed).then_some(at)
    }

    /// The command that is on the wire.
    pub fn outstanding(&self) -> Option<BusCommand> {
        self.flight.as_ref().map(|flight| flight.command)
    }

    /// Every board that was met or expected, and whether it answers.
    pub fn boards(&self) -> impl Iterator<Item = (BusAddress, bool)> + '_ {
        self.boards.iter().map(|board| (board.address, board.is_up()))
    }

    /// How the line as a whole is.
    pub const fn line(&self) -> LineState {
        self.line.state()
    }

    /// The board behind which nobody answers, where at least two in a row fell silent together and everybody before them answers. The order is that of
    /// [`HostConfig::expected`].
    pub fn cut_behind(&self) -> Option<BusAddress> {
        let first = self.boards.iter().position(|board| !board.is_up())?;
        let (before, behind) = self.boards.split_at(first);
        let together = |board: &Board| !board.is_up() && board.was_up && board.heard.abs_diff(behind[0].heard) < TOGETHER_MS;
        (behind.len() >= 2 && behind.iter().all(together)).then(|| before.last().map(|board| board.address)).flatten()
    }

    fn close(&mut self) {
        (0..self.boards.len()).for_each(|index| self.lose(index));
        (self.flight, self.search, self.is_visiting, self.is_closed) = (None, None, false, true);
        self.receiver.clear();
        self.forget_exchanges();
    }

    /// What was damaged before says nothing of what comes now.
    fn forget_exchanges(&mut self) {
        if self.exchanges.clear() {
            self.outputs.push_back(HostOutput::Noisy(false));
        }
    }

    fn open(&mut self) {
        self.close();
        (self.search, self.is_closed, self.rests_until) = (Some(Search::whole()), false, self.now);
        self.line = Line::new(self.now);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let now = self.now;
        self.line.raw(bytes);
        if let Some(flight) = &mut self.flight {
            flight.heard(now);
        }
        self.receiver.feed(now, bytes);
        // At most one frame a byte or two: what is read here is bounded by what came.
        while let Some(read) = self.receiver.next() {
            match read {
                Ok(answer) => self.answer(answer),
                Err(_) => self.damaged(),
            }
        }
    }

    /// A whole answer; one that nobody waits for is late, and says nothing that is not asked again.
    fn answer(&mut self, answer: BusAnswer) {
        self.line.good(self.now);
        self.quiet = 0;
        let Some(flight) = &mut self.flight else { return };
        if flight.command.address == BusAddress::ALL {
            if let Some(search) = self.search.as_mut().filter(|_| answer.message.id() == 0x87) {
                search.heard(answer.address);
            }
            return;
        }
        if answer.address != flight.command.address || !flight.takes(answer.message.id()) {
            return;
        }
        let flight = self.flight.take();
        if let Some(flight) = flight {
            self.answered(&flight, answer.message);
        }
    }

    /// Bytes that were no answer, or half of one.
    pub(super) fn damaged(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|_| self.flight.as_ref().is_some_and(Flight::is_for_all)) {
            search.garbled = true;
        }
        if let Some(flight) = &mut self.flight {
            flight.damaged = true;
        }
    }

    /// Gives up what was waited for long enough.
    fn expire(&mut self) {
        if self.receiver.expire(self.now).is_some() {
            self.damaged();
        }
        let Some(flight) = self.flight.take_if(|flight| flight.deadline(&self.receiver) <= self.now) else { return };
        if self.receiver.is_mid_frame() {
            self.receiver.clear();
            self.damaged();
        }
        if flight.is_for_all() {
            self.window_ended();
        } else {
            // What is late may still be on its way.
            self.rests_until = self.now + LATE_MS;
            self.unanswered(&flight);
        }
        self.line.failed();
        self.look_at_the_line();
    }

    /// Says how the line is, where that is news; on a dead one nobody is up.
    fn look_at_the_line(&mut self) {
        let Some(state) = self.line.look(self.now, self.anybody_answers(), false) else { return };
        self.outputs.push_back(HostOutput::Line(state));
        if state.is_fault() {
            self.forget_exchanges();
            (0..self.boards.len()).for_each(|index| self.lose(index));
            if self.is_visiting {
                self.end_turn();
            }
        } else {
            // Whoever was there before is asked at once.
            self.boards.iter_mut().filter(|board| !board.is_here).for_each(|board| board.due = self.now);
            self.knocked = false;
        }
    }

    /// Two with one address answer, too, though nobody reads them.
    pub(super) fn anybody_answers(&self) -> bool {
        self.boards.iter().any(|board| board.is_here || board.is_twice)
    }

    pub(super) fn write(&mut self, opcode: BusOpcode, address: BusAddress) {
        let command = BusCommand { opcode, address };
        // Half an answer that came before belongs to nothing any more.
        self.receiver.clear();
        self.flight = Some(Flight::new(command, self.now, self.config.answer_ms));
        self.outputs.push_back(HostOutput::Write(command));
    }
}
