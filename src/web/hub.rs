//! Where events go out: to two audiences, each with its own fold, its own recent events and its own listeners ([`crate::stage`]).
//!
//! The public stage never holds what is not public: it is fed by each board's [`PublicView`]. The arbiters' stage has everything. Publishing never
//! waits for a listener: one that falls behind loses its place and gets a fresh snapshot.
use crate::audience::{Detail, Topic};
use crate::going::{Going, Unanswered};
use crate::messages::{Message, Messages};
use crate::metrics::Metrics;
use crate::office::OfficeBoard;
use crate::stage::{Stage, json};
use crate::trouble::Troubles;
use crate::views::{View, Views};
use crate::voice::Voice;
use crate::waiting::WaitingOrder;
use bytes::Bytes;
use flagfall_config::delay::Delay;
use flagfall_events::Touches;
use flagfall_events::{AlarmState, Body, Event, LinkState, Mono};
use flagfall_journal::{Attendant, JournalState, Said};
use flagfall_score::board::{BoardState, Delayed, Pi};
use flagfall_score::public::PublicView;
use flagfall_time::Stopwatch;
use prometheus_client::registry::Registry;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::Notify;

/// A public reader's place in a stream.
pub type Listener = crate::stage::Listener<BoardState>;

/// Those who must know at once, wherever they are. Must not wait.
pub trait Alerts: Send + Sync {
    /// Something happened on a board.
    fn event(&self, hub: &Hub, event: &Event);

    /// An alarm that is about no board's game is raised, or cleared (`None`).
    fn alarm(&self, hub: &Hub, key: &str, about: &str, text: Option<&str>);

    /// How many alerts wait for each of them.
    fn waiting(&self) -> Vec<(String, u64)>;
}

/// The meeting point of boards and readers.
pub struct Hub {
    metrics: Arc<Metrics>,
    public: Arc<Stage<BoardState>>,
    arbiters: Arc<Stage<OfficeBoard>>,
    views: Mutex<Views>,
    /// The time by which what waits for an undo is public, and news of such.
    stopwatch: Stopwatch,
    entered: Notify,
    troubles: Mutex<Troubles>,
    messages: Mutex<Messages>,
    voice: Voice,
    journal: Arc<Mutex<JournalState>>,
    alerts: Mutex<Option<Arc<dyn Alerts>>>,
    /// What the page is called, for links to it.
    root: OnceLock<String>,
}

impl Hub {
    /// A hub without boards, of a daemon that stands alone.
    pub fn new() -> Arc<Self> {
        Self::speaking(Voice::always())
    }

    /// The same; what is written to others is written while `voice` speaks.
    pub fn speaking(voice: Voice) -> Arc<Self> {
        let metrics = Arc::new(Metrics::new());
        let streams = metrics.streams();
        let stopwatch = Stopwatch::start();
        Arc::new(Self {
            public: Stage::new(vec![streams.clone()], stopwatch, None),
            arbiters: Stage::new(vec![streams], stopwatch, None),
            metrics,
            views: Mutex::default(),
            stopwatch,
            entered: Notify::new(),
            troubles: Mutex::default(),
            messages: Mutex::default(),
            voice,
            journal: Arc::default(),
            alerts: Mutex::default(),
            root: OnceLock::new(),
        })
    }

    /// What the world sees where that is `delay` behind this hub: it is told everything when that is due, and counts for itself. Its listeners are
    /// counted here, too; nobody looks at its arbiters' side.
    pub fn shown_later(&self, delay: Delay, stopwatch: Stopwatch) -> Arc<Self> {
        let metrics = Arc::new(Metrics::new());
        let streams = metrics.streams();
        let delay = Delayed { ms: delay.millis(), until_end: delay.until_end };
        Arc::new(Self {
            public: Stage::new(vec![streams, self.metrics.streams()], stopwatch, Some(delay)),
            arbiters: Stage::new(Vec::new(), stopwatch, None),
            metrics,
            views: Mutex::default(),
            stopwatch,
            entered: Notify::new(),
            troubles: Mutex::default(),
            messages: Mutex::default(),
            voice: self.voice.clone(),
            journal: self.journal.clone(),
            alerts: Mutex::default(),
            root: OnceLock::new(),
        })
    }

    /// Makes a board known before its first event: it is listed with its link down. Harmless for a board that is known.
    pub fn register(&self, board: &str) {
        self.metrics.board(board);
        self.public.register(board);
        self.arbiters.register(board);
    }

    /// Whose touches are from now on: everybody's or the arbiters', on boards that are named and on all others.
    pub fn set_touches(&self, others: Touches, named: impl IntoIterator<Item = (String, Touches)>) {
        let mut views = self.views();
        (views.touches, views.of) = (others, named.into_iter().collect());
        views.apply();
    }

    /// Whose touches are on a board.
    pub fn touches(&self, board: &str) -> Touches {
        self.views().touches(board)
    }

    /// The machine that a board is at keeps its touches for arbiters, whatever is said here.
    pub fn keep_touches(&self, board: &Arc<str>) {
        let mut views = self.views();
        if views.kept.insert(board.clone()) {
            views.apply();
        }
    }

    /// What was published of a board before this process began: its state is rebuilt, and nobody gets the events as new. `last` is the number of the
    /// last public event until then, where that is known: `events` may leave out what later ones replace. Returns what of them is public.
    pub fn restore(&self, board: &str, events: &[Arc<Event>], last: Option<u64>) -> Vec<Arc<Event>> {
        let (view, touches) = {
            let mut views = self.views();
            (views.open(&board.into()), views.touches(board))
        };
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        let public: Vec<Event> = match last {
            Some(last) => {
                let public;
                (view.public, public) = PublicView::restored(touches, events, last);
                public
            }
            None => events.iter().flat_map(|event| view.public.take(event)).collect(),
        };
        view.heard = events.last().map(|event| (self.stopwatch.now(), event.t));
        let public: Vec<Arc<Event>> = public.into_iter().map(Arc::new).collect();
        if let Some((was, is)) = self.public.restore(board, &public, BoardState::link) {
            self.metrics.link(board, was, is);
        }
        drop(view);
        self.entered.notify_one();
        self.arbiters.restore(board, events, |_| ());
        events.iter().for_each(|event| self.remember(event));
        public
    }

    /// Names the players of a board, for the board object and the PGN tags: those of the game that spectators see.
    pub fn set_players(&self, board: &str, white: Option<String>, black: Option<String>) {
        self.public.set_players(board, white, black);
    }

    /// Names those who play at a board now, or sit down there next: who arbiters meet.
    pub fn set_seated(&self, board: &str, white: Option<String>, black: Option<String>) {
        self.arbiters.set_players(board, white, black);
    }

    /// Whether this process writes to others.
    pub const fn voice(&self) -> &Voice {
        &self.voice
    }

    /// Says how the journal is doing.
    pub fn set_journal(&self, state: JournalState) {
        *self.journal.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Takes an event that is in the journal and shows it to the world, and to arbiters. Never waits, never fails; what is not public
    /// changes nothing on the public side, and an event that was published before changes nothing at all.
    pub fn publish(&self, event: Arc<Event>) {
        self.publish_aged(&Said::of(event), 0);
    }

    /// The same for an event that is so old already, milliseconds, measured where it happened.
    /// Returns what is public now, for other outlets.
    pub fn publish_aged(&self, said: &Said, age_ms: u64) -> Vec<Arc<Event>> {
        let mut public = Vec::new();
        self.publish_to(said, age_ms, |shown| public.push(shown.clone()));
        public
    }

    /// The same; what is public now goes to `others`, who must not wait: nothing of this board overtakes it.
    pub fn publish_to(&self, said: &Said, age_ms: u64, others: impl FnMut(&Arc<Event>)) {
        let event = &said.event;
        let view = self.views().open(&event.board);
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        let public = view.take(event, self.stopwatch.now());
        self.show(public, |shown| age_ms.saturating_add(event.t.since(shown.t)), others);
        let waits = view.public.sure_at().is_some();
        // Until here: two events of a board must not change places.
        drop(view);
        if waits {
            self.entered.notify_one();
        }
        let news = self.arbiters.publish(event, Some(&said.json), age_ms, |_| ()).is_some();
        if news {
            self.remember(event);
        }
        if let Some(alerts) = self.alerts().filter(|_| news) {
            alerts.event(self, event);
        }
    }

    /// After a board's last event nothing was said for so long, milliseconds, before it was published.
    pub fn quiet(&self, board: &Arc<str>, ms: u64) {
        if ms == 0 {
            return;
        }
        let view = self.views().open(board);
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        view.heard = view.heard.map(|(came, t)| (came, t + ms));
        if view.public.sure_at().is_some() {
            self.entered.notify_one();
        }
    }

    /// Shows what is public now; `age`: how old each of it is, milliseconds. What was held back is older than what lets it go.
    fn show(&self, public: Vec<Event>, age: impl Fn(&Event) -> u64, mut others: impl FnMut(&Arc<Event>)) {
        for shown in public.into_iter().map(Arc::new) {
            if let Some((was, is)) = self.public.publish(&shown, None, age(&shown), BoardState::link) {
                self.metrics.event(shown.body.kind());
                self.metrics.link(&shown.board, was, is);
            }
            others(&shown);
        }
    }

    /// Shows what waited because it could have been undone, and cannot any more; it goes to `others` as by [`Hub::publish_to`]. When there is more.
    pub fn let_go(&self, mut others: impl FnMut(&Arc<Event>)) -> Option<Mono> {
        let boards: Vec<Arc<Mutex<View>>> = self.views().boards.values().cloned().collect();
        let now = self.stopwatch.now();
        let mut next: Option<Mono> = None;
        for view in boards {
            let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
            if let (Some(at), Some(time)) = (view.sure_at(), view.time(now))
                && at <= now
            {
                let public = view.public.pass(time);
                self.show(public, |shown| time.since(shown.t), &mut others);
            }
            next = next.into_iter().chain(view.sure_at()).min();
        }
        next
    }

    /// The same of one board, at once: the machine that had it is gone, or its record is, so nobody undoes there what was entered.
    pub fn let_go_of(&self, board: &str, others: impl FnMut(&Arc<Event>)) {
        let Some(view) = self.views().boards.get(board).cloned() else { return };
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        let time = view.time(self.stopwatch.now()).unwrap_or(Mono::ZERO);
        let public = view.public.end();
        self.show(public, |shown| time.since(shown.t), others);
    }

    /// Waits until [`Hub::let_go`] has to be asked anew.
    pub async fn entered(&self) {
        self.entered.notified().await;
    }

    /// The time by which it is asked.
    pub const fn stopwatch(&self) -> Stopwatch {
        self.stopwatch
    }

    /// Says which Pi a board is at, and since how many milliseconds it is silent; `clock`: how old the clock's reading is, where that is known.
    pub fn set_pi(&self, board: &str, pi: &Pi, silent: Option<u64>, clock: Option<u64>) {
        if let Some((was, is)) = self.public.set_pi(board, pi.clone(), silent, clock, BoardState::link) {
            self.metrics.link(board, was, is);
        }
        self.arbiters.set_pi(board, pi.clone(), silent, clock, |_| ());
    }

    /// A board whose numbering begins anew: it is as one that has said nothing yet.
    pub fn anew(&self, board: &str) {
        self.views().boards.remove(board);
        if let Some((was, is)) = self.public.anew(board, BoardState::link) {
            self.metrics.link(board, was, is);
        }
        self.arbiters.anew(board, |_| ());
    }

    /// The same where these events of the other numbering go on with the game: nobody sees less of it meanwhile. What is public of them.
    pub fn taken_over(&self, board: &str, events: &[Arc<Event>]) -> Vec<Arc<Event>> {
        let view = {
            let mut views = self.views();
            views.boards.remove(board);
            views.open(&board.into())
        };
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.stopwatch.now();
        let public: Vec<Arc<Event>> = events.iter().flat_map(|event| view.take(event, now)).map(Arc::new).collect();
        if let Some((was, is)) = self.public.replace(board, &public, BoardState::link) {
            self.metrics.link(board, was, is);
        }
        drop(view);
        self.entered.notify_one();
        self.arbiters.replace(board, events, |_| ());
        events.iter().for_each(|event| self.remember(event));
        public
    }

    /// What of a board arbiters wait for, shown to them anew.
    pub fn set_orders(&self, board: &str, orders: Vec<WaitingOrder>) {
        self.arbiters.alter(board, |state| state.set_orders(orders));
    }

    /// What a board with a battery says of it, percent; `None`: it says nothing. For operators.
    pub fn set_battery(&self, board: &str, percent: Option<u8>) {
        self.arbiters.alter(board, |state| state.set_battery(percent));
    }

    /// Says who goes to an open finding, or that nobody does any more (`None`); all arbiters are told. False where it is not open.
    pub fn set_going(&self, board: &str, finding: u64, going: Option<Going>) -> bool {
        self.arbiters.amend(board, "going", |state| state.set_going(finding, going)).is_some()
    }

    /// What rings: findings that nobody has ruled on, and that nobody goes to.
    pub fn unanswered(&self) -> Vec<Unanswered> {
        self.arbiters.each(|_, board| board.unanswered().collect::<Vec<_>>()).into_iter().flatten().collect()
    }

    /// Says once what the page is called: `https://boards.club.example`.
    pub fn set_root(&self, root: String) {
        _ = self.root.set(root);
    }

    /// Where arbiters find all boards.
    pub fn link_to_list(&self) -> Option<String> {
        Some(format!("{}/arbiter", self.root.get()?))
    }

    /// Where arbiters find a board, or one of its findings; `None` while nobody has said what the page is called.
    pub fn link_to(&self, board: &str, finding: Option<u64>) -> Option<String> {
        let board: String = board
            .bytes()
            .map(|byte| {
                if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
            })
            .collect();
        let finding = finding.map(|id| format!("/finding/{id}")).unwrap_or_default();
        Some(format!("{}/arbiter#/board/{board}{finding}", self.root.get()?))
    }

    /// Alerts go to these from now on.
    pub fn tell(&self, alerts: Arc<dyn Alerts>) {
        *self.alerts.lock().unwrap_or_else(PoisonError::into_inner) = Some(alerts);
    }

    fn alerts(&self) -> Option<Arc<dyn Alerts>> {
        self.alerts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many alerts wait for each of their targets.
    pub fn alerts_waiting(&self) -> Vec<(String, u64)> {
        self.alerts().map(|alerts| alerts.waiting()).unwrap_or_default()
    }

    /// Clears every alarm that is about something that is `gone`: nobody is left to clear it.
    pub fn forget(&self, gone: impl Fn(&str) -> bool) {
        let standing = self.troubles.lock().unwrap_or_else(PoisonError::into_inner).names();
        for (key, about) in standing.iter().filter(|(_, about)| gone(about)) {
            self.alarm(key, about, None);
        }
    }

    /// How many games are being played: begun, and without a result.
    pub fn games_on(&self) -> usize {
        self.public.each(|_, state| state.is_playing()).into_iter().filter(|playing| *playing).count()
    }

    /// Raises (`Some`: what is wrong and what to do) or clears (`None`) an alarm that is about no single board's game: a feed, a target, a
    /// disk. `key` is the alarm's kind (`feed-failing`), `about` names what fails; the pair is one alarm. Never waits; arbiters and operators are told.
    pub fn alarm(&self, key: &str, about: &str, text: Option<String>) {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let told = text.clone();
        let changed = troubles.set(key, about, text);
        if changed {
            // Under the lock: two changes at once must not be told in the other order.
            self.arbiters.notice("hall", &json(&*troubles));
            // One that is about a board stands there, too.
            self.arbiters.alter(about, |board| board.trouble(key, told.clone()));
            self.messages().add(Message {
                at: flagfall_time::now(),
                key: key.to_owned(),
                about: about.to_owned(),
                raised: told.is_some(),
                text: told.clone(),
            });
        }
        drop(troubles);
        if let Some(alerts) = self.alerts().filter(|_| changed) {
            alerts.alarm(self, key, about, told.as_deref());
        }
    }

    /// An alarm of a board's game.
    fn remember(&self, event: &Event) {
        let Body::Alarm { key, state, .. } = &event.body else { return };
        let (key, about) = (key.as_str().to_owned(), event.board.to_string());
        self.messages().add(Message { at: event.at, key, about, raised: *state == AlarmState::Raised, text: None });
    }

    /// What operators were told in the last hour, the newest first.
    pub fn lately(&self) -> Vec<Message> {
        self.messages().lately(flagfall_time::now())
    }

    fn messages(&self) -> MutexGuard<'_, Messages> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What an alarm of [`Hub::alarm`] says that stands.
    pub fn standing(&self, key: &str, about: &str) -> Option<String> {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).text(key, about).map(String::from)
    }

    /// The alarms of [`Hub::alarm`] that stand, as the hall object in JSON.
    pub fn hall_json(&self) -> Vec<u8> {
        json(&*self.troubles.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The counters that `/metrics` shows; other rooms may add theirs.
    pub const fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// How the journal is doing.
    pub fn journal(&self) -> JournalState {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether it shows what was so a while ago.
    pub fn is_behind(&self) -> bool {
        self.public.delay().is_some()
    }

    /// How many boards are known, and how many of them answer.
    pub fn boards_up(&self) -> (usize, usize) {
        let links = self.public.each(|_, state| state.link());
        (links.len(), links.iter().filter(|link| **link == LinkState::Up).count())
    }

    /// The state of one board; `None` for an unknown name.
    pub fn board(&self, board: &str) -> Option<BoardState> {
        self.public.board(board)
    }

    /// The names of all boards, in the order people expect.
    pub fn names(&self) -> Vec<Arc<str>> {
        self.public.each(|name, _| name.clone())
    }

    fn views(&self) -> MutexGuard<'_, Views> {
        // Every change under the lock is complete before the next begins.
        self.views.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What arbiters are told.
    pub const fn arbiters(&self) -> &Arc<Stage<OfficeBoard>> {
        &self.arbiters
    }

    /// The public board object with its moves, as JSON; `None` for an unknown name.
    pub fn board_json(&self, board: &str) -> Option<Vec<u8>> {
        self.public.board_json(board, Detail { whole: true, operator: false })
    }

    /// The array of public board objects without their moves, as JSON.
    pub fn boards_json(&self) -> Vec<u8> {
        self.public.boards_json(Detail::default())
    }

    /// The same of the first boards alone.
    pub fn first_json(&self, most: usize) -> Vec<u8> {
        self.public.first_json(Detail::default(), most)
    }

    /// Begins to listen to what is public: what to send first, and where the rest comes from. `last_id` is what a returning listener
    /// saw last. `None` for an unknown board.
    pub fn listen(&self, topic: Topic, last_id: Option<&str>) -> Option<(Vec<Bytes>, Listener)> {
        self.public.listen(topic, false, last_id)
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("boards", &self.names()).finish_non_exhaustive()
    }
}

impl Attendant for Hub {
    fn journal(&self, state: JournalState) {
        self.set_journal(state);
    }

    fn alarm(&self, key: &str, about: &str, text: Option<String>) {
        Self::alarm(self, key, about, text);
    }

    fn register(&self, add: &mut dyn FnMut(&mut Registry)) {
        self.metrics.register(add);
    }
}
