//! What an operator is told of each board beside the public object and its alarms: how many findings wait, never which; when it was moved last;
//! its battery; whether its clock is set.
use crate::answer::json;
use crate::hub::Hub;
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::stage::json as bytes;
use axum::extract::State;
use axum::response::Response;
use flagfall_score::clock_audit::{ClockAudit, audit};
use serde::Serialize;
use std::sync::Arc;

/// One board.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct Desk {
    /// The board.
    board: String,
    /// How many findings wait for an arbiter; notes are none.
    findings: usize,
    /// How long ago a move was made or completed last, milliseconds; null: none was since the daemon knows the board.
    moved_ms: Option<u64>,
    /// The board's battery, percent; null: it has none, or has said nothing of it.
    battery: Option<u8>,
    /// Whether the clock is set, while the pieces stand for a game that has not begun; null otherwise, and without a time control.
    clock_audit: Option<ClockAudit>,
}

/// How many findings wait on each board, how long ago it was moved, and before a game whether its clock is set.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/boards", tag = "broadcast", operation_id = "operators_boards",
    responses((status = 200, body = [Desk]), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn list(State(hub): State<Arc<Hub>>) -> Response {
    let now = flagfall_time::now();
    let rows = hub.arbiters().each(|name, board| Desk {
        board: name.to_string(),
        findings: board.state().findings().iter().filter(|finding| finding.urgent).count(),
        moved_ms: board.moved_at().map(|at| now.since(at)),
        battery: board.battery(),
        clock_audit: audit(board.state().board()),
    });
    json(bytes(&rows))
}
