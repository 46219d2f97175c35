//! What may be wrong with a chess clock or its setting, for tests of those who watch it.
use super::side::Side;
use flagfall_events::{BonusKind, Period};

/// One fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockFault {
    /// Presses add nothing.
    NoBonus,
    /// Presses add so many seconds more.
    MoreBonus(u32),
    /// The increment is a US delay.
    Delay,
    /// The base time is off by so many seconds.
    Base(i32),
    /// The side that is named does not get the next period's time.
    NoPeriod,
    /// Its seconds are too short by so many parts of a million.
    Fast(i32),
    /// It runs and does not count.
    Stands,
    /// The running side gains so many seconds at once.
    Jump(i32),
    /// Both sides count.
    BothRun,
}

/// The faults of one clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Faults {
    no_bonus: bool,
    more: u32,
    delay: bool,
    withheld: [bool; 2],
    fast_ppm: i64,
    stands: bool,
    pub(super) both: bool,
}

impl Faults {
    pub(super) const fn set(&mut self, fault: ClockFault, by: Side) {
        match fault {
            ClockFault::NoBonus => self.no_bonus = true,
            ClockFault::MoreBonus(seconds) => self.more = seconds,
            ClockFault::Delay => self.delay = true,
            ClockFault::NoPeriod => self.withheld[by as usize] = true,
            ClockFault::Fast(ppm) => self.fast_ppm = ppm as i64,
            ClockFault::Stands => self.stands = true,
            ClockFault::BothRun => self.both = true,
            ClockFault::Base(_) | ClockFault::Jump(_) => {}
        }
    }

    pub(super) const fn withheld(&self, side: Side) -> bool {
        self.withheld[side as usize]
    }

    /// The period as this clock has it.
    pub(super) fn period(&self, mut period: Period) -> Period {
        period.bonus_s = if self.no_bonus { 0 } else { period.bonus_s.saturating_add(self.more) };
        if self.delay && period.kind == BonusKind::Fischer {
            period.kind = BonusKind::Delay;
        }
        period
    }

    /// What it counts in so many microseconds.
    pub(super) fn counts(&self, us: u64) -> u64 {
        let rate = u64::try_from(1_000_000 + self.fast_ppm).unwrap_or(0);
        if self.stands { 0 } else { us * rate / 1_000_000 }
    }

    /// How long it takes to count so many microseconds.
    pub(super) fn takes(&self, us: u64) -> Option<u64> {
        let rate = u64::try_from(1_000_000 + self.fast_ppm).ok().filter(|rate| *rate > 0 && !self.stands)?;
        Some((us * 1_000_000).div_ceil(rate))
    }
}
