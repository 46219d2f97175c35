//! What arbiters and operators enter most, each at a path of its own; all of it goes the way of an entry.
#[cfg(feature = "openapi")]
use super::answers::Taken;
use super::entering::enter;
use super::given::{FindingPath, Given};
use super::shared::{Server, Shared};
use super::visitor::{Arbiter, Official};
use crate::answer::{Name, failure, json};
use crate::boards::Refusal;
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use flagfall_events::{Colour, Decision, Entry, GameResult, Order, SetClock, Word};
use serde::Deserialize;
use std::sync::Arc;

/// A ruling on a finding.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct RulingBody {
    decision: Decision,
    /// Other times than the proposal's; needed to amend.
    clock: Option<SetClock>,
    /// One of the proposal's `results`, where it offers several.
    result: Option<GameResult>,
    /// Free text.
    note: Option<String>,
    /// The board's `seq` up to which what is ruled on was seen.
    seen: Option<u64>,
}

/// What sensors cannot see.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct ReportBody {
    /// A key of the clause table.
    key: String,
    /// The offender.
    by: Option<Colour>,
    /// Free text.
    note: Option<String>,
    /// The board's `seq` up to which what is ruled on was seen.
    seen: Option<u64>,
}

/// The times on the clock now.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct ClockBody {
    #[serde(flatten)]
    clock: SetClock,
    /// Free text.
    note: Option<String>,
    /// The board's `seq` up to which what is ruled on was seen.
    seen: Option<u64>,
}

/// The position on the board now.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct PositionBody {
    /// The whole position.
    fen: String,
    /// Free text.
    note: Option<String>,
    /// The board's `seq` up to which what is ruled on was seen.
    seen: Option<u64>,
}

/// The whole record of the game on the board.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct MovesBody {
    /// One game in PGN; `%clk` gives its clock.
    pgn: String,
    /// Free text.
    note: Option<String>,
    /// The board's `seq` up to which what is ruled on was seen.
    seen: Option<u64>,
}

/// A result.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct ResultBody {
    result: GameResult,
    /// Why, one or two words.
    reason: Option<String>,
    /// Of which game of this board, from 1; without it of the one in progress, or that was played last.
    game: Option<u32>,
    /// Free text.
    note: Option<String>,
    /// The board's `seq` up to which what is ruled on was seen.
    seen: Option<u64>,
}

/// Nothing needs to be said.
#[derive(Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct NoteBody {
    /// Free text.
    note: Option<String>,
    /// The board's `seq` up to which what is ruled on was seen.
    seen: Option<u64>,
}

fn entry(order: Order, note: Option<String>, seen: Option<u64>) -> Entry {
    Entry { note, seen, ..Entry::new(order) }
}

/// Rules on a finding.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/findings/{id}/ruling", tag = "rulings", operation_id = "rule",
    params(("board" = String, Path, description = "The board's name"), ("id" = u64, Path, description = "The finding's number")),
    request_body = RulingBody, responses(super::answers::Entered)))]
pub(super) async fn rule(State(shared): Server, Official(who): Official, at: FindingPath, Given(body): Given<RulingBody>) -> Response {
    let order = Order::Rule { finding: at.id, decision: body.decision, clock: body.clock, result: body.result };
    enter(&shared, &who, &at.board, entry(order, body.note, body.seen)).await
}

/// Reports what sensors cannot see.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/reports", tag = "rulings", operation_id = "report",
    params(("board" = String, Path, description = "The board's name")), request_body = ReportBody, responses(super::answers::Entered)))]
pub(super) async fn report(State(shared): Server, Official(who): Official, Name(board): Name, Given(body): Given<ReportBody>) -> Response {
    enter(&shared, &who, &board, entry(Order::Report { key: Word::read(body.key), by: body.by }, body.note, body.seen)).await
}

/// Says which times are on the clock now.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/set-clock", tag = "rulings", operation_id = "set_clock",
    params(("board" = String, Path, description = "The board's name")), request_body = ClockBody, responses(super::answers::Entered)))]
pub(super) async fn set_clock(
    State(shared): Server,
    Official(who): Official,
    Name(board): Name,
    Given(body): Given<ClockBody>,
) -> Response {
    enter(&shared, &who, &board, entry(Order::SetClock { clock: body.clock }, body.note, body.seen)).await
}

/// Says which position stands on the board now.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/set-position", tag = "rulings", operation_id = "set_position",
    params(("board" = String, Path, description = "The board's name")), request_body = PositionBody, responses(super::answers::Entered)))]
pub(super) async fn set_position(
    State(shared): Server,
    Official(who): Official,
    Name(board): Name,
    Given(body): Given<PositionBody>,
) -> Response {
    enter(&shared, &who, &board, entry(Order::SetPosition { fen: body.fen }, body.note, body.seen)).await
}

/// Restores a whole record: plies that differ are taken back. Operators may, too, while no finding waits for a ruling.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/moves", tag = "results", operation_id = "restore_moves",
    params(("board" = String, Path, description = "The board's name")), request_body = MovesBody, responses(super::answers::Entered)))]
pub(super) async fn moves(State(shared): Server, Official(who): Official, Name(board): Name, Given(body): Given<MovesBody>) -> Response {
    enter(&shared, &who, &board, entry(Order::Moves { pgn: body.pgn }, body.note, body.seen)).await
}

/// Enters a result; operators may, too.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/result", tag = "results", operation_id = "enter_result",
    params(("board" = String, Path, description = "The board's name")), request_body = ResultBody, responses(super::answers::Entered)))]
pub(super) async fn result(State(shared): Server, Official(who): Official, Name(board): Name, Given(body): Given<ResultBody>) -> Response {
    enter(&shared, &who, &board, entry(Order::Result { result: body.result, reason: body.reason, game: body.game }, body.note, body.seen))
        .await
}

/// Begins the next game; operators may, too.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/new-game", tag = "results", operation_id = "new_game",
    params(("board" = String, Path, description = "The board's name")), request_body = NoteBody, responses(super::answers::Entered)))]
pub(super) async fn new_game(State(shared): Server, Official(who): Official, Name(board): Name, Given(body): Given<NoteBody>) -> Response {
    enter(&shared, &who, &board, entry(Order::NewGame {}, body.note, body.seen)).await
}

/// Withdraws an order that waits.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/orders/{key}/withdraw", tag = "rulings", operation_id = "withdraw",
    params(("board" = String, Path, description = "The board's name"), ("key" = String, Path, description = "The order's key")),
    responses((status = 200, body = Taken), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem))))]
pub(super) async fn withdraw(
    State(shared): Server,
    _: Arbiter,
    Official(visitor): Official,
    Path((board, key)): Path<(String, String)>,
) -> Response {
    match shared.boards.withdraw(&board, &key, visitor.name).await {
        Ok(()) => json(b"{\"state\":\"withdrawn\"}".to_vec()),
        Err(Refusal::UnknownBoard(_)) => failure(StatusCode::NOT_FOUND, "there is no such order", "GET the board to see what waits"),
        Err(refusal) => failure(StatusCode::CONFLICT, &refusal.to_string(), "GET the board to see where the order stands"),
    }
}

/// The routes of this file.
pub(super) fn routes() -> axum::Router<Arc<Shared>> {
    use axum::routing::post;
    axum::Router::new()
        .route("/api/v1/arbiter/boards/{board}/findings/{id}/ruling", post(rule))
        .route("/api/v1/arbiter/boards/{board}/reports", post(report))
        .route("/api/v1/arbiter/boards/{board}/set-clock", post(set_clock))
        .route("/api/v1/arbiter/boards/{board}/set-position", post(set_position))
        .route("/api/v1/arbiter/boards/{board}/result", post(result))
        .route("/api/v1/arbiter/boards/{board}/moves", post(moves))
        .route("/api/v1/arbiter/boards/{board}/new-game", post(new_game))
}
