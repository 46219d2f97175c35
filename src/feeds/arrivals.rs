//! How old the messages of a hall's stream are, proved across restarts of the hall: when which of them had come, by the time since the machine was
//! started. Pure but for that time, which is read once.
use flagfall_events::Mono;
use flagfall_time::{Boot, Stopwatch};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Marks are so far apart at least, milliseconds: a message may be dated so much too late.
const GRAIN_MS: u64 = 4_000;
/// Marks that are kept at most: more than the longest delay has.
const MOST: usize = 4_096;

/// What is proved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrivals {
    /// Which start of the machine the times are of.
    boot: String,
    /// When the stream was made: another one numbers anew.
    made: String,
    /// The world was told everything up to this message.
    shown: u64,
    /// Up to this message everything had come when the machine had been up for so many milliseconds.
    marks: VecDeque<(u64, u64)>,
    /// For how long the machine had been up when this process's stopwatch was started; `None`: nobody knows.
    #[serde(skip)]
    up: Option<u64>,
}

impl Arrivals {
    /// What an earlier process left (`kept`), for this one.
    pub fn new(kept: Option<Self>, boot: Option<Boot>, stopwatch: Stopwatch) -> Self {
        let now = stopwatch.now().millis();
        let mut arrivals = kept.unwrap_or_default();
        let id = boot.as_ref().map(|boot| boot.id.clone()).unwrap_or_default();
        if arrivals.boot != id {
            arrivals.marks.clear();
        }
        Self { boot: id, up: boot.map(|boot| boot.ms.saturating_sub(now)), ..arrivals }
    }

    /// The same for the stream that was made at `made`.
    #[must_use]
    pub fn of(self, made: &str) -> Self {
        if self.made == made { self } else { Self { made: String::from(made), shown: 0, marks: VecDeque::new(), ..self } }
    }

    /// The world was told everything up to this message.
    pub const fn shown(&self) -> u64 {
        self.shown
    }

    /// How old a message is at least that comes now, milliseconds.
    pub(crate) fn age(&self, now: Mono, message: u64) -> u64 {
        let Some(up) = self.up else { return 0 };
        let mark = self.marks.get(self.marks.partition_point(|(upto, _)| *upto < message));
        mark.map_or(0, |(_, at)| (up + now.millis()).saturating_sub(*at))
    }

    /// Everything up to `position` has come by now, and the world was told everything up to `shown`.
    pub(crate) fn mark(&mut self, now: Mono, position: u64, shown: u64) {
        self.shown = self.shown.max(shown);
        while self.marks.len() > MOST || self.marks.front().is_some_and(|(upto, _)| *upto <= self.shown) {
            self.marks.pop_front();
        }
        let Some(at) = self.up.map(|up| up + now.millis()) else { return };
        let last = self.marks.back().copied();
        if position > self.shown.max(last.map_or(0, |(upto, _)| upto)) && last.is_none_or(|(_, last)| last + GRAIN_MS <= at) {
            self.marks.push_back((position, at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_events::Wall;

    #[test]
    fn a_message_is_as_old_as_can_be_proved_and_no_older() {
        let (stopwatch, hand) = Stopwatch::simulated(Wall::EPOCH);
        let boot = |ms: u64| Some(Boot { id: String::from("a"), ms });
        let mut first = Arrivals::new(None, boot(50_000), stopwatch).of("today");
        // A message a second; the world is told thirty seconds later.
        for second in 1..=100_u64 {
            hand.set(Mono::from_millis(1000 * second));
            assert_eq!(first.age(stopwatch.now(), second), 0, "it is new");
            first.mark(stopwatch.now(), second, second.saturating_sub(30));
        }
        let kept: Arrivals = serde_json::from_str(&serde_json::to_string(&first).unwrap()).unwrap();
        let (later, hand) = Stopwatch::simulated(Wall::EPOCH);
        hand.set(Mono::from_millis(500));
        // Ten seconds later another process begins.
        let second = Arrivals::new(Some(kept.clone()), boot(160_500), later).of("today");
        assert_eq!(second.shown(), 70);
        for message in 71..=96 {
            let (age, truth) = (second.age(later.now(), message), 110_500 - 1000 * message);
            assert!(age <= truth && age + GRAIN_MS >= truth, "{message}: {age} of {truth}");
        }
        assert_eq!(second.age(later.now(), 101), 0);
        // Another start of the machine proves nothing but what was told; another stream not even that.
        let other = Arrivals::new(Some(kept.clone()), Some(Boot { id: String::from("b"), ms: 900_000 }), later).of("today");
        assert_eq!((other.shown(), other.age(later.now(), 71)), (70, 0));
        let anew = Arrivals::new(Some(kept), boot(160_500), later).of("tomorrow");
        assert_eq!((anew.shown(), anew.age(later.now(), 71)), (0, 0));
    }
}
