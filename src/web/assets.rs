//! The page's files, embedded in the binary.
use crate::answer::{Name, failure};
use crate::bundle::bundle;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "page"]
struct Files;

/// What the public page is made of, made once: its modules are one file, and names change with what is in them, so that a browser may keep them.
struct Made {
    index: String,
    tag: String,
    /// By name.
    files: Vec<(String, &'static str, Bytes)>,
}

static MADE: LazyLock<Option<Made>> = LazyLock::new(|| {
    let read = |name: &str| Some(String::from_utf8_lossy(&Files::get(name)?.data).into_owned());
    let mut index = read("index.html")?;
    let mut files = Vec::new();
    let mut main = bundle("main.js", &read)?;
    // The modules last: they name the others.
    for name in ["page.css", "pieces.svg", "openings.txt", "main.js"] {
        let text = if name == "main.js" { std::mem::take(&mut main) } else { read(name)? };
        let (stem, kind) = name.split_once('.')?;
        let hashed = format!("{stem}-{}.{kind}", &blake3::hash(text.as_bytes()).to_hex()[..12]);
        (index, main) = (
            index.replace(&format!("/page/{name}"), &format!("/page/{hashed}")),
            main.replace(&format!("/page/{name}"), &format!("/page/{hashed}")),
        );
        files.push((hashed, content_type(name), Bytes::from(text)));
    }
    let tag = format!("\"{}\"", &blake3::hash(index.as_bytes()).to_hex()[..16]);
    Some(Made { index, tag, files })
});

pub(crate) async fn index(headers: HeaderMap, uri: Uri) -> Response {
    let Some(made) = MADE.as_ref() else { return send::<Files>("index.html", &headers, uri).await };
    if has(&headers, &made.tag) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, made.tag.as_str())]).into_response();
    }
    ([(header::CONTENT_TYPE, content_type(".html")), (header::ETAG, &made.tag)], made.index.as_str()).into_response()
}

pub(crate) async fn file(Name(name): Name, headers: HeaderMap, uri: Uri) -> Response {
    if let Some((_, kind, bytes)) = MADE.iter().flat_map(|made| &made.files).find(|(hashed, ..)| *hashed == name) {
        return ([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")], bytes.clone())
            .into_response();
    }
    send::<Files>(&name, &headers, uri).await
}

/// Whether the browser has what this tag is of.
fn has(headers: &HeaderMap, tag: &str) -> bool {
    headers.get(header::IF_NONE_MATCH).and_then(|sent| sent.to_str().ok()).is_some_and(|sent| sent.trim_start_matches("W/") == tag)
}

/// One file of a page, unless the browser has it already.
pub(crate) async fn send<F: RustEmbed>(name: &str, headers: &HeaderMap, uri: Uri) -> Response {
    let Some(file) = F::get(name) else { return nothing(&uri, headers) };
    let tag = tag(&file);
    // The browser asks each time and is told "unchanged": a new version of the program shows at once.
    if has(headers, &tag) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    ([(header::CONTENT_TYPE, content_type(name)), (header::ETAG, tag.as_str())], file.data).into_response()
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
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
