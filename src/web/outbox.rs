//! One board's way to the world: its task puts events in, the journal says up to which they are safe, and one publisher a board takes them from here to
//! whoever shows boards. A publisher is a thread of its own, so that one that hangs holds nobody up; nobody waits for it either: what does not fit is
//! dropped and read again from the journal. No more of them work at once than there are processors (`gate.rs`).
//!
//! Where what is public is delayed a board has a second way, which hands on what is old enough; what waits there is in the journal, not in memory.
use crate::gate;
use crate::held::{Anchors, Held};
use flagfall_config::delay::Delay;
use flagfall_events::Mono;
use flagfall_journal::Said;
use flagfall_journal::backlog::{Backlog, Item};
use flagfall_time::Stopwatch;
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Events of a board that wait in memory at most; more are in the journal.
pub const WAITING: usize = 1024;
/// The same of what waits for its time, where there is a journal …
const HELD: usize = 64;
/// … and where there is none.
const HELD_ALONE: usize = 1 << 16;
/// Events that are taken or read back at once.
const PORTION: usize = 64;
/// Events that are neither in memory nor on disk are looked for so often: a failed disk may come back …
const GIVEN_UP: u32 = 10;
/// … after so long.
const LOOK: Duration = Duration::from_secs(1);

/// Something to do once everything that is safe was published.
type Call = Box<dyn FnOnce() + Send>;

/// The way in. Clones lead to the same board.
#[derive(Clone)]
pub struct Outbox(Arc<Shared>);

struct Shared {
    board: Arc<str>,
    inner: Mutex<Inner>,
    news: Condvar,
    /// How many events wait in memory at most.
    most: usize,
    /// The way on which the same comes later.
    later: Option<Outbox>,
    /// What the time is for events that wait until they are old enough.
    clock: Option<Clock>,
}

/// The times of what waits.
#[derive(Clone, Copy, Debug)]
struct Clock {
    stopwatch: Stopwatch,
    /// How long the machine had been up when the stopwatch was started, milliseconds.
    up: Option<u64>,
}

impl Clock {
    fn up(&self, now: Mono) -> Option<u64> {
        Some(self.up? + now.millis())
    }
}

/// What a later way begins with.
#[derive(Debug)]
pub struct Start {
    /// The last event that was public before.
    pub shown: u64,
    /// The last one that is in the journals.
    pub journaled: u64,
    /// What waits of those.
    pub held: Held,
    /// How their times lie to the machine's.
    pub anchors: Anchors,
}

#[derive(Default)]
struct Inner {
    /// In the order of their numbers.
    waiting: VecDeque<Said>,
    /// Up to here nothing waits in memory that was not published.
    dropped: u64,
    /// Up to here the journal is safe.
    safe: u64,
    /// At most as many as entries wait for their board.
    calls: Vec<Call>,
    ended: bool,
    /// Which of it is old enough; `None`: all is.
    held: Option<Held>,
    anchors: Anchors,
    /// The last event that was handed on.
    shown: u64,
}

/// What comes next.
enum Next {
    Events(Vec<Said>),
    /// Events up to the first one are in the journal only; up to the second one they can be read there.
    InJournal(u64, u64),
    Calls(Vec<Call>),
    End,
}

impl Outbox {
    /// The way of a board whose events up to `published` were published before.
    pub fn new(board: &str, published: u64) -> Self {
        Self::before(board, published, None)
    }

    /// The same where everything comes on another way `later`, too.
    pub fn before(board: &str, published: u64, later: Option<Self>) -> Self {
        let inner = Inner { dropped: published, safe: published, shown: published, ..Inner::default() };
        let (inner, news) = (Mutex::new(inner), Condvar::new());
        Self(Arc::new(Shared { board: board.into(), inner, news, most: WAITING, later, clock: None }))
    }

    /// A way on which events come when they are old enough; `up`: for how long the machine had been up when the stopwatch was started.
    pub fn held(board: &str, start: Start, stopwatch: Stopwatch, up: Option<u64>, journals: bool) -> Self {
        let Start { shown, journaled, held, anchors } = start;
        let inner = Inner { dropped: journaled, safe: journaled, shown, held: Some(held), anchors, ..Inner::default() };
        let most = if journals { HELD } else { HELD_ALONE };
        let clock = Some(Clock { stopwatch, up });
        Self(Arc::new(Shared { board: board.into(), inner: Mutex::new(inner), news: Condvar::new(), most, later: None, clock }))
    }

    /// What a later way of a board without journals begins with.
    pub fn nothing(delay: Delay) -> Start {
        Start { shown: 0, journaled: 0, held: Held::new(delay, 0), anchors: Anchors::default() }
    }

    /// Takes the board's next event; it is published when it is safe. Never waits.
    pub fn say(&self, said: Said) {
        if let Some(later) = &self.0.later {
            later.say(said.clone());
        }
        let mut inner = self.lock();
        let Inner { held, anchors, .. } = &mut *inner;
        if let (Some(clock), Some(held)) = (&self.0.clock, held) {
            let (now, event) = (clock.stopwatch.now(), &said.event);
            let next = held.next();
            held.say(event.seq, event, now, 0);
            if let Some(up) = clock.up(now) {
                anchors.take(event.seq, event.t, up);
            }
            if held.next() != next {
                self.0.news.notify_all();
            }
        }
        if inner.waiting.len() >= self.0.most
            && let Some(oldest) = inner.waiting.pop_front()
        {
            inner.dropped = oldest.event.seq;
        }
        inner.waiting.push_back(said);
    }

    /// The journal has everything up to this event; without a journal, it was said. Never waits.
    pub fn safe(&self, upto: u64) {
        let mut inner = self.lock();
        inner.safe = inner.safe.max(upto);
        drop(inner);
        self.0.news.notify_all();
        if let Some(later) = &self.0.later {
            later.safe(upto);
        }
    }

    /// Calls when everything that is safe now was published: whoever gets an answer sees what it did. Never waits.
    pub fn call(&self, call: impl FnOnce() + Send + 'static) {
        self.lock().calls.push(Box::new(call));
        self.0.news.notify_all();
    }

    /// Nothing more comes: what is safe is published, and the publisher ends.
    pub fn end(&self) {
        self.lock().ended = true;
        self.0.news.notify_all();
        if let Some(later) = &self.0.later {
            later.end();
        }
    }

    /// The way on which the same comes later.
    pub fn later(&self) -> Option<&Self> {
        self.0.later.as_ref()
    }

    /// Of a later way: the last event that was handed on, and how the times of those after it lie to the machine's.
    pub fn shown(&self) -> (u64, Anchors) {
        let mut inner = self.lock();
        let shown = inner.shown;
        inner.anchors.forget(shown);
        (shown, inner.anchors.clone())
    }

    /// How many events wait in memory.
    pub fn len(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Starts the publisher: it hands every event that is safe to `publish`, in order, each once, until [`Outbox::end`]; with it goes for how long nothing
    /// was said after it, milliseconds, where it waited for that on a later way. `journals` is where the journals are from which it reads again what
    /// did not fit.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn publish(&self, journals: Option<PathBuf>, publish: impl Fn(&Said, u64) + Send + 'static) -> io::Result<JoinHandle<()>> {
        let (own, backlog) = (self.clone(), journals.map(|data_dir| Backlog::new(&data_dir, &self.0.board)));
        let published = self.lock().shown;
        let name = if self.0.clock.is_some() { "later" } else { "publish" };
        thread::Builder::new().name(format!("{name} {}", self.0.board)).spawn(move || own.run(published, backlog, publish))
    }

    fn run(&self, mut published: u64, mut backlog: Option<Backlog>, publish: impl Fn(&Said, u64)) {
        let mut looked = 0;
        // Read, and not due yet.
        let mut ahead: VecDeque<Said> = VecDeque::new();
        loop {
            match self.next(published) {
                Next::Events(events) => {
                    let _pass = gate::pass();
                    for said in events {
                        published = said.event.seq;
                        self.one(&said, &publish);
                    }
                    looked = 0;
                }
                Next::InJournal(upto, readable) => {
                    // Then the journals are finished: what is not there now never will be.
                    let ended = self.lock().ended;
                    while ahead.pop_front_if(|said| said.event.seq <= published).is_some() {}
                    if ahead.is_empty() {
                        ahead.extend(backlog.as_mut().map(|backlog| self.read(backlog, published + 1, readable)).unwrap_or_default());
                    }
                    let found = !ahead.is_empty();
                    while let Some(said) = ahead.pop_front_if(|said| said.event.seq <= upto) {
                        published = said.event.seq;
                        self.one(&said, &publish);
                    }
                    // What another version wrote, or a damaged line, lies between.
                    if ahead.front().is_some_and(|said| said.event.seq > upto) {
                        published = upto;
                    }
                    if found {
                        looked = 0;
                    } else if backlog.is_some() && looked < GIVEN_UP && !ended {
                        looked += 1;
                        thread::sleep(LOOK);
                    } else {
                        let board = &self.0.board;
                        tracing::error!("board {board}: events {} to {upto} are in no journal and are not published", published + 1);
                        published = upto;
                    }
                }
                // A mistake of whoever waits for an answer is not the others' end.
                Next::Calls(calls) => calls.into_iter().for_each(|call| _ = catch_unwind(AssertUnwindSafe(call))),
                Next::End => return,
            }
        }
    }

    /// Events of the journal, the first ones of those that are asked for.
    fn read(&self, backlog: &mut Backlog, from: u64, upto: u64) -> Vec<Said> {
        match backlog.read(from, upto, PORTION) {
            // What another version wrote is not public, and arbiters see it in the journal.
            Ok(items) => items.into_iter().filter_map(Item::said).collect(),
            Err(error) => {
                tracing::warn!("board {}: its journals cannot be read back: {error}", self.0.board);
                Vec::new()
            }
        }
    }

    fn one(&self, said: &Said, publish: &impl Fn(&Said, u64)) {
        let quiet = self.0.clock.and_then(|_| Some(self.lock().held.as_ref()?.quiet_after(said.event.seq)));
        // A mistake in a publisher costs one event.
        if catch_unwind(AssertUnwindSafe(|| publish(said, quiet.unwrap_or(0)))).is_err() {
            tracing::error!(
                "board {}: a mistake in flagfall: event {} was journaled and could not be published",
                self.0.board,
                said.event.seq
            );
        }
        if self.0.clock.is_some() {
            self.lock().shown = said.event.seq;
        }
    }

    /// Waits for what comes next.
    fn next(&self, published: u64) -> Next {
        let mut inner = self.lock();
        loop {
            let now = self.0.clock.map_or(Mono::ZERO, |clock| clock.stopwatch.now());
            let due = inner.held.as_mut().map_or(u64::MAX, |held| held.due(now));
            let safe = inner.safe.min(due);
            if inner.dropped > published && safe > published {
                return Next::InJournal(inner.dropped.min(safe), inner.dropped.min(inner.safe));
            }
            let due = inner.waiting.iter().take(PORTION).take_while(|said| said.event.seq <= safe).count();
            if due > 0 {
                let events: Vec<Said> = inner.waiting.drain(..due).collect();
                inner.dropped = inner.dropped.max(events.last().map_or(0, |said| said.event.seq));
                // What was read again was published already.
                return Next::Events(events.into_iter().filter(|said| said.event.seq > published).collect());
            }
            if !inner.calls.is_empty() {
                return Next::Calls(std::mem::take(&mut inner.calls));
            }
            if inner.ended {
                return Next::End;
            }
            inner = match inner.held.as_ref().and_then(Held::next) {
                Some(next) => {
                    let rest = Duration::from_millis(next.since(now));
                    self.0.news.wait_timeout(inner, rest).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.0.news.wait(inner).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change under the lock is complete before the next begins.
        self.0.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbox").field("board", &self.0.board).field("waiting", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "outbox_tests.rs"]
mod tests;
