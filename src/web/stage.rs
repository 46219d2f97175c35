//! One audience's boards: its state of each, the recent events of each for those who return, and every listener.
//!
//! There are two: the public, which is told what [`flagfall_events::Body::is_public`] allows, and the arbiters, who are told everything. An event is serialised once for
//! each, as a finished server-sent-events frame that all its listeners share.
//!
//! The id of a frame is `EPOCH-GLOBAL`: the epoch is drawn anew for every stage of every process, so that an id from before a restart, or from
//! the other stage, is seen to be gone; the second number counts the events of all boards, so that one id serves both the stream of a
//! board and the stream of all.
use crate::audience::{Audience, Detail, Topic};
use crate::metrics::Figures;
use bytes::Bytes;
use flagfall_events::{Body, Event, Mono};
use flagfall_score::board::{Ages, Delayed, Pi};
use flagfall_time::Stopwatch;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use tokio::sync::broadcast;

/// Recent frames kept for one board: at most this many, and at most [`Audience::KEPT_BYTES`].
const KEPT_FRAMES: usize = 4096;
/// How many events of one board a listener may lag behind.
const LAG_BOARD: usize = 256;
/// How many events of all boards together a listener may lag behind: three seconds of 500 boards in blitz. One that nobody waits for any more takes no memory.
const LAG_ALL: usize = 8192;
/// A clock's reading of this age is not what it shows now, milliseconds.
const OLD: u64 = 500;

/// Who gets a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    Everybody,
    Operators,
    /// Everybody but operators.
    Others,
}

/// One event, ready to send.
#[derive(Clone, Debug)]
struct Frame {
    global: u64,
    /// Which board it is about; none: everybody's.
    board: Option<Arc<str>>,
    who: For,
    bytes: Bytes,
}

impl For {
    const fn includes(self, operator: bool) -> bool {
        match self {
            Self::Everybody => true,
            Self::Operators => operator,
            Self::Others => !operator,
        }
    }
}

/// What a listener sends next.
pub(crate) enum Next {
    /// An event.
    Event(Bytes),
    /// The listener lost its place: send these instead and go on from there.
    Snapshot(Vec<Bytes>),
    /// The stage is gone.
    End,
}

/// The boards as one audience knows them.
pub struct Stage<A: Audience> {
    epoch: u64,
    stopwatch: Stopwatch,
    figures: Vec<Figures>,
    /// How far behind this audience is.
    delay: Option<Delayed>,
    /// Each board has a lock of its own: nobody waits while another one is folded or shown. Locks are taken in this order: boards, rooms by name, order.
    boards: RwLock<BTreeMap<BoardOrder, Arc<Mutex<Room<A>>>>>,
    order: Mutex<Order>,
    all: broadcast::Sender<Frame>,
}

/// The order of the events of all boards.
#[derive(Clone, Default)]
struct Order {
    /// Number of the last event.
    global: u64,
    /// A frame about no board that everybody who comes is told first.
    notice: Option<Bytes>,
}

struct Room<A> {
    state: A,
    clock_read: Option<Mono>,
    /// When its Pi was heard last, where that is silent.
    silent: Option<Mono>,
    kept: VecDeque<Frame>,
    kept_bytes: usize,
    /// Global number of the newest frame that is no longer kept.
    forgotten: u64,
    live: broadcast::Sender<Frame>,
}

/// Board names in the order people expect: 2 before 10.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoardOrder(u64, Arc<str>);

impl BoardOrder {
    /// The place of board `board`.
    pub fn new(board: &str) -> Self {
        Self(board.parse().unwrap_or(u64::MAX), board.into())
    }

    /// The board's name.
    pub const fn name(&self) -> &Arc<str> {
        &self.1
    }
}

impl<A: Audience> Stage<A> {
    /// Listeners are counted in all of `figures`.
    pub(crate) fn new(figures: Vec<Figures>, stopwatch: Stopwatch, delay: Option<Delayed>) -> Arc<Self> {
        Arc::new(Self {
            // The standard library seeds every hasher state differently.
            epoch: RandomState::new().build_hasher().finish(),
            stopwatch,
            figures,
            delay,
            boards: RwLock::default(),
            order: Mutex::default(),
            all: broadcast::channel(LAG_ALL).0,
        })
    }

    /// Makes a board known before its first event.
    pub(crate) fn register(&self, board: &str) {
        if self.room(board).is_some() {
            return;
        }
        let room = self.open(&board.into());
        let room = lock(&room);
        // Listeners to all boards learn of it at once. Without an id: it is no event, and who returns later hears of it by its events.
        let bytes = frame(None, "snapshot", &room.state.object(self.no_ages(), Detail::default()));
        _ = self.all.send(Frame { global: self.order().global, board: Some(board.into()), who: For::Everybody, bytes });
    }

    /// A board whose numbering begins anew and goes on with the game: listeners see it as it is after these events, and nothing in between.
    pub(crate) fn replace<T>(&self, board: &str, events: &[Arc<Event>], of: impl Fn(&A) -> T) -> Option<(T, T)> {
        let room = self.open(&board.into());
        let mut room = lock(&room);
        let was = of(&room.state);
        room.state = room.state.anew();
        (room.clock_read, room.kept_bytes, room.forgotten) = (None, 0, self.order().global);
        room.kept.clear();
        for event in events.iter().filter(|event| A::hears(&event.body) || A::needs(&event.body)) {
            room.state.apply(event);
        }
        let is = of(&room.state);
        self.show(board, &room, room.ages(self.stopwatch.now(), self.delay));
        Some((was, is))
    }

    /// Folds events that were published by an earlier process; listeners to all boards get the board as it is then. Returns as
    /// [`Stage::publish`] does.
    pub(crate) fn restore<T>(&self, board: &str, events: &[Arc<Event>], of: impl Fn(&A) -> T) -> Option<(T, T)> {
        let room = self.open(&board.into());
        let mut room = lock(&room);
        let was = of(&room.state);
        for event in events.iter().filter(|event| A::hears(&event.body) || A::needs(&event.body)) {
            room.state.apply(event);
        }
        let is = of(&room.state);
        self.show(board, &room, room.ages(self.stopwatch.now(), self.delay));
        Some((was, is))
    }

    pub(crate) fn set_players(&self, board: &str, white: Option<String>, black: Option<String>) {
        lock(&self.open(&board.into())).state.set_players(white, black);
    }

    /// Folds an event and hands it to every listener; `written` is its JSON, where it was made already. Returns the state before and after; `None` for what this audience is not told, and
    /// for an event that was published before.
    pub(crate) fn publish<T>(&self, event: &Event, written: Option<&Bytes>, age_ms: u64, of: impl Fn(&A) -> T) -> Option<(T, T)> {
        if !A::hears(&event.body) {
            if A::needs(&event.body) {
                lock(&self.open(&event.board)).state.apply(event);
            }
            return None;
        }
        let now = self.stopwatch.now();
        // Once for all listeners, and before others have to wait for the lock.
        let written = written.cloned().unwrap_or_else(|| json(event).into());
        let room = self.open(&event.board);
        let mut room = lock(&room);
        if event.seq <= room.state.seq() {
            return None;
        }
        let was = of(&room.state);
        room.state.apply(event);
        let is = of(&room.state);
        if matches!(event.body, Body::Clock(_)) {
            room.clock_read = Some(Mono::from_millis(now.millis().saturating_sub(age_ms)));
        }
        let who = if A::is_for_operators(&event.body) { For::Everybody } else { For::Others };
        let mut order = self.order();
        order.global += 1;
        let global = order.global;
        let frame =
            Frame { global, board: Some(event.board.clone()), who, bytes: frame(Some((self.epoch, global)), event.body.kind(), &written) };
        room.keep(frame.clone());
        // Nobody listening is no failure.
        _ = room.live.send(frame.clone());
        // Before the next one has its number: whoever returns with it has missed nothing.
        _ = self.all.send(frame);
        drop(order);
        if age_ms >= OLD && matches!(event.body, Body::Clock(_)) {
            // Who reckons from the moment it came would be wrong.
            self.show(&event.board, &room, room.ages(now, self.delay));
        }
        Some((was, is))
    }

    /// Tells every listener to all boards something that is about no board; who comes later is told it first. It is no event: it has no id.
    pub(crate) fn notice(&self, kind: &str, data: &[u8]) {
        let bytes = frame(None, kind, data);
        let mut order = self.order();
        order.notice = Some(bytes.clone());
        _ = self.all.send(Frame { global: order.global, board: None, who: For::Everybody, bytes });
    }

    /// Changes a board's state beside its events, and shows it anew to every listener. Nothing happens where there is no such board.
    pub(crate) fn alter(&self, board: &str, change: impl FnOnce(&mut A)) {
        let now = self.stopwatch.now();
        let Some(room) = self.room(board) else { return };
        let mut room = lock(&room);
        change(&mut room.state);
        self.show(board, &room, room.ages(now, self.delay));
    }

    /// Changes a board's state beside its events; what `change` gives is told to every listener but operators, as a frame of this kind. It has an id, so
    /// that who returns is told, too. `None`: nothing changed, or there is no such board.
    pub(crate) fn amend(&self, board: &str, kind: &str, change: impl FnOnce(&mut A) -> Option<Vec<u8>>) -> Option<()> {
        let room = self.room(board)?;
        let mut room = lock(&room);
        let data = change(&mut room.state)?;
        let mut order = self.order();
        order.global += 1;
        let global = order.global;
        let frame = Frame { global, board: Some(board.into()), who: For::Others, bytes: frame(Some((self.epoch, global)), kind, &data) };
        room.keep(frame.clone());
        _ = room.live.send(frame.clone());
        _ = self.all.send(frame);
        Some(())
    }

    /// Says which Pi a board is at, since how many milliseconds it is silent (`None`: it is not), and how old the clock's reading is where that
    /// is known. Shown to every listener. Returns as [`Stage::publish`] does; `None` for an unknown board.
    pub(crate) fn set_pi<T>(&self, board: &str, pi: Pi, silent: Option<u64>, clock: Option<u64>, of: impl Fn(&A) -> T) -> Option<(T, T)> {
        let now = self.stopwatch.now();
        let before = |ms: u64| Mono::from_millis(now.millis().saturating_sub(ms));
        let room = self.room(board)?;
        let mut room = lock(&room);
        let was = of(&room.state);
        room.state.set_pi(pi);
        room.silent = silent.map(before);
        room.clock_read = clock.map(before).or(room.clock_read);
        let is = of(&room.state);
        self.show(board, &room, room.ages(now, self.delay));
        Some((was, is))
    }

    /// A board that begins anew: what was known of it is of another numbering.
    pub(crate) fn anew<T>(&self, board: &str, of: impl Fn(&A) -> T) -> Option<(T, T)> {
        let room = self.room(board)?;
        let mut room = lock(&room);
        let was = of(&room.state);
        room.state = room.state.anew();
        (room.clock_read, room.kept_bytes, room.forgotten) = (None, 0, self.order().global);
        room.kept.clear();
        let is = of(&room.state);
        self.show(board, &room, self.no_ages());
        Some((was, is))
    }

    /// The state of one board; `None` for an unknown name.
    pub fn board(&self, board: &str) -> Option<A> {
        self.room(board).map(|room| lock(&room).state.clone())
    }

    /// What `of` says of one board; `None` for an unknown name.
    pub fn look<T>(&self, board: &str, of: impl FnOnce(&A) -> T) -> Option<T> {
        self.room(board).map(|room| of(&lock(&room).state))
    }

    /// What `of` says of every board, in the order people expect.
    pub(crate) fn each<T>(&self, of: impl Fn(&Arc<str>, &A) -> T) -> Vec<T> {
        self.boards().iter().map(|(key, room)| of(&key.1, &lock(room).state)).collect()
    }

    /// The board object, as JSON; `None` for an unknown name.
    pub(crate) fn board_json(&self, board: &str, detail: Detail) -> Option<Vec<u8>> {
        let room = self.room(board)?;
        let room = lock(&room);
        Some(room.state.object(room.ages(self.stopwatch.now(), self.delay), detail))
    }

    /// The array of board objects, as JSON.
    pub(crate) fn boards_json(&self, detail: Detail) -> Vec<u8> {
        self.first_json(detail, usize::MAX)
    }

    /// The same of so many boards, the first ones.
    pub(crate) fn first_json(&self, detail: Detail, most: usize) -> Vec<u8> {
        let now = self.stopwatch.now();
        let mut out = vec![b'['];
        for (i, room) in self.boards().values().take(most).enumerate() {
            let room = lock(room);
            if i > 0 {
                out.push(b',');
            }
            out.append(&mut room.state.object(room.ages(now, self.delay), detail));
        }
        out.push(b']');
        out
    }

    /// Begins to listen: what to send first, and where the rest comes from. `last_id` is what a returning listener saw last. `None`
    /// for an unknown board.
    pub(crate) fn listen(self: &Arc<Self>, topic: Topic, operator: bool, last_id: Option<&str>) -> Option<(Vec<Bytes>, Listener<A>)> {
        let seen = last_id.and_then(|id| self.parse_id(id));
        // Before it begins: a board that comes meanwhile is a new one.
        let others = match &topic {
            Topic::Some(wanted) => self.each(|name, _| name.clone()).into_iter().filter(|name| !wanted.contains(name)).collect(),
            Topic::All | Topic::Board(_) => HashSet::new(),
        };
        let (first, live) = self.begin(&topic, operator, seen)?;
        self.figures.iter().for_each(Figures::listener_came);
        Some((first, Listener { stage: self.clone(), topic, others, operator, live }))
    }

    /// What was missed after `seen`, else how things stand now; and exactly what comes after it.
    fn begin(&self, topic: &Topic, operator: bool, seen: Option<u64>) -> Option<(Vec<Bytes>, broadcast::Receiver<Frame>)> {
        let boards = self.boards();
        let rooms: Vec<MutexGuard<'_, Room<A>>> = match topic {
            Topic::Board(board) => vec![lock(boards.get(&BoardOrder::new(board))?)],
            Topic::All => boards.values().map(|room| lock(room)).collect(),
            Topic::Some(wanted) => boards.iter().filter(|(key, _)| wanted.contains(key.name())).map(|(_, room)| lock(room)).collect(),
        };
        // Of these boards nothing is published before they are let go.
        let live = match topic {
            Topic::Board(_) => rooms.first()?.live.subscribe(),
            Topic::All | Topic::Some(_) => self.all.subscribe(),
        };
        let order = self.order().clone();
        let notice = order.notice.iter().filter(|_| *topic == Topic::All).cloned();
        if let Some(missed) = seen.filter(|seen| *seen <= order.global).and_then(|seen| missed(&rooms, operator, seen)) {
            return Some((notice.chain(missed).collect(), live));
        }
        self.figures.iter().for_each(Figures::snapshot);
        let (now, id) = (self.stopwatch.now(), Some((self.epoch, order.global)));
        let last = rooms.len();
        // Only the last one has the id: a connection that breaks before it must not look complete.
        let one = |(i, room): (usize, &MutexGuard<'_, Room<A>>)| {
            let detail = Detail { whole: !topic.is_list(), operator };
            frame(id.filter(|_| i + 1 == last), "snapshot", &room.state.object(room.ages(now, self.delay), detail))
        };
        Some((notice.chain(rooms.iter().enumerate().map(one)).collect(), live))
    }

    /// Shows the board anew to whoever listens to it or to all. Without an id: it is no event.
    fn show(&self, board: &str, room: &Room<A>, ages: Ages) {
        for (channel, whole) in [(&self.all, false), (&room.live, true)] {
            for (operator, who) in [(false, For::Others), (true, For::Operators)] {
                if channel.receiver_count() > 0 {
                    let object = room.state.object(ages, Detail { whole, operator });
                    _ = channel.send(Frame {
                        global: self.order().global,
                        board: Some(board.into()),
                        who,
                        bytes: frame(None, "snapshot", &object),
                    });
                }
            }
        }
    }

    /// How far behind this audience is.
    pub(crate) const fn delay(&self) -> Option<Delayed> {
        self.delay
    }

    /// Of a board that has said nothing.
    fn no_ages(&self) -> Ages {
        Ages { delay: self.delay, ..Ages::default() }
    }

    fn boards(&self) -> RwLockReadGuard<'_, BTreeMap<BoardOrder, Arc<Mutex<Room<A>>>>> {
        self.boards.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn room(&self, board: &str) -> Option<Arc<Mutex<Room<A>>>> {
        self.boards().get(&BoardOrder::new(board)).cloned()
    }

    /// The same; the board is made where there is none.
    fn open(&self, board: &Arc<str>) -> Arc<Mutex<Room<A>>> {
        self.room(board).unwrap_or_else(|| {
            let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
            boards.entry(BoardOrder::new(board)).or_insert_with(|| Arc::new(Mutex::new(Room::new(board)))).clone()
        })
    }

    fn order(&self) -> MutexGuard<'_, Order> {
        lock(&self.order)
    }

    fn parse_id(&self, id: &str) -> Option<u64> {
        let (epoch, global) = id.trim().split_once('-')?;
        (u64::from_str_radix(epoch, 16).ok()? == self.epoch).then_some(())?;
        global.parse().ok()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change under a lock is complete before the next begins, so a panic elsewhere leaves nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Everything of these boards after `seen`; `None` where some of it is gone.
fn missed<A: Audience>(rooms: &[MutexGuard<'_, Room<A>>], operator: bool, seen: u64) -> Option<Vec<Bytes>> {
    if rooms.iter().any(|room| seen < room.forgotten) {
        return None;
    }
    let mut frames: Vec<&Frame> = rooms.iter().flat_map(|room| room.after(seen)).filter(|frame| frame.who.includes(operator)).collect();
    frames.sort_unstable_by_key(|frame| frame.global);
    Some(frames.into_iter().map(|frame| frame.bytes.clone()).collect())
}

impl<A: Audience> Room<A> {
    fn new(board: &Arc<str>) -> Self {
        Self {
            state: A::new(board.clone()),
            clock_read: None,
            silent: None,
            kept: VecDeque::new(),
            kept_bytes: 0,
            forgotten: 0,
            live: broadcast::channel(LAG_BOARD).0,
        }
    }

    fn keep(&mut self, frame: Frame) {
        self.kept_bytes += frame.bytes.len();
        self.kept.push_back(frame);
        while self.kept.len() > KEPT_FRAMES || self.kept_bytes > A::KEPT_BYTES {
            let Some(old) = self.kept.pop_front() else { break };
            self.kept_bytes -= old.bytes.len();
            self.forgotten = old.global;
        }
    }

    fn after(&self, seen: u64) -> impl Iterator<Item = &Frame> {
        self.kept.range(self.kept.partition_point(|frame| frame.global <= seen)..)
    }

    fn ages(&self, now: Mono, delay: Option<Delayed>) -> Ages {
        let since = |moment: Option<Mono>| moment.map(|moment| now.since(moment));
        Ages { clock: since(self.clock_read), silent: since(self.silent), delay }
    }
}

/// One reader's place in a stream.
pub struct Listener<A: Audience> {
    stage: Arc<Stage<A>>,
    topic: Topic,
    /// Boards that were there when it began and are not wanted.
    others: HashSet<Arc<str>>,
    operator: bool,
    live: broadcast::Receiver<Frame>,
}

impl<A: Audience> Listener<A> {
    /// Waits for what comes next. Safe to cancel: nothing is lost.
    pub(crate) async fn next(&mut self) -> Next {
        loop {
            match self.live.recv().await {
                Ok(frame)
                    if !frame.who.includes(self.operator) || frame.board.as_ref().is_some_and(|board| self.others.contains(board)) => {}
                Ok(frame) => return Next::Event(frame.bytes),
                Err(broadcast::error::RecvError::Closed) => return Next::End,
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    self.stage.figures.iter().for_each(Figures::lagged);
                    let Some((snapshot, live)) = self.stage.begin(&self.topic, self.operator, None) else { return Next::End };
                    self.live = live;
                    return Next::Snapshot(snapshot);
                }
            }
        }
    }
}

impl<A: Audience> Drop for Listener<A> {
    fn drop(&mut self) {
        self.stage.figures.iter().for_each(Figures::listener_went);
    }
}

fn frame(id: Option<(u64, u64)>, event: &str, data: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(data.len() + event.len() + 64);
    if let Some((epoch, global)) = id {
        out.extend_from_slice(format!("id: {epoch:x}-{global}\n").as_bytes());
    }
    out.extend_from_slice(format!("event: {event}\ndata: ").as_bytes());
    // JSON has no line breaks outside strings and escapes them inside, so one `data:` line is enough.
    out.extend_from_slice(data);
    out.extend_from_slice(b"\n\n");
    out.shrink_to_fit();
    out.into()
}

/// `value` as JSON, for our own types.
pub fn json(value: &impl Serialize) -> Vec<u8> {
    // Our own types have string keys and finite numbers only; serde_json cannot refuse them.
    serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec())
}
