//! What is known of one board on the line.
use super::said::Ask;
use crate::bus::address::BusAddress;
use crate::clock::{ClockReport, ClockTimes};
use crate::message::Message;
use crate::square::{PieceCode, WirePlacement};
use alloc::vec::Vec;

/// A silent board is asked again after so long, doubling …
const KNOCK_MS: u64 = 1_000;
/// … up to this.
const KNOCK_MOST_MS: u64 = 5_000;
/// A game has left the start position when so many fields read something else.
const LEFT_START: usize = 5;
/// The white pieces of the first row, in the board's order from a1, as codes; the black ones are six more.
const ROW: [u8; 8] = [2, 3, 4, 6, 5, 4, 3, 2];

/// What a board is asked for in its turn, in this order; after it was not heard the clock comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Whether it is there again.
    Knock,
    Version,
    Clock,
    Changes,
    Board,
    Start,
    LateClock,
    Log,
}

/// One board.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) address: BusAddress,
    /// It answers, as far as is known.
    pub(super) is_here: bool,
    /// That was told.
    pub(super) is_told: bool,
    /// It was told once.
    pub(super) was_up: bool,
    pub(super) is_twice: bool,
    /// When it answered last.
    pub(super) heard: u64,
    /// When it was asked for changes last, with success.
    pub(super) asked: u64,
    /// It is not visited before.
    pub(super) due: u64,
    /// Turns in a row in which it gave no whole answer.
    pub(super) misses: u8,
    /// How much speaks for two boards at this address: more with every damaged answer, less with every whole one.
    pub(super) doubt: u8,
    /// When it was last counted how many answer to its address.
    pub(super) counted: Option<u64>,
    knocks: u8,
    pub(super) step: Step,
    /// How often this step's command was repeated.
    pub(super) retries: u8,
    pub(super) version: Option<Option<(u8, u8)>>,
    version_tries: u8,
    /// What stands on it, as far as its log tells.
    pub(super) image: Option<WirePlacement>,
    pub(super) clock: Option<ClockTimes>,
    /// The last report that was handed on.
    pub(super) told_clock: Option<ClockReport>,
    /// The clock as it was read in this turn.
    pub(super) reading: Option<ClockReport>,
    /// It was not heard, and has not shown its pieces since.
    pub(super) is_new: bool,
    /// What it logged while it was not heard is being read: what stood before is known.
    pub(super) catches_up: bool,
    /// An answer to CHANGES was lost: the same is asked for again.
    pub(super) repeats: bool,
    /// It was asked for changes in this turn, after its clock: a repeated answer is as complete as a first one.
    pub(super) is_asked: bool,
    /// Of the last changes that were taken: a print of their bytes, and whether they came as 8B.
    last: Option<(u64, bool)>,
    alternates: bool,
    pub(super) wants_board: bool,
    /// Somebody waits for it.
    pub(super) asked_for_board: bool,
    wants_log: bool,
    /// When its pieces were shown last.
    pub(super) shown: u64,
    /// The start tag of this game is written.
    is_tagged: bool,
}

impl Board {
    pub(super) const fn new(address: BusAddress, now: u64) -> Self {
        Self {
            address,
            is_here: false,
            is_told: false,
            was_up: false,
            is_twice: false,
            heard: now,
            asked: now,
            due: now,
            misses: 0,
            doubt: 0,
            counted: None,
            knocks: 0,
            step: Step::Knock,
            retries: 0,
            version: None,
            version_tries: 0,
            image: None,
            clock: None,
            told_clock: None,
            reading: None,
            is_new: true,
            catches_up: false,
            repeats: false,
            is_asked: false,
            last: None,
            alternates: false,
            wants_board: false,
            asked_for_board: false,
            wants_log: false,
            shown: now,
            is_tagged: false,
        }
    }

    pub(super) const fn is_up(&self) -> bool {
        self.is_here && self.is_told
    }

    /// It answers.
    pub(super) const fn found(&mut self, now: u64) {
        self.heard = now;
        if !self.is_here {
            (self.is_here, self.is_new) = (true, true);
            (self.due, self.misses, self.knocks, self.version_tries) = (now, 0, 0, 0);
        }
    }

    /// It does not answer any more.
    pub(super) fn lost(&mut self, now: u64) {
        (self.is_here, self.is_told, self.catches_up) = (false, false, false);
        (self.wants_log, self.asked_for_board) = (false, false);
        self.rest(now);
    }

    /// Knocked at in vain: later again.
    pub(super) fn rest(&mut self, now: u64) {
        self.due = now + (KNOCK_MS << self.knocks.min(3)).min(KNOCK_MOST_MS);
        self.knocks = self.knocks.saturating_add(1);
    }

    pub(super) fn want(&mut self, ask: Ask) {
        match ask {
            Ask::Board => (self.wants_board, self.asked_for_board) = (true, true),
            Ask::Clock => self.told_clock = None,
            Ask::Log => self.wants_log = true,
        }
    }

    /// Its turn begins.
    pub(super) fn begin(&mut self) {
        (self.retries, self.reading, self.is_asked) = (0, None, false);
        self.step = match (self.is_here, self.is_new) {
            (false, _) => Step::Knock,
            (true, false) => Step::Clock,
            (true, true) => self.after_knock(),
        };
    }

    const fn after_knock(&self) -> Step {
        if self.version.is_none() && self.version_tries < 2 { Step::Version } else { Step::Changes }
    }

    /// What comes after this step; `None`: its turn is over. `room`: there is time for a dump.
    pub(super) fn next_step(&mut self, room: bool) -> Option<Step> {
        let after_changes = |board: &mut Self| {
            if (board.wants_board && room) || board.is_new {
                Some(Step::Board)
            } else if board.is_at_start_untold() {
                Some(Step::Start)
            } else {
                board.logs()
            }
        };
        self.retries = 0;
        let next = match self.step {
            Step::Knock if !self.is_here => None,
            Step::Knock => Some(self.after_knock()),
            Step::Version => {
                self.version_tries += 1;
                Some(Step::Changes)
            }
            Step::Clock => Some(Step::Changes),
            Step::Changes => after_changes(self),
            Step::Board => Some(Step::LateClock),
            Step::Start | Step::LateClock => self.logs(),
            Step::Log => None,
        };
        if let Some(step) = next {
            self.step = step;
        }
        next
    }

    fn logs(&mut self) -> Option<Step> {
        core::mem::take(&mut self.wants_log).then_some(Step::Log)
    }

    /// The start position stands, and its log has no tag of that yet.
    fn is_at_start_untold(&mut self) -> bool {
        let Some(image) = self.image.as_ref().filter(|_| !self.is_new) else { return false };
        let off = [false, true].map(|turned| off_start(image, turned)).into_iter().min().unwrap_or(64);
        if off >= LEFT_START {
            self.is_tagged = false;
        }
        off == 0 && !core::mem::replace(&mut self.is_tagged, true)
    }

    /// Whether these changes were taken already, when the board was asked to repeat them.
    pub(super) fn is_taken(&self, alternate: bool, entries: &[u8]) -> bool {
        match self.last {
            Some((_, last)) if self.alternates => last == alternate,
            Some((seen, _)) => seen == print(entries),
            None => false,
        }
    }

    /// These changes are taken now.
    pub(super) fn take(&mut self, alternate: bool, entries: &[u8]) {
        self.alternates |= alternate;
        self.last = Some((print(entries), alternate));
    }

    /// Its log began anew: it had no power.
    pub(super) fn booted(&mut self) {
        (self.image, self.clock, self.told_clock, self.last) = (None, None, None, None);
        (self.is_new, self.catches_up, self.is_tagged) = (true, false, false);
    }

    /// What it says of itself, as on a line of its own.
    pub(super) fn identity(&self) -> Vec<Message> {
        let version = self.version.flatten().map(|(main, sub)| Message::Version { main, sub });
        let mut digits = [b'0'; 5];
        let mut rest = self.address.number();
        for digit in digits.iter_mut().rev() {
            *digit += (rest % 10) as u8;
            rest /= 10;
        }
        [Message::SerialNumber(digits)].into_iter().chain(version).collect()
    }
}

/// Fields that read something else than in the start position.
fn off_start(image: &WirePlacement, turned: bool) -> usize {
    let piece = |index: usize| match index / 8 {
        0 => PieceCode::from_nibble(ROW[index % 8] + 6),
        1 => PieceCode::BlackPawn,
        6 => PieceCode::WhitePawn,
        7 => PieceCode::from_nibble(ROW[index % 8]),
        _ => PieceCode::Empty,
    };
    image.iter().enumerate().filter(|(index, read)| **read != piece(if turned { 63 - index } else { *index })).count()
}

/// A print of bytes (FNV-1a), enough to know the same packet again.
fn print(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |print, byte| (print ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_is_known_both_ways_round() {
        let mut start = [PieceCode::Empty; 64];
        let dump = [8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7];
        for (index, code) in dump.into_iter().enumerate() {
            start[index] = PieceCode::from_nibble(code);
        }
        for index in 0..16 {
            let code: u8 = [1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4, 3, 2][index];
            start[48 + index] = PieceCode::from_nibble(code);
        }
        assert_eq!(off_start(&start, false), 0);
        let mut turned = start;
        turned.reverse();
        assert_eq!((off_start(&turned, true), off_start(&turned, false) > LEFT_START), (0, true));
    }
}
