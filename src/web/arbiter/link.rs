//! The way in where there are no accounts, over HTTP: with the link that was said to whoever sits at the machine.
use super::accounts::by_link;
use super::given::Given;
use super::login::welcome;
use super::shared::Shared;
use super::visitor::Arbiter;
use crate::answer::{failure, json};
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::stage::json as bytes;
use axum::extract::{FromRequest as _, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What stands behind the `#key=` of a link.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct LinkKey {
    /// The key.
    key: String,
}

/// A link that lets one browser in.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct Link {
    /// To be opened within twelve hours, once.
    link: String,
}

/// Begins an arbiter's session with a link that was not used yet; its cookie comes with the answer.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/login/link", tag = "accounts", operation_id = "login_by_link", request_body = LinkKey,
    responses((status = 200, body = super::login::Me), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem))))]
pub(super) async fn login_by_link(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let secure = match shared.door.way(&parts) {
        Ok(way) => way.secure,
        Err(refusal) => return *refusal,
    };
    let Given(LinkKey { key }) = match Given::from_request(Request::from_parts(parts, body), &shared).await {
        Ok(given) => given,
        Err(refusal) => return refusal,
    };
    if shared.door.links().is_some_and(|links| links.take(&key)) {
        shared.counts.login("right");
        tracing::info!("an arbiter came in by the link");
        return welcome(&shared, by_link(), secure);
    }
    shared.counts.login("wrong");
    let hint =
        "it was used already, is older than twelve hours, or was replaced; on the machine itself `flagfall account link` makes a new one";
    failure(StatusCode::UNAUTHORIZED, "this link lets nobody in any more", hint)
}

/// A new link for one browser; the one before, where nobody used it, is no use any more. Only where there are no accounts.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/link", tag = "accounts", operation_id = "make_link",
    responses((status = 200, body = Link), (status = 401, body = Problem), (status = 403, body = Problem), (status = 409, body = Problem))))]
pub(super) async fn make_link(State(shared): State<Arc<Shared>>, _: Arbiter) -> Response {
    let Some(links) = shared.door.links() else {
        return failure(StatusCode::CONFLICT, "there are accounts; links let nobody in", "sign in with a name and its password");
    };
    match links.renew() {
        Ok(link) => json(bytes(&Link { link })),
        Err(_) => failure(StatusCode::SERVICE_UNAVAILABLE, "the machine gives no random numbers", "try again in a moment"),
    }
}
