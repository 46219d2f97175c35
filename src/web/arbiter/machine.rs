//! What only the machine's own socket may ask: accounts, listed and changed while the daemon runs.
use super::given::Given;
#[cfg(feature = "openapi")]
use super::members::Listed;
use super::members::{Members, Unchanged};
use super::shared::{Server, Shared};
use crate::Peer;
use crate::answer::{failure, json};
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::stage::json as bytes;
use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::{get, post};
use flagfall_config::Config;
use flagfall_config::accounts::{Account, Role, block, is_name};
use serde::Deserialize;
use std::sync::Arc;

/// Somebody who owns the machine.
pub(super) struct Machine;

impl FromRequestParts<Arc<Shared>> for Machine {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Response> {
        let way = shared.door.way(parts).map_err(|refusal| *refusal)?;
        if way.peer.as_ref().and_then(Peer::user).is_some() {
            return Ok(Self);
        }
        let hint = "on the machine itself `flagfall account` does it, for root, the daemon's own user and the group flagfall";
        Err(failure(StatusCode::FORBIDDEN, "accounts are changed by the machine's own socket only", hint))
    }
}

/// A new account, or what is new of one.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct AccountBody {
    /// The name that rulings carry.
    name: String,
    /// Of a new one. Missing: another password or token of one that is known.
    role: Option<Role>,
    /// Argon2id hash of its password, in the PHC notation.
    hash: Option<String>,
    /// BLAKE3 hash of its token, 64 hexadecimal digits.
    token_hash: Option<String>,
}

/// Whose account it is.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct AccountName {
    /// The name.
    name: String,
}

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/api/v1/machine/accounts", get(list).post(set)).route("/api/v1/machine/accounts/remove", post(remove))
}

/// All accounts. By the machine's own socket only.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/machine/accounts", tag = "accounts", operation_id = "list_accounts",
    responses((status = 200, body = [Listed]), (status = 403, body = Problem))))]
pub(super) async fn list(State(shared): Server, _: Machine) -> Response {
    json(bytes(&shared.door.members().list()))
}

/// A new account, or another password or token of one; what the old one opened ends. By the machine's own socket only.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/machine/accounts", tag = "accounts", operation_id = "set_account", request_body = AccountBody,
    responses((status = 200, body = [Listed]), (status = 400, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 413, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem), (status = 503, body = Problem))))]
pub(super) async fn set(State(shared): Server, _: Machine, Given(body): Given<AccountBody>) -> Response {
    let AccountBody { name, role, hash, token_hash } = body;
    let account = Account { name, role: role.unwrap_or(Role::Operator), hash, token_hash };
    // The configuration's own reader says whether it can be one.
    if !is_name(&account.name) || Config::parse("account", &block(&account)).is_err() {
        let hint = "it has a name of 1 to 64 bytes, a role, and an argon2id hash or a token's hash; `flagfall account add` makes them";
        return failure(StatusCode::UNPROCESSABLE_ENTITY, "this can be no account", hint);
    }
    let members = shared.door.members();
    answer(members, if role.is_some() { members.add(account) } else { members.renew(&account.name, account.hash, account.token_hash) })
}

/// Removes an account; what it opened ends. By the machine's own socket only.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/machine/accounts/remove", tag = "accounts", operation_id = "remove_account", request_body = AccountName,
    responses((status = 200, body = [Listed]), (status = 400, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 413, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem), (status = 503, body = Problem))))]
pub(super) async fn remove(State(shared): Server, _: Machine, Given(body): Given<AccountName>) -> Response {
    let members = shared.door.members();
    answer(members, members.remove(&body.name))
}

/// All accounts as they are now; or why nothing was changed.
fn answer(members: &Members, done: Result<(), Unchanged>) -> Response {
    let Err(why) = done else { return json(bytes(&members.list())) };
    let (status, hint) = match why {
        Unchanged::Known => {
            (StatusCode::CONFLICT, "`flagfall account passwd` gives it another password; `remove` it first to change its role")
        }
        Unchanged::Unknown => (StatusCode::NOT_FOUND, "`flagfall account list` shows all"),
        Unchanged::Configured => (StatusCode::CONFLICT, "change its [[account]] block there, then reload: systemctl reload flagfall"),
        Unchanged::Nowhere => {
            (StatusCode::CONFLICT, "set data_dir in the configuration and restart, or put the block into the configuration")
        }
        Unchanged::Unwritten(_) => (StatusCode::SERVICE_UNAVAILABLE, "nothing was changed; free space on the disk, or mend it"),
    };
    failure(status, &why.to_string(), hint)
}
