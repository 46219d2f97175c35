//! What the world sees where it is behind: boards' events, and everything public that is no event, each when it is due.
//!
//! The events of a machine's own boards come through their outboxes ([`flagfall_web::outbox`]), which read again from the journals; those of a hall wait
//! here, since a hall has no journals.
use crate::shown::Shown;
use bytes::Bytes;
use flagfall_config::delay::Delay;
use flagfall_events::{Event, Mono};
use flagfall_journal::Said;
use flagfall_time::Stopwatch;
use flagfall_web::held::{Held, Line};
use flagfall_web::stage::BoardOrder;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Something public that is no event.
type Change = Box<dyn FnOnce(&Shown) + Send>;

/// The public side that is behind.
pub struct Later {
    shown: Shown,
    delay: Delay,
    stopwatch: Stopwatch,
    waiting: Mutex<Waiting>,
    news: Notify,
}

struct Waiting {
    changes: Line<Change>,
    boards: BTreeMap<BoardOrder, BoardLine>,
}

/// One board's events in a hall.
struct BoardLine {
    held: Held,
    /// How many were put in.
    count: u64,
    waiting: VecDeque<(u64, Item)>,
}

enum Item {
    /// An event, and how old it was when it came.
    Event(Bytes, u64),
    /// What was published before this process began.
    Restore(Vec<Bytes>),
    /// The board's numbering begins anew.
    Anew,
}

impl Later {
    /// Nothing is public yet. [`Later::run`] hands on what is due.
    pub fn new(shown: Shown, delay: Delay, stopwatch: Stopwatch) -> Arc<Self> {
        let waiting = Waiting { changes: Line::new(delay), boards: BTreeMap::new() };
        Arc::new(Self { shown, delay, stopwatch, waiting: Mutex::new(waiting), news: Notify::new() })
    }

    /// What the world sees.
    pub const fn shown(&self) -> &Shown {
        &self.shown
    }

    /// How far it is behind.
    pub const fn delay(&self) -> Delay {
        self.delay
    }

    /// The time by which things are due.
    pub const fn stopwatch(&self) -> Stopwatch {
        self.stopwatch
    }

    /// Something that is public and no event is so from now on.
    pub fn change(&self, change: impl FnOnce(&Shown) + Send + 'static) {
        let now = self.stopwatch.now();
        self.lock().changes.push(now, Box::new(change));
        self.news.notify_one();
    }

    /// Takes an event of a hall's board that is so old already, milliseconds. It is due a delay after it came here: nothing proves that it is older.
    pub fn event(&self, said: &Said, age_ms: u64) {
        self.put(&said.event.board, &said.event.body, Item::Event(said.json.clone(), age_ms));
    }

    /// What was published of a hall's board before this process began.
    pub fn restore(&self, board: &str, events: &[Arc<Event>]) {
        let Some(last) = events.last() else { return };
        let bytes = events.iter().map(|event| Said::of(event.clone()).json).collect();
        self.put(board, &last.body, Item::Restore(bytes));
    }

    /// The numbering of a hall's board begins anew.
    pub fn anew(&self, board: &str) {
        let press = flagfall_events::Body::Press { by: flagfall_events::Colour::White };
        self.put(board, &press, Item::Anew);
    }

    fn put(&self, board: &str, body: &flagfall_events::Body, item: Item) {
        let now = self.stopwatch.now();
        let mut waiting = self.lock();
        let line = waiting.boards.entry(BoardOrder::new(board)).or_insert_with(|| BoardLine {
            held: Held::new(self.delay, 0),
            count: 0,
            waiting: VecDeque::new(),
        });
        line.count += 1;
        line.held.say(line.count, body, now, 0);
        line.waiting.push_back((line.count, item));
        drop(waiting);
        self.news.notify_one();
    }

    /// How much waits.
    pub fn len(&self) -> usize {
        let waiting = self.lock();
        waiting.changes.len() + waiting.boards.values().map(|line| line.waiting.len()).sum::<usize>()
    }

    /// Whether nothing does.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hands on what is due now; when there is more.
    pub fn turn(&self) -> Option<Mono> {
        let now = self.stopwatch.now();
        loop {
            let change = self.lock().changes.due(now);
            let Some(change) = change else { break };
            change(&self.shown);
        }
        let boards: Vec<BoardOrder> = self.lock().boards.keys().cloned().collect();
        for board in boards {
            loop {
                let item = self.lock().boards.get_mut(&board).and_then(|line| {
                    let due = line.held.due(now);
                    line.waiting.pop_front_if(|(number, _)| *number <= due)
                });
                let Some((_, item)) = item else { break };
                self.hand_on(board.name(), item);
            }
        }
        let waiting = self.lock();
        waiting.boards.values().filter_map(|line| line.held.next()).chain(waiting.changes.next()).min()
    }

    fn hand_on(&self, board: &Arc<str>, item: Item) {
        let read = |bytes: &Bytes| serde_json::from_slice::<Event>(bytes).ok().map(Arc::new);
        match item {
            Item::Event(json, age) => {
                if let Some(event) = read(&json) {
                    self.shown.publish_aged(&Said { event, json }, age);
                }
            }
            Item::Restore(events) => {
                let events: Vec<Arc<Event>> = events.iter().filter_map(read).collect();
                self.shown.restore(board, &events, None);
            }
            Item::Anew => self.shown.anew(board),
        }
    }

    /// Hands on what is due until `token` is cancelled.
    pub async fn run(self: Arc<Self>, token: CancellationToken) {
        loop {
            let next = self.turn().map(|at| tokio::time::Instant::from(self.stopwatch.instant(at)));
            let due = async {
                match next {
                    Some(next) => tokio::time::sleep_until(next).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = token.cancelled() => return,
                () = self.news.notified() => {}
                () = due => {}
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Every change under the lock is complete before the next begins.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Later").field("delay", &self.delay).field("waiting", &self.len()).finish_non_exhaustive()
    }
}
