//! What the journal has of a board: lines around events, films of what the sensors showed around a finding or a move, incident reports.
#![allow(unused_qualifications, reason = "the macro for query parameters makes one")]
use super::given::{FindingPath, no_finding};
use super::shared::{Server, Shared};
use super::visitor::Arbiter;
use crate::answer::{Name, failure, json, no_board};
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::stage::json as bytes;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use flagfall_journal::report::{Lang, STYLE};
use flagfall_journal::{Journal, JournalError};
use flagfall_score::film::Film;
use flagfall_score::moment::{AFTER_MS, Subject};
use serde::{Deserialize, Serialize};
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
    match read(&shared, move |journal| journal.evidence(&name, span.from, span.to)).await {
        Ok(lines) => json(bytes(&lines)),
        Err(answer) => answer,
    }
}

/// What is read in the journals, when it is this visitor's turn; else what is to be answered.
pub(super) async fn read<T: Send + 'static>(
    shared: &Shared,
    what: impl FnOnce(&Journal) -> Result<T, JournalError> + Send + 'static,
) -> Result<T, Response> {
    let Some(journal) = shared.journal.clone() else {
        let hint = "set data_dir in the configuration, or start with --data-dir; in a hall the board's own machine has them";
        return Err(failure(StatusCode::NOT_FOUND, "no journal is kept here", hint));
    };
    let Ok(_turn) = shared.reading.acquire().await else {
        return Err(failure(StatusCode::SERVICE_UNAVAILABLE, "flagfall is about to end", "start it again"));
    };
    match tokio::task::spawn_blocking(move || what(&journal)).await {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(failure(StatusCode::SERVICE_UNAVAILABLE, &error.to_string(), "`flagfall verify` says more about the file")),
        Err(_) => {
            Err(failure(StatusCode::INTERNAL_SERVER_ERROR, "the journal could not be read", "please report it with the lines of the log"))
        }
    }
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

/// A film as it is handed out.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct BoardFilm {
    /// The board's name.
    board: String,
    /// The finding that it is about, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<u64>,
    /// The journal's file on the daemon's machine, for `flagfall replay --explain` and `flagfall export`.
    journal: String,
    #[serde(flatten)]
    film: Film,
}

/// What the sensors showed around a finding: from ten seconds before it (earlier where it rests on something older) to five after.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards/{board}/evidence/{finding}", tag = "boards", operation_id = "finding_film",
    params(("board" = String, Path, description = "The board's name"), ("finding" = u64, Path, description = "The finding's number")),
    responses((status = 200, body = BoardFilm), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 503, body = Problem))))]
pub(super) async fn finding_film(State(shared): Server, _: Arbiter, at: FindingPath) -> Response {
    film(&shared, at.board, Subject::Finding(at.id)).await
}

/// The same around a move: from ten seconds before it was made or completed to five after.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards/{board}/evidence", tag = "boards", operation_id = "ply_film",
    params(("board" = String, Path, description = "The board's name"), OfPly),
    responses((status = 200, body = BoardFilm), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 503, body = Problem))))]
pub(super) async fn ply_film(State(shared): Server, _: Arbiter, Name(name): Name, of: OfPly) -> Response {
    film(&shared, name, Subject::Ply { game: of.game, ply: of.ply }).await
}

async fn film(shared: &Shared, board: String, subject: Subject) -> Response {
    if shared.hub.board(&board).is_none() {
        return no_board(&board);
    }
    let name = board.clone();
    let found = match read(shared, move |journal| journal.film(&name, subject)).await {
        Ok(Some(found)) => found,
        Ok(None) => return no_film(subject),
        Err(answer) => return answer,
    };
    let mut film = found.film;
    // What has not happened yet is not missing.
    let gone = flagfall_time::now().since(film.at).min(AFTER_MS);
    film.to_ms = i64::try_from(gone).unwrap_or(film.to_ms);
    let finding = match subject {
        Subject::Finding(id) => Some(id),
        Subject::Ply { .. } => None,
    };
    json(bytes(&BoardFilm { board, finding, journal: found.journal.display().to_string(), film }))
}

/// The answer where there is no such finding or ply.
pub(super) fn no_film(subject: Subject) -> Response {
    match subject {
        Subject::Finding(_) => no_finding(),
        Subject::Ply { .. } => {
            failure(StatusCode::NOT_FOUND, "there is no such ply in the journals", "GET the board to see its moves and their numbers")
        }
    }
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
    if shared.hub.board(&at.board).is_none() {
        return no_board(&at.board);
    }
    let lang = if told.lang == "ru" { Lang::Ru } else { Lang::En };
    match read(&shared, move |journal| journal.report(&at.board, at.id, lang)).await {
        Ok(Some(page)) => ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response(),
        Ok(None) => no_finding(),
        Err(answer) => answer,
    }
}

/// The style of the report.
async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response()
}

/// What the routes need, for the map of all routes.
pub(super) fn route() -> axum::Router<Arc<Shared>> {
    axum::Router::new()
        .route("/api/v1/arbiter/boards/{board}/evidence", get(evidence))
        .route("/api/v1/boards/{board}/evidence", get(ply_film))
        .route("/api/v1/boards/{board}/evidence/{finding}", get(finding_film))
        .route("/api/v1/boards/{board}/evidence/{finding}/report", get(report))
        .route("/arbiter/report.css", get(style))
}
