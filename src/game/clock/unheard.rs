//! How many presses there were while nobody listened: while a clock runs both displays together lose what passes, and each press adds its
//! increment (6.3.2). Pieces that came back to where they stood do not tell so much.
use crate::clock::Clock;
use crate::clock::sides::Side;
use crate::clock::turn::Model;
use dgt_protocol::clock::ClockTimes;
use flagfall_events::Mono;

/// Two displays of whole seconds, read twice, and a report that was late, milliseconds.
const SLACK_MS: i64 = 2_500;

/// What both displays showed together when they were read last, milliseconds, and when that was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastHeard {
    sum_ms: i64,
    at: Mono,
}

impl Clock {
    /// Of a clock that runs, in a game in which each press adds the same.
    pub(crate) fn last_heard(&self) -> Option<LastHeard> {
        let reading = self.reading.filter(|reading| reading.running)?;
        self.increment_ms()?;
        Some(LastHeard { sum_ms: self.sum_ms(&reading), at: self.read_at })
    }

    /// There were so many presses since then at the least, as the reading of this moment says. What a clock that stands now has run is not known.
    pub(crate) fn presses_since(&self, last: LastHeard, now: Mono) -> usize {
        let (Some(reading), Some(increment)) = (self.reading, self.increment_ms()) else { return 0 };
        let ran = if reading.running { i64::try_from(now.since(last.at)).unwrap_or(0) } else { 0 };
        let gained = self.sum_ms(&reading) - last.sum_ms + ran - SLACK_MS;
        usize::try_from((gained.max(0) + increment - 1) / increment).unwrap_or(0)
    }

    /// And so many at the most, where it has run until now.
    pub(crate) fn presses_at_most(&self, last: LastHeard, now: Mono) -> Option<usize> {
        let (reading, increment) = (self.reading.filter(|reading| reading.running)?, self.increment_ms()?);
        let ran = i64::try_from(now.since(last.at)).ok()?;
        usize::try_from((self.sum_ms(&reading) - last.sum_ms + ran + SLACK_MS).max(0) / increment).ok()
    }

    fn sum_ms(&self, reading: &ClockTimes) -> i64 {
        let pair = self.pair(reading);
        pair.white_ms + pair.black_ms
    }

    /// Both players' increment, where one press can be told from none.
    fn increment_ms(&self) -> Option<i64> {
        let [left, right] = Side::BOTH.map(|side| self.agreed(side));
        match left.filter(|_| left == right)? {
            Model::Fischer(seconds) => Some(i64::from(seconds) * 1000).filter(|increment| *increment > 2 * SLACK_MS),
            Model::Nothing | Model::Delay(_) | Model::Bronstein(_) => None,
        }
    }
}
