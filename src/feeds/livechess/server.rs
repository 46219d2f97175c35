//! The listener's side: the addresses, the routes, who is let in, how many at once.
use super::limited::Guest;
use super::origins::Origins;
use super::shared::{Server, Shared};
use super::{rest, socket};
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flagfall_web::guard::Hosts;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The routes, for clients from these origins, under names of this machine.
pub(super) fn router(shared: Arc<Shared>, origins: Origins, hosts: Hosts, open: Arc<AtomicBool>) -> Router {
    Router::new()
        .route("/api/v1.0", get(upgrade))
        .route("/api/v1.0/", get(upgrade))
        .route("/api/v1.0/eboards", get(rest::eboards))
        .route("/api/v1.0/tournaments", get(rest::tournaments))
        .route("/api/v1.0/tournament/{uuid}", get(rest::tournament))
        .route("/api/v1.0/round/{uuid}/{index}", get(rest::round))
        .route("/api/v1.0/game/{uuid}", get(rest::game))
        .fallback(rest::not_found)
        .method_not_allowed_fallback(rest::wrong_method)
        .with_state(shared)
        .layer(middleware::from_fn_with_state(Arc::new((origins, hosts, open)), admit))
}

/// Refuses pages from elsewhere before anything else is looked at, and tells browsers of the others that they may read the answer.
async fn admit(
    State(known): State<Arc<(Origins, Hosts, Arc<AtomicBool>)>>,
    ConnectInfo(guest): ConnectInfo<Guest>,
    request: Request,
    next: Next,
) -> Response {
    guest.asked();
    let (origins, hosts, open) = &*known;
    if !open.load(Ordering::Relaxed) && !guest.is_here() {
        return rest::failure(StatusCode::FORBIDDEN, "nothing is public here; ask the organiser where the games can be followed");
    }
    // A page whose name was made to lead here asks as itself: no foreign `Origin` tells it, only the `Host` does.
    if !hosts.knows(request.headers()) {
        let hint = "this machine is not known by that name; use 127.0.0.1, localhost or its address, or add the name to hosts = […] in [web] of flagfall's configuration";
        return rest::failure(StatusCode::MISDIRECTED_REQUEST, hint);
    }
    let origin = request.headers().get(header::ORIGIN).cloned();
    if !origins.admit(origin.as_ref()) {
        let hint = "this page may not speak to the boards; add its origin to livechess.origins in flagfall's configuration";
        return rest::failure(StatusCode::FORBIDDEN, hint);
    }
    let asks_first = request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut answer = if asks_first { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    if let Some(origin) = origin {
        let headers = answer.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
        if asks_first {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET"));
            // Newer browsers ask before a public page may reach this machine.
            headers.insert("access-control-allow-private-network", HeaderValue::from_static("true"));
        }
    }
    answer
}

async fn upgrade(State(shared): Server, ConnectInfo(guest): ConnectInfo<Guest>, request: Request) -> Response {
    use axum::extract::FromRequestParts as _;
    let (mut parts, _) = request.into_parts();
    match WebSocketUpgrade::from_request_parts(&mut parts, &shared).await {
        Ok(_) if !guest.stays() => {
            rest::failure(StatusCode::SERVICE_UNAVAILABLE, "all places for WebSockets are taken; close other clients, or try again later")
        }
        // permessage-deflate is never offered: the library has none.
        Ok(upgrade) => upgrade
            .max_message_size(socket::BIGGEST)
            .max_frame_size(socket::BIGGEST)
            .write_buffer_size(0)
            .on_upgrade(move |socket| socket::serve(socket, shared)),
        Err(_) => rest::failure(StatusCode::UPGRADE_REQUIRED, "this address speaks WebSocket; the boards are also at /api/v1.0/eboards"),
    }
}
