//! A hypothesis: a line of play, how far it is pressed, and how badly it agrees with what was sensed.
use crate::habits::How;
use crate::price::Nats;
use crate::sensed::{Reading, Squares};
use crate::spot::{Spot, Step};
use alloc::sync::Arc;
use alloc::vec::Vec;
use flagfall_events::Mono;

/// No past: the position that the estimate began with.
pub(crate) const NOTHING: u32 = u32::MAX;

/// One ply of a line, with the plies before it.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    pub(crate) before: u32,
    pub(crate) ply: u32,
    pub(crate) spot: Arc<Spot>,
    pub(crate) step: Step,
    pub(crate) how: How,
    pub(crate) at: Mono,
    /// How many readings had come.
    pub(crate) reading: u32,
    /// Other ways to the position after it: their pasts, and how much dearer they are.
    pub(crate) others: Vec<(u32, Nats)>,
}

/// Taken pieces and where they stood: they may be put down beside it.
pub(crate) type Taken = [Option<(u8, Reading)>; 4];

/// A hypothesis.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) spot: Arc<Spot>,
    pub(crate) cost: Nats,
    pub(crate) past: u32,
    pub(crate) plies: u32,
    /// Plies that are pressed, or owed where there are fewer plies.
    pub(crate) done: u32,
    /// When its last ply came about, and which squares that changed.
    pub(crate) at: Mono,
    pub(crate) fresh: Squares,
    /// Squares that its last ply emptied and that read since as they did before.
    pub(crate) left: Squares,
    /// When a press came last for which there was no ply.
    pub(crate) owed: Mono,
    /// Squares that do not read as they should.
    pub(crate) wrong: Squares,
    /// Those of them whose beginning is paid for.
    pub(crate) charged: Squares,
    pub(crate) taken: Taken,
    pub(crate) others: Vec<(u32, Nats)>,
}

impl Line {
    /// Lines that are equal in it have the same future: plies, position, presses.
    pub(crate) fn state(&self) -> (u32, u64, u32) {
        (self.plies, self.spot.key, self.done)
    }
}
