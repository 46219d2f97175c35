//! The only place that reads a clock. What it gives are the values of [`flagfall_events`]: [`Mono`], [`Wall`] and [`Shown`], never mixed.
pub use flagfall_events::{Mono, Shown, Wall};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time;

/// Reads the machine's clocks. Each daemon, journal or simulator has one; everything else gets its time as an argument.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: time::Instant,
    opened_at: Wall,
    /// A simulation's: the time is what this says, milliseconds.
    told: Option<&'static AtomicU64>,
}

/// Tells a stopwatch what time it is, in simulations.
#[derive(Clone, Copy, Debug)]
pub struct Hand(&'static AtomicU64);

impl Hand {
    /// It is `now`.
    pub fn set(self, now: Mono) {
        self.0.store(now.millis(), Ordering::Release);
    }
}

/// How long this machine has been up, and which start of it that is: what is measured against it outlives this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boot {
    /// Names the start.
    pub id: String,
    /// Milliseconds since then; they pass as those of [`Mono`] do, whatever happens to the calendar.
    pub ms: u64,
}

impl Boot {
    /// Now; `None` where the system does not say.
    pub fn now() -> Option<Self> {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let up = std::fs::read_to_string("/proc/uptime").ok()?;
        let (seconds, hundredths) = up.split_whitespace().next()?.split_once('.')?;
        let ms = seconds.parse::<u64>().ok()?.checked_mul(1000)? + 10 * hundredths.parse::<u64>().ok()?;
        Some(Self { id: String::from(id.trim()), ms })
    }
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

/// A moment as people here read it, `14:03`.
pub fn local_time(at: Wall) -> String {
    let time = at.timestamp().to_zoned(jiff::tz::TimeZone::system()).time();
    format!("{:02}:{:02}", time.hour(), time.minute())
}

#[allow(clippy::disallowed_methods, reason = "this is the one place that reads clocks")]
impl Stopwatch {
    /// Starts counting now.
    pub fn start() -> Self {
        Self { started: time::Instant::now(), opened_at: now(), told: None }
    }
    /// One that shows what its hand says, from 0 on, opened at `opened_at`; for simulations.
    pub fn simulated(opened_at: Wall) -> (Self, Hand) {
        let told: &'static AtomicU64 = Box::leak(Box::default());
        (Self { started: time::Instant::now(), opened_at, told: Some(told) }, Hand(told))
    }
    /// Milliseconds since the start.
    pub fn now(&self) -> Mono {
        if let Some(told) = self.told {
            return Mono::from_millis(told.load(Ordering::Acquire));
        }
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
