//! The console's files, embedded in the binary. They are the same for everybody: what is shown in them is asked from the interface.
use crate::answer::Name;
use crate::assets;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse as _, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "arbiter/page"]
struct Files;

pub(super) async fn index(headers: HeaderMap, uri: Uri) -> Response {
    assets::send::<Files>("index.html", &headers, uri).await
}

/// What the picture of a browser's tab says: how many findings are open, or that the connection is lost.
const BADGES: [(&str, &str); 11] = [
    ("badge-1.svg", "1"),
    ("badge-2.svg", "2"),
    ("badge-3.svg", "3"),
    ("badge-4.svg", "4"),
    ("badge-5.svg", "5"),
    ("badge-6.svg", "6"),
    ("badge-7.svg", "7"),
    ("badge-8.svg", "8"),
    ("badge-9.svg", "9"),
    ("badge-9p.svg", "9+"),
    ("badge-x.svg", "×"),
];

pub(super) async fn file(Name(name): Name, headers: HeaderMap, uri: Uri) -> Response {
    if let Some((_, text)) = BADGES.iter().find(|(file, _)| *file == name) {
        let size = if text.len() > 1 && text.is_ascii() { 34 } else { 46 };
        let picture = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\"><rect width=\"64\" height=\"64\" rx=\"14\" fill=\"#a3271a\"/>\
             <text x=\"32\" y=\"48\" font-family=\"sans-serif\" font-weight=\"700\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"#fff\">{text}</text></svg>"
        );
        return ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "max-age=86400")], picture).into_response();
    }
    let mut answer = assets::send::<Files>(&name, &headers, uri).await;
    if name == "sw.js" {
        // The page has no slash at its end; without this a worker below it could not serve it.
        answer.headers_mut().insert("service-worker-allowed", HeaderValue::from_static("/arbiter"));
    }
    answer
}
