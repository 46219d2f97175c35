//! What was told of the flags.
use flagfall_events::{Colour, Mono};

/// What was told of the flags.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    /// What the last reading showed.
    pub(crate) seen: [bool; 2],
    /// Told as fallen: White, Black.
    pub(crate) told: [bool; 2],
    pub(crate) first: Option<Colour>,
    pub(crate) both_told: bool,
    /// A flag that fell with the moves completed: the next period's time is due.
    pub(crate) due: [Option<Mono>; 2],
}

impl Flags {
    pub(crate) fn deadline(&self) -> Option<Mono> {
        self.due.iter().flatten().min().copied()
    }

    /// White's side of the clock is the other one; what is down is looked at again.
    pub(crate) fn turn(&mut self) {
        self.told.reverse();
        self.due.reverse();
        self.seen = self.told;
        self.first = self.first.map(Colour::other);
    }

    /// Times were set: what was down is history.
    pub(crate) fn set_again(&mut self) {
        *self = Self::default();
    }
}
