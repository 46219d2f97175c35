//! Who is asking, and what that role may.
use super::Shared;
use super::accounts::Accounts;
use super::session::{Sessions, digest};
use crate::config::accounts::Role;
use crate::publish::stage::Detail;
use crate::publish::web::guard::{foreign, is_here, is_own_site};
use crate::publish::web::{Peer, failure};
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The cookie's name.
pub(super) const COOKIE: &str = "flagfall_session";

/// Who is asking.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Visitor {
    /// The account's name; nobody's where there are no accounts.
    pub(super) name: Option<String>,
    pub(super) role: Role,
    /// Cancelled when the visitor may no longer listen.
    #[serde(skip)]
    pub(super) ended: CancellationToken,
}

impl Visitor {
    pub(super) fn is_operator(&self) -> bool {
        self.role == Role::Operator
    }

    /// How much of a board this visitor may see.
    pub(super) fn detail(&self, whole: bool) -> Detail {
        Detail { whole, operator: self.is_operator() }
    }
}

/// Who may come in.
#[derive(Debug)]
pub struct Door {
    pub(super) accounts: Accounts,
    pub(super) sessions: Sessions,
    allow_clear_text: bool,
    stop: CancellationToken,
}

impl Door {
    /// The door for these accounts; without any, whoever is on this machine is an arbiter. All sessions end when `stop` is cancelled.
    pub fn new(accounts: &[crate::config::accounts::Account], allow_clear_text: bool, stop: CancellationToken) -> Self {
        Self { accounts: Accounts::new(accounts), sessions: Sessions::new(stop.clone()), allow_clear_text, stop }
    }

    /// Whether the way may be used at all: no other site's page, and no password in clear text where others can read it.
    pub(super) fn way(&self, parts: &Parts) -> Result<Way, Box<Response>> {
        if !is_own_site(&parts.headers) {
            return Err(Box::new(foreign()));
        }
        let peer = parts.extensions.get::<ConnectInfo<Peer>>().map(|info| info.0.clone());
        let here = is_here(peer.as_ref(), &parts.headers);
        let encrypted = peer.as_ref().is_some_and(|peer| peer.secure || peer.address.ip().to_canonical().is_loopback());
        if !encrypted && !self.allow_clear_text && !self.accounts.is_empty() {
            let hint = "set tls = \"self-signed\" in [web] and use https://, or allow_clear_text = true where nobody else can read along";
            return Err(refuse(StatusCode::FORBIDDEN, "arbiters are not served in clear text beyond the machine itself", hint));
        }
        Ok(Way { peer, here })
    }

    fn visitor(&self, parts: &Parts) -> Result<Visitor, Box<Response>> {
        let way = self.way(parts)?;
        if self.accounts.is_empty() {
            if way.here {
                return Ok(Visitor { name: None, role: Role::Arbiter, ended: self.stop.clone() });
            }
            let hint = "make one with `flagfall account add NAME --role arbiter`; without accounts only a browser on this machine itself, at 127.0.0.1, may rule";
            return Err(refuse(StatusCode::FORBIDDEN, "there are no accounts", hint));
        }
        if let Some(token) = bearer(&parts.headers) {
            let account = self.accounts.of_token(&digest(token));
            return match account {
                Some((name, role)) => Ok(Visitor { name: Some(name), role, ended: self.stop.clone() }),
                None => Err(stranger("this token is not known")),
            };
        }
        match cookie(&parts.headers).and_then(|secret| self.sessions.find(secret)) {
            Some(session) => Ok(Visitor { name: Some(session.name), role: session.role, ended: session.ended }),
            None => Err(stranger("nobody is logged in here")),
        }
    }
}

/// How a request came.
pub(super) struct Way {
    pub(super) peer: Option<Peer>,
    pub(super) here: bool,
}

fn refuse(status: StatusCode, error: &str, hint: &str) -> Box<Response> {
    Box::new(failure(status, error, hint))
}

fn stranger(error: &str) -> Box<Response> {
    let answer = failure(StatusCode::UNAUTHORIZED, error, "POST name and password to /api/v1/login, or send Authorization: Bearer TOKEN");
    Box::new(([(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))], answer).into_response())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// The session's secret in the cookies that came.
pub(super) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|line| line.split(';'));
    cookies.filter_map(|one| one.trim().split_once('=')).find(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}

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
