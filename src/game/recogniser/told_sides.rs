//! What was told of the clock's sides.
use crate::clock::Side;
use crate::press::Displays;
use crate::watcher::orientation::Turn;
use flagfall_events::ClockPair;

/// What was told of the clock's sides.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sides {
    /// Displays can be told by colour.
    pub(crate) known: bool,
    /// What was told last.
    pub(crate) told: Option<ToldSides>,
    /// So many plies were surely played with the side that was taken for White's: what is found of later ones says nothing of them.
    pub(crate) settled: usize,
    /// The plies before the estimate, and by how much it believed in that side.
    pub(crate) believed: (usize, i64),
}

/// What was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ToldSides {
    pub(crate) white: Side,
    pub(crate) turn: Turn,
}

impl Sides {
    /// The estimate that begins after so many plies says so of the other side, and has the last word on the plies that it looks at: those before it are
    /// settled where the estimate of them was sure.
    pub(crate) fn weigh(&mut self, base: usize, other: i64, sure: i64) {
        let (before, believed) = self.believed;
        if base > before && believed <= -sure {
            self.settled = base;
        }
        self.believed = (base, other);
    }

    /// What is told of these displays.
    pub(crate) fn tells(&self, displays: Option<Displays>) -> Option<ClockPair> {
        displays.filter(|displays| self.known || displays.white.is_none()).map(|displays| displays.pair)
    }
}
