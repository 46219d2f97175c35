//! Coming and going: login, logout, who am I.
use super::Shared;
use super::accounts::TooBusy;
use super::attempts::Slower;
use super::door::{COOKIE, Official, cookie};
use super::given::Given;
use super::openapi::Problem;
use super::session::LIFETIME;
use crate::config::accounts::Role;
use crate::publish::stage::json as bytes;
use crate::publish::web::{failure, json};
use axum::extract::{FromRequest as _, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, PoisonError};
use utoipa::ToSchema;

/// A password longer than this is none, bytes.
const LONGEST: usize = 1024;

/// Who wants to come in.
#[derive(Deserialize, ToSchema)]
pub(super) struct Credentials {
    /// The account's name.
    name: String,
    /// Its password.
    password: String,
}

/// Who is logged in.
#[derive(Serialize, ToSchema)]
pub(super) struct Me {
    /// The account's name; null where there are no accounts.
    name: Option<String>,
    /// What it may do.
    role: Role,
}

/// Who is logged in.
#[utoipa::path(get, path = "/api/v1/me", tag = "accounts", operation_id = "me",
    responses((status = 200, body = Me), (status = 401, body = Problem), (status = 403, body = Problem)))]
pub(super) async fn me(Official(visitor): Official) -> Response {
    json(bytes(&Me { name: visitor.name, role: visitor.role }))
}

/// Begins a session; its cookie comes with the answer.
#[utoipa::path(post, path = "/api/v1/login", tag = "accounts", operation_id = "login", request_body = Credentials,
    responses((status = 200, body = Me), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 413, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)))]
pub(super) async fn login(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let way = match shared.door.way(&parts) {
        Ok(way) => way,
        Err(refusal) => return *refusal,
    };
    if shared.door.accounts.is_empty() {
        let hint = "make one with `flagfall account add NAME --role arbiter`; at 127.0.0.1 nobody needs to log in until then";
        return failure(StatusCode::FORBIDDEN, "there are no accounts", hint);
    }
    let secure = way.peer.as_ref().is_some_and(|peer| peer.secure);
    let address = way.peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.address.ip());
    let Given(Credentials { name, password }) = match Given::from_request(Request::from_parts(parts, body), &shared).await {
        Ok(given) => given,
        Err(refusal) => return refusal,
    };
    if name.len() > LONGEST || password.len() > LONGEST {
        return wrong();
    }
    let now = || shared.stopwatch.now();
    let attempts = || shared.attempts.lock().unwrap_or_else(PoisonError::into_inner);
    let begun = attempts().begin(address, &name, now());
    if let Err(slower) = begun {
        shared.counts.login("slowed");
        return slow_down(slower);
    }
    // A visitor who hangs up must not leave the attempt running.
    let task = {
        let (shared, name) = (shared.clone(), name.clone());
        tokio::spawn(async move {
            let checked = shared.door.accounts.check(name.clone(), password).await;
            let right = checked.map(|role| role.is_some()).ok();
            shared.attempts.lock().unwrap_or_else(PoisonError::into_inner).ended(address, &name, right, shared.stopwatch.now());
            checked
        })
    };
    match task.await {
        Ok(Ok(Some(role))) => {
            shared.counts.login("right");
            tracing::info!(%name, %address, "logged in");
            welcome(&shared, name, role, secure)
        }
        Ok(Ok(None)) => {
            shared.counts.login("wrong");
            tracing::warn!(%address, "a wrong name or password");
            wrong()
        }
        Ok(Err(TooBusy)) | Err(_) => {
            shared.counts.login("slowed");
            slow_down(Slower::Wait(2000))
        }
    }
}

fn welcome(shared: &Shared, name: String, role: Role, secure: bool) -> Response {
    let Ok(secret) = shared.door.sessions.begin(&name, role) else {
        return failure(StatusCode::SERVICE_UNAVAILABLE, "the machine gives no random numbers", "try again in a moment");
    };
    let cookie = set_cookie(&secret, LIFETIME / 1000, secure);
    (
        [(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))],
        json(bytes(&Me { name: Some(name), role })),
    )
        .into_response()
}

/// Ends the session. Never fails: ending what has ended is done.
#[utoipa::path(post, path = "/api/v1/logout", tag = "accounts", operation_id = "logout",
    responses((status = 204), (status = 403, body = Problem)))]
pub(super) async fn logout(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    if let Some(secret) = cookie(&headers) {
        shared.door.sessions.end(secret);
    }
    ([(header::SET_COOKIE, set_cookie("", 0, false))], StatusCode::NO_CONTENT).into_response()
}

fn set_cookie(value: &str, seconds: u64, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    // Letters, digits and punctuation of cookies only.
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""))
}

fn wrong() -> Response {
    let hint = "check both; `flagfall account add` makes an account, its block belongs into the configuration";
    failure(StatusCode::UNAUTHORIZED, "name or password is wrong", hint)
}

fn slow_down(slower: Slower) -> Response {
    let seconds = match slower {
        Slower::Wait(ms) => ms.div_ceil(1000).max(1),
        Slower::OneByOne => 1,
    };
    let answer = failure(StatusCode::TOO_MANY_REQUESTS, "too many passwords were tried", &format!("try again in {seconds} s"));
    ([(header::RETRY_AFTER, HeaderValue::from(seconds))], answer).into_response()
}
