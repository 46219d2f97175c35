//! What operators do with the event, over HTTP. Whoever merges these routes checks the role first.
//!
//! | request | answer |
//! |---|---|
//! | `GET /api/v1/operator/event` | the event: rounds, pairings, which round is played |
//! | `POST /api/v1/operator/event/round`, `{"round": 3}` | 200: that round is played now; 422 with what to do |
//! | `POST /api/v1/operator/event/reload` | 202: pairings and players are read again |
use super::desk::EventDesk;
use super::{EventInfo, Pairing, Tournament};
use crate::cloud;
use crate::players::Player;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
#[cfg(feature = "openapi")]
use flagfall_web::problem::Problem;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Clone)]
pub(crate) struct Ways {
    event: Arc<EventInfo>,
    desk: EventDesk,
}

/// The routes.
pub fn routes(event: Arc<EventInfo>, desk: EventDesk) -> Router {
    Router::new()
        .route("/api/v1/operator/event", get(show))
        .route("/api/v1/operator/event/round", post(round))
        .route("/api/v1/operator/event/reload", post(reload))
        .with_state(Ways { event, desk })
}

/// The event: rounds, pairings, which round is played.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/event", tag = "broadcast", operation_id = "event",
    responses((status = 200, body = Object), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn show(State(ways): State<Ways>) -> Response {
    Json(event(&ways.event.now())).into_response()
}

fn event(event: &Tournament) -> Value {
    // As the cloud has players, and what it has no place for.
    let player = |player: &Player| {
        let mut shown = json!(cloud::player(player));
        shown["elo"] = json!(player.elo);
        shown["team"] = json!(player.team);
        shown
    };
    let pairing = |p: &Pairing| {
        json!({
            "number": p.number, "uuid": p.uuid, "label": p.label, "board": p.board.as_deref(),
            "white": player(&p.white), "black": player(&p.black), "result": p.result, "live": p.live,
            "cut": p.game.as_ref().and_then(|g| g.cut.as_ref()).map(|cut| cut.comment()),
        })
    };
    let round =
        |r: &super::Round| json!({ "number": r.number, "date": r.date, "pairings": r.pairings.iter().map(pairing).collect::<Vec<_>>() });
    json!({
        "uuid": event.uuid, "name": event.name, "site": event.site, "round": event.current,
        "rounds": event.rounds.iter().map(round).collect::<Vec<_>>(),
    })
}

/// Which round is played now.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// Its number, from 1.
    round: u32,
}

/// Begins a round. Every game that had begun is over then.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/operator/event/round", tag = "broadcast", operation_id = "begin_round", request_body = Wanted,
    responses((status = 200), (status = 401, body = Problem), (status = 403, body = Problem), (status = 422, body = Problem))))]
pub(crate) async fn round(State(ways): State<Ways>, wanted: Result<Json<Wanted>, JsonRejection>) -> Response {
    let Ok(Json(Wanted { round })) = wanted else {
        return refused("that is no round", "send {\"round\": 3} as application/json");
    };
    match ways.desk.start_round(round).await {
        Ok(()) => Json(json!({ "round": round })).into_response(),
        Err(why) => refused(&why, "GET /api/v1/operator/event lists the rounds"),
    }
}

/// Reads pairings and players again.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/operator/event/reload", tag = "broadcast", operation_id = "reload_pairings",
    responses((status = 202), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn reload(State(ways): State<Ways>) -> Response {
    ways.desk.reload();
    (StatusCode::ACCEPTED, Json(json!({ "reload": true }))).into_response()
}

fn refused(error: &str, hint: &str) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, Json(json!({ "error": error, "hint": hint }))).into_response()
}
