//! What is published as it stood a while ago: feeds with a delay hold states here until they are old enough.
use flagfall_config::delay::Delay;
use flagfall_events::{Mono, Wall};
use std::collections::VecDeque;
use std::time::Duration;

/// How long ago what is published stood so. Moments that viewers count from move on by it: a countdown then shows what the clock showed so long ago.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    ms: u64,
    behind: bool,
}

impl Lag {
    /// What is published stands so now.
    pub const NONE: Self = Self { ms: 0, behind: false };

    /// The lag of a feed with this delay.
    pub fn of(delay: Duration) -> Self {
        Self { ms: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX), behind: !delay.is_zero() }
    }

    /// The lag of everything public.
    pub fn general(delay: Delay) -> Self {
        Self { behind: delay.is_on(), ..Self::of(delay.by) }
    }

    /// Whether what is published may be another thing than what is so now: then nothing is looked up that is so now.
    pub const fn is_behind(self) -> bool {
        self.behind
    }

    /// The moment from which a viewer must count.
    pub fn moved(self, at: Wall) -> Wall {
        at.after(Mono::from_millis(self.ms))
    }
}

/// States closer together than this become one, even where the delay is short.
const LEAST_GRAIN_MS: u64 = 1000;

/// States on their way out.
#[derive(Debug)]
pub(crate) struct Delayed<T> {
    delay_ms: u64,
    grain_ms: u64,
    waiting: VecDeque<(Mono, T)>,
}

impl<T> Delayed<T> {
    /// Keeps about `most` states, twice that at the very most, however long the delay and however often the state changes.
    pub(crate) fn new(delay_ms: u64, most: u64) -> Self {
        Self { delay_ms, grain_ms: (delay_ms / most.max(1)).max(LEAST_GRAIN_MS), waiting: VecDeque::new() }
    }

    /// The state as it is now.
    pub(crate) fn push(&mut self, now: Mono, state: T) {
        // The newest is replaced only where the one before is near: what waits moves on, however often the state changes.
        let near = self.waiting.len() >= 2 && self.waiting.get(self.waiting.len() - 2).is_some_and(|(t, _)| now.since(*t) < self.grain_ms);
        if near {
            self.waiting.pop_back();
        }
        self.waiting.push_back((now, state));
    }

    /// The newest state that is old enough; each is given out once.
    pub(crate) fn due(&mut self, now: Mono) -> Option<T> {
        let mut due = None;
        while self.waiting.front().is_some_and(|(t, _)| *t + self.delay_ms <= now) {
            due = self.waiting.pop_front().map(|(_, state)| state);
        }
        due
    }

    /// When the next one is.
    pub(crate) fn next_due(&self) -> Option<Mono> {
        self.waiting.front().map(|(t, _)| *t + self.delay_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: u64) -> Mono {
        Mono::from_millis(ms)
    }

    #[test]
    fn nothing_newer_than_the_delay_goes_out_and_the_last_state_does() {
        let mut delayed = Delayed::new(60_000, 1000);
        let mut seen = None;
        for t in (0..200_000).step_by(37) {
            if t <= 100_000 {
                delayed.push(at(t), t);
            }
            if let Some(stamp) = delayed.due(at(t)) {
                assert!(stamp + 60_000 <= t && t < stamp + 62_000, "{stamp} at {t}");
                seen = Some(stamp);
            }
            assert!(delayed.waiting.len() < 130);
        }
        assert_eq!(seen, Some(100_000 / 37 * 37));
        assert_eq!(delayed.next_due(), None);
    }

    #[test]
    fn a_long_delay_keeps_no_more_states_and_the_last_one_is_still_on_time() {
        let mut delayed = Delayed::new(3_600_000, 100);
        let mut most = 0;
        for t in (0..8_000_000).step_by(200) {
            delayed.push(at(t), t);
            most = most.max(delayed.waiting.len());
            if let Some(stamp) = delayed.due(at(t)) {
                assert!(stamp + 3_600_000 <= t && t < stamp + 3_600_000 + 73_000, "{stamp} at {t}");
            }
        }
        assert!((100..=210).contains(&most), "{most}");
    }

    #[test]
    fn without_a_delay_a_state_goes_out_at_once() {
        let mut delayed = Delayed::new(0, 1000);
        delayed.push(at(5), 1);
        delayed.push(at(5), 2);
        assert_eq!(delayed.next_due(), Some(at(5)));
        assert_eq!(delayed.due(at(5)), Some(2));
    }
}
