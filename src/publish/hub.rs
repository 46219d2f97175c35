//! Where events go out: folds them into one state a board, keeps the recent ones, hands each to every listener.
//!
//! An event is serialised once, as a finished server-sent-events frame that all listeners share. Publishing never waits for a
//! listener: one that falls behind loses its place and gets a fresh snapshot (`Next::Snapshot`).
//!
//! The id of a frame is `EPOCH-GLOBAL`: the epoch is drawn anew in every process, so that an id from before a restart is seen to
//! be gone; the second number counts the public events of all boards, so that one id serves both the stream of a board and the
//! stream of all.
use super::metrics::Metrics;
use super::state::BoardState;
use crate::game::event::{Event, LinkState};
use crate::time::{Mono, Stopwatch};
use bytes::Bytes;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::broadcast;

/// Recent frames kept for one board: at most this many …
const KEPT_FRAMES: usize = 4096;
/// … and at most this many bytes: some ten minutes of blitz.
const KEPT_BYTES: usize = 256 * 1024;
/// How many events of one board a listener may lag behind.
const LAG_BOARD: usize = 256;
/// How many events of all boards together a listener may lag behind.
const LAG_ALL: usize = 1024;

/// How the journal is doing, for `/healthz`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum JournalState {
    /// Nothing is recorded.
    #[default]
    Off,
    /// Every event is on disk.
    Ok,
    /// Events are not reaching the disk.
    Failing {
        /// Why, and what to do.
        reason: String,
    },
}

/// One event, ready to send.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    global: u64,
    pub(super) bytes: Bytes,
}

/// What an event stream is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    All,
    Board(Arc<str>),
}

/// What a listener sends next.
pub(super) enum Next {
    /// An event.
    Event(Bytes),
    /// The listener lost its place: send these instead and go on from there.
    Snapshot(Vec<Bytes>),
    /// The hub is gone.
    End,
}

/// The meeting point of boards and readers.
pub struct Hub {
    epoch: u64,
    stopwatch: Stopwatch,
    metrics: Arc<Metrics>,
    rooms: Mutex<Rooms>,
}

struct Rooms {
    global: u64,
    boards: BTreeMap<Key, Room>,
    all: broadcast::Sender<Frame>,
    journal: JournalState,
}

struct Room {
    state: BoardState,
    clock_read: Option<Mono>,
    kept: VecDeque<Frame>,
    kept_bytes: usize,
    /// Global number of the newest frame that is no longer kept.
    forgotten: u64,
    live: broadcast::Sender<Frame>,
}

/// Board names in the order people expect: 2 before 10.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64, Arc<str>);

impl Key {
    fn new(board: &str) -> Self {
        Self(board.parse().unwrap_or(u64::MAX), board.into())
    }
}

impl Hub {
    /// A hub without boards.
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            // The standard library seeds every hasher state differently.
            epoch: RandomState::new().build_hasher().finish(),
            stopwatch: Stopwatch::start(),
            metrics: Arc::new(Metrics::new()),
            rooms: Mutex::new(Rooms {
                global: 0,
                boards: BTreeMap::new(),
                all: broadcast::channel(LAG_ALL).0,
                journal: JournalState::default(),
            }),
        })
    }

    /// Makes a board known before its first event: it is listed with its link down. Harmless for a board that is known.
    pub fn register(&self, board: &str) {
        let mut rooms = self.lock();
        if rooms.boards.contains_key(&Key::new(board)) {
            return;
        }
        let all = rooms.all.clone();
        // Listeners to all boards learn of it at once. Without an id: it is no event, and who returns later hears of it by its events.
        let bytes = frame(None, "snapshot", &rooms.open(&board.into()).state.view(None, false));
        _ = all.send(Frame { global: rooms.global, bytes });
    }

    /// Names the players of a board, for the board object and the PGN tags.
    pub fn set_players(&self, board: &str, white: Option<String>, black: Option<String>) {
        self.lock().open(&board.into()).state.set_players(white, black);
    }

    /// Says how the journal is doing.
    pub fn set_journal(&self, state: JournalState) {
        self.lock().journal = state;
    }

    /// Takes an event that is in the journal and shows it to the world. Never waits, never fails; what is not public changes
    /// nothing here, and so does an event that was published before.
    pub fn publish(&self, event: Arc<Event>) {
        if !event.body.is_public() {
            return;
        }
        let now = self.stopwatch.now();
        let mut rooms = self.lock();
        let global = rooms.global + 1;
        let all = rooms.all.clone();
        let room = rooms.open(&event.board);
        if event.seq <= room.state.seq() {
            return;
        }
        let was = room.state.link();
        room.state.apply(&event);
        if matches!(event.body, crate::game::event::Body::Clock(_)) {
            room.clock_read = Some(now);
        }
        self.metrics.event(event.body.kind());
        self.metrics.link(was, room.state.link());
        let frame = Frame { global, bytes: frame(Some((self.epoch, global)), event.body.kind(), &*event) };
        room.keep(frame.clone());
        // Nobody listening is no failure.
        _ = room.live.send(frame.clone());
        _ = all.send(frame);
        rooms.global = global;
    }

    /// The counters that `/metrics` shows; other rooms may add theirs.
    pub const fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// How the journal is doing.
    pub fn journal(&self) -> JournalState {
        self.lock().journal.clone()
    }

    /// How many boards are known, and how many of them answer.
    pub fn boards_up(&self) -> (usize, usize) {
        let rooms = self.lock();
        (rooms.boards.len(), rooms.boards.values().filter(|room| room.state.link() == LinkState::Up).count())
    }

    /// The state of one board; `None` for an unknown name.
    pub fn board(&self, board: &str) -> Option<BoardState> {
        self.lock().boards.get(&Key::new(board)).map(|room| room.state.clone())
    }

    /// The names of all boards, in the order people expect.
    pub fn names(&self) -> Vec<Arc<str>> {
        self.lock().boards.keys().map(|key| key.1.clone()).collect()
    }

    /// The board object with its moves, as JSON; `None` for an unknown name.
    pub(super) fn board_json(&self, board: &str) -> Option<Vec<u8>> {
        let rooms = self.lock();
        let room = rooms.boards.get(&Key::new(board))?;
        Some(json(&room.state.view(room.clock_age(self.stopwatch.now()), true)))
    }

    /// The array of board objects without their moves, as JSON.
    pub(super) fn boards_json(&self) -> Vec<u8> {
        let now = self.stopwatch.now();
        let rooms = self.lock();
        let views: Vec<_> = rooms.boards.values().map(|room| room.state.view(room.clock_age(now), false)).collect();
        json(&views)
    }

    /// Begins to listen: what to send first, and where the rest comes from. `last_id` is what a returning listener saw last. `None`
    /// for an unknown board.
    pub(super) fn listen(self: &Arc<Self>, topic: Topic, last_id: Option<&str>) -> Option<(Vec<Bytes>, Listener)> {
        let rooms = self.lock();
        let live = match &topic {
            Topic::All => rooms.all.subscribe(),
            Topic::Board(board) => rooms.boards.get(&Key::new(board))?.live.subscribe(),
        };
        let missed = last_id.and_then(|id| self.parse_id(id)).and_then(|seen| rooms.missed(&topic, seen));
        if missed.is_none() {
            self.metrics.snapshot();
        }
        let first = missed.unwrap_or_else(|| self.snapshot(&rooms, &topic));
        drop(rooms);
        self.metrics.listener_came();
        Some((first, Listener { hub: self.clone(), topic, live }))
    }

    fn snapshot(&self, rooms: &Rooms, topic: &Topic) -> Vec<Bytes> {
        let now = self.stopwatch.now();
        let id = Some((self.epoch, rooms.global));
        match topic {
            Topic::Board(board) => rooms
                .boards
                .get(&Key::new(board))
                .map(|room| frame(id, "snapshot", &room.state.view(room.clock_age(now), true)))
                .into_iter()
                .collect(),
            // Only the last one has the id: a connection that breaks before it must not look complete.
            Topic::All => {
                let last = rooms.boards.len();
                let one = |(i, room): (usize, &Room)| {
                    frame(id.filter(|_| i + 1 == last), "snapshot", &room.state.view(room.clock_age(now), false))
                };
                rooms.boards.values().enumerate().map(one).collect()
            }
        }
    }

    fn parse_id(&self, id: &str) -> Option<u64> {
        let (epoch, global) = id.trim().split_once('-')?;
        (u64::from_str_radix(epoch, 16).ok()? == self.epoch).then_some(())?;
        global.parse().ok()
    }

    fn lock(&self) -> MutexGuard<'_, Rooms> {
        // Every change under the lock is complete before the next begins, so a panic elsewhere leaves nothing half done.
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("boards", &self.names()).finish_non_exhaustive()
    }
}

impl Rooms {
    fn open(&mut self, board: &Arc<str>) -> &mut Room {
        self.boards.entry(Key::new(board)).or_insert_with(|| Room {
            state: BoardState::new(board.clone()),
            clock_read: None,
            kept: VecDeque::new(),
            kept_bytes: 0,
            forgotten: 0,
            live: broadcast::channel(LAG_BOARD).0,
        })
    }

    /// Everything after `seen`; `None` where some of it is gone, or `seen` is a number this process never gave out.
    fn missed(&self, topic: &Topic, seen: u64) -> Option<Vec<Bytes>> {
        if seen > self.global {
            return None;
        }
        let rooms: Vec<&Room> = match topic {
            Topic::Board(board) => vec![self.boards.get(&Key::new(board))?],
            Topic::All => self.boards.values().collect(),
        };
        if rooms.iter().any(|room| seen < room.forgotten) {
            return None;
        }
        let mut frames: Vec<&Frame> = rooms.iter().flat_map(|room| room.after(seen)).collect();
        frames.sort_unstable_by_key(|frame| frame.global);
        Some(frames.into_iter().map(|frame| frame.bytes.clone()).collect())
    }
}

impl Room {
    fn keep(&mut self, frame: Frame) {
        self.kept_bytes += frame.bytes.len();
        self.kept.push_back(frame);
        while self.kept.len() > KEPT_FRAMES || self.kept_bytes > KEPT_BYTES {
            let Some(old) = self.kept.pop_front() else { break };
            self.kept_bytes -= old.bytes.len();
            self.forgotten = old.global;
        }
    }

    fn after(&self, seen: u64) -> impl Iterator<Item = &Frame> {
        self.kept.range(self.kept.partition_point(|frame| frame.global <= seen)..)
    }

    fn clock_age(&self, now: Mono) -> Option<u64> {
        self.clock_read.map(|read| now.since(read))
    }
}

/// One reader's place in a stream.
pub(super) struct Listener {
    hub: Arc<Hub>,
    topic: Topic,
    live: broadcast::Receiver<Frame>,
}

impl Listener {
    /// Waits for what comes next. Safe to cancel: nothing is lost.
    pub(super) async fn next(&mut self) -> Next {
        match self.live.recv().await {
            Ok(frame) => Next::Event(frame.bytes),
            Err(broadcast::error::RecvError::Closed) => Next::End,
            Err(broadcast::error::RecvError::Lagged(_)) => {
                self.hub.metrics.lagged();
                self.hub.metrics.snapshot();
                let rooms = self.hub.lock();
                // From here on, exactly what comes after this snapshot.
                self.live = self.live.resubscribe();
                Next::Snapshot(self.hub.snapshot(&rooms, &self.topic))
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.hub.metrics.listener_went();
    }
}

fn frame(id: Option<(u64, u64)>, event: &str, data: &impl Serialize) -> Bytes {
    let mut out = Vec::with_capacity(512);
    if let Some((epoch, global)) = id {
        out.extend_from_slice(format!("id: {epoch:x}-{global}\n").as_bytes());
    }
    out.extend_from_slice(format!("event: {event}\ndata: ").as_bytes());
    // JSON has no line breaks outside strings and escapes them inside, so one `data:` line is enough.
    out.append(&mut json(data));
    out.extend_from_slice(b"\n\n");
    out.shrink_to_fit();
    out.into()
}

pub(super) fn json(value: &impl Serialize) -> Vec<u8> {
    // Our own types have string keys and finite numbers only; serde_json cannot refuse them.
    serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec())
}
