//! What waits until it is old enough to be public. Pure: times are arguments.
//!
//! What is due depends on when it was recorded and on nothing that came later: whoever watches what comes out learns nothing of what waits.
mod course;

use course::{Course, Step};
use flagfall_config::delay::Delay;
use flagfall_events::{Event, Mono};
use std::collections::VecDeque;

/// What was recorded within so many milliseconds is due together, at their end: there are no more moments than a delay has of these.
pub const GRAIN_MS: u64 = 100;

/// When what was recorded at `moment` is due.
fn due_at(moment: i64, delay_ms: i64) -> Mono {
    let due = u64::try_from(moment.saturating_add(delay_ms)).unwrap_or(0);
    Mono::from_millis(due.div_ceil(GRAIN_MS).saturating_mul(GRAIN_MS))
}

/// Which of what a board says is due.
#[derive(Debug)]
pub struct Held {
    delay: Delay,
    waiting: VecDeque<Group>,
    /// The last number that was said, and when it was recorded.
    said: (u64, i64),
    /// Everything up to here is due, and for how long nothing was said after it.
    due: (u64, u64),
    /// Where a game is shown when it is over: which one is being played.
    course: Option<Course>,
}

/// What is due together.
#[derive(Debug)]
struct Group {
    /// Up to which number.
    upto: u64,
    at: Mono,
    /// For how long nothing was said after that, milliseconds.
    quiet: u64,
}

impl Held {
    /// Everything up to `due` was public before.
    pub fn new(delay: Delay, due: u64) -> Self {
        let course = delay.until_end.then(Course::default);
        Self { delay, waiting: VecDeque::new(), said: (due, i64::MIN), due: (due, 0), course }
    }

    /// What was public before says whether a game is being played.
    pub fn knowing<'a>(mut self, public: impl IntoIterator<Item = &'a Event>) -> Self {
        if let Some(course) = &mut self.course {
            public.into_iter().for_each(|event| _ = course.take(event, i64::MIN));
        }
        self
    }

    /// The board said this, under a number above those before, `age_ms` before `now`.
    pub fn say(&mut self, number: u64, event: &Event, now: Mono, age_ms: u64) {
        let moment = self.pass(now, age_ms);
        let step = self.course.as_mut().map_or(Step::Shows, |course| course.take(event, moment));
        self.put(number, moment, step);
    }

    /// The same of something that says nothing of a game.
    pub fn mark(&mut self, number: u64, now: Mono, age_ms: u64) {
        let moment = self.pass(now, age_ms);
        let step = if self.course.as_ref().is_some_and(Course::is_on) { Step::Waits } else { Step::Shows };
        self.put(number, moment, step);
    }

    /// Nothing was said until `age_ms` before `now`. When that was.
    fn pass(&mut self, now: Mono, age_ms: u64) -> i64 {
        let moment = signed(now.millis()).saturating_sub(signed(age_ms));
        if let Some(over) = self.course.as_mut().and_then(|course| course.pass(moment)) {
            self.date(self.said, over);
        }
        moment
    }

    fn put(&mut self, number: u64, moment: i64, step: Step) {
        let before = std::mem::replace(&mut self.said, (number, moment));
        match step {
            Step::Waits => {}
            Step::ShowsBefore => self.date(before, moment),
            Step::Shows => self.date(self.said, moment),
        }
    }

    /// What was said up to `number`, last at `recorded`, is public a delay after `moment`.
    fn date(&mut self, (number, recorded): (u64, i64), moment: i64) {
        let delay = signed(self.delay.millis());
        let at = due_at(moment, delay);
        let quiet = |at: Mono| u64::try_from(signed(at.millis()).saturating_sub(delay).saturating_sub(recorded)).unwrap_or(0);
        match self.waiting.back_mut() {
            // Time never runs back.
            Some(last) if last.at >= at && number > last.upto => (last.upto, last.quiet) = (number, quiet(last.at)),
            Some(last) if last.at >= at => {}
            _ if number > self.due.0 => self.waiting.push_back(Group { upto: number, at, quiet: quiet(at) }),
            _ => {}
        }
    }

    /// The last number that is due now.
    pub fn due(&mut self, now: Mono) -> u64 {
        self.pass(now, 0);
        while let Some(group) = self.waiting.pop_front_if(|group| group.at <= now) {
            if group.upto > self.due.0 {
                self.due = (group.upto, group.quiet);
            }
        }
        self.due.0
    }

    /// For how long nothing was said after this number, milliseconds, where it is the last one that is due: it may have waited for that.
    pub const fn quiet_after(&self, number: u64) -> u64 {
        if number == self.due.0 { self.due.1 } else { 0 }
    }

    /// When the next one is.
    pub fn next(&self) -> Option<Mono> {
        let over = || Some(due_at(self.course.as_ref()?.sure_at()?, signed(self.delay.millis())));
        self.waiting.front().map(|group| group.at).or_else(over)
    }
}

/// Anything that waits, in order.
#[derive(Debug)]
pub struct Line<T> {
    delay: Delay,
    waiting: VecDeque<(Mono, T)>,
}

impl<T> Line<T> {
    /// Nothing waits yet.
    pub const fn new(delay: Delay) -> Self {
        Self { delay, waiting: VecDeque::new() }
    }

    /// This is so from now on.
    pub fn push(&mut self, now: Mono, what: T) {
        let at = due_at(signed(now.millis()), signed(self.delay.millis()));
        let last = self.waiting.back().map_or(Mono::ZERO, |(last, _)| *last);
        self.waiting.push_back((at.max(last), what));
    }

    /// The next one that is due.
    pub fn due(&mut self, now: Mono) -> Option<T> {
        self.waiting.pop_front_if(|(at, _)| *at <= now).map(|(_, what)| what)
    }

    /// When the next one is.
    pub fn next(&self) -> Option<Mono> {
        self.waiting.front().map(|(at, _)| *at)
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

/// How the times of a board's journal lie to those of the machine since it was started: how old an event is can then be said after a restart.
///
/// Never an event is dated earlier than it was recorded, and seldom later by more than [`Anchors::SLACK_MS`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    /// From which number on, and what is added to an event's time.
    anchors: VecDeque<(u64, i64)>,
}

impl Anchors {
    /// An event may be dated so much too late, milliseconds …
    pub const SLACK_MS: i64 = 1_000;
    /// … and so much where a board's times are all over the place: what is kept stays small.
    const COARSE_MS: i64 = 8_000;
    /// That begins at so many anchors.
    const MANY: usize = 64;

    /// As they were kept.
    pub fn kept(anchors: impl IntoIterator<Item = (u64, i64)>) -> Self {
        Self { anchors: anchors.into_iter().collect() }
    }

    /// For keeping.
    pub fn iter(&self) -> impl Iterator<Item = (u64, i64)> + '_ {
        self.anchors.iter().copied()
    }

    /// An event with this number and time was recorded when the machine had been up for `up` milliseconds.
    pub fn take(&mut self, number: u64, t: Mono, up: u64) {
        let shift = signed(up) - signed(t.millis());
        let slack = if self.anchors.len() < Self::MANY { Self::SLACK_MS } else { Self::COARSE_MS };
        if self.anchors.back().is_none_or(|(_, last)| shift > *last || *last > shift + slack) {
            self.anchors.push_back((number, shift + slack / 2));
        }
    }

    /// Nothing up to this number is asked for any more.
    pub fn forget(&mut self, number: u64) {
        while self.anchors.get(1).is_some_and(|(from, _)| *from <= number + 1) {
            self.anchors.pop_front();
        }
    }

    /// How old an event is at least, milliseconds, when the machine has been up for `up`; 0 where nobody can say.
    pub fn age(&self, number: u64, t: Mono, up: u64) -> u64 {
        let anchor = self.anchors.iter().rev().find(|(from, _)| *from <= number);
        anchor.map_or(0, |(_, shift)| u64::try_from(signed(up) - signed(t.millis()) - shift).unwrap_or(0))
    }
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
#[path = "held_tests.rs"]
mod tests;
