//! Boards, streams and entries.
use super::door::{Arbiter, Official, Visitor};
use super::given::Given;
use super::{Shared, console, login};
use crate::config::accounts::Role;
use crate::daemon::boards::Refusal;
use crate::game::entry::{Entry, Order};
use crate::publish::stage::{Topic, json as bytes};
use crate::publish::web::{Name, failure, json, last_id, no_board, stream};
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use std::sync::Arc;
use std::time::Duration;
use tower_http::timeout::TimeoutLayer;

/// No body is larger.
const MOST_BYTES: usize = 64 * 1024;
/// Notes and reasons are shorter, in bytes.
const LONGEST_TEXT: usize = 4000;
/// Names are shorter, in bytes.
const LONGEST_NAME: usize = 64;
/// A request that is not answered by then never is.
const PATIENCE: Duration = Duration::from_secs(15);

type Server = State<Arc<Shared>>;

pub(super) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/v1/login", post(login::login))
        .route("/api/v1/logout", post(login::logout))
        .route("/api/v1/me", get(login::me))
        .route("/api/v1/arbiter/hall", get(hall))
        .route("/api/v1/arbiter/boards", get(boards))
        .route("/api/v1/arbiter/events", get(all_events))
        .route("/api/v1/arbiter/boards/{board}", get(board))
        .route("/api/v1/arbiter/boards/{board}/events", get(board_events))
        .route("/api/v1/arbiter/boards/{board}/entries", post(entries))
        .route("/arbiter", get(console::index))
        .route("/arbiter/{file}", get(console::file))
        .with_state(shared)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, PATIENCE))
}

async fn hall(State(shared): Server, Official(_): Official) -> Response {
    json(shared.hub.hall_json())
}

async fn boards(State(shared): Server, _: Arbiter) -> Response {
    json(shared.hub.arbiters().boards_json())
}

async fn board(State(shared): Server, _: Arbiter, Name(name): Name) -> Response {
    shared.hub.arbiters().board_json(&name).map_or_else(|| no_board(&name), json)
}

async fn all_events(State(shared): Server, Arbiter(visitor): Arbiter, headers: HeaderMap) -> Response {
    match shared.hub.arbiters().listen(Topic::All, last_id(&headers)) {
        Some((first, listener)) => stream::answer(first, listener, visitor.ended),
        // All boards can always be listened to; only a single one can be unknown.
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn board_events(State(shared): Server, Arbiter(visitor): Arbiter, Name(name): Name, headers: HeaderMap) -> Response {
    match shared.hub.arbiters().listen(Topic::Board(name.as_str().into()), last_id(&headers)) {
        Some((first, listener)) => stream::answer(first, listener, visitor.ended),
        None => no_board(&name),
    }
}

async fn entries(State(shared): Server, Official(visitor): Official, Name(name): Name, Given(entry): Given<Entry>) -> Response {
    enter(&shared, &visitor, &name, entry).await
}

/// Hands an entry to its board and says what became of it.
pub(super) async fn enter(shared: &Shared, visitor: &Visitor, board: &str, mut entry: Entry) -> Response {
    if visitor.role < needed(&entry.order) {
        return failure(StatusCode::FORBIDDEN, "this entry is for arbiters", "operators enter results and new games");
    }
    // Without accounts there is no better name than the one that is given.
    entry.who = visitor.name.clone().or(entry.who);
    if let Some(wrong) = too_long(&entry) {
        return failure(StatusCode::UNPROCESSABLE_ENTITY, &wrong, "say it in fewer words");
    }
    let entered = shared.boards.enter(board, entry).await;
    shared.counts.entry(if entered.is_ok() { "taken" } else { "refused" });
    match entered {
        Ok(taken) => json(bytes(&serde_json::json!({ "seq": taken.seq }))),
        Err(Refusal::UnknownBoard(_)) => no_board(board),
        Err(Refusal::Busy) => {
            let retry = [(header::RETRY_AFTER, HeaderValue::from_static("1"))];
            let answer =
                failure(StatusCode::SERVICE_UNAVAILABLE, &Refusal::Busy.to_string(), "look whether it was carried out, then try again");
            (retry, answer).into_response()
        }
        Err(refusal) => {
            let hint = "nothing was changed; GET the board to see what stands";
            failure(StatusCode::UNPROCESSABLE_ENTITY, &refusal.to_string(), hint)
        }
    }
}

/// Who may enter this.
const fn needed(order: &Order) -> Role {
    match order {
        Order::Result { .. } | Order::NewGame {} => Role::Operator,
        _ => Role::Arbiter,
    }
}

fn too_long(entry: &Entry) -> Option<String> {
    let reason = if let Order::Result { reason, .. } = &entry.order { reason.as_deref() } else { None };
    [("who", entry.who.as_deref(), LONGEST_NAME), ("note", entry.note.as_deref(), LONGEST_TEXT), ("reason", reason, LONGEST_TEXT)]
        .into_iter()
        .find(|(_, text, most)| text.is_some_and(|text| text.len() > *most))
        .map(|(field, _, most)| format!("{field} is longer than {most} bytes"))
}
