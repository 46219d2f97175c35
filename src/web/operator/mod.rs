//! The operator's page, and what it asks beside what others ask, too. Whoever merges `routes` checks the role first.
//!
//! | to change | go to |
//! |---|---|
//! | the page | `page/`; the console's own modules are used where they fit |
//! | what of a board only its findings and events would tell | `boards` |
//! | where the pages are reached, and QR codes of it | `share` |
pub(crate) mod boards;
pub(crate) mod share;

pub use share::Addresses;

use crate::answer::Name;
use crate::assets;
use crate::hub::Hub;
use axum::Router;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::get;
use rust_embed::RustEmbed;
use std::sync::Arc;

#[derive(RustEmbed)]
#[folder = "operator/page"]
struct Files;

/// The page and its files; they are the same for everybody: what is shown in them is asked from the interface.
pub(crate) fn pages<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/operator", get(index)).route("/operator/{file}", get(file))
}

/// What the page asks of this room.
pub(crate) fn routes(hub: Arc<Hub>, addresses: Addresses) -> Router {
    Router::new().route("/api/v1/operator/boards", get(boards::list)).with_state(hub).merge(
        Router::new()
            .route("/api/v1/operator/addresses", get(share::addresses))
            .route("/api/v1/operator/qr", get(share::qr))
            .with_state(Arc::new(addresses)),
    )
}

async fn index(headers: HeaderMap, uri: Uri) -> Response {
    assets::send::<Files>("index.html", &headers, uri).await
}

async fn file(Name(name): Name, headers: HeaderMap, uri: Uri) -> Response {
    assets::send::<Files>(&name, &headers, uri).await
}
