//! A board's events as if what was undone had not been entered.
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use flagfall_events::{Body, Event, Mono, UNDO_MS, Undone};

/// So many states are kept: of that many entries and findings within the time for an undo.
const KEPT: usize = 8;

/// What an undo takes back; `None` where this is no undo.
pub fn undone(event: &Event) -> Option<Undone> {
    match &event.body {
        Body::Ruling(ruling) => ruling.undone(),
        _ => None,
    }
}

/// Whether an entry is one that may be undone, by its name; what is not known here may be.
pub fn can_be_undone(name: &str) -> bool {
    !matches!(name, "undo" | "new-game" | "take-over" | "stop" | "restart" | "arrived")
}

/// A board's events, in order, without what was undone, the undos themselves and the events by which they take back.
pub fn without_undone(events: &[Event]) -> impl Iterator<Item = &Event> {
    let all: Vec<(u64, Undone)> = events.iter().filter_map(|event| Some((event.seq, undone(event)?))).collect();
    events.iter().filter(move |event| {
        !all.iter().any(|(seq, undone)| *seq == event.seq || undone.took_back(event.seq) || undone.took_back_by(event.seq))
    })
}

/// A fold as it was before what can still be undone, and what came since.
#[derive(Clone, Debug)]
pub(crate) struct Before<T> {
    kept: VecDeque<Kept<T>>,
    /// Events that say nothing new: they take back what is not there.
    back: Option<[u64; 2]>,
}

#[derive(Clone, Debug)]
struct Kept<T> {
    /// The first event since, and when that was.
    first: u64,
    t: Mono,
    state: Box<T>,
    since: Vec<Event>,
}

impl<T> Default for Before<T> {
    fn default() -> Self {
        Self::NEW
    }
}

impl<T> Before<T> {
    pub(crate) const NEW: Self = Self { kept: VecDeque::new(), back: None };

    /// Whether an event only takes back what was undone already.
    pub(crate) fn says_nothing_new(&self, event: &Event) -> bool {
        self.back.is_some_and(|[first, last]| (first..=last).contains(&event.seq))
    }

    /// The state from before an undone entry, and everything that came since and was not its doing; `None`: it is not known.
    pub(crate) fn undo(&mut self, undone: &Undone) -> Option<(T, Vec<Event>)> {
        let first = undone.first()?;
        let at = self.kept.iter().rposition(|kept| kept.first <= first)?;
        self.kept.truncate(at + 1);
        for kept in &mut self.kept {
            kept.since.retain(|event| !undone.took_back(event.seq));
        }
        self.back = undone.by_events;
        self.kept.pop_back().map(|kept| (*kept.state, kept.since))
    }
}

impl<T: Clone> Before<T> {
    /// The next event comes; `state` is as it was before. A report raises its finding before its entry is echoed.
    pub(crate) fn take(&mut self, event: &Event, state: &T) {
        while self.kept.front().is_some_and(|kept| event.t > kept.t + UNDO_MS) {
            self.kept.pop_front();
        }
        let begins = matches!(event.body, Body::Ruling(_) | Body::Finding(_));
        if begins && self.kept.back().is_none_or(|kept| kept.t != event.t) {
            if self.kept.len() >= KEPT {
                self.kept.pop_front();
            }
            self.kept.push_back(Kept { first: event.seq, t: event.t, state: Box::new(state.clone()), since: Vec::new() });
        }
        self.kept.iter_mut().for_each(|kept| kept.since.push(event.clone()));
    }
}
