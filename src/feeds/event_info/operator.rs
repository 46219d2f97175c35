//! What operators do with the event, over HTTP. Whoever merges these routes checks the role first.
//!
//! | request | answer |
//! |---|---|
//! | `GET /api/v1/operator/event` | the event: rounds, pairings, which round is played |
//! | `POST /api/v1/operator/event/round`, `{"round": 3}` | 200: that round is played now; 422 with what to do |
//! | `POST /api/v1/operator/event/reload` | 202: pairings and players are read again |
//! | `POST /api/v1/operator/event/pairings`, a list | 200: it is taken, and this is what it changes; 422 with every mistake |
//! | `POST /api/v1/operator/event/pairings?dry_run=true` | the same, and nothing is taken |
//! | `POST /api/v1/operator/event/pairings?url=https://…` | the same for the list at that address |
//! | `GET /api/v1/operator/event/held` | what is not followed because games have begun |
//! | `POST /api/v1/operator/event/held` | 200: it is followed now |
use super::desk::EventDesk;
use super::found::{Posted, Taken};
use super::{EventInfo, Pairing, Tournament};
use crate::cloud;
use crate::pairings::fetch;
use crate::players::Player;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use flagfall_config::list_source::ListSource;
#[cfg(feature = "openapi")]
use flagfall_web::problem::Problem;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// A list that is posted is no longer, in bytes: a thousand pairings with all that is known of the players.
const LARGEST: usize = 1024 * 1024;

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
        .route("/api/v1/operator/event/pairings", post(pairings).layer(DefaultBodyLimit::max(LARGEST)))
        .route("/api/v1/operator/event/held", get(held).post(take_held))
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
    // Those of its board that were played for it, a cancelled one among them.
    let games = |p: &Pairing, round: u32| {
        let all = p.board.as_ref().and_then(|board| event.games.get(board)).into_iter().flatten();
        all.filter(|played| (played.round, played.pairing) == (round, p.number)).filter_map(|played| played.game.game).collect::<Vec<_>>()
    };
    let pairing = |p: &Pairing, number: u32| {
        json!({
            "number": p.number, "uuid": p.uuid, "label": p.label, "board": p.board.as_deref(),
            "white": player(&p.white), "black": player(&p.black), "result": p.result, "live": p.live,
            "games": games(p, number),
            "cut": p.game.as_ref().and_then(|g| g.cut.as_ref()).map(|cut| cut.comment()),
        })
    };
    let round = |r: &super::Round| json!({ "number": r.number, "date": r.date, "pairings": r.pairings.iter().map(|p| pairing(p, r.number)).collect::<Vec<_>>() });
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

/// How a list is taken.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Ask {
    /// Only say what would change.
    dry_run: bool,
    /// Names move over games that have begun, too; the games stay on their boards.
    over_games: bool,
    /// The round of lines that name none; without it the round that is played, or the next once most pairs are others.
    round: Option<u32>,
    /// The list is fetched from this address instead of the body: what `[event] pairings` may name, once.
    url: Option<String>,
}

/// A player of a list: a name alone, or what is known.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "it describes what is read as text")]
pub(crate) struct ListPlayer {
    /// `Adams, Mary`; `bye` where nobody sits.
    name: String,
    /// `GM`, `WIM` …
    title: Option<String>,
    elo: Option<u16>,
    fideid: Option<u32>,
    /// FIDE's three letters.
    federation: Option<String>,
    /// `m` or `f`.
    gender: Option<String>,
    team: Option<String>,
}

/// A pairing of a list.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "it describes what is read as text")]
pub(crate) struct ListPairing {
    /// Its label: `7`, in team events match and board, `3.2`.
    board: String,
    /// The match, where `board` counts within it.
    #[schema(rename = "match")]
    of: Option<u32>,
    round: Option<u32>,
    white: ListPlayer,
    black: ListPlayer,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`, or `+ -`, `- +`, `- -` for a forfeit.
    result: Option<String>,
    /// `2026-11-21`
    date: Option<String>,
}

/// A pairing list. CSV, PGN and TRF are taken as well, as they are.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "it describes what is read as text")]
pub(crate) struct PostedList {
    /// The event's name, where the configuration names none.
    event: Option<String>,
    /// `City, Country`
    site: Option<String>,
    /// The round of all pairings that name none.
    round: Option<u32>,
    pairings: Vec<ListPairing>,
}

/// What came of a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct TakenAnswer {
    /// It stands now; false: it was only asked.
    taken: bool,
    /// What is otherwise, a sentence each.
    changes: Vec<String>,
    /// What is not followed because games have begun.
    held: Vec<String>,
    /// What else to look at.
    doubts: Vec<String>,
}

impl TakenAnswer {
    fn new(taken: bool, it: Taken) -> Json<Self> {
        Json(Self { taken, changes: it.changes, held: it.held, doubts: it.doubts })
    }
}

/// Takes a pairing list, or says what it would change.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/operator/event/pairings", tag = "broadcast", operation_id = "post_pairings", params(Ask),
    request_body(content((PostedList = "application/json"), (String = "text/csv"), (String = "application/x-chess-pgn"), (String = "text/plain"))),
    responses((status = 200, body = TakenAnswer), (status = 401, body = Problem), (status = 403, body = Problem), (status = 422, body = Problem))))]
pub(crate) async fn pairings(State(ways): State<Ways>, ask: Result<Query<Ask>, QueryRejection>, body: Bytes) -> Response {
    let Ok(Query(ask)) = ask else {
        return refused("the address asks for something that is not known", "known are dry_run=true, over_games=true and round=3");
    };
    let bytes = match &ask.url {
        None => body.to_vec(),
        Some(url) => match fetched(url).await {
            Ok(bytes) => bytes,
            Err(why) => return refused(&why, "nothing was taken; or save the list and send the file"),
        },
    };
    let posted = Posted { bytes, round: ask.round.filter(|n| (1..=999).contains(n)), dry: ask.dry_run, over_games: ask.over_games };
    match ways.desk.post(posted).await {
        Ok(taken) => TakenAnswer::new(!ask.dry_run, taken).into_response(),
        Err(mistakes) => {
            let text = mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            refused(&text, "nothing was taken; mend these lines and send the list again")
        }
    }
}

/// The list at an address.
async fn fetched(url: &str) -> Result<Vec<u8>, String> {
    let source = ListSource::parse(url).map_err(|why| format!("this {why}"))?;
    let ListSource::Web(list) = &source else { return Err(String::from("that is no address; it begins with https://")) };
    let client = fetch::Client::new().map_err(|error| format!("cannot speak HTTPS: {error}; install ca-certificates"))?;
    client.once(list).await.map_err(|why| format!("{source} {why}"))
}

/// What lists say of games that have begun, and what is not followed by itself.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/event/held", tag = "broadcast", operation_id = "held_pairings",
    responses((status = 200, body = TakenAnswer), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn held(State(ways): State<Ways>) -> Response {
    TakenAnswer::new(false, ways.desk.held(false).await).into_response()
}

/// Follows what is held: names move, games stay on their boards.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/operator/event/held", tag = "broadcast", operation_id = "take_held_pairings",
    responses((status = 200, body = TakenAnswer), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn take_held(State(ways): State<Ways>) -> Response {
    TakenAnswer::new(true, ways.desk.held(true).await).into_response()
}

fn refused(error: &str, hint: &str) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, Json(json!({ "error": error, "hint": hint }))).into_response()
}
