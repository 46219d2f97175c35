//! The operator's commands over HTTP. Whoever merges these routes checks the role first.
//!
//! | request | answer |
//! |---|---|
//! | `GET /api/v1/operator/lichess` | array of [`super::Status`] |
//! | `POST /api/v1/operator/lichess/{round}/push` | 202: the whole round is sent again |
//! | `POST /api/v1/operator/lichess/{round}/reset` | 202: the round on Lichess is emptied, then sent whole |
use super::Handle;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
#[cfg(feature = "openapi")]
use flagfall_web::problem::Problem;
use serde_json::json;

/// The routes.
pub fn routes(handle: Handle) -> Router {
    Router::new()
        .route("/api/v1/operator/lichess", get(status))
        .route("/api/v1/operator/lichess/{round}/{command}", post(command))
        .with_state(handle)
}

/// How the rounds that are pushed are doing.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/lichess", tag = "broadcast", operation_id = "lichess",
    responses((status = 200, body = [super::Status]), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn status(State(handle): State<Handle>) -> Response {
    Json(handle.status()).into_response()
}

/// `push` sends the whole round again, `reset` empties it on Lichess first.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/operator/lichess/{round}/{command}", tag = "broadcast", operation_id = "lichess_command",
    params(("round" = String, Path, description = "The round's name in the list"), ("command" = String, Path, description = "`push` or `reset`")),
    responses((status = 202), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem))))]
pub(crate) async fn command(State(handle): State<Handle>, Path((round, command)): Path<(String, String)>) -> Response {
    let heard = match command.as_str() {
        "push" => handle.repush(&round),
        "reset" => handle.reset(&round),
        _ => return failure(&format!("there is no command {command:?}"), "POST …/push or …/reset"),
    };
    if heard {
        return (StatusCode::ACCEPTED, Json(json!({ "round": round, "command": command }))).into_response();
    }
    failure(&format!("round {round:?} is not pushed from here"), "GET /api/v1/operator/lichess lists the rounds that are")
}

fn failure(error: &str, hint: &str) -> Response {
    (StatusCode::NOT_FOUND, Json(json!({ "error": error, "hint": hint }))).into_response()
}
