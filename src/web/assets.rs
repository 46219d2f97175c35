//! The page's files, embedded in the binary.
use crate::answer::{Name, failure};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "page"]
struct Files;

pub(crate) async fn index(headers: HeaderMap, uri: Uri) -> Response {
    send::<Files>("index.html", &headers, uri).await
}

pub(crate) async fn file(Name(name): Name, headers: HeaderMap, uri: Uri) -> Response {
    send::<Files>(&name, &headers, uri).await
}

/// One file of a page, unless the browser has it already.
pub(crate) async fn send<F: RustEmbed>(name: &str, headers: &HeaderMap, uri: Uri) -> Response {
    let Some(file) = F::get(name) else { return nothing(&uri, headers) };
    let Ok(tag) = HeaderValue::try_from(tag(&file)) else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    // The browser asks each time and is told "unchanged": a new version of the program shows at once.
    if headers.get(header::IF_NONE_MATCH) == Some(&tag) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let kind = HeaderValue::from_static(content_type(name));
    ([(header::CONTENT_TYPE, kind), (header::ETAG, tag)], file.data).into_response()
}

/// Where there is nothing: a person gets a page, a program the reason.
pub(crate) async fn not_found(uri: Uri, headers: HeaderMap) -> Response {
    nothing(&uri, &headers)
}

fn nothing(uri: &Uri, headers: &HeaderMap) -> Response {
    let page = Files::get("not-found.html").filter(|_| is_person(headers));
    if let Some(page) = page {
        return (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, content_type(".html"))], page.data).into_response();
    }
    let error = format!("there is nothing at {}", uri.path());
    failure(StatusCode::NOT_FOUND, &error, "the interface begins at /api/v1/boards, the page at /")
}

/// Browsers that open an address ask for a page; scripts and programs do not.
fn is_person(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepts.flat_map(|list| list.split(',')).any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim() == "text/html"))
}

fn tag(file: &EmbeddedFile) -> String {
    let hash: String = file.metadata.sha256_hash().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hash}\"")
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
