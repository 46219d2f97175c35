//! What a route asks for to be asked by somebody who may: an arbiter, or anybody with an account.
use super::door::Visitor;
use super::shared::Shared;
use crate::answer::failure;
use crate::{policy, screens};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use flagfall_config::accounts::Role;
use std::sync::Arc;
use std::sync::atomic::Ordering;

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

/// The same, and the account's name; nobody's where there are no accounts.
pub(super) struct ArbiterNamed(pub(super) Option<String>);

impl FromRequestParts<Arc<Shared>> for ArbiterNamed {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Response> {
        Arbiter::from_request_parts(parts, shared).await?;
        shared.door.visitor(parts).map(|visitor| Self(visitor.name)).map_err(|refusal| *refusal)
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

/// Who is asking, as routes of other rooms get to know it: an extension of the request.
#[derive(Clone, Debug)]
pub struct Who {
    /// The account's name; nobody's where there are no accounts.
    pub name: Option<String>,
}

/// Lets arbiters through to routes that do not know of accounts, and says who it is.
pub(super) async fn arbiters_only(ArbiterNamed(name): ArbiterNamed, mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Who { name });
    next.run(request).await
}

/// Pages that people open.
const ROOMS: [&str; 3] = ["/", screens::TV, screens::EMBED];

/// What a guest reads where nothing is public.
const ASK: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
<title>flagfall</title>\n<link rel=\"stylesheet\" href=\"/page/page.css\">\n\
<p class=\"empty\">The boards are not shown here. Ask the organiser where the games can be followed.</p>\n\
<p class=\"empty\" lang=\"ru\">Доски здесь не показываются. Где можно следить за партиями, спросите у организатора.</p>\n</html>\n";

/// Where nothing is public: lets whoever has an account through to what is public elsewhere; everybody else is sent to the organiser.
pub(super) async fn officials_or_organiser(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    if shared.open.load(Ordering::Relaxed) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    if shared.door.visitor(&parts).is_ok() {
        return next.run(Request::from_parts(parts, body)).await;
    }
    let path = parts.uri.path();
    if ROOMS.contains(&path) {
        let answer = (StatusCode::FORBIDDEN, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], ASK).into_response();
        return if path == screens::EMBED { policy::framed(answer) } else { answer };
    }
    let hint = "ask the organiser where the games can be followed; arbiters and operators sign in at /arbiter";
    failure(StatusCode::FORBIDDEN, "nothing is public here", hint)
}
