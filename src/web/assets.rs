//! The page's files, embedded in the binary.
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "page"]
struct Files;

pub(crate) async fn index(headers: HeaderMap, uri: Uri) -> Response {
    send::<Files>("index.html", &headers, uri).await
}

pub(crate) async fn file(crate::answer::Name(name): crate::answer::Name, headers: HeaderMap, uri: Uri) -> Response {
    send::<Files>(&name, &headers, uri).await
}

/// One file of a page, unless the browser has it already.
pub(crate) async fn send<F: RustEmbed>(name: &str, headers: &HeaderMap, uri: Uri) -> Response {
    let Some(file) = F::get(name) else { return crate::answer::not_found(uri).await };
    let Ok(tag) = HeaderValue::try_from(tag(&file)) else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    // The browser asks each time and is told "unchanged": a new version of the program shows at once.
    if headers.get(header::IF_NONE_MATCH) == Some(&tag) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let kind = HeaderValue::from_static(content_type(name));
    ([(header::CONTENT_TYPE, kind), (header::ETAG, tag)], file.data).into_response()
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
