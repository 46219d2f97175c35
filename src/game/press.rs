//! A press, and how a move counts by it.
use crate::clock::Side;
use flagfall_events::{ClockPair, Colour, How, Mono};

/// Both displays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Displays {
    pub(crate) pair: ClockPair,
    /// What was White's side of the clock where they were read; `None`: somebody has said whose is which.
    pub(crate) white: Option<Side>,
}

impl Displays {
    /// White's side is this one.
    pub(crate) fn turn_to(&mut self, side: Side) {
        if self.white.is_some_and(|white| white != side) {
            (self.pair, self.white) = (self.pair.turned(), Some(side));
        }
    }
}

/// A press whose move is still looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Press {
    pub(crate) by: Colour,
    pub(crate) at: Mono,
    /// White's side of the clock by which it is his.
    pub(crate) white: Side,
    pub(crate) clock: Option<ClockPair>,
    /// Since the opponent's press, less the time the clocks stood.
    pub(crate) spent_ms: Option<u64>,
    /// When a dump was asked for because of it.
    pub(crate) asked: Option<Mono>,
    /// When a dump came last since then.
    pub(crate) dumped: Option<Mono>,
    /// What it added to the presser's display, milliseconds.
    pub(crate) earned_ms: i64,
    /// The clocks stood until then.
    pub(crate) started: bool,
    /// His piece was in the air, one scan later still.
    pub(crate) in_air: bool,
}

impl Press {
    /// White's side is this one.
    pub(crate) fn turn_to(&mut self, side: Side) {
        if core::mem::replace(&mut self.white, side) != side {
            (self.by, self.clock) = (self.by.other(), self.clock.map(ClockPair::turned));
        }
    }
}

/// How a move counts, with what the clock showed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completion {
    pub(crate) how: How,
    pub(crate) clock: Option<Displays>,
    pub(crate) spent_ms: Option<u64>,
    /// What the press added, milliseconds.
    pub(crate) earned_ms: i64,
    /// When its player pressed.
    pub(crate) pressed_at: Option<Mono>,
}

impl Completion {
    pub(crate) const fn bare(how: How) -> Self {
        Self { how, clock: None, spent_ms: None, earned_ms: 0, pressed_at: None }
    }

    pub(crate) const fn pressed(press: &Press) -> Self {
        let clock = match press.clock {
            Some(pair) => Some(Displays { pair, white: Some(press.white) }),
            None => None,
        };
        Self { how: How::Press, clock, spent_ms: press.spent_ms, earned_ms: press.earned_ms, pressed_at: Some(press.at) }
    }
}
