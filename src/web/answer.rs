//! What every answer over HTTP has in common: JSON, and refusals that say what to do.
use crate::stage;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A board's name in a path, percent-decoded. What cannot be decoded is no board's name.
pub(crate) struct Name(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Self(name)),
            Err(_) => Err(no_board(parts.uri.path())),
        }
    }
}

/// What a returning listener saw last.
pub(crate) fn last_id(headers: &HeaderMap) -> Option<&str> {
    headers.get("last-event-id")?.to_str().ok()
}

pub(crate) fn json(body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

#[derive(Serialize)]
struct Failure<'a> {
    error: &'a str,
    hint: &'a str,
}

/// A refusal: what is wrong, and what to do.
pub fn failure(status: StatusCode, error: &str, hint: &str) -> Response {
    (status, json(stage::json(&Failure { error, hint }))).into_response()
}

pub(crate) fn no_board(name: &str) -> Response {
    failure(StatusCode::NOT_FOUND, &format!("there is no board {name:?}"), "GET /api/v1/boards lists the boards")
}
