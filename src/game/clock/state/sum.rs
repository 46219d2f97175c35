//! What each side should have.
use crate::clock::sides::{Side, Sides};

/// What each side should have, milliseconds, at the beginning of the turn in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    /// Stamps differ by a scan: after turns that went as agreed these are the display's own times.
    synced: Sides<i64>,
    /// By our own time alone since the times were last set.
    own: Sides<i64>,
    /// The clock's seconds cannot be believed: only our own time counts.
    own_time: bool,
    /// How many bonuses of later periods each side has a right to.
    pub(crate) owed: Sides<usize>,
}

impl Sum {
    /// Both have this much now.
    pub(crate) fn set(&mut self, to: Sides<i64>) {
        (self.synced, self.own, self.own_time) = (to, to, false);
    }

    /// One side has so much now, whatever it had.
    pub(crate) fn set_side(&mut self, side: Side, to: i64) {
        (self.synced[side], self.own[side]) = (to, to);
    }

    /// One side has so much more, or less.
    pub(crate) fn owe(&mut self, side: Side, ms: i64) {
        self.synced[side] = self.synced[side].saturating_add(ms);
        self.own[side] = self.own[side].saturating_add(ms);
    }

    /// The side that stands shows what it should, but for the inexactness of stamps.
    pub(crate) fn agrees(&mut self, side: Side, standing: i64, within: i64) {
        if !self.own_time && (self.synced[side] - standing).abs() <= within {
            self.synced[side] = standing;
        }
    }

    /// The clock's seconds are wrong: what was taken from its display since the times were set is taken back.
    pub(crate) const fn believe_own_time(&mut self) {
        (self.synced, self.own_time) = (self.own, true);
    }

    pub(crate) fn at_turn(&self, side: Side) -> i64 {
        self.synced[side]
    }

    /// A new game on the same clock: what it shows is where it begins.
    pub(crate) fn new_game(&mut self) {
        (self.own_time, self.owed) = (false, Sides::default());
    }
}
