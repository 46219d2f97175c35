//! Who is asking, and what that role may.
use super::Shared;
use crate::publish::web::{Peer, failure};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use std::net::IpAddr;
use std::sync::Arc;

/// What an account may do. Each role may what those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Feeds, boards and results; no findings.
    Operator,
    /// Everything.
    Arbiter,
}

/// Who is asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Visitor {
    /// The account's name; nobody's where there are no accounts.
    pub(super) name: Option<String>,
    pub(super) role: Role,
}

/// Who may come in.
#[derive(Debug, Default)]
pub struct Door {}

impl Door {
    fn visitor(&self, parts: &Parts) -> Result<Visitor, Response> {
        let peer = parts.extensions.get::<ConnectInfo<Peer>>().map(|info| info.0);
        // A proxy on this machine brings visitors from elsewhere.
        let forwarded = ["forwarded", "x-forwarded-for", "via"].iter().any(|name| parts.headers.contains_key(*name));
        if peer.is_some_and(|peer| is_local(peer.address.ip())) && !forwarded && host_is_local(parts) {
            return Ok(Visitor { name: None, role: Role::Arbiter });
        }
        let hint =
            "make one with `flagfall account add NAME --role arbiter`; without accounts only this machine itself, 127.0.0.1, may rule";
        Err(failure(StatusCode::FORBIDDEN, "there are no accounts", hint))
    }
}

/// The address is this machine's own loopback.
pub(super) fn is_local(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// The request names this machine by a name that no other can take: a page from elsewhere cannot point its own name here.
fn host_is_local(parts: &Parts) -> bool {
    let Some(host) = parts.headers.get(header::HOST) else { return true };
    let Ok(host) = host.to_str() else { return false };
    let name = host.rsplit_once(':').map_or(host, |(name, port)| if port.ends_with(']') { host } else { name });
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(is_local)
}

/// A visitor who may see and do everything.
pub(super) struct Arbiter;

impl FromRequestParts<Arc<Shared>> for Arbiter {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Response> {
        let visitor = shared.door.visitor(parts)?;
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
        shared.door.visitor(parts).map(Self)
    }
}
