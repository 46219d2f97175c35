//! The operator's alarms: what somebody should look at, so that the broadcast goes on and the results are right. Never public.
//!
//! | to change | go to |
//! |---|---|
//! | when an alarm is raised and cleared | `src/score/alarms.rs`; the game's own: `src/game/` |
//! | what it means, what to do | `alarms/meaning.rs`, `docs/alarms.md` |
//! | who is told | this file |
mod meaning;

pub use meaning::{Meaning, Said, TABLE, meaning};

use crate::event_info::{EventInfo, Tournament};
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flagfall_events::{Event, Mono, Wall};
use flagfall_score::alarms::{Change, Watch};
use flagfall_time::Stopwatch;
use flagfall_web::hub::Hub;
#[cfg(feature = "openapi")]
use flagfall_web::problem::Problem;
use flagfall_web::queue::{self, Feeder, Next, Queue};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::{family::Family, gauge::Gauge};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Events that wait at most; a board of which one did not fit is looked at anew.
const WAITING: usize = 4096;
/// Alarms that have a figure at most: of more boards than a hall has nobody makes another series.
const FIGURES: usize = 4096;
/// How often it is looked whether something lasts too long.
const TICK: Duration = Duration::from_secs(1);

enum News {
    Board(String),
    Event(Arc<Event>),
    /// What a board had said before this process began.
    Restore(Vec<Arc<Event>>),
    /// The board's numbering begins anew.
    Anew(String),
}

/// The way in for events, and what stands. Clones lead to the same alarms.
#[derive(Clone, Debug)]
pub struct Alarms {
    news: Feeder<News>,
    standing: Arc<Mutex<Vec<Standing>>>,
    hub: Arc<Hub>,
}

/// One alarm of a board that stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The board.
    pub board: String,
    /// Which alarm; [`meaning`] knows it.
    pub key: Arc<str>,
    /// Since when.
    pub since: Wall,
}

impl Alarms {
    /// Starts watching, until `stop` is cancelled. What is raised here is told to `hub` under the board's name; what the games raise
    /// themselves is in their streams already. `event` knows of earlier games whether their results are missing.
    pub fn start(hub: Arc<Hub>, event: &EventInfo, stopwatch: Stopwatch, stop: CancellationToken) -> Self {
        let (news, inbox) = queue::bounded("alarms", WAITING);
        let alarms = Self { news, standing: Arc::default(), hub };
        let known = event.watch();
        tokio::spawn(run(alarms.standing.clone(), alarms.hub.clone(), known, stopwatch, inbox, stop));
        alarms
    }

    /// Makes a board known: one that never answers is told, too.
    pub fn register(&self, board: &str) {
        // When nobody watches any more, the daemon ends.
        _ = self.news.tell(News::Board(board.to_owned()));
    }

    /// Takes an event that is in the journal. Never waits.
    pub fn publish(&self, event: &Arc<Event>) {
        self.news.event(&event.board, News::Event(event.clone()));
    }

    /// Takes what a board had said before this process began.
    pub fn restore(&self, events: &[Arc<Event>]) {
        _ = self.news.tell(News::Restore(events.to_vec()));
    }

    /// Half of what may wait does.
    pub(crate) fn is_busy(&self) -> bool {
        self.waiting() > WAITING / 2
    }

    /// How much waits to be looked at.
    pub fn waiting(&self) -> usize {
        self.news.waiting()
    }

    /// The board's numbering begins anew.
    pub fn anew(&self, board: &str) {
        _ = self.news.tell(News::Anew(board.to_owned()));
    }

    /// What stands on the boards, in the order of their names.
    pub fn standing(&self) -> Vec<Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// `GET /api/v1/operator/alarms` and `…/messages`, for those who may see it.
    pub fn routes(self) -> Router {
        Router::new().route("/api/v1/operator/alarms", get(list)).route("/api/v1/operator/messages", get(messages)).with_state(self)
    }

    /// Everything that stands, as the list of the HTTP interface: `board` or `about`, `key`, `since`, `text`, `todo`.
    pub fn list(&self) -> Vec<Value> {
        let boards = self.standing();
        let mut list: Vec<Value> =
            boards.iter().map(|one| entry(&one.key, json!({"board": one.board, "since": one.since}), None)).collect();
        // Those about no board; the hub's own list has the boards' as well.
        let hall: Value = serde_json::from_slice(&self.hub.hall_json()).unwrap_or_default();
        for trouble in hall["alarms"].as_array().into_iter().flatten() {
            let (key, about) = (trouble["key"].as_str().unwrap_or_default(), trouble["about"].as_str().unwrap_or_default());
            if !boards.iter().any(|one| one.board == about && *one.key == *key) {
                list.push(entry(key, json!({"about": about, "since": trouble["since"]}), trouble["text"].as_str()));
            }
        }
        list
    }
}

/// Adds to `at` what the alarm is and means; `detail` is what is known of this very case.
fn entry(key: &str, mut at: Value, detail: Option<&str>) -> Value {
    at["key"] = key.into();
    if let Some(meaning) = meaning(key) {
        at["text"] = json!(meaning.text);
        at["todo"] = json!(meaning.todo);
    }
    if let Some(detail) = detail {
        at["detail"] = detail.into();
    }
    at
}

/// Every alarm that stands: `board` or `about`, `key`, `since`, `text` and `todo` in English and Russian.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/alarms", tag = "broadcast", operation_id = "alarms",
    responses((status = 200, body = [Object]), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn list(State(alarms): State<Alarms>) -> Response {
    let body = serde_json::to_vec(&alarms.list()).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], body).into_response()
}

/// Every alarm that was raised or cleared in the last hour, the newest first: `at`, `about`, `key`, `raised`, `text` and `todo` in English and Russian.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/messages", tag = "broadcast", operation_id = "messages",
    responses((status = 200, body = [Object]), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn messages(State(alarms): State<Alarms>) -> Response {
    let lately = alarms.hub.lately();
    let told = lately.iter().map(|message| {
        let at = json!({"at": message.at, "about": message.about, "raised": message.raised});
        entry(&message.key, at, message.text.as_deref())
    });
    let body = serde_json::to_vec(&told.collect::<Vec<_>>()).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], body).into_response()
}

async fn run(
    standing: Arc<Mutex<Vec<Standing>>>,
    hub: Arc<Hub>,
    mut known: tokio::sync::watch::Receiver<Arc<Tournament>>,
    stopwatch: Stopwatch,
    mut inbox: Queue<News>,
    stop: CancellationToken,
) {
    let mut boards: HashMap<String, Watch> = HashMap::new();
    let mut figures = Figures::new(&hub);
    let mut ticks = tokio::time::interval(TICK);
    loop {
        let now = stopwatch.now();
        let changed: Vec<(String, Vec<Change>)> = tokio::select! {
            () = stop.cancelled() => return,
            news = inbox.next() => match news {
                Next::End => return,
                Next::News(News::Board(board)) => {
                    boards.entry(board).or_insert_with(|| Watch::new(now));
                    continue;
                }
                Next::News(News::Anew(board)) => {
                    let before = boards.insert(board.clone(), Watch::new(now));
                    let over = before.into_iter().flat_map(|watch| watch.raised().keys().cloned().collect::<Vec<_>>());
                    vec![(board, over.map(|key| Change { key, raised: false, by_game: false }).collect())]
                }
                Next::News(News::Event(event)) => taken(&mut boards, &[event], now),
                Next::News(News::Restore(events)) => taken(&mut boards, &events, now),
                Next::Behind(names) => names
                    .iter()
                    .filter_map(|(name, ())| {
                        let stands = hub.arbiters().board(name)?;
                        let watch = boards.entry(name.to_string()).or_insert_with(|| Watch::new(now));
                        Some((name.to_string(), watch.again(stands.state(), now)))
                    })
                    .collect(),
            },
            Ok(()) = known.changed() => {
                let event = known.borrow_and_update().clone();
                boards.iter_mut().map(|(board, watch)| (board.clone(), watch.unread(event.unread(board), now))).collect()
            }
            _ = ticks.tick() => boards.iter_mut().map(|(board, watch)| (board.clone(), watch.tick(now))).collect(),
        };
        if changed.iter().all(|(_, changes)| changes.is_empty()) {
            continue;
        }
        for (board, change) in changed.iter().flat_map(|(board, changes)| changes.iter().map(move |change| (board, change))) {
            tracing::info!(board, key = &*change.key, raised = change.raised, "alarm");
            figures.set(board, &change.key, change.raised);
            if !change.by_game {
                let games = boards.get(board).map(Watch::missing).unwrap_or_default();
                hub.alarm(&change.key, board, change.raised.then(|| sentence(&change.key, &games)));
            }
        }
        let opened_at = stopwatch.opened_at();
        let all = boards.iter().flat_map(|(board, watch)| {
            watch.raised().iter().map(|(key, since)| Standing { board: board.clone(), key: key.clone(), since: opened_at.after(*since) })
        });
        let mut all: Vec<Standing> = all.collect();
        all.sort_by_cached_key(|one| (one.board.parse().unwrap_or(u64::MAX), one.board.clone(), one.key.clone()));
        *standing.lock().unwrap_or_else(PoisonError::into_inner) = all;
    }
}

/// An alarm of a board as a figure.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Label {
    board: String,
    key: String,
}

/// The alarms that stand, as figures: a series for each as long as it stands.
struct Figures {
    family: Family<Label, Gauge>,
    stand: HashSet<Label>,
}

impl Figures {
    fn new(hub: &Hub) -> Self {
        let family = Family::<Label, Gauge>::default();
        hub.metrics().register(|registry| registry.register("board_alarm", "1 while this alarm of this board stands", family.clone()));
        Self { family, stand: HashSet::new() }
    }

    fn set(&mut self, board: &str, key: &str, raised: bool) {
        let label = Label { board: String::from(board), key: String::from(key) };
        if !raised {
            self.stand.remove(&label);
            self.family.remove(&label);
        } else if self.stand.len() < FIGURES {
            self.family.get_or_create(&label).set(1);
            self.stand.insert(label);
        }
    }
}

/// What events of a board change.
fn taken(boards: &mut HashMap<String, Watch>, events: &[Arc<Event>], now: Mono) -> Vec<(String, Vec<Change>)> {
    let one = |event: &Arc<Event>| {
        let watch = boards.entry(event.board.to_string()).or_insert_with(|| Watch::new(now));
        // A mistake in the fold costs one event, not the alarms.
        let changes = catch_unwind(AssertUnwindSafe(|| watch.take(event, now))).unwrap_or_default();
        (event.board.to_string(), changes)
    };
    events.iter().map(one).collect()
}

/// What is wrong and what to do; of missing results, in which games.
fn sentence(key: &str, missing: &BTreeSet<Option<u32>>) -> String {
    let said = meaning(key).map_or_else(|| key.to_owned(), |meaning| format!("{}. {}.", meaning.text.en, meaning.todo.en));
    let games: Vec<String> = missing.iter().flatten().map(u32::to_string).collect();
    if key != "result-missing" || games.is_empty() {
        return said;
    }
    format!("{said} Games of this board without a result: {}", games.join(", "))
}
