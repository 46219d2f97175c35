//! How long to wait before the next try.
use std::time::Duration;

/// 250 ms, doubling, at most 5 s.
#[derive(Debug)]
pub(super) struct BackOff(u64);

impl BackOff {
    pub(super) const fn new() -> Self {
        Self(250)
    }

    pub(super) fn next(&mut self) -> Duration {
        let now = self.0;
        self.0 = (now * 2).min(5_000);
        Duration::from_millis(now)
    }
}
