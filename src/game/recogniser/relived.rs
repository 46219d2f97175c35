//! What the board's own log says happened, entry by entry, for the estimate.
use crate::clock::Side;
use crate::placement::Placement;
use crate::press::Press;
use flagfall_events::{Colour, Mono};

/// The log tells no times but that an entry came within a quarter of a second of the one before it, milliseconds.
const QUICK_MS: u64 = 80;
const UNHURRIED_MS: u64 = 400;

/// What an entry of the log says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Said {
    /// The board stands so; a moment after the entry before it, or later.
    Stands { placement: Placement, quick: bool },
    /// The player at this side pressed.
    Pressed(Side),
}

impl Said {
    /// How long after the entry before it, milliseconds.
    pub(crate) const fn takes(self) -> u64 {
        match self {
            Self::Stands { quick: true, .. } => QUICK_MS,
            Self::Stands { .. } => UNHURRIED_MS,
            Self::Pressed(_) => 0,
        }
    }

    /// It came within a quarter of a second of the one before it.
    pub(crate) const fn is_quick(&self) -> bool {
        matches!(self, Self::Stands { quick: true, .. })
    }

    pub(crate) const fn placement(&self) -> Option<&Placement> {
        match self {
            Self::Stands { placement, .. } => Some(placement),
            Self::Pressed(_) => None,
        }
    }
}

/// A press that the log tells of.
pub(crate) fn pressed(side: Side, white: Side, at: Mono) -> Press {
    let by = if side == white { Colour::White } else { Colour::Black };
    Press { by, white, at, clock: None, spent_ms: None, asked: None, dumped: None, earned_ms: 0, started: false, in_air: false }
}
