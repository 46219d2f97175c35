//! What a clock message changed, and how far the game is.
use crate::clock::sides::Side;
use flagfall_events::{ClockPair, Colour, Mono};

/// A press as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pressed {
    pub(crate) side: Side,
    /// When the lever went over: the report's stamp, or earlier where a report was lost.
    pub(crate) at: Mono,
    /// The presser's time since the other side's press, less the time the clocks stood, and how far that may be off; milliseconds.
    pub(crate) spent: Option<(u64, u64)>,
    /// Both displays before the press: what an arbiter restores.
    pub(crate) before: ClockPair,
}

/// What a clock message changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    /// This side was pressed.
    pub(crate) press: Option<Pressed>,
    /// The clock started or stopped.
    pub(crate) running: bool,
    /// A flag fell or rose.
    pub(crate) flag: bool,
    /// The first reading, or the clock came or went.
    pub(crate) presence: bool,
    /// Times were set while the clock stood.
    pub(crate) edited: bool,
}

/// How far the game is, as the clock's judgement needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// A game is on.
    pub(crate) playing: bool,
    /// White had the first move.
    pub(crate) white_first: bool,
    /// Moves made: White, Black.
    pub(crate) made: [u32; 2],
    /// Moves completed.
    pub(crate) completed: [u32; 2],
    /// Who made the last one.
    pub(crate) last: Option<Colour>,
    /// When a square read something else last.
    pub(crate) touched_at: Mono,
}

impl Progress {
    pub(crate) const fn total(&self) -> u32 {
        self.made[0] + self.made[1]
    }
}
