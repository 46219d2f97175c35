//! What every outlet sent last, and whether that is what the record says: one table for operators.
//!
//! `GET /api/v1/operator/outlets`; whoever merges the route checks the role first.
//!
//! | to change | go to |
//! |---|---|
//! | what a row says, and its lamp | [`row`] |
//! | the rows, outlet by outlet | this file |
//! | what the record says | `sent/record.rs`; games beside it, and what does not go on: `sent/judged.rs` |
//! | what an outlet writes down | [`crate::ledger`] |
mod judged;
mod record;
pub mod row;

use crate::event_info::EventInfo;
use crate::ledger::told::Told;
use crate::ledger::{Book, Ledger};
use crate::livechess::LiveChess;
use crate::nats::Nats;
use crate::running::Feeds;
use crate::tree::Broadcast;
use crate::webhook::Alerting;
use crate::{lichess, upload};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use flagfall_config::delay::{Delay, OwnDelay};
use flagfall_events::Words;
use flagfall_score::kept::GameRecord;
use flagfall_web::health::Broker as _;
use flagfall_web::hub::Hub;
#[cfg(feature = "openapi")]
use flagfall_web::problem::Problem;
use judged::Stuck;
use record::Record;
use row::{Games, Kind, Outlet, Row, Sent};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// Both sides of what is published.
#[derive(Clone, Debug)]
pub struct Sides {
    /// How far everything public is behind.
    pub delay: Delay,
    /// The event as it is now.
    pub live: Arc<EventInfo>,
    /// The event as the world sees it, and its documents.
    pub world: Broadcast,
    /// The page as the world sees it.
    pub shown: Arc<Hub>,
    /// The APIs of LiveChess that run, each with how far it is behind.
    pub livechess: Vec<(LiveChess, Delay)>,
    /// The broker.
    pub nats: Nats,
}

/// All outlets.
pub(crate) struct Outlets {
    sides: Sides,
    rounds: lichess::Handle,
    targets: upload::Handle,
    alerts: Alerting,
    stuck: Stuck,
}

/// The route.
pub fn routes(sides: Sides, feeds: &Feeds) -> Router {
    let (rounds, targets, alerts) = (feeds.rounds(), feeds.targets(), feeds.alerts());
    let outlets = Outlets { sides, rounds, targets, alerts, stuck: Stuck::new() };
    Router::new().route("/api/v1/operator/outlets", get(list)).with_state(Arc::new(outlets))
}

/// What is asked.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Ask {
    /// Of which games a row has a line of their own.
    #[cfg_attr(feature = "openapi", param(inline))]
    games: Games,
}

/// What every outlet sent last, and whether that is what the record says.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/outlets", tag = "broadcast", operation_id = "outlets", params(Ask),
    responses((status = 200, body = [Outlet]), (status = 401, body = Problem), (status = 403, body = Problem), (status = 422, body = Problem))))]
pub(crate) async fn list(State(outlets): State<Arc<Outlets>>, ask: Result<Query<Ask>, QueryRejection>) -> Response {
    match ask {
        Ok(Query(ask)) => Json(outlets.table(ask.games)).into_response(),
        Err(_) => {
            let hint = "known is games=all, games=differing and games=none";
            let body = json!({ "error": "the address asks for something that is not known", "hint": hint });
            (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
        }
    }
}

impl Outlets {
    fn table(&self, games: Games) -> Vec<Outlet> {
        let sides = &self.sides;
        let live = Record::of(&sides.live.now());
        let world = Record::of(&sides.world.event.now());
        let record = |delay: Delay| if delay.is_on() { &world } else { &live };
        let (delay, of_world) = (sides.delay, record(sides.delay));
        let mut rows = vec![page(&sides.shown, of_world, delay)];
        let apis = sides.livechess.iter().filter_map(|(api, delay)| livechess(api, record(*delay), *delay));
        rows.extend(apis);
        let served = sides.world.documents.served();
        rows.push(documents(Kind::Pgn, "pgn", &served.pgn, of_world, delay));
        rows.push(documents(Kind::Cloud, "cloud", &served.json, of_world, delay));
        for (name, ledger) in sides.world.documents.folders() {
            let kind = if name.starts_with("tree ") { Kind::Pgn } else { Kind::Cloud };
            rows.push(documents(kind, &name, &ledger, of_world, delay));
        }
        // What holds games back by itself says what is due; the others have what their side has.
        let own = |delay: OwnDelay, book: &Book| match (delay.held().is_zero(), delay.live) {
            (false, _) => Record::due(&book.due, &live),
            (true, true) => live.clone(),
            (true, false) => world.clone(),
        };
        for (status, delay, book) in self.rounds.sent() {
            rows.push(lichess(status, &own(delay, &book), delay, &book));
        }
        for (status, delay, book) in self.targets.sent() {
            rows.push(upload(status, &own(delay, &book), delay, &book));
        }
        rows.extend(self.alerts.sent().into_iter().map(|(name, book, waiting)| alert(&name, &book, waiting)));
        rows.extend(self.broker());
        rows.into_iter().map(|row| row.judged(&self.stuck, games)).collect()
    }

    fn broker(&self) -> Option<Row> {
        let (health, book) = (self.sides.nats.health()?, self.sides.nats.sent().unwrap_or_default());
        let mut row = Row::new(Kind::Nats, "nats", Delay::default());
        row.up_to_date = health.connected && health.behind == 0;
        row.equal = Some(row.up_to_date);
        row.trouble = health.reason.map(plain);
        row.failing = row.trouble.is_some();
        row.sent = Sent::Events { events: book.taken, waiting: health.behind };
        Some(row.with(&book))
    }
}

/// What pages and readers of the API see.
fn page(hub: &Hub, record: &Record, delay: Delay) -> Row {
    let mut row = Row::new(Kind::Page, "page", delay);
    let mut book = Book::default();
    let mut boards = 0;
    for state in hub.names().iter().filter_map(|name| hub.board(name)) {
        boards += 1;
        let shown: GameRecord = state.record();
        book.sent_at = book.sent_at.max(state.clock().map(|clock| clock.at)).max(shown.first_move_at);
        if let Some((place, at)) = record.place(state.board(), shown.game).zip(shown.started_at) {
            book.games.insert(place, (at, Told::of_record(Some(&shown), shown.result)));
        }
    }
    row.compare(record, &book, false);
    let plies = row.plies();
    row.sent = Sent::Boards { boards, plies };
    row.with(&book)
}

fn livechess(api: &LiveChess, record: &Record, delay: Delay) -> Option<Row> {
    let address = api.addresses().first()?;
    let mut row = Row::new(Kind::Livechess, &format!("livechess {address}"), delay);
    let mut book = Book::default();
    let shown = api.shown();
    for shown in &shown {
        book.sent_at = book.sent_at.max(shown.at);
        if let Some((place, at)) = record.place(&shown.board, shown.game).zip(shown.at) {
            book.games.insert(place, (at, Told::new(shown.sans.iter().map(AsRef::as_ref), None)));
        }
    }
    row.compare(record, &book, false);
    row.sent = Sent::Boards { boards: shown.len(), plies: row.plies() };
    Some(row.with(&book))
}

/// What is served or written as documents: whole rounds.
fn documents(kind: Kind, name: &str, ledger: &Ledger, record: &Record, delay: Delay) -> Row {
    let (mut row, book) = (Row::new(kind, name, delay), ledger.book());
    row.compare(record, &book, kind == Kind::Pgn);
    row.trouble = book.answer.as_ref().and_then(|answer| answer.text.clone()).map(plain);
    row.failing = row.trouble.is_some();
    row.sent = Sent::Round { games: book.games.len(), plies: row.plies() };
    row.with(&book)
}

fn lichess(round: lichess::Status, record: &Record, delay: OwnDelay, book: &Book) -> Row {
    let mut row = Row::new(Kind::Lichess, &format!("lichess {}", round.round), Delay { by: delay.by, until_end: false });
    row.equal = round.equal;
    row.compare(record, book, false);
    row.up_to_date = round.up_to_date;
    row.differs.splice(0..0, round.differs);
    row.failing = round.failing.is_some();
    row.trouble = round.failing.or(round.unread);
    row.sent = Sent::Round { games: round.games, plies: round.plies };
    row.with(book)
}

fn upload(target: upload::Status, record: &Record, delay: OwnDelay, book: &Book) -> Row {
    let mut row = Row::new(Kind::Upload, &format!("upload {}", target.name), Delay { by: delay.by, until_end: false });
    row.equal = (target.taken > 0).then_some(target.waiting == 0);
    row.compare(record, book, false);
    row.up_to_date = target.waiting == 0 && target.taken > 0;
    row.failing = target.failing.is_some();
    // The words are the server's.
    row.trouble = target.failing.map(plain);
    row.sent = Sent::Files { files: target.files, waiting: target.waiting };
    row.with(book)
}

fn alert(name: &str, book: &Book, waiting: usize) -> Row {
    let mut row = Row::new(Kind::Alert, name, Delay::default());
    row.up_to_date = waiting == 0;
    row.trouble = book.answer.as_ref().and_then(|answer| answer.text.clone()).map(plain);
    row.failing = row.trouble.is_some();
    row.sent = Sent::Alerts { alerts: book.taken, waiting };
    row.with(book)
}

/// The words are another one's.
fn plain(text: String) -> Words {
    Words { en: text.clone(), ru: text }
}
