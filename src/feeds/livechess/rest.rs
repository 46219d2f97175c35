//! The REST side: the same objects for those who poll.
use super::objects::Failure;
use super::session::json;
use super::shared::Server;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

pub(super) async fn eboards(State(shared): Server) -> Response {
    answer(StatusCode::OK, &shared.eboards())
}

pub(super) async fn tournaments(State(shared): Server) -> Response {
    answer(StatusCode::OK, &shared.tournaments.list())
}

pub(super) async fn tournament(State(shared): Server, path: Result<Path<String>, axum::extract::rejection::PathRejection>) -> Response {
    let found = path.ok().and_then(|Path(uuid)| shared.tournaments.tournament(&uuid, &shared.hall.pictures()));
    found.map_or_else(
        || failure(StatusCode::NOT_FOUND, "there is no such tournament; /api/v1.0/tournaments lists them"),
        |t| answer(StatusCode::OK, &t),
    )
}

pub(super) async fn round(
    State(shared): Server,
    path: Result<Path<(String, String)>, axum::extract::rejection::PathRejection>,
) -> Response {
    let found = path.ok().and_then(|Path((uuid, index))| shared.tournaments.round(&uuid, index.parse().ok()?));
    let missing = || failure(StatusCode::NOT_FOUND, "there is no such round; rounds are counted from 0");
    found.map_or_else(missing, |round| answer(StatusCode::OK, &round))
}

pub(super) async fn game(State(shared): Server, path: Result<Path<String>, axum::extract::rejection::PathRejection>) -> Response {
    let found = path.ok().and_then(|Path(uuid)| shared.tournaments.game(&uuid));
    let missing = || failure(StatusCode::NOT_FOUND, "there is no such game; a round's pairings have the ids of theirs");
    found.map_or_else(missing, |game| answer(StatusCode::OK, &game))
}

pub(super) async fn not_found(uri: Uri) -> Response {
    let message = format!("there is nothing at {}; this API is at /api/v1.0", uri.path());
    failure(StatusCode::NOT_FOUND, &message)
}

pub(super) async fn wrong_method(method: Method) -> Response {
    failure(StatusCode::METHOD_NOT_ALLOWED, &format!("{method} is not possible here; use GET"))
}

pub(super) fn failure(status: StatusCode, message: &str) -> Response {
    answer(status, &Failure { message, stacktrace: "" })
}

fn answer(status: StatusCode, value: &impl Serialize) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], json(value)).into_response()
}
