//! What waits until it is old enough to be public. Pure: times are arguments.
//!
//! What is due depends on when it was recorded and on nothing that came later: whoever watches what comes out learns nothing of what waits.
use flagfall_config::delay::Delay;
use flagfall_events::{Body, Mono};
use std::collections::VecDeque;

/// What was recorded within so many milliseconds is due together, at their end: there are no more moments than a delay has of these.
pub const GRAIN_MS: u64 = 100;

/// When what was recorded `age_ms` before `now` is due.
fn due_at(now: Mono, age_ms: u64, delay_ms: u64) -> Mono {
    let due = now.millis().saturating_add(delay_ms).saturating_sub(age_ms);
    Mono::from_millis(due.div_ceil(GRAIN_MS).saturating_mul(GRAIN_MS))
}

/// Which of what a board says is due.
#[derive(Debug)]
pub struct Held {
    delay: Delay,
    /// Up to which number, and when.
    waiting: VecDeque<(u64, Mono)>,
    /// The last number that was said.
    said: u64,
    /// Everything up to here is due.
    due: u64,
    /// Where a game is shown when it is over: one is being played.
    playing: bool,
}

impl Held {
    /// Everything up to `due` was public before.
    pub const fn new(delay: Delay, due: u64) -> Self {
        Self { delay, waiting: VecDeque::new(), said: due, due, playing: false }
    }

    /// The board said this, under a number above those before, `age_ms` before `now`.
    pub fn say(&mut self, number: u64, body: &Body, now: Mono, age_ms: u64) {
        let before = std::mem::replace(&mut self.said, number);
        if self.delay.until_end {
            match body {
                Body::GameStart { .. } => {
                    // One that nobody ended is over when the next one begins.
                    self.date(before, now, age_ms);
                    self.playing = true;
                }
                Body::Result { reason, .. } if reason.as_str() == "reopened" => self.playing = true,
                Body::Result { .. } => self.playing = false,
                _ => {}
            }
            if self.playing {
                return;
            }
        }
        self.date(number, now, age_ms);
    }

    fn date(&mut self, number: u64, now: Mono, age_ms: u64) {
        let at = due_at(now, age_ms, self.delay.millis());
        match self.waiting.back_mut() {
            // Time never runs back.
            Some((upto, last)) if *last >= at => *upto = number.max(*upto),
            _ if number > self.due => self.waiting.push_back((number, at)),
            _ => {}
        }
    }

    /// The last number that is due now.
    pub fn due(&mut self, now: Mono) -> u64 {
        while let Some((upto, _)) = self.waiting.pop_front_if(|(_, at)| *at <= now) {
            self.due = self.due.max(upto);
        }
        self.due
    }

    /// When the next one is.
    pub fn next(&self) -> Option<Mono> {
        self.waiting.front().map(|(_, at)| *at)
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
        let at = due_at(now, 0, self.delay.millis());
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
mod tests {
    use super::*;
    use flagfall_events::Colour;
    use std::time::Duration;

    const PRESS: Body = Body::Press { by: Colour::White };

    fn delay(seconds: u64, until_end: bool) -> Delay {
        Delay { by: Duration::from_secs(seconds), until_end }
    }

    fn result(reason: &str) -> Body {
        serde_json::from_value(serde_json::json!({"type": "result", "result": "1-0", "reason": reason, "source": "operator"})).unwrap()
    }

    fn start() -> Body {
        let start = serde_json::json!({"type": "game-start", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false});
        serde_json::from_value(start).unwrap()
    }

    #[test]
    fn nothing_is_due_before_its_time_nor_much_later_and_what_comes_later_changes_nothing() {
        let due = |last: u64| {
            let mut held = Held::new(delay(60, false), 0);
            let mut seen = Vec::new();
            for now in (0..200_000).step_by(37) {
                if now < last {
                    held.say(now / 37 + 1, &PRESS, Mono::from_millis(now), 0);
                }
                let upto = held.due(Mono::from_millis(now));
                let recorded = upto.saturating_sub(1) * 37;
                assert!(upto == 0 || (recorded + 60_000 <= now), "{upto} at {now}");
                assert!(upto * 37 >= last || upto * 37 + 60_000 + GRAIN_MS + 74 > now, "{upto} at {now}");
                assert!(held.waiting.len() <= 602);
                seen.push(upto);
            }
            seen
        };
        let (one, other) = (due(150_000), due(100_000));
        let same = (100_000 + 60_000) / 37;
        assert_eq!(one[..same], other[..same]);
        assert_ne!(one, other);
    }

    #[test]
    fn a_game_appears_as_a_whole_after_its_result() {
        let mut held = Held::new(delay(10, true), 5);
        let at = |s: u64| Mono::from_millis(1000 * s);
        held.say(6, &PRESS, at(0), 0);
        held.say(7, &start(), at(1), 0);
        held.say(8, &PRESS, at(2), 0);
        assert_eq!((held.due(at(10)), held.due(at(5_000))), (6, 6));
        held.say(9, &result("resigned"), at(6_000), 0);
        held.say(10, &PRESS, at(6_003), 0);
        assert_eq!((held.due(at(6_009)), held.due(at(6_010)), held.due(at(6_013))), (6, 9, 10));
        // A game that goes on is not shown before it ends again.
        held.say(11, &result("reopened"), at(6_020), 0);
        held.say(12, &PRESS, at(6_021), 0);
        assert_eq!(held.due(at(9_000)), 10);
        // One without a result is over when the next one begins.
        held.say(13, &start(), at(9_000), 0);
        assert_eq!(held.due(at(9_010)), 12);
    }

    #[test]
    fn after_a_restart_an_event_is_as_old_as_can_be_proved() {
        let mut anchors = Anchors::default();
        // Events come 0 to 400 ms after their time; then the board's time jumps, as with a new journal.
        for n in 0..100 {
            anchors.take(n, Mono::from_millis(1000 * n), 50_000 + 1000 * n + (n * 7919) % 400);
        }
        anchors.take(100, Mono::from_millis(3), 150_700);
        assert_eq!(anchors.iter().count(), 2);
        let kept = Anchors::kept(anchors.iter());
        for n in 0..100 {
            let (age, truth) = (kept.age(n, Mono::from_millis(1000 * n), 200_000), 150_000 - 1000 * n - (n * 7919) % 400);
            assert!(age <= truth && age + Anchors::SLACK_MS.unsigned_abs() > truth, "{n}: {age} of {truth}");
        }
        assert!((47_000..=49_300).contains(&kept.age(100, Mono::from_millis(3), 200_000)));
        assert_eq!(Anchors::default().age(5, Mono::ZERO, 9_999_999), 0, "nobody knows");
        anchors.forget(100);
        assert_eq!(anchors.iter().count(), 1);
    }

    #[test]
    fn a_line_hands_on_in_order() {
        let mut line = Line::new(delay(1, false));
        line.push(Mono::from_millis(0), 'a');
        line.push(Mono::from_millis(250), 'b');
        assert_eq!((line.due(Mono::from_millis(999)), line.next()), (None, Some(Mono::from_millis(1_000))));
        assert_eq!((line.due(Mono::from_millis(1_000)), line.due(Mono::from_millis(1_000)), line.len()), (Some('a'), None, 1));
        assert_eq!(line.due(Mono::from_millis(1_300)), Some('b'));
        assert!(line.is_empty());
    }
}
