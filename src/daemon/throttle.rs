//! How much a board may say. What is beyond that is dropped before journal and decoder alike, so that neither memory nor a restart grows with a board that
//! chatters. Pure.
//!
//! The most talkative honest board says 50 bytes a second (both players' hands on a board with a clock, `tests/captures/blitz-both-hands.cap`), and now and
//! then its whole move memory, 8 KiB. A wire of 9,600 baud carries 960.
use flagfall_events::Mono;

/// Bytes a second that a board may say for ever.
const RATE: u64 = 256;
/// Bytes that it may say at once: eight move memories, or four minutes of the rate.
const BURST: u64 = 64 << 10;
/// After a drop so much room is waited for: a dump and what is said around it pass then. Eight seconds of the rate.
const RESUME: u64 = 2 << 10;

/// Bytes that were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dropped {
    /// When the first of them came.
    pub(super) from: Mono,
    /// How many.
    pub(super) bytes: u64,
}

/// A token bucket over one board's bytes; it outlives the board's links.
#[derive(Debug)]
pub(super) struct Throttle {
    /// Thousandths of a byte that may come now.
    room: u64,
    at: Mono,
    dropping: Option<Dropped>,
}

impl Default for Throttle {
    fn default() -> Self {
        Self { room: BURST * 1_000, at: Mono::ZERO, dropping: None }
    }
}

impl Throttle {
    /// So many bytes came at `t`; whether they pass. Ask [`Throttle::over`] first.
    pub(super) fn passes(&mut self, t: Mono, bytes: usize) -> bool {
        self.fill(t);
        let bytes = bytes as u64;
        if let Some(dropping) = &mut self.dropping {
            dropping.bytes += bytes;
            return false;
        }
        let Some(left) = self.room.checked_sub(bytes.saturating_mul(1_000)) else {
            self.dropping = Some(Dropped { from: t, bytes });
            return false;
        };
        self.room = left;
        true
    }

    /// The drop that is over at `t`, if one is.
    pub(super) fn over(&mut self, t: Mono) -> Option<Dropped> {
        self.fill(t);
        self.dropping.take_if(|_| self.room >= RESUME * 1_000)
    }

    /// The drop under way, which ends now whatever comes.
    pub(super) const fn end(&mut self) -> Option<Dropped> {
        self.dropping.take()
    }

    /// When the drop under way is over.
    pub(super) fn deadline(&self) -> Option<Mono> {
        self.dropping.map(|_| self.at + (RESUME * 1_000).saturating_sub(self.room).div_ceil(RATE))
    }

    /// The board's time begins anew.
    pub(super) const fn restart(&mut self) {
        self.at = Mono::ZERO;
    }

    fn fill(&mut self, t: Mono) {
        self.room = self.room.saturating_add(t.since(self.at).saturating_mul(RATE)).min(BURST * 1_000);
        self.at = self.at.max(t);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: u64) -> Mono {
        Mono::from_millis(ms)
    }

    /// A board that says `bytes` every `every` milliseconds for `ms`: how many pass, and each drop.
    fn said(bytes: usize, every: u64, ms: u64) -> (u64, Vec<(Dropped, Mono)>) {
        let (mut throttle, mut passed, mut drops) = (Throttle::default(), 0, Vec::new());
        for t in (0..ms).step_by(usize::try_from(every).unwrap()).map(at) {
            while let Some(deadline) = throttle.deadline().filter(|deadline| *deadline <= t) {
                drops.extend(throttle.over(deadline).map(|dropped| (dropped, deadline)));
            }
            if throttle.passes(t, bytes) {
                passed += bytes as u64;
            }
        }
        (passed, drops)
    }

    #[test]
    fn no_honest_board_is_throttled() {
        // Both players' hands and a clock, for a day.
        let (passed, drops) = said(50, 1_000, 86_400_000);
        assert_eq!((passed, drops.len()), (86_400 * 50, 0));
        // A move memory every minute beside that, as over a cable that comes loose all the time; in one go, as over USB.
        let mut throttle = Throttle::default();
        for t in (0..3_600_000).step_by(1_000) {
            assert!(throttle.passes(at(t), 50), "{t}");
            assert!(!t.is_multiple_of(60_000) || throttle.passes(at(t), 8_207), "{t}");
        }
        // What waited while the machine stood still for an hour, and another memory.
        assert!(throttle.passes(at(7_200_000), 50_000) && throttle.passes(at(7_200_000), 8_207));
    }

    #[test]
    fn a_board_that_chatters_passes_its_burst_and_its_rate_and_every_byte_is_accounted_for() {
        for (bytes, every) in [(340, 10), (512, 1), (96, 100)] {
            let (passed, drops) = said(bytes, every, 3_600_000);
            assert!(passed <= BURST + 3_600 * RATE, "{bytes} every {every} ms: {passed}");
            assert!(passed >= 3_600 * RATE, "{bytes} every {every} ms: {passed}");
            let dropped: u64 = drops.iter().map(|(dropped, _)| dropped.bytes).sum();
            let said = bytes as u64 * 3_600_000 / every;
            // The last drop is not over.
            assert!(passed + dropped <= said && passed + dropped + 9_000 / every * bytes as u64 >= said);
            assert!(drops.iter().all(|(dropped, to)| to.since(dropped.from) <= 8_100), "a window for a dump comes every eight seconds");
        }
    }

    #[test]
    fn a_drop_ends_when_the_board_falls_silent() {
        let mut throttle = Throttle::default();
        assert!(throttle.passes(at(1_000), 65_000));
        assert!(!throttle.passes(at(1_010), 4_000));
        let deadline = throttle.deadline().unwrap();
        assert_eq!(throttle.over(deadline), Some(Dropped { from: at(1_010), bytes: 4_000 }));
        assert_eq!((throttle.deadline(), throttle.over(deadline)), (None, None));
        assert!(throttle.passes(deadline, 2_000));
    }
}
