//! One board's way to the world: its task puts events in, the journal says up to which they are safe, and one publisher a board takes them from here to
//! whoever shows boards. A publisher is a thread of its own, so that one that hangs holds nobody up; nobody waits for it either: what does not fit is
//! dropped and read again from the journal.
use flagfall_journal::Said;
use flagfall_journal::backlog::{Backlog, Item};
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
}

/// What comes next.
enum Next {
    Events(Vec<Said>),
    /// Events up to this one are in the journal only.
    InJournal(u64),
    Calls(Vec<Call>),
    End,
}

impl Outbox {
    /// The way of a board whose events up to `published` were published before.
    pub fn new(board: &str, published: u64) -> Self {
        let inner = Inner { dropped: published, safe: published, ..Inner::default() };
        Self(Arc::new(Shared { board: board.into(), inner: Mutex::new(inner), news: Condvar::new() }))
    }

    /// Takes the board's next event; it is published when it is safe. Never waits.
    pub fn say(&self, said: Said) {
        let mut inner = self.lock();
        if inner.waiting.len() >= WAITING
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
    }

    /// How many events wait in memory.
    pub fn len(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Starts the publisher: it hands every event that is safe to `publish`, in order, each once, until [`Outbox::end`]. `journals` is where the journals
    /// are from which it reads again what did not fit.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn publish(&self, journals: Option<PathBuf>, publish: impl Fn(&Said) + Send + 'static) -> io::Result<JoinHandle<()>> {
        let (own, backlog) = (self.clone(), journals.map(|data_dir| Backlog::new(&data_dir, &self.0.board)));
        let published = self.lock().dropped;
        thread::Builder::new().name(format!("publish {}", self.0.board)).spawn(move || own.run(published, backlog, publish))
    }

    fn run(&self, mut published: u64, mut backlog: Option<Backlog>, publish: impl Fn(&Said)) {
        let mut looked = 0;
        loop {
            match self.next(published) {
                Next::Events(events) => {
                    for said in events {
                        published = said.event.seq;
                        self.one(&said, &publish);
                    }
                    looked = 0;
                }
                Next::InJournal(upto) => {
                    // Then the journals are finished: what is not there now never will be.
                    let ended = self.lock().ended;
                    let found = backlog.as_mut().map(|backlog| self.read(backlog, published + 1, upto)).unwrap_or_default();
                    for said in &found {
                        published = said.event.seq;
                        self.one(said, &publish);
                    }
                    if !found.is_empty() {
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

    fn one(&self, said: &Said, publish: &impl Fn(&Said)) {
        // A mistake in a publisher costs one event.
        if catch_unwind(AssertUnwindSafe(|| publish(said))).is_err() {
            tracing::error!(
                "board {}: a mistake in flagfall: event {} was journaled and could not be published",
                self.0.board,
                said.event.seq
            );
        }
    }

    /// Waits for what comes next.
    fn next(&self, published: u64) -> Next {
        let mut inner = self.lock();
        loop {
            if inner.dropped > published && inner.safe > published {
                return Next::InJournal(inner.dropped.min(inner.safe));
            }
            let safe = inner.safe;
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
            inner = self.0.news.wait(inner).unwrap_or_else(PoisonError::into_inner);
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
