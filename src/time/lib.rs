//! The only place that reads a clock. What it gives are the values of [`flagfall_events`]: [`Mono`], [`Wall`] and [`Shown`], never mixed.
pub use flagfall_events::{Mono, Shown, Wall};
use std::time;

/// Reads the machine's clocks. Each daemon, journal or simulator has one; everything else gets its time as an argument.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: time::Instant,
    opened_at: Wall,
}

/// Now.
#[allow(clippy::disallowed_methods, reason = "this is the one place that reads clocks")]
pub fn now() -> Wall {
    Wall::from_timestamp(jiff::Timestamp::now())
}

/// The calendar's day at this moment where this machine is.
pub fn local_day(at: Wall) -> jiff::civil::Date {
    at.timestamp().to_zoned(jiff::tz::TimeZone::system()).date()
}

#[allow(clippy::disallowed_methods, reason = "this is the one place that reads clocks")]
impl Stopwatch {
    /// Starts counting now.
    pub fn start() -> Self {
        Self { started: time::Instant::now(), opened_at: now() }
    }
    /// Milliseconds since the start.
    pub fn now(&self) -> Mono {
        Mono::from_millis(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
    /// Microseconds since the start, for figures.
    pub fn micros(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
    /// The wall time of millisecond 0.
    pub const fn opened_at(&self) -> Wall {
        self.opened_at
    }
    /// The machine's moment of `t`, for sleeping until a deadline.
    pub fn instant(&self, t: Mono) -> time::Instant {
        self.started + time::Duration::from_millis(t.millis())
    }
}
