//! Rings until somebody goes: looks every second which findings wait, and hands each ring that is due to whoever carries it.
//!
//! Whoever merges the routes lets arbiters through only.
use crate::ringer::{AGAIN_MS, Ring, Ringer};
use crate::webhook::Alerting;
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use flagfall_time::Stopwatch;
use flagfall_web::hub::Hub;
#[cfg(feature = "openapi")]
use flagfall_web::problem::Problem;
use serde::Serialize;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often it is looked what waits.
const LOOK: Duration = Duration::from_secs(1);

/// Who carries a ring on. Must not wait.
pub type Carry = Arc<dyn Fn(&Hub, &Ring) + Send + Sync>;

/// How fast it goes; tests are in a hurry.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How often it is looked what waits.
    pub look: Duration,
    /// A ruling rings again after so long, milliseconds.
    pub again_ms: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { look: LOOK, again_ms: AGAIN_MS }
    }
}

/// Rings until `token` is cancelled or nobody needs the hub any more. A process that does not speak for the event is silent.
pub async fn run(hub: Weak<Hub>, carry: Carry, pace: Pace, token: CancellationToken) {
    let (stopwatch, mut ringer) = (Stopwatch::start(), Ringer::new(pace.again_ms));
    loop {
        tokio::select! {
            () = token.cancelled() => return,
            () = tokio::time::sleep(pace.look) => {}
        }
        let Some(hub) = hub.upgrade() else { return };
        let due = ringer.due(hub.unanswered(), stopwatch.now());
        if hub.voice().speaks() {
            due.iter().for_each(|ring| carry(&hub, ring));
        }
    }
}

/// What the routes are made of.
#[derive(Clone)]
pub(crate) struct Bell {
    hub: Arc<Hub>,
    alerts: Alerting,
}

/// What arbiters can ask of it.
pub fn routes(hub: Arc<Hub>, alerts: Alerting) -> Router {
    Router::new().route("/api/v1/arbiter/ringing/test", post(test)).with_state(Bell { hub, alerts })
}

/// Where a test was sent.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct Tested {
    /// Topics of ntfy.
    topics: usize,
}

/// Sends a test to every ntfy topic of the configuration.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/ringing/test", tag = "boards", operation_id = "test_ringing",
    responses((status = 200, body = Tested), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn test(State(bell): State<Bell>) -> Json<Tested> {
    Json(Tested { topics: bell.alerts.test(&bell.hub, bell.hub.link_to_list()) })
}
