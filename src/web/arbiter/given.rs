//! What comes in a request's body, and how it is refused: always JSON with `error` and `hint`.
use crate::answer::failure;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use serde::de::DeserializeOwned;

/// A body of JSON.
#[derive(Debug)]
pub struct Given<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Given<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(refused(&rejection)),
        }
    }
}

/// A board and the number of one of its findings.
pub(super) struct FindingPath {
    pub(super) board: String,
    pub(super) id: u64,
}

impl<S: Send + Sync> FromRequestParts<S> for FindingPath {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let found = Path::<(String, u64)>::from_request_parts(parts, state).await;
        found.map(|Path((board, id))| Self { board, id }).map_err(|_| no_finding())
    }
}

/// The answer for a finding that does not exist.
pub(super) fn no_finding() -> Response {
    failure(StatusCode::NOT_FOUND, "there is no such finding", "GET the board to see its findings and their numbers")
}

fn refused(rejection: &JsonRejection) -> Response {
    let hint = match rejection {
        JsonRejection::JsonDataError(_) => "GET /api/v1/openapi.json says which fields are expected",
        JsonRejection::JsonSyntaxError(_) => "send one JSON object",
        JsonRejection::MissingJsonContentType(_) => "send it with Content-Type: application/json",
        _ if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => "a body may have 64 KiB at most",
        _ => "send the request again",
    };
    failure(rejection.status(), &rejection.body_text(), hint)
}
