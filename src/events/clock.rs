//! The chess clock: what it shows, where that comes from, and what an arbiter sets.
use crate::Colour;
use serde::{Deserialize, Serialize};

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClockState {
    /// White's display, milliseconds; absent where there is no reading.
    pub white_ms: Option<i64>,
    /// Black's display.
    pub black_ms: Option<i64>,
    /// Whose time runs.
    pub running: Option<Colour>,
    /// Whose flag is down.
    pub flag: Option<Flag>,
    /// Where the values come from.
    pub source: ClockSource,
    /// How far the values may be off, milliseconds.
    pub uncertainty_ms: u64,
}

/// Both displays at a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClockPair {
    /// White's display, milliseconds.
    pub white_ms: i64,
    /// Black's display.
    pub black_ms: i64,
}

impl ClockPair {
    /// The same, each display being the other player's.
    pub const fn turned(self) -> Self {
        Self { white_ms: self.black_ms, black_ms: self.white_ms }
    }
}

/// Where a clock value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ClockSource {
    /// Read from the clock.
    Device,
    /// Extrapolated; `uncertainty_ms` bounds it.
    Estimate,
    /// Set by the arbiter.
    Arbiter,
    /// There is no clock.
    None,
}

/// Whose flag is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Flag {
    /// White's.
    White,
    /// Black's.
    Black,
    /// Both.
    Both,
}

/// Both clocks as an arbiter sets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetClock {
    /// White's display, milliseconds.
    pub white_ms: i64,
    /// Black's display.
    pub black_ms: i64,
    /// Who runs.
    pub run: Run,
}

/// Who runs after a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Run {
    /// White's time.
    White,
    /// Black's time.
    Black,
    /// Nobody's.
    Stopped,
}

/// A side of the clock, seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ClockSide {
    /// The left one.
    Left,
    /// The right one.
    Right,
}
