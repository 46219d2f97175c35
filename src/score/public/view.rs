//! The numbers of what is public, and what waits: what an entry did waits until it can no longer be undone ([`UNDO_MS`], or as soon as something says
//! so), and was never there when it is.
//!
//! Beside what the public knows goes what it will know. What would be told either way is told at once, so a running clock runs on and play goes on
//! under a note; what only one of both would tell waits, and every event of the record behind the first one that waits.
use super::fold::{Fold, Out};
use crate::undone::{can_be_undone, undone};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use flagfall_events::{Body, ClockSource, Event, Mono, Status, Touches, UNDO_MS, Undone};
use serde_json::Value;

/// Of more entries than this the oldest cannot be undone any more.
const MOST: usize = 4;

/// One board, as far as deciding what is public needs it.
#[derive(Clone, Debug, Default)]
pub struct PublicView {
    /// What the public knows.
    fold: Fold,
    /// Entries that can still be undone, and what waits because of them.
    undoable: Option<Box<Undoable>>,
    /// Events that take back what never was public.
    back: Option<[u64; 2]>,
    /// Number of the last public event.
    number: u64,
    /// The last event that was taken.
    last: Option<Event>,
    /// FEN field 1 that the public has before it.
    stands: Option<String>,
    /// The last result: its number, and its public one.
    resulted: Option<(u64, u64)>,
}

impl PublicView {
    /// Where nothing more is said: so long after an entry what it did is public, milliseconds. An undo that was entered in time is here by then.
    pub const SURE_MS: u64 = UNDO_MS + 1_000;

    /// A board that has said nothing yet; its first public event has the number after `before`.
    pub fn new(touches: Touches, before: u64) -> Self {
        Self { fold: Fold::new(touches), number: before, ..Self::default() }
    }

    /// The board as its earlier events left it, and what of those is public. `last` is the number of the last public event among all that there were:
    /// `events` may leave out what later ones replace.
    pub fn restored(touches: Touches, events: &[Arc<Event>], last: u64) -> (Self, Vec<Event>) {
        let fold = |before: u64| {
            let mut view = Self::new(touches, before);
            let public: Vec<Event> = events.iter().flat_map(|event| view.take(event)).collect();
            (view, public)
        };
        let (view, public) = fold(0);
        if view.number < last { fold(last - view.number) } else { (view, public) }
    }

    /// Number of the last public event; 0 before the first.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Events were lost, and how many of them were public is not known: no number above `last` was used.
    pub fn count_from(&mut self, last: u64) {
        self.number = self.number.max(last);
    }

    /// Whose touches are from now on.
    pub fn set_touches(&mut self, touches: Touches) {
        self.fold.touches = touches;
        self.undoable.iter_mut().for_each(|undoable| undoable.set_touches(touches));
    }

    /// Takes the board's next event; what is public now, in order. Nothing where the event was taken before.
    ///
    /// A position that an arbiter set comes out as a `ruling` with nothing but its `fen`: outlets that write a line of legal play need it. Streams do not
    /// carry it ([`Body::is_public`]), and it has no number of its own.
    pub fn take(&mut self, event: &Event) -> Vec<Event> {
        if self.last.as_ref().is_some_and(|last| event.seq <= last.seq) {
            return Vec::new();
        }
        self.last = Some(event.clone());
        let mut out = self.let_go(|undoable| undoable.is_final(event));
        out.extend(match undone(event) {
            Some(undone) => self.undo(event, &undone),
            None if self.says_nothing_new(event) => Vec::new(),
            None => self.next(event),
        });
        self.told(out)
    }

    /// The board's own time at the last event that was taken.
    pub fn heard(&self) -> Option<Mono> {
        self.last.as_ref().map(|last| last.t)
    }

    /// By the board's own time: when what an entry did is public, where nothing is said until then. `None`: nothing can be undone.
    pub fn sure_at(&self) -> Option<Mono> {
        Some(self.undoable.as_ref()?.oldest()? + Self::SURE_MS)
    }

    /// The board's own time is `now`, and nothing was said: what is public of that.
    pub fn pass(&mut self, now: Mono) -> Vec<Event> {
        let out = self.let_go(|undoable| undoable.oldest().is_some_and(|oldest| oldest + Self::SURE_MS <= now));
        self.told(out)
    }

    /// Nothing more comes of this numbering, and nothing of it can be undone any more: what is public of what waits.
    pub fn end(&mut self) -> Vec<Event> {
        let out = self.let_go(|_| true);
        self.told(out)
    }

    /// Gives what goes out its numbers. A receipt names its result by the number that the public has.
    fn told(&mut self, out: Vec<Event>) -> Vec<Event> {
        let number = |mut event: Event| {
            if let Body::Receipt(receipt) = &mut event.body {
                (_, receipt.of) = self.resulted.filter(|(of, _)| *of == receipt.of)?;
            }
            self.number += u64::from(event.body.is_public());
            match &event.body {
                Body::Placement { placement, .. } | Body::MoveMade { placement, .. } => self.stands = Some(placement.clone()),
                Body::Result { .. } => self.resulted = Some((event.seq, self.number)),
                _ => {}
            }
            Some(Event { seq: self.number, ..event })
        };
        out.into_iter().filter_map(number).collect()
    }
}

impl PublicView {
    /// Takes an event that is neither an undo nor its doing.
    fn next(&mut self, event: &Event) -> Vec<Event> {
        let mut out = self.enter(event);
        out.extend(match &mut self.undoable {
            Some(undoable) => undoable.step(event, &mut self.fold),
            None => self.fold.take(event),
        });
        out
    }

    /// Notes the entry that this event belongs to; what is public because an older one cannot be undone any more.
    fn enter(&mut self, event: &Event) -> Vec<Event> {
        if let (Body::FindingUpdate(update), Some(undoable)) = (&event.body, &mut self.undoable)
            && update.status != Status::Revised
        {
            let about = undoable.entries.iter_mut().filter(|entry| entry.finding == Some(update.id));
            about.filter(|entry| !entry.moments.contains(&event.t)).for_each(|entry| entry.moments.push(event.t));
        }
        let (finding, ruling) = match &event.body {
            // A report raises its finding before its entry is echoed.
            Body::Finding(finding) if finding.facts.get("reported").and_then(Value::as_bool) == Some(true) => (Some(finding.id), None),
            Body::Ruling(ruling) if can_be_undone(ruling.name()) => (ruling.finding(), Some(event.seq)),
            _ => return Vec::new(),
        };
        let undoable = self.undoable.get_or_insert_with(|| Box::new(Undoable::new(&self.fold)));
        match undoable.entries.back_mut().filter(|entry| entry.at() == event.t && entry.ruling.is_none()) {
            Some(entry) => (entry.ruling, entry.finding) = (ruling, finding.or(entry.finding)),
            None => undoable.entries.push_back(Entered { first: event.seq, ruling, finding, moments: [event.t].into() }),
        }
        self.let_go(|undoable| undoable.entries.len() > MOST)
    }

    /// Shows what entries did that cannot be undone any more, the oldest first for as long as `is_final` says so.
    fn let_go(&mut self, is_final: impl Fn(&Undoable) -> bool) -> Vec<Event> {
        let Some(undoable) = &mut self.undoable else { return Vec::new() };
        let entered = undoable.entries.len();
        while !undoable.entries.is_empty() && is_final(undoable) {
            undoable.entries.pop_front();
        }
        if undoable.entries.len() == entered {
            return Vec::new();
        }
        let upto = undoable.entries.front().map_or(u64::MAX, |entry| entry.first);
        let old = undoable.since.partition_point(|since| since.event.seq < upto);
        let old: Vec<Since> = undoable.since.drain(..old).collect();
        let news = replayed(&mut undoable.before, &old);
        // What was told since stays told.
        let rest = mem::take(&mut undoable.since);
        self.fold = undoable.before.clone();
        rest.iter().filter(|since| !since.waits).for_each(|since| _ = self.fold.take(&since.event));
        undoable.since = rest;
        if undoable.entries.is_empty() {
            self.undoable = None;
        }
        self.as_it_stands(news, &old)
    }

    /// An undo: what its entry did never was. What happened meanwhile and waited for that is told.
    fn undo(&mut self, event: &Event, undone: &Undone) -> Vec<Event> {
        self.back = None;
        let is_of = |entry: &Entered| entry.ruling.is_some_and(|ruling| undone.took_back(ruling));
        let known = |undoable: &Undoable| undoable.entries.iter().rposition(is_of);
        let Some(at) = self.undoable.as_deref().and_then(known) else {
            // It was public before: what takes it back is told as it comes.
            return self.next(event);
        };
        let Some(mut undoable) = self.undoable.take() else { return Vec::new() };
        self.back = undone.by_events;
        undoable.entries.truncate(at);
        let mut since = mem::take(&mut undoable.since);
        since.retain(|since| since.told || !undone.took_back(since.event.seq));
        self.fold = undoable.before.clone();
        if undoable.entries.is_empty() {
            let news = replayed(&mut self.fold, &since);
            return self.as_it_stands(news, &since);
        }
        undoable.with = undoable.before.clone();
        let mut out = Vec::new();
        for since in &since {
            let news = undoable.step(&since.event, &mut self.fold);
            if since.waits {
                out.extend(news.into_iter().map(|event| (since.event.seq, event)));
            } else if let Some(told) = undoable.since.last_mut().filter(|last| last.waits) {
                // It was told, whatever it would be now.
                (told.waits, told.told) = (false, since.told);
                self.fold.take(&since.event);
            }
        }
        self.undoable = Some(undoable);
        self.as_it_stands(out, &since)
    }

    /// Whether an event only takes back what never was public.
    fn says_nothing_new(&self, event: &Event) -> bool {
        let takes_back = self.back.is_some_and(|[first, last]| (first..=last).contains(&event.seq));
        takes_back
            && match &event.body {
                // Findings are told as they come, and what a clock shows is so.
                Body::FindingUpdate(_) | Body::Clock(_) => false,
                Body::Placement { placement, .. } => self.stands.as_ref() == Some(placement),
                _ => true,
            }
    }

    /// What waited, without what is out of date: clock and board have been told since. What stands on the board is told where it is not what is seen.
    fn as_it_stands(&self, news: Vec<(u64, Event)>, since: &[Since]) -> Vec<Event> {
        let later = self.undoable.iter().flat_map(|undoable| &undoable.since).chain(since);
        let told = |kind: fn(&Body) -> bool| {
            later
                .clone()
                .filter(|since| !since.waits && since.told && kind(&since.event.body))
                .map(|since| since.event.seq)
                .max()
                .unwrap_or(0)
        };
        let clock = told(|body| matches!(body, Body::Clock(_)));
        let placement = told(|body| matches!(body, Body::Placement { .. }));
        let is_so = |(seq, event): &(u64, Event)| match event.body {
            Body::Clock(_) => *seq > clock,
            Body::Placement { .. } => *seq > placement,
            _ => true,
        };
        let mut out = Out::from(news.into_iter().filter(is_so).map(|(_, event)| event).collect::<Vec<_>>());
        let seen = out.stands().or_else(|| self.stands.clone());
        if let (Some(shown), Some(last)) = (self.fold.shown.as_ref().filter(|shown| seen.as_ref() != Some(*shown)), &self.last) {
            let settled = self.fold.sensed.as_ref().is_none_or(|(sensed, settled)| sensed != shown || *settled);
            out.place(last, shown.clone(), settled);
        }
        out.into_events()
    }
}

/// Entries that can still be undone, and everything since.
#[derive(Clone, Debug)]
struct Undoable {
    /// As it was before the first of them.
    before: Fold,
    /// As it is with them.
    with: Fold,
    /// The oldest first.
    entries: VecDeque<Entered>,
    since: Vec<Since>,
}

/// One entry.
#[derive(Clone, Debug)]
struct Entered {
    /// Its first event, its `ruling` event, and the finding that it is about.
    first: u64,
    ruling: Option<u64>,
    finding: Option<u64>,
    /// When it did something; some wait for an answer.
    moments: Vec<Mono>,
}

/// One event since.
#[derive(Clone, Debug)]
struct Since {
    event: Event,
    /// The public was not told of it.
    waits: bool,
    /// Something public came of it: before it waited, or if it need not.
    told: bool,
    /// It changes the record.
    record: bool,
}

impl Entered {
    fn at(&self) -> Mono {
        self.moments.first().copied().unwrap_or(Mono::ZERO)
    }
}

impl Undoable {
    fn new(before: &Fold) -> Self {
        Self { before: before.clone(), with: before.clone(), entries: VecDeque::new(), since: Vec::new() }
    }

    const fn set_touches(&mut self, touches: Touches) {
        (self.before.touches, self.with.touches) = (touches, touches);
    }

    /// When the oldest entry was made.
    fn oldest(&self) -> Option<Mono> {
        self.entries.front().map(Entered::at)
    }

    /// Whether the oldest entry cannot be undone any more, now that this is said: its time is over, another journal or another game has begun.
    fn is_final(&self, event: &Event) -> bool {
        let begins = match &event.body {
            Body::GameStart { .. } => true,
            Body::Ruling(ruling) => ruling.name() == "new-game",
            _ => false,
        };
        self.oldest().is_some_and(|at| begins || event.t < at || event.t > at + UNDO_MS)
    }

    /// Whether an event is the doing of an entry, as far as the public may learn of it.
    fn is_doing(&self, event: &Event) -> bool {
        let sensed = match &event.body {
            Body::Press { .. } | Body::Link { .. } | Body::Identity { .. } | Body::Sides { .. } => true,
            Body::Clock(state) => state.source != ClockSource::Arbiter,
            _ => false,
        };
        !sensed && self.entries.iter().any(|entry| entry.moments.contains(&event.t))
    }

    /// An event is told, or waits; what is told.
    fn step(&mut self, event: &Event, fold: &mut Fold) -> Vec<Event> {
        let with = self.with.take(event);
        let mut told = fold.clone();
        let out = told.take(event);
        let record = is_record(&with) || is_record(&out);
        let waits = if self.is_doing(event) {
            !with.is_empty() || !out.is_empty()
        } else {
            with != out || (record && self.since.iter().any(|since| since.waits && since.record))
        };
        self.since.push(Since { event: event.clone(), waits, told: !waits && !out.is_empty(), record });
        if waits {
            return Vec::new();
        }
        *fold = told;
        out
    }
}

/// Takes all of it; what comes of those that waited, each with the number of its event.
fn replayed(fold: &mut Fold, since: &[Since]) -> Vec<(u64, Event)> {
    let mut news = Vec::new();
    for since in since {
        let out = fold.take(&since.event);
        if since.waits {
            news.extend(out.into_iter().map(|event| (since.event.seq, event)));
        }
    }
    news
}

/// Whether the order of these matters to a record.
fn is_record(out: &[Event]) -> bool {
    out.iter().any(|event| event.body.is_play() || matches!(event.body, Body::Result { .. } | Body::GameStart { .. } | Body::Ruling(_)))
}
