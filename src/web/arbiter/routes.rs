//! Boards, streams and entries.
use super::entering::{enter, refused, sign};
use super::given::{FindingPath, Given, no_finding};
use super::shared::{Server, Shared};
use super::visitor::{Arbiter, Official};
use super::{console, evidence, going, link, login, machine, orders};
use crate::answer::{Name, json, last_id, no_board};
use crate::audience::Topic;
#[cfg(feature = "openapi")]
use crate::office::OfficeView;
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::stage::json as bytes;
use crate::stream;
#[cfg(feature = "openapi")]
use crate::trouble::Troubles;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use flagfall_events::Entry;
#[cfg(feature = "openapi")]
use flagfall_score::clock_sheet::Row;
#[cfg(feature = "openapi")]
use flagfall_score::folded::{Claim, FoldedFinding, Touch};
use std::sync::Arc;
use std::time::Duration;
use tower_http::timeout::TimeoutLayer;

/// No body is larger.
const MOST_BYTES: usize = 64 * 1024;
/// A request that is not answered by then never is.
const PATIENCE: Duration = Duration::from_secs(15);

/// The interface's description; a test holds it against the code.
const DESCRIPTION: &str = include_str!("../../../docs/openapi.json");

/// Everything that is not public.
pub(super) fn routes(shared: Arc<Shared>, operators: Router) -> Router {
    Router::new()
        .route("/api/v1/login", post(login::login))
        .route("/api/v1/login/link", post(link::login_by_link))
        .route("/api/v1/arbiter/link", post(link::make_link))
        .route("/api/v1/logout", post(login::logout))
        .route("/api/v1/me", get(login::me))
        .route("/api/v1/openapi.json", get(description))
        .route("/api/v1/arbiter/hall", get(hall))
        .route("/api/v1/arbiter/boards", get(boards))
        .route("/api/v1/arbiter/events", get(all_events))
        .route("/api/v1/arbiter/boards/{board}", get(board))
        .route("/api/v1/arbiter/boards/{board}/events", get(board_events))
        .route("/api/v1/arbiter/boards/{board}/entries", post(entries))
        .route("/api/v1/arbiter/boards/{board}/preview", post(preview))
        .route("/api/v1/arbiter/boards/{board}/findings", get(findings))
        .route("/api/v1/arbiter/boards/{board}/findings/{id}", get(finding))
        .route("/api/v1/arbiter/boards/{board}/findings/{id}/going", post(going::going))
        .route("/api/v1/arbiter/boards/{board}/claims", get(claims))
        .route("/api/v1/arbiter/boards/{board}/touched", get(touched))
        .route("/api/v1/arbiter/boards/{board}/clock-sheet", get(clock_sheet))
        .route("/api/v1/arbiter/boards/{board}/orders/{key}/withdraw", post(orders::withdraw))
        .merge(machine::routes())
        .merge(orders::routes())
        .merge(evidence::route())
        .route("/arbiter", get(console::index))
        .route("/arbiter/{file}", get(console::file))
        .with_state(shared)
        .merge(operators)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, PATIENCE))
}

async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION).into_response()
}

/// Alarms that belong to no board's game.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/hall", tag = "boards", operation_id = "hall",
    responses((status = 200, body = Troubles), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(super) async fn hall(State(shared): Server, Official(_): Official) -> Response {
    json(shared.hub.hall_json())
}

/// All boards. Operators get the public fields, `identity` and `alarms`.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards", tag = "boards", operation_id = "arbiters_boards",
    responses((status = 200, body = [OfficeView<'_>]), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(super) async fn boards(State(shared): Server, Official(visitor): Official) -> Response {
    json(shared.hub.arbiters().boards_json(visitor.detail(false)))
}

/// One board with everything that is kept. Operators get the public fields, `identity` and `alarms`.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards/{board}", tag = "boards", operation_id = "arbiters_board",
    params(("board" = String, Path, description = "The board's name")),
    responses((status = 200, body = OfficeView<'_>), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem))))]
pub(super) async fn board(State(shared): Server, Official(visitor): Official, Name(name): Name) -> Response {
    shared.hub.arbiters().board_json(&name, visitor.detail(true)).map_or_else(|| no_board(&name), json)
}

/// Events of all boards, with the hall's alarms as `hall`. Operators get public events and alarms.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/events", tag = "boards", operation_id = "arbiters_events",
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(super) async fn all_events(State(shared): Server, Official(visitor): Official, headers: HeaderMap) -> Response {
    match shared.hub.arbiters().listen(Topic::All, visitor.is_operator(), last_id(&headers)) {
        Some((first, listener)) => stream::answer(first, listener, visitor.ended),
        // All boards can always be listened to; only a single one can be unknown.
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Events of one board. Operators get public events and alarms.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards/{board}/events", tag = "boards", operation_id = "arbiters_board_events",
    params(("board" = String, Path, description = "The board's name")),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem))))]
pub(super) async fn board_events(State(shared): Server, Official(visitor): Official, Name(name): Name, headers: HeaderMap) -> Response {
    match shared.hub.arbiters().listen(Topic::Board(name.as_str().into()), visitor.is_operator(), last_id(&headers)) {
        Some((first, listener)) => stream::answer(first, listener, visitor.ended),
        None => no_board(&name),
    }
}

/// The findings that are kept, oldest first.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards/{board}/findings", tag = "boards", operation_id = "findings",
    params(("board" = String, Path, description = "The board's name")),
    responses((status = 200, body = [FoldedFinding]), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem))))]
pub(super) async fn findings(State(shared): Server, _: Arbiter, Name(name): Name) -> Response {
    shared.hub.arbiters().board(&name).map_or_else(|| no_board(&name), |board| json(bytes(board.state().findings())))
}

/// One finding.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards/{board}/findings/{id}", tag = "boards", operation_id = "finding",
    params(("board" = String, Path, description = "The board's name"), ("id" = u64, Path, description = "The finding's number")),
    responses((status = 200, body = FoldedFinding), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem))))]
pub(super) async fn finding(State(shared): Server, _: Arbiter, at: FindingPath) -> Response {
    let Some(board) = shared.hub.arbiters().board(&at.board) else { return no_board(&at.board) };
    board.state().findings().iter().find(|folded| folded.finding.id == at.id).map_or_else(no_finding, |folded| json(bytes(folded)))
}

/// Draws that may be, or could have been, claimed in this game.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards/{board}/claims", tag = "boards", operation_id = "claims",
    params(("board" = String, Path, description = "The board's name")),
    responses((status = 200, body = [Claim]), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem))))]
pub(super) async fn claims(State(shared): Server, _: Arbiter, Name(name): Name) -> Response {
    shared.hub.arbiters().board(&name).map_or_else(|| no_board(&name), |board| json(bytes(board.state().claims())))
}

/// Pieces touched in this game.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards/{board}/touched", tag = "boards", operation_id = "touched",
    params(("board" = String, Path, description = "The board's name")),
    responses((status = 200, body = [Touch]), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem))))]
pub(super) async fn touched(State(shared): Server, _: Arbiter, Name(name): Name) -> Response {
    shared.hub.arbiters().board(&name).map_or_else(|| no_board(&name), |board| json(bytes(board.state().touched())))
}

/// The clock sheet of this game.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards/{board}/clock-sheet", tag = "boards", operation_id = "clock_sheet",
    params(("board" = String, Path, description = "The board's name")),
    responses((status = 200, body = [Row]), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem))))]
pub(super) async fn clock_sheet(State(shared): Server, _: Arbiter, Name(name): Name) -> Response {
    shared.hub.arbiters().board(&name).map_or_else(|| no_board(&name), |board| json(bytes(&board.state().clock_sheet().rows())))
}

/// Any entry. `who` is filled in from the account.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/entries", tag = "rulings", operation_id = "enter",
    params(("board" = String, Path, description = "The board's name")), request_body = Entry, responses(super::answers::Entered)))]
pub(super) async fn entries(State(shared): Server, Official(visitor): Official, Name(name): Name, Given(entry): Given<Entry>) -> Response {
    enter(&shared, &visitor, &name, entry).await
}

/// What an entry would do now: findings, plies taken back, result, times, and every event. Nothing is entered and nothing changed; it is refused
/// where the entry would be.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/preview", tag = "rulings", operation_id = "preview",
    params(("board" = String, Path, description = "The board's name")), request_body = Entry, responses(super::answers::Foreseen)))]
pub(super) async fn preview(
    State(shared): Server,
    Official(visitor): Official,
    Name(name): Name,
    Given(mut entry): Given<Entry>,
) -> Response {
    if let Some(refusal) = sign(&shared, &visitor, &name, &mut entry) {
        return refusal;
    }
    match shared.boards.preview(&name, entry).await {
        Ok(preview) if visitor.is_operator() => json(bytes(&preview.for_operators())),
        Ok(preview) => json(bytes(&preview)),
        Err(why) => refused(&name, why),
    }
}
