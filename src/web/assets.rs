//! The page's files, embedded in the binary.
use crate::answer::{Name, failure};
use crate::bundle::bundle;
use crate::policy;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "page"]
struct Files;

/// The public page as one document: its styles, modules, pieces and first boards stand in it, so that a phone on a slow network waits for one answer. A
/// browser that has the rest is told so by a tag; the boards in what it kept are old, and its script does not show them.
struct Page {
    /// What stands before and after the first boards.
    text: [String; 2],
    tag: String,
    /// What may run in it, and nothing else.
    policy: HeaderValue,
}

static PAGE: LazyLock<Option<Page>> = LazyLock::new(|| {
    let style = read("page.css")?;
    let script = name_files(bundle("main.js", &read)?)?;
    let pieces = read("pieces.svg")?.replacen("<svg ", "<svg id=\"pieces\" class=\"sheet\" aria-hidden=\"true\" ", 1);
    // Each of these would end what it stands in.
    if style.contains("</style") || script.contains("</script") {
        return None;
    }
    let mut text = read("index.html")?;
    for (link, whole) in [
        ("<link rel=\"stylesheet\" href=\"/page/page.css\">", format!("<style>{style}</style>")),
        ("<link rel=\"preload\" href=\"/page/pieces.svg\" as=\"fetch\" crossorigin>\n", String::new()),
        ("<script type=\"module\" src=\"/page/main.js\"></script>", format!("<script type=\"module\">{script}</script>")),
        ("<body>", format!("<body>\n{pieces}")),
    ] {
        text = text.contains(link).then(|| text.replacen(link, &whole, 1))?;
    }
    let tag = format!("\"{}\"", &blake3::hash(text.as_bytes()).to_hex()[..16]);
    let (before, after) = text.split_once("</main>\n")?;
    let text = [format!("{before}</main>\n<script type=\"application/json\" id=\"first\">"), format!("</script>\n{after}")];
    Some(Page { policy: policy::inline(&style, &script)?, text, tag })
});

/// What both pages load later, if at all.
const LATER: [&str; 2] = ["pieces.svg", "openings.txt"];

fn read(name: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&Files::get(name)?.data).into_owned())
}

/// A name that changes with what is in the file, so that a browser may keep it.
fn hashed(name: &str, text: &str) -> Option<String> {
    let (stem, kind) = name.split_once('.')?;
    Some(format!("{stem}-{}.{kind}", &blake3::hash(text.as_bytes()).to_hex()[..12]))
}

/// `script` with the files that it names by such names.
fn name_files(mut script: String) -> Option<String> {
    for name in LATER {
        script = script.replace(&format!("/page/{name}"), &format!("/page/{}", hashed(name, &read(name)?)?));
    }
    Some(script)
}

/// The files of [`LATER`] by the names that pages have for them.
static KEPT: LazyLock<Vec<(String, &'static str, Bytes)>> = LazyLock::new(|| {
    let kept = |name: &str| {
        let text = read(name)?;
        Some((hashed(name, &text)?, content_type(name), Bytes::from(text)))
    };
    LATER.iter().filter_map(|name| kept(name)).collect()
});

/// The archive, which any web server can serve: its page asks for everything by paths relative to itself.
static ARCHIVE: LazyLock<Vec<(String, &'static str, Bytes)>> = LazyLock::new(|| made_archive().unwrap_or_default());

fn made_archive() -> Option<Vec<(String, &'static str, Bytes)>> {
    let mut index = read("archive.html")?;
    let mut files: Vec<_> = KEPT.iter().map(|(name, kind, bytes)| (format!("page/{name}"), *kind, bytes.clone())).collect();
    for name in ["icon.svg", "page.css", "archive.js"] {
        let text = if name == "archive.js" { name_files(bundle(name, &read)?)? } else { read(name)? };
        let hashed = hashed(name, &text)?;
        index = index.replace(&format!("./page/{name}"), &format!("./page/{hashed}"));
        files.push((format!("page/{hashed}"), content_type(name), Bytes::from(text)));
    }
    files.push((String::from(ARCHIVE_INDEX), content_type(".html"), Bytes::from(index)));
    Some(files)
}

/// The name of the archive's page.
pub const ARCHIVE_INDEX: &str = "index.html";

/// The archive's page and all that it loads beside the event's data: path below it, media type, content; the page last.
pub fn archive() -> &'static [(String, &'static str, Bytes)] {
    &ARCHIVE
}

/// The public page; `first` gives the first boards as JSON.
pub(crate) async fn index(headers: HeaderMap, uri: Uri, first: impl FnOnce() -> Vec<u8>) -> Response {
    let Some(page) = PAGE.as_ref() else { return send::<Files>("index.html", &headers, uri).await };
    let mut answer = if has(&headers, &page.tag) {
        (StatusCode::NOT_MODIFIED, [(header::ETAG, page.tag.as_str())]).into_response()
    } else {
        // Nothing in it may end the element that it stands in.
        let first = String::from_utf8_lossy(&first()).replace('<', "\\u003c");
        let text = [page.text[0].as_str(), &first, &page.text[1]].concat();
        ([(header::CONTENT_TYPE, content_type(".html")), (header::ETAG, &page.tag)], text).into_response()
    };
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, page.policy.clone());
    policy::alone(answer)
}

pub(crate) async fn file(Name(name): Name, headers: HeaderMap, uri: Uri) -> Response {
    if let Some((_, kind, bytes)) = KEPT.iter().find(|(hashed, ..)| *hashed == name) {
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
