//! Where the pages are reached by others, and QR codes to get there.
use crate::answer::{failure, json};
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::qr;
use crate::stage::json as bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where this machine's pages are reached.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Addresses {
    /// What every page's address begins with, as others reach it: `https://boards.club.example`.
    pub root: String,
    /// Only this machine itself reaches it.
    pub only_here: bool,
}

/// Where spectators, arbiters and screens find their pages.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/addresses", tag = "broadcast", operation_id = "addresses",
    responses((status = 200, body = Addresses), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn addresses(State(addresses): State<Arc<Addresses>>) -> Response {
    json(bytes(&*addresses))
}

/// What a code is to say.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// An address, or any other text; 1,000 bytes at most.
    text: String,
}

/// A QR code that says this text, as a picture.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/qr", tag = "broadcast", operation_id = "qr", params(Wanted),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 422, body = Problem))))]
pub(crate) async fn qr(wanted: Result<Query<Wanted>, QueryRejection>) -> Response {
    let code = wanted.ok().and_then(|Query(Wanted { text })| qr::svg(&text));
    match code {
        Some(picture) => ([(header::CONTENT_TYPE, "image/svg+xml")], picture).into_response(),
        None => failure(StatusCode::UNPROCESSABLE_ENTITY, "that cannot be a QR code", "ask with ?text= and one to 1,000 bytes"),
    }
}
