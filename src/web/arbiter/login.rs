//! Coming and going: login, logout, who am I.
use super::attempts::Try;
use super::devices;
use super::door::{Way, named};
use super::given::Given;
use super::session::{LIFETIME, Owner};
use super::shared::Shared;
use super::turns::Turn;
use super::visitor::Official;
use crate::Peer;
use crate::answer::{failure, json};
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::stage::json as bytes;
use axum::extract::{FromRequest as _, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use flagfall_config::accounts::Role;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

/// After a stranger's wrong password the next one waits this long: guessing must not take a whole core from the boards.
const BREATH: Duration = Duration::from_millis(100);
/// A password longer than this is none, bytes.
const LONGEST: usize = 1024;

/// Who wants to come in.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct Credentials {
    /// The account's name.
    name: String,
    /// Its password.
    password: String,
}

/// Who is logged in.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct Me {
    /// The account's name; null where there are none.
    name: Option<String>,
    /// What it may do.
    role: Role,
    /// The short name of the key that signs the journals of this machine, to be noted before the event; missing where it keeps none.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// Who is logged in.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/me", tag = "accounts", operation_id = "me",
    responses((status = 200, body = Me), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(super) async fn me(State(shared): State<Arc<Shared>>, Official(visitor): Official) -> Response {
    json(bytes(&Me { name: visitor.name, role: visitor.role, key: shared.key() }))
}

/// Begins a session; its cookie comes with the answer.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/login", tag = "accounts", operation_id = "login", request_body = Credentials,
    responses((status = 200, body = Me), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 413, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem))))]
pub(super) async fn login(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let parts_headers = parts.headers.clone();
    let Way { peer, secure } = match shared.door.way(&parts) {
        Ok(way) => way,
        Err(refusal) => return *refusal,
    };
    if shared.door.members().is_empty() {
        let hint = "open the link that flagfall printed when it started (`flagfall account link` makes a new one), or make an account with `flagfall account add NAME --role arbiter`";
        return failure(StatusCode::FORBIDDEN, "there are no accounts", hint);
    }
    let address = peer.as_ref().and_then(Peer::address).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let Given(Credentials { name, password }) = match Given::from_request(Request::from_parts(parts, body), &shared).await {
        Ok(given) => given,
        Err(refusal) => return refusal,
    };
    if name.len() > LONGEST || password.len() > LONGEST {
        return wrong();
    }
    let device = named(&parts_headers, &shared.door.devices.cookie(&name)).and_then(|value| shared.door.devices.known(&name, value));
    // Nobody else gets the place of who waits and is known here.
    let keep = |known| {
        if known && let Some(peer) = &peer {
            peer.keep(&name)
        }
    };
    let Ok(turn) = shared.turns.wait(Try { name: name.clone(), address, device }, keep).await else {
        shared.counts.login("slowed");
        return slow_down();
    };
    // A visitor who hangs up must not make room for the next one while the password is still being checked.
    let checked = tokio::spawn(check(shared.clone(), turn, name.clone(), password));
    match checked.await.unwrap_or(None) {
        Some(owner) => {
            shared.counts.login("right");
            tracing::info!(%name, %address, "logged in");
            let mut answer = welcome(&shared, owner, secure);
            if let Ok(value) = shared.door.devices.value(&name) {
                let cookie = set_cookie(&shared.door.devices.cookie(&name), &value, "/api/v1/login", devices::LIFETIME, secure);
                answer.headers_mut().append(header::SET_COOKIE, cookie);
            }
            answer
        }
        None => {
            shared.counts.login("wrong");
            tracing::warn!(%address, "a wrong name or password");
            wrong()
        }
    }
}

/// Checks a password whose turn it is.
async fn check(shared: Arc<Shared>, mut turn: Turn, name: String, password: String) -> Option<Owner> {
    let owner = shared.door.members().accounts().check(name, password).await;
    turn.right = Some(owner.is_some());
    if owner.is_none() && !turn.known {
        tokio::time::sleep(BREATH).await;
    }
    owner
}

/// Begins a session and answers with its cookie.
pub(super) fn welcome(shared: &Shared, owner: Owner, secure: bool) -> Response {
    let me = Me { name: owner.name.clone(), role: owner.role, key: shared.key() };
    let Ok(secret) = shared.door.members().sessions().begin(owner) else {
        return failure(StatusCode::SERVICE_UNAVAILABLE, "the machine gives no random numbers", "try again in a moment");
    };
    let cookie = set_cookie(&shared.door.cookie(), &secret, "/", LIFETIME / 1000, secure);
    ([(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], json(bytes(&me))).into_response()
}

/// Ends the session. Never fails: ending what has ended is done.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/logout", tag = "accounts", operation_id = "logout",
    responses((status = 204), (status = 403, body = Problem))))]
pub(super) async fn logout(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    if let Some(secret) = shared.door.secret(&headers) {
        shared.door.members().sessions().end(secret);
    }
    ([(header::SET_COOKIE, set_cookie(&shared.door.cookie(), "", "/", 0, false))], StatusCode::NO_CONTENT).into_response()
}

fn set_cookie(name: &str, value: &str, path: &str, seconds: u64, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path={path}; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    // Letters, digits and punctuation of cookies only.
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""))
}

fn wrong() -> Response {
    let hint = "check both; on the machine itself `flagfall account` lists accounts, adds one and changes passwords";
    failure(StatusCode::UNAUTHORIZED, "name or password is wrong", hint)
}

fn slow_down() -> Response {
    let answer = failure(StatusCode::TOO_MANY_REQUESTS, "too many passwords are being tried", "try again in 2 s");
    ([(header::RETRY_AFTER, HeaderValue::from(2))], answer).into_response()
}
