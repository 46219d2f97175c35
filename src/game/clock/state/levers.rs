//! Presses that wait for their moves, and those that had to be repeated.
use crate::clock::sides::{Side, Sides};
use alloc::vec::Vec;
use flagfall_events::Mono;

/// Quiet enough to know what was played.
pub(crate) const QUIET_MS: u64 = 1_200;

/// X pressed, the other side was pressed, X pressed again; nothing moved on the board, and the other side's display had not counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    pub(crate) side: Side,
    pub(crate) last: Mono,
    /// Presses less moves made, before the first press: of X, of the other.
    pub(crate) surplus: [i64; 2],
    /// The clock did not run when its button was pressed back: nothing was counted.
    pub(crate) stood: bool,
}

/// A second press that moves read later must prove: where they are not read, presses prove nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Second {
    pub(crate) check: Check,
    /// Moves made by then, and those of this side.
    pub(crate) total: u32,
    pub(crate) made: u32,
}

/// A press whose move is not seen yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unsettled {
    pub(crate) pressed: Side,
    pub(crate) at: Mono,
    /// Moves made, counting the one that the press before it completed.
    pub(crate) made: u32,
    /// The sides may still be exchanged by it.
    pub(crate) first: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Levers {
    pub(crate) unsettled: Option<Unsettled>,
    /// The last two presses, the newer one first.
    pub(crate) last: Option<(Side, Mono)>,
    pub(crate) before: Option<(Side, Mono)>,
    /// The surplus before those two.
    pub(crate) surplus: [[i64; 2]; 3],
    pub(crate) check: Option<Check>,
    pub(crate) second: Option<Second>,
    /// The last one was on a running clock; one of them was.
    pub(crate) counted: bool,
    pub(crate) pressed: bool,
    /// Presses too many that were told of already.
    pub(crate) extra: Sides<i64>,
    /// Those whose bonus the clock sum still counts.
    pub(crate) unpaid: Sides<i64>,
    /// Moves at which a side needed a second press.
    pub(crate) seconds: Sides<Vec<u32>>,
    /// Moves made, counting the one that the last press completed.
    pub(crate) made_at_press: u32,
    /// Presses in a row that contradict the configured side; it is taken the other way round.
    pub(crate) contradictions: u32,
    pub(crate) swapped: bool,
    pub(crate) told_sides: bool,
}

impl Levers {
    pub(crate) fn deadline(&self) -> Option<Mono> {
        self.check.map(|check| check.last + QUIET_MS)
    }

    pub(crate) const fn nobody_pressed(&self) -> bool {
        !self.pressed
    }
}
