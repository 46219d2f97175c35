//! What a route asks for to be asked by somebody who may: an arbiter, or anybody with an account.
use super::door::Visitor;
use super::shared::Shared;
use crate::answer::failure;
use axum::extract::{FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use flagfall_config::accounts::Role;
use std::sync::Arc;

/// A visitor who may see and do everything.
pub(super) struct Arbiter;

impl FromRequestParts<Arc<Shared>> for Arbiter {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Response> {
        let visitor = shared.door.visitor(parts).map_err(|refusal| *refusal)?;
        match visitor.role {
            Role::Arbiter => Ok(Self),
            Role::Operator => Err(failure(StatusCode::FORBIDDEN, "this is for arbiters", "log in with an arbiter's account")),
        }
    }
}

/// A visitor with any account.
pub(super) struct Official(pub(super) Visitor);

impl FromRequestParts<Arc<Shared>> for Official {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Response> {
        shared.door.visitor(parts).map(Self).map_err(|refusal| *refusal)
    }
}

/// Lets whoever has an account through to routes that do not know of accounts.
pub(super) async fn officials_only(_: Official, request: Request, next: Next) -> Response {
    next.run(request).await
}
