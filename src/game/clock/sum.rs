//! The clock sum (6.10): what each side should have, by what was agreed, by its presses and by our own time.
//!
//! While every press adds its bonus, what both sides show and what ran is what was agreed; so the times a clock would show without its fault are
//! known at any moment.
use crate::clock::Clock;
use crate::clock::sides::{Side, Sides};
use crate::clock::turn::Model;
use flagfall_events::{ClockPair, Mono};

/// What a display may differ from what was reckoned without being wrong.
const READING_MS: i64 = 1_000;

impl Clock {
    /// What was agreed for the period that this side should be in.
    pub(crate) fn agreed(&self, side: Side) -> Option<Model> {
        self.expected()[side].model
    }

    /// What the turn in progress has taken from this side, as agreed, milliseconds.
    fn taken(&self, side: Side, now: Mono) -> i64 {
        let ran = self.track.turn(now).filter(|(s, _)| *s == side).map_or(0, |(_, ran)| ran);
        let lost = self.agreed(side).map_or(ran, |model| model.loses_ms(ran));
        i64::try_from(lost).unwrap_or(i64::MAX)
    }

    /// What `side` should have now, milliseconds.
    pub(crate) fn correct_now(&self, side: Side, now: Mono) -> i64 {
        (self.judge.sum.at_turn(side) + self.period_at_press(side)).saturating_sub(self.taken(side, now))
    }

    /// Both displays show what they should now: these seconds.
    pub(crate) fn begin_sum(&mut self, now: Mono, shown: Sides<i64>) {
        let to = Sides::of(|side| shown[side] * 1000 + self.taken(side, now));
        self.judge.sum.set(to);
    }

    /// This side was pressed after so long.
    pub(crate) fn reckon_press(&mut self, side: Side, ran_ms: u64) {
        let Some(agreed) = self.agreed(side) else { return };
        let lost = i64::try_from(agreed.loses_ms(ran_ms)).unwrap_or(i64::MAX);
        self.judge.sum.owe(side, agreed.adds_ms(ran_ms) - lost);
    }

    /// Both were pressed, and how the time between was shared nobody saw.
    pub(crate) fn reckon_hidden_pair(&mut self) {
        for side in Side::BOTH {
            let added = self.agreed(side).map_or(0, |model| model.adds_ms(0));
            self.judge.sum.owe(side, added);
        }
    }

    /// What both sides should show, whole seconds as the clock rounds.
    pub(crate) fn correct_pair(&self, now: Mono) -> ClockPair {
        let (expected, shown) = (self.expected(), self.track.shown().unwrap_or_default());
        self.pair_of(|side| {
            // What is wrong are whole seconds; the fraction is the clock's own.
            let (left, _) = self.track.left(side, now, &expected);
            // A display that stands has not lost what ran.
            let left = left.clamp((shown[side] - 1).max(0) * 1000, shown[side] * 1000);
            let off = self.correct_now(side, now) - left;
            // A second more or less is how it was read.
            let off = if off.abs() <= READING_MS { 0 } else { off };
            (shown[side] * 1000 + (off + 500).div_euclid(1000) * 1000).max(0)
        })
    }

    /// The same with the next period's time, where neither side has got it.
    pub(crate) fn correct_pair_with_period(&self, now: Mono) -> ClockPair {
        let (correct, withheld) = (self.correct_pair(now), self.judge.withheld);
        let more = self.pair_of(|side| withheld[side] * 1000);
        ClockPair { white_ms: correct.white_ms + more.white_ms, black_ms: correct.black_ms + more.black_ms }
    }
}
