//! What the world sees where it is behind: boards' events, and everything public that is no event, each when it is due.
//!
//! The events of a machine's own boards come through their outboxes ([`flagfall_web::outbox`]), which read again from the journals; those of a hall wait
//! here, since a hall has no journals.
use crate::arrivals::Arrivals;
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
    /// How old the messages of a hall's stream are, as far as it can be proved.
    arrivals: Arrivals,
    /// The last one that came.
    position: u64,
}

/// One board's events in a hall.
struct BoardLine {
    held: Held,
    /// How many were put in.
    count: u64,
    waiting: VecDeque<Waits>,
}

/// Something that waits in a hall.
struct Waits {
    count: u64,
    /// The message of the stream it came with.
    message: u64,
    item: Item,
}

enum Item {
    /// An event, and how old it was when it came.
    Event(Bytes, u64),
    /// The board's numbering begins anew.
    Anew,
}

impl Later {
    /// Nothing is public yet. [`Later::run`] hands on what is due.
    pub fn new(shown: Shown, delay: Delay, stopwatch: Stopwatch) -> Arc<Self> {
        let waiting = Waiting { changes: Line::new(delay), boards: BTreeMap::new(), arrivals: Arrivals::default(), position: 0 };
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

    /// Takes an event of a hall's board that was so old, milliseconds, when `message` of the stream brought it. It is due a delay after it came here, or
    /// after it came to the process before this one, where that can be proved.
    pub fn event(&self, said: &Said, age_ms: u64, message: u64) {
        self.put(&said.event.board, Some(&said.event), Item::Event(said.json.clone(), age_ms), message);
    }

    /// What was published of a hall's board before this process began, each with its message: what the world saw then it sees at once.
    pub fn restore(&self, board: &str, events: &[(u64, Arc<Event>)]) {
        let shown = self.lock().arrivals.shown();
        let (seen, rest) = events.split_at(events.partition_point(|(message, _)| *message <= shown));
        if !seen.is_empty() {
            let seen: Vec<Arc<Event>> = seen.iter().map(|(_, event)| event.clone()).collect();
            self.shown.restore(board, &seen, None);
        }
        rest.iter().for_each(|(message, event)| self.event(&Said::of(event.clone()), 0, *message));
    }

    /// The numbering of a hall's board begins anew.
    pub fn anew(&self, board: &str, message: u64) {
        if message <= self.lock().arrivals.shown() {
            return self.shown.anew(board);
        }
        self.put(board, None, Item::Anew, message);
    }

    /// Goes on from what an earlier process proved of the stream that was made at `made`.
    pub fn go_on(&self, arrivals: Arrivals, made: &str) {
        self.lock().arrivals = arrivals.of(made);
    }

    /// How far the world was told, and how old what waits is, for the next process.
    pub fn arrivals(&self) -> Arrivals {
        let now = self.stopwatch.now();
        let mut waiting = self.lock();
        let first = waiting.boards.values().filter_map(|line| line.waiting.front()).map(|waits| waits.message).min();
        let position = waiting.position;
        waiting.arrivals.mark(now, position, first.map_or(position, |first| first.saturating_sub(1)));
        waiting.arrivals.clone()
    }

    fn put(&self, board: &str, event: Option<&Event>, item: Item, message: u64) {
        let now = self.stopwatch.now();
        let mut waiting = self.lock();
        waiting.position = waiting.position.max(message);
        let age = waiting.arrivals.age(now, message);
        let line = waiting.boards.entry(BoardOrder::new(board)).or_insert_with(|| BoardLine {
            held: Held::new(self.delay, 0),
            count: 0,
            waiting: VecDeque::new(),
        });
        line.count += 1;
        match event {
            Some(event) => line.held.say(line.count, event, now, age),
            None => line.held.mark(line.count, now, age),
        }
        line.waiting.push_back(Waits { count: line.count, message, item });
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
                    let waits = line.waiting.pop_front_if(|waits| waits.count <= due)?;
                    Some((waits.item, line.held.quiet_after(waits.count)))
                });
                let Some((item, quiet)) = item else { break };
                self.hand_on(board.name(), item, quiet);
            }
        }
        let waiting = self.lock();
        waiting.boards.values().filter_map(|line| line.held.next()).chain(waiting.changes.next()).min()
    }

    fn hand_on(&self, board: &Arc<str>, item: Item, quiet: u64) {
        match item {
            Item::Event(json, age) => {
                if let Some(event) = serde_json::from_slice::<Event>(&json).ok().map(Arc::new) {
                    self.shown.publish_aged(&Said { event, json }, (age, quiet));
                }
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
