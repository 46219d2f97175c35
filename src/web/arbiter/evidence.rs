//! What the journal has of a board: lines around events, films of what the sensors showed around a finding or a move, incident reports; why a move was read so.
#![allow(unused_qualifications, reason = "the macro for query parameters makes one")]
use super::asked::ask;
use super::given::FindingPath;
use super::shared::{Server, Shared};
#[cfg(feature = "openapi")]
use super::shelf::BoardFilm;
use super::visitor::Arbiter;
use crate::answer::{Name, failure};
use crate::boards::asked::Question;
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use flagfall_journal::report::STYLE;
use serde::Deserialize;
use std::sync::Arc;

/// Events asked for at once at most.
const MOST: u64 = 2000;

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

/// The lines of the journal that led to these events, as they stand there.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/boards/{board}/evidence", tag = "boards", operation_id = "evidence",
    params(("board" = String, Path, description = "The board's name"), Span),
    responses((status = 200, body = [String]), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 503, body = Problem))))]
pub(super) async fn evidence(State(shared): Server, _: Arbiter, Name(name): Name, span: Span) -> Response {
    ask(&shared, name, Question::Lines { from: span.from, to: span.to }).await
}

/// Which ply a film is about.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub(super) struct OfPly {
    /// From 1 at the game's first move.
    pub(super) ply: u32,
    /// Which game of the board; without it the newest one that has this ply.
    pub(super) game: Option<u32>,
}

impl<S: Send + Sync> FromRequestParts<S> for OfPly {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let hint = "write ?ply=N, counted from 1 at the game's first move, and &game=N for an earlier game";
        let query = Query::<Self>::from_request_parts(parts, state).await;
        query.map(|Query(of)| of).map_err(|error| failure(StatusCode::BAD_REQUEST, &error.body_text(), hint))
    }
}

/// What the sensors showed around a finding: from ten seconds before it (earlier where it rests on something older) to five after.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards/{board}/evidence/{finding}", tag = "boards", operation_id = "finding_film",
    params(("board" = String, Path, description = "The board's name"), ("finding" = u64, Path, description = "The finding's number")),
    responses((status = 200, body = BoardFilm), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 503, body = Problem))))]
pub(super) async fn finding_film(State(shared): Server, _: Arbiter, at: FindingPath) -> Response {
    ask(&shared, at.board, Question::Finding { finding: at.id }).await
}

/// The same around a move: from ten seconds before it was made or completed to five after.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards/{board}/evidence", tag = "boards", operation_id = "ply_film",
    params(("board" = String, Path, description = "The board's name"), OfPly),
    responses((status = 200, body = BoardFilm), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 503, body = Problem))))]
pub(super) async fn ply_film(State(shared): Server, _: Arbiter, Name(name): Name, of: OfPly) -> Response {
    ask(&shared, name, Question::Ply { ply: of.ply, game: of.game }).await
}

/// In which language.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub(super) struct Told {
    /// `en` or `ru`.
    #[serde(default)]
    lang: String,
}

/// The incident report on a finding, as a page to be read and printed.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards/{board}/evidence/{finding}/report", tag = "boards", operation_id = "incident_report",
    params(("board" = String, Path, description = "The board's name"), ("finding" = u64, Path, description = "The finding's number"), Told),
    responses((status = 200, content_type = "text/html", body = String), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 503, body = Problem))))]
pub(super) async fn report(State(shared): Server, _: Arbiter, at: FindingPath, Query(told): Query<Told>) -> Response {
    ask(&shared, at.board, Question::Report { finding: at.id, lang: told.lang }).await
}

/// The style of the report.
async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response()
}

/// Why a move was read as it was, in words and figures.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards/{board}/explanation", tag = "boards", operation_id = "explanation",
    params(("board" = String, Path, description = "The board's name"), OfPly, Told),
    responses((status = 200, content_type = "text/plain", body = String), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 503, body = Problem))))]
pub(super) async fn explanation(State(shared): Server, _: Arbiter, Name(name): Name, of: OfPly, Query(told): Query<Told>) -> Response {
    ask(&shared, name, Question::Explanation { ply: of.ply, game: of.game, lang: told.lang }).await
}

/// What the routes need, for the map of all routes.
pub(super) fn route() -> axum::Router<Arc<Shared>> {
    axum::Router::new()
        .route("/api/v1/arbiter/boards/{board}/evidence", get(evidence))
        .route("/api/v1/boards/{board}/evidence", get(ply_film))
        .route("/api/v1/boards/{board}/evidence/{finding}", get(finding_film))
        .route("/api/v1/boards/{board}/evidence/{finding}/report", get(report))
        .route("/api/v1/boards/{board}/explanation", get(explanation))
        .route("/arbiter/report.css", get(style))
}
