//! The console's files, embedded in the binary. They are the same for everybody: what is shown in them is asked from the interface.
use crate::answer::Name;
use crate::assets;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "arbiter/page"]
struct Files;

pub(super) async fn index(headers: HeaderMap, uri: Uri) -> Response {
    assets::send::<Files>("index.html", &headers, uri).await
}

pub(super) async fn file(Name(name): Name, headers: HeaderMap, uri: Uri) -> Response {
    assets::send::<Files>(&name, &headers, uri).await
}
