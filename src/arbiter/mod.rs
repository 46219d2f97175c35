//! Arbiters and operators: rulings in, findings out; who may do what.
//!
//! | to change | go to |
//! |---|---|
//! | what an arbiter knows of a board after an event | [`office`], the clock sheet in [`sheet`] |
//! | alarms that belong to no board's game | [`trouble`] |
//! | who is asking, and what that role may | [`door`] |
//! | boards, streams and entries over HTTP | `routes` |
//! | bodies that are given, answers that refuse | `given` |
//! | the console's files | `page/`, sent by `console` |
mod console;
pub mod door;
mod given;
pub mod office;
mod routes;
pub mod sheet;
pub mod trouble;

use crate::daemon::boards::Boards;
use crate::publish::hub::Hub;
use axum::Router;
use door::Door;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What the routes of arbiters and operators share.
pub(crate) struct Shared {
    hub: Arc<Hub>,
    boards: Boards,
    door: Door,
    stop: CancellationToken,
}

/// Everything below `/api/v1/arbiter`, and the console. The event streams end when `stop` is cancelled.
pub fn router(hub: Arc<Hub>, boards: Boards, door: Door, stop: CancellationToken) -> Router {
    routes::routes(Arc::new(Shared { hub, boards, door, stop }))
}
