//! What the rulebook is told: one irregularity and everything around it that a ruling rests on.
use super::edition::Edition;
use super::irregularity::Irregularity;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{ClockPair, Colour, Play, Rules, Run, SetClock, Supervision, TimeControl};

/// Counted offences of each player before the one at hand: confirmed findings whose proposal had an `offence`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offences {
    /// White's.
    pub white: u32,
    /// Black's.
    pub black: u32,
}

impl Offences {
    /// More, or after an undone ruling fewer, of one player's.
    pub const fn add(&mut self, by: Colour, by_how_many: i32) {
        let count = match by {
            Colour::White => &mut self.white,
            Colour::Black => &mut self.black,
        };
        *count = count.saturating_add_signed(by_how_many);
    }

    /// One player's.
    pub const fn of(self, by: Colour) -> u32 {
        match by {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }
}

/// Whether a side can mate by any series of legal moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Not asked, or no answer yet.
    #[default]
    Pending,
    /// It can: this line of legal moves (UCI) mates.
    Winnable(Vec<String>),
    /// It cannot; the proof in words.
    Unwinnable(String),
    /// Not decided, with the reason.
    Undecided(String),
}

/// What the solver has to answer for a finding: can `winner` mate from `fen` by any series of legal moves?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub fen: String,
    /// The side that must be able to mate.
    pub winner: Colour,
}

/// One irregularity and what a ruling on it rests on. Judge it again whenever one of these changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// The edition in use.
    pub rules: Rules,
    /// Kind of play.
    pub play: Play,
    /// Supervision.
    pub supervision: Supervision,
    /// The time control, if known.
    pub time_control: Option<TimeControl>,
    /// What both clocks show now and who runs; after a ruling that set times, those, until the clock runs again. `None`: there is no clock,
    /// and no proposal sets one.
    pub clock: Option<SetClock>,
    /// Moves completed by White and by Black.
    pub completed: [u32; 2],
    /// Whose time is to run as the game stands: before the first move the first player's, else the one's that runs, else the one to move's.
    pub turn: Run,
    /// Offences before this one.
    pub offences: Offences,
    /// Another fault in the same move has been counted already (7.5.5: they count once): its confirmed finding is the one that counts, and
    /// the clock has the opponent's time.
    pub same_move_counted: bool,
    /// The answer to the [`Question`] that the judgement asked, if it asked one.
    pub verdict: Verdict,
    /// What happened.
    pub irregularity: Irregularity,
}

impl Situation {
    /// The data of the edition in use.
    pub const fn edition(&self) -> &'static Edition {
        Edition::of(self.rules)
    }

    /// Rapid and blitz without full supervision, so many moves completed by each: clock and set-up stay as they are (2018: A.4, B.4; 2023: A.5,
    /// B.5).
    pub(crate) fn setting_stands(&self) -> bool {
        let unsupervised = self.play != Play::Standard && self.supervision == Supervision::Partial;
        let upto = self.edition().setting_stands_after.filter(|_| unsupervised);
        upto.is_some_and(|moves| self.completed.iter().all(|completed| *completed >= moves))
    }
}

/// One player's display.
pub(crate) const fn shown(clock: SetClock, by: Colour) -> i64 {
    match by {
        Colour::White => clock.white_ms,
        Colour::Black => clock.black_ms,
    }
}

/// One player's display at a press.
pub(crate) const fn shown_at(clock: ClockPair, by: Colour) -> i64 {
    match by {
        Colour::White => clock.white_ms,
        Colour::Black => clock.black_ms,
    }
}

/// Both displays from one player's view, rounded as a clock shows them: up to the whole second, so that 0:00 means that nothing is left.
pub(crate) const fn set(by: Colour, own_ms: i64, other_ms: i64, run: Run) -> SetClock {
    let (own, other) = (whole(own_ms), whole(other_ms));
    match by {
        Colour::White => SetClock { white_ms: own, black_ms: other, run },
        Colour::Black => SetClock { white_ms: other, black_ms: own, run },
    }
}

/// Whole seconds, never below 0:00.
pub(crate) const fn whole(ms: i64) -> i64 {
    if ms <= 0 { 0 } else { ms.saturating_add(999) / 1000 * 1000 }
}

/// A player's time runs.
pub(crate) const fn runs(by: Colour) -> Run {
    match by {
        Colour::White => Run::White,
        Colour::Black => Run::Black,
    }
}
