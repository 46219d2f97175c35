//! Rings until somebody goes: looks every second which findings wait, and hands each ring that is due to whoever carries it.
//!
//! Whoever merges the routes lets arbiters through only.
use crate::push::{Push, Subscription};
use crate::ringer::{AGAIN_MS, Ring, Ringer};
use crate::webhook::Alerting;
use axum::extract::{Extension, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use flagfall_time::Stopwatch;
use flagfall_web::answer::failure;
use flagfall_web::arbiter::Who;
use flagfall_web::arbiter::given::Given;
use flagfall_web::hub::Hub;
#[cfg(feature = "openapi")]
use flagfall_web::problem::Problem;
use flagfall_web::qr;
use serde::{Deserialize, Serialize};
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
    push: Push,
}

/// What arbiters can ask of it.
pub fn routes(hub: Arc<Hub>, alerts: Alerting, push: Push) -> Router {
    Router::new()
        .route("/api/v1/arbiter/ringing", get(show))
        .route("/api/v1/arbiter/ringing/push", post(subscribe))
        .route("/api/v1/arbiter/ringing/push/remove", post(unsubscribe))
        .route("/api/v1/arbiter/ringing/code", get(code))
        .route("/api/v1/arbiter/ringing/test", post(test))
        .with_state(Bell { hub, alerts, push })
}

/// How telephones are rung.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct Ringing {
    /// What a browser subscribes with (`applicationServerKey`).
    push_key: Option<String>,
    /// Addresses of the topics of ntfy.
    topics: Vec<String>,
}

/// What a telephone needs to be rung: the key for Web Push, and the topics of ntfy.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/ringing", tag = "boards", operation_id = "ringing",
    responses((status = 200, body = Ringing), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn show(State(bell): State<Bell>) -> Json<Ringing> {
    Json(Ringing { push_key: bell.push.key(), topics: bell.alerts.topics() })
}

/// A browser subscribes to Web Push, or says whose boards ring there from now on.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/ringing/push", tag = "boards", operation_id = "subscribe", request_body = Subscription,
    responses((status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 413, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem))))]
pub(crate) async fn subscribe(
    State(bell): State<Bell>,
    Extension(who): Extension<Who>,
    Given(subscription): Given<Subscription>,
) -> Response {
    // It may be written to a disk.
    let kept = tokio::task::spawn_blocking(move || bell.push.subscribe(who.name, subscription)).await;
    if kept.unwrap_or(false) {
        return StatusCode::NO_CONTENT.into_response();
    }
    let hint = "send what the browser's PushSubscription.toJSON() gives; the push service's address begins with https";
    failure(StatusCode::UNPROCESSABLE_ENTITY, "this is no subscription that can be used", hint)
}

/// Which subscription.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct Endpoint {
    /// Its address.
    endpoint: String,
}

/// A browser wants to be rung no more.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/ringing/push/remove", tag = "boards", operation_id = "unsubscribe", request_body = Endpoint,
    responses((status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 413, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem))))]
pub(crate) async fn unsubscribe(State(bell): State<Bell>, Given(Endpoint { endpoint }): Given<Endpoint>) -> StatusCode {
    _ = tokio::task::spawn_blocking(move || bell.push.unsubscribe(&endpoint)).await;
    StatusCode::NO_CONTENT
}

/// Which topic, from 0.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub(crate) struct Topic {
    /// Its place in `topics`; the first where it is missing.
    #[serde(default)]
    topic: usize,
}

/// The address of a topic as a QR code.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/arbiter/ringing/code", tag = "boards", operation_id = "topic_code", params(Topic),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem))))]
pub(crate) async fn code(State(bell): State<Bell>, Query(Topic { topic }): Query<Topic>) -> Response {
    match bell.alerts.topics().get(topic).and_then(|address| qr::svg(address)) {
        Some(picture) => ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "no-store")], picture).into_response(),
        None => failure(
            StatusCode::NOT_FOUND,
            "there is no such topic",
            "GET /api/v1/arbiter/ringing names them; [[alert]] with kind = \"ntfy\" adds one",
        ),
    }
}

/// Where a test was sent.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct Tested {
    /// Topics of ntfy.
    topics: usize,
    /// The caller's own browsers.
    browsers: usize,
}

/// Sends a test to every ntfy topic of the configuration, and to the browsers of whoever asks.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/ringing/test", tag = "boards", operation_id = "test_ringing",
    responses((status = 200, body = Tested), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn test(State(bell): State<Bell>, Extension(who): Extension<Who>) -> Json<Tested> {
    let topics = bell.alerts.test(&bell.hub, bell.hub.link_to_list());
    Json(Tested { topics, browsers: bell.push.test(&bell.hub, who.name.as_deref()) })
}
