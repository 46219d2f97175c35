//! Three kinds of time, three types, never mixed. They are values: who reads a clock makes them.
//!
//! * [`Mono`]: milliseconds since the journal (or capture) opened: ordering, deadlines.
//! * [`Wall`]: for people and PGN tags.
//! * [`Shown`]: what the chess clock displays, whole seconds.
use core::{fmt, ops};
use serde::{Deserialize, Serialize};

/// Milliseconds since the journal or capture opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Mono(u64);

impl Mono {
    /// The moment the journal opened.
    pub const ZERO: Self = Self(0);
    /// `ms` milliseconds after the journal opened.
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms)
    }
    /// Milliseconds since the journal opened.
    pub const fn millis(self) -> u64 {
        self.0
    }
    /// Milliseconds from `earlier` to here; 0 when `earlier` is later.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl ops::Add<u64> for Mono {
    type Output = Self;
    /// Adds milliseconds.
    fn add(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }
}

/// A moment for people, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
pub struct Wall(jiff::Timestamp);

impl Wall {
    /// 1970-01-01T00:00:00Z, what a capture without `recorded-at` starts at.
    pub const EPOCH: Self = Self(jiff::Timestamp::UNIX_EPOCH);
    /// From a parsed RFC 3339 stamp.
    pub const fn from_timestamp(at: jiff::Timestamp) -> Self {
        Self(at)
    }
    /// The underlying stamp.
    pub const fn timestamp(self) -> jiff::Timestamp {
        self.0
    }
    /// Milliseconds from `earlier` to here; 0 when `earlier` is later.
    pub fn since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.as_millisecond().saturating_sub(earlier.0.as_millisecond())).unwrap_or(0)
    }
    /// Milliseconds from `earlier` to here; negative when `earlier` is later.
    pub fn differs(self, earlier: Self) -> i64 {
        self.0.as_millisecond().saturating_sub(earlier.0.as_millisecond())
    }
    /// The wall time of millisecond 0 where this is the one of `t`; stays where it is at the beginning of the calendar.
    pub fn before(self, t: Mono) -> Self {
        let ms = i64::try_from(t.0).unwrap_or(i64::MAX);
        Self(self.0.checked_sub(jiff::SignedDuration::from_millis(ms)).unwrap_or(self.0))
    }
    /// This moment and `t` milliseconds; stays where it is at the end of the calendar.
    pub fn after(self, t: Mono) -> Self {
        let ms = i64::try_from(t.0).unwrap_or(i64::MAX);
        Self(self.0.checked_add(jiff::SignedDuration::from_millis(ms)).unwrap_or(self.0))
    }
}

impl fmt::Display for Wall {
    /// RFC 3339, UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What one side of the chess clock displays: whole seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shown(u32);

impl Shown {
    /// A display of `s` seconds.
    pub const fn from_seconds(s: u32) -> Self {
        Self(s)
    }
    /// Seconds on the display.
    pub const fn seconds(self) -> u32 {
        self.0
    }
    /// The same in milliseconds, as events carry it.
    pub const fn millis(self) -> i64 {
        self.0 as i64 * 1000
    }
}
