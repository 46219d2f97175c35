//! The documents over HTTP: `/pgn/…`, `/get/UUID/…` and `/archive/…`, from memory. No redirects of documents; strong ETags; open to pages of any origin.
use super::documents::Documents;
use super::making::ARCHIVE;
#[cfg(feature = "openapi")]
use super::spectators::{EventView, RoundView};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use flagfall_web::assets::ARCHIVE_INDEX;
#[cfg(feature = "openapi")]
use flagfall_web::problem::Problem;
use flagfall_web::public::squeezed;
use std::sync::Arc;

/// The routes, for the listener that has the others.
pub fn router(documents: Arc<Documents>) -> Router {
    let route = || get(document).options(preflight);
    let page = Router::new().route("/api/v1/event", get(event)).route("/api/v1/event/rounds/{round}", get(round));
    // Files stay as they are, byte for byte, whoever fetches them.
    let files = Router::new().route("/pgn/{*path}", route()).route("/get/{*path}", route());
    let archive = Router::new()
        .route("/archive", get(|| async { Redirect::permanent("/archive/") }))
        .route("/archive/", get(document))
        .route("/archive/{*path}", get(document));
    squeezed(page.merge(archive).with_state(documents.clone())).merge(files.with_state(documents))
}

/// The event: its name and place, its rounds, who stands where.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/event", tag = "public", operation_id = "public_event",
    responses((status = 200, body = EventView<'_>))))]
pub(crate) async fn event(State(documents): State<Arc<Documents>>, uri: Uri, headers: HeaderMap) -> Response {
    answer(&documents, "event/event.json", &uri, &headers)
}

/// A round: its pairings and results.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/event/rounds/{round}", tag = "public", operation_id = "public_round",
    params(("round" = u32, Path, description = "The round's number, from 1")),
    responses((status = 200, body = RoundView<'_>), (status = 404, body = Problem))))]
pub(crate) async fn round(State(documents): State<Arc<Documents>>, uri: Uri, headers: HeaderMap) -> Response {
    let number = uri.path().rsplit('/').next().unwrap_or_default();
    answer(&documents, &format!("event/round-{number}.json"), &uri, &headers)
}

async fn document(State(documents): State<Arc<Documents>>, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    // A folder is its page, as with any web server.
    let index = if path == ARCHIVE { ARCHIVE_INDEX } else { "" };
    answer(&documents, &format!("{path}{index}"), &uri, &headers)
}

fn answer(documents: &Documents, path: &str, uri: &Uri, headers: &HeaderMap) -> Response {
    let Some(document) = documents.get(path) else {
        let uuid = documents.now().tournament.uuid.clone();
        return missing(uri.path(), &uuid);
    };
    let mut answer = if matches(headers, &document.etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, document.content_type)], document.bytes.clone()).into_response()
    };
    let put = answer.headers_mut();
    if let Ok(etag) = HeaderValue::from_str(&document.etag) {
        put.insert(header::ETAG, etag);
    }
    if let Ok(fresh) = HeaderValue::from_str(&format!("public, max-age={}", document.max_age_s)) {
        put.insert(header::CACHE_CONTROL, fresh);
    }
    open(answer)
}

/// Whether the reader has it already. Some send the tag back without its quotes, some as a weak one.
fn matches(headers: &HeaderMap, etag: &str) -> bool {
    let plain = |tag: &str| String::from(tag.trim().trim_start_matches("W/").trim_matches('"'));
    let wanted = plain(etag);
    let sent = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    sent.flat_map(|list| list.split(',')).any(|tag| tag.trim() == "*" || plain(tag) == wanted)
}

/// A page on another site asks before it sends `If-None-Match`.
async fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    open((StatusCode::NO_CONTENT, headers).into_response())
}

fn missing(path: &str, uuid: &str) -> Response {
    let (error, hint) =
        (format!("there is nothing at {path}"), format!("see /pgn/tournament.json, /pgn/round-1/games.pgn, /get/{uuid}/tournament.json"));
    let body = serde_json::json!({ "error": error, "hint": hint }).to_string();
    open((StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "application/json")], body).into_response())
}

fn open(mut answer: Response) -> Response {
    let put = answer.headers_mut();
    put.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    put.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag"));
    put.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    answer
}
