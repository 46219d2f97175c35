//! Pages that nobody operates: the hall's screens (`/tv`), and boards in the frames of other sites (`/embed`). They show what the public page shows, from the same streams.
//!
//! | to change | go to |
//! |---|---|
//! | the hall's screen | `page/tv.html`, `page/tv.js` and what that imports |
//! | boards in frames | `page/embed.html`, `page/embed.js` |
//! | who may frame them | [`crate::policy`] |
use crate::answer::Name;
use crate::{assets, policy};
use axum::Router;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::get;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "screens/page"]
struct Files;

/// The page that other sites may show in a frame.
pub(crate) const EMBED: &str = "/embed";
/// The hall's screen.
pub(crate) const TV: &str = "/tv";

/// The pages; they tell of boards.
pub(crate) fn pages<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route(TV, get(tv)).route(EMBED, get(embed))
}

/// Their files.
pub(crate) fn files<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/screens/{file}", get(file))
}

async fn tv(headers: HeaderMap, uri: Uri) -> Response {
    assets::send::<Files>("tv.html", &headers, uri).await
}

async fn embed(headers: HeaderMap, uri: Uri) -> Response {
    policy::framed(assets::send::<Files>("embed.html", &headers, uri).await)
}

async fn file(Name(name): Name, headers: HeaderMap, uri: Uri) -> Response {
    assets::send::<Files>(&name, &headers, uri).await
}
