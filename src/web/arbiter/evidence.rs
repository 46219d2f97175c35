//! Lines of the journal around events of a board.
#![allow(unused_qualifications, reason = "the macro for query parameters makes one")]
use super::shared::{Server, Shared};
use super::visitor::Arbiter;
use crate::answer::{Name, failure, json, no_board};
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::stage::json as bytes;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Deserialize;
use std::sync::Arc;

/// Events asked for at once at most.
const MOST: u64 = 2000;
/// A journal is read by one visitor at a time: it is the boards' disk.
const AT_ONCE: usize = 1;

/// Which events.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub(super) struct Span {
    /// Number of the first event.
    from: u64,
    /// Number of the last.
    to: u64,
}

impl<S: Send + Sync> FromRequestParts<S> for Span {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let hint = "write ?from=SEQ&to=SEQ, numbers of events";
        let wrong = |error: &str| failure(StatusCode::BAD_REQUEST, error, hint);
        let Query(span) = Query::<Self>::from_request_parts(parts, state).await.map_err(|error| wrong(&error.body_text()))?;
        if span.to < span.from || span.to - span.from > MOST {
            return Err(wrong("from is after to, or there are more than 2000 events between them"));
        }
        Ok(span)
    }
}

/// Journals are read here, so many at once.
pub(super) fn turns() -> tokio::sync::Semaphore {
    tokio::sync::Semaphore::new(AT_ONCE)
}

/// The lines of the journal that led to these events, as they stand there.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards/{board}/evidence", tag = "boards", operation_id = "evidence",
    params(("board" = String, Path, description = "The board's name"), Span),
    responses((status = 200, body = [String]), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 503, body = Problem))))]
pub(super) async fn evidence(State(shared): Server, _: Arbiter, Name(name): Name, span: Span) -> Response {
    if shared.hub.board(&name).is_none() {
        return no_board(&name);
    }
    let Some(journal) = shared.journal.clone() else {
        return failure(StatusCode::NOT_FOUND, "no journal is kept", "set data_dir in the configuration, or start with --data-dir");
    };
    let Ok(_turn) = shared.reading.acquire().await else {
        return failure(StatusCode::SERVICE_UNAVAILABLE, "flagfall is about to end", "start it again");
    };
    let read = tokio::task::spawn_blocking(move || journal.evidence(&name, span.from, span.to)).await;
    match read {
        Ok(Ok(lines)) => json(bytes(&lines)),
        Ok(Err(error)) => failure(StatusCode::SERVICE_UNAVAILABLE, &error.to_string(), "`flagfall verify` says more about the file"),
        Err(_) => failure(StatusCode::INTERNAL_SERVER_ERROR, "the journal could not be read", "please report it with the lines of the log"),
    }
}

/// What the route needs, for the map of all routes.
pub(super) fn route() -> axum::Router<Arc<Shared>> {
    axum::Router::new().route("/api/v1/arbiter/boards/{board}/evidence", axum::routing::get(evidence))
}
