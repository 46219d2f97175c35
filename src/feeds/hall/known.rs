//! What a hall knows of boards and of the Pis they are at. Pure: times are arguments, milliseconds of the hall's own stopwatch.
use flagfall_events::{Event, LinkState};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How far back it is looked for the message that came through fastest, milliseconds.
const WINDOW: i64 = 60_000;

/// Everything.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Number of the last message of the stream that was taken.
    pub(super) position: u64,
    /// Up to this one they were taken before this process began, and are no news.
    pub(super) before: u64,
    pub(super) boards: HashMap<Arc<str>, Seat>,
    /// By token.
    pub(super) pis: HashMap<Arc<str>, Pi>,
    pub(super) transit: Transit,
    /// Since when Pis are heard, by this connection.
    pub(super) listens: u64,
}

/// One board.
#[derive(Debug, Default)]
pub(super) struct Seat {
    /// The numbering that holds.
    pub(super) epoch: String,
    /// The last number of every numbering.
    pub(super) epochs: HashMap<String, u64>,
    /// The Pi it is at, by token.
    pub(super) pi: Arc<str>,
    /// When the broker took its last message, by the broker's clock.
    pub(super) published: i64,
    /// When its Pi last said that it has the board.
    pub(super) had: Option<u64>,
    /// The clock's last reading: how old it was when it was sent, and when the broker took it.
    pub(super) clock: Option<(u64, i64)>,
    /// As it was shown last.
    pub(super) shown: Option<Stand>,
    /// Why a machine, by its token, does not publish it.
    pub(super) troubles: BTreeMap<Arc<str>, String>,
    /// Another numbering goes on with the game, and is not as far yet.
    pub(super) held: Option<Held>,
    /// The machine, by its token, that said what is shown.
    pub(super) author: Arc<str>,
    /// Another machine's record has what is not shown.
    pub(super) differs: bool,
}

/// What is kept of a numbering that goes on with the game, until it is as far.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The event with which it is.
    pub(super) until: u64,
    /// Each with the number of its message.
    pub(super) events: Vec<(u64, Arc<Event>)>,
}

/// Where a board is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stand {
    /// The Pi, by token.
    pub(super) pi: Arc<str>,
    /// It is not heard, or says that it does not have the board.
    pub(super) away: bool,
}

/// One Pi.
#[derive(Clone, Debug)]
pub(super) struct Pi {
    pub(super) name: Arc<str>,
    /// When it said that it is there.
    pub(super) heard: u64,
    pub(super) away: bool,
    /// Events that the stream has not acknowledged yet.
    pub(super) behind: u64,
    /// The boards that it has, and whether they answer it.
    pub(super) has: HashMap<Arc<str>, LinkState>,
}

/// What an event is to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The next one.
    Next,
    /// So many numbers are missing before it.
    After(u64),
    /// It was taken before.
    Repeated,
    /// The first one of another numbering: the board begins anew.
    Anew,
}

impl Seat {
    /// Takes the number of an event.
    pub(super) fn step(&mut self, epoch: &str, seq: u64) -> Step {
        let last = self.epochs.get(epoch).copied().unwrap_or(0);
        if seq <= last {
            return Step::Repeated;
        }
        self.epochs.insert(String::from(epoch), seq);
        if self.epoch != epoch {
            let first = self.epoch.is_empty();
            self.epoch = String::from(epoch);
            return if first { Step::Next } else { Step::Anew };
        }
        if seq == last + 1 { Step::Next } else { Step::After(seq - last - 1) }
    }
}

/// How far the broker's clock lies from our stopwatch, as far as messages show it: those that came through fastest say it best. Only differences of the
/// broker's own clock and of our own stopwatch count, never one against the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Transit {
    /// Least of (received − published) in this window and in the one before.
    least: [Option<i64>; 2],
    began: i64,
}

impl Transit {
    /// A message that the broker took at `published` came at `now`.
    pub(super) fn take(&mut self, now: u64, published: i64) {
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        if now - self.began > WINDOW {
            self.least = [None, self.least[0]];
            self.began = now;
        }
        let shift = now.saturating_sub(published);
        self.least[0] = Some(self.least[0].map_or(shift, |least| least.min(shift)));
    }

    /// How long ago the broker took what it took at `published`, milliseconds.
    pub(super) fn ago(&self, now: u64, published: i64) -> u64 {
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let Some(least) = self.least.into_iter().flatten().min() else { return 0 };
        u64::try_from(now.saturating_sub(published).saturating_sub(least)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeat_is_nothing_a_gap_is_counted_and_another_numbering_begins_anew() {
        let mut seat = Seat::default();
        assert_eq!([seat.step("a", 1), seat.step("a", 2), seat.step("a", 2)], [Step::Next, Step::Next, Step::Repeated]);
        assert_eq!(seat.step("a", 5), Step::After(2));
        assert_eq!([seat.step("b", 1), seat.step("a", 4), seat.step("b", 2)], [Step::Anew, Step::Repeated, Step::Next]);
    }

    #[test]
    fn what_waited_in_the_stream_is_as_old_as_it_waited_whatever_the_brokers_clock_says() {
        for clock in [0, 1_800_000_000_000, -5_000] {
            let mut transit = Transit::default();
            transit.take(1_000, clock);
            transit.take(1_010, clock + 9_000);
            assert_eq!(transit.ago(1_010, clock), 9_000);
            assert_eq!(transit.ago(3_010, clock + 9_000), 2_000);
        }
        assert_eq!(Transit::default().ago(5, 7), 0);
    }

    #[test]
    fn a_brokers_clock_that_was_set_back_is_forgotten() {
        let mut transit = Transit::default();
        transit.take(0, 100_000);
        for minute in 1..4 {
            transit.take(minute * 61_000, i64::try_from(minute).unwrap() * 61_000 - 50_000);
        }
        assert_eq!(transit.ago(183_000, 133_000), 0);
    }
}
