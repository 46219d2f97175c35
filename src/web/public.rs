//! HTTP: the public interface of version 1, the public page, metrics and health.
//!
//! | to change | go to |
//! |---|---|
//! | routes and their answers | this file |
//! | refusals, names in paths | `answer.rs` |
//! | event streams | `stream.rs` |
//! | the page's files | `page/`, sent by `assets.rs` |
//! | what no request may do | `guard.rs` |
use crate::answer::{Name, failure, json, last_id, no_board};
use crate::audience::Topic;
use crate::health::{Broker, HallHealth, HallState, NatsHealth};
use crate::hub::Hub;
use crate::metrics::Shown;
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::serve::serve_app;
use crate::{assets, guard, operator, policy, screens, stream};
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flagfall_journal::JournalState;
#[cfg(feature = "openapi")]
use flagfall_score::board::BoardView;
use flagfall_score::kept::GameRecord;
use flagfall_score::pgn::{self, pgn};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::{fmt, io};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

/// One address the daemon listens on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Listening {
    /// What for: `web`, `livechess` …
    pub name: String,
    /// Address and port, as bound.
    pub address: String,
}

/// What the event knows of the boards' games, for PGN.
pub trait Games: fmt::Debug + Send + Sync {
    /// Event, site and round of the game that a board shows.
    fn tags(&self, board: &str) -> Option<[Option<String>; 3]>;

    /// Game `number` of a board, if it is kept; the newest one where numbers began anew.
    fn game(&self, board: &str, number: u32) -> Option<Earlier>;
}

/// A game that was played before the one that is shown.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// The game.
    pub game: Arc<GameRecord>,
    /// White and Black as PGN has them; `?` where nobody knows.
    pub players: [String; 2],
    /// Event, site and round.
    pub tags: [Option<String>; 3],
}

/// What the daemon knows and the pages tell.
#[derive(Clone, Debug, Default)]
pub struct ServeInfo {
    /// Every address the daemon listens on, for `/healthz`.
    pub listeners: Vec<Listening>,
    /// Name of the event, for PGN.
    pub event: Option<String>,
    /// Where it is played, for PGN.
    pub site: Option<String>,
    /// The round, for PGN.
    pub round: Option<String>,
    /// The event as it is now: it names event, site and round where nothing else does.
    pub now: Option<Arc<dyn Games>>,
    /// How the hall is doing, where this is one.
    pub hall: Option<Arc<HallState>>,
    /// The broker, for `/healthz`.
    pub nats: Option<Arc<dyn Broker>>,
    /// Where others reach the pages.
    pub addresses: operator::Addresses,
}

pub(crate) struct Shared {
    hub: Arc<Hub>,
    info: ServeInfo,
    stop: CancellationToken,
}

/// Serves the public interface until `token` is cancelled; then ends the event streams, lets other answers finish within two seconds, and returns.
///
/// # Errors
/// When the listener itself fails for good.
pub async fn serve(listener: TcpListener, hub: Arc<Hub>, info: ServeInfo, token: CancellationToken) -> io::Result<()> {
    serve_app(listener, None, router(hub, info, token.clone()), token).await
}

/// The public interface alone. The event streams end when `stop` is cancelled.
pub fn router(hub: Arc<Hub>, info: ServeInfo, stop: CancellationToken) -> Router {
    let (boards, rest) = public(hub, info, stop);
    finished(boards.merge(rest), &[])
}

/// All `routes` as they are served; `hosts` are names of this machine that it does not know itself.
pub fn serving(routes: Router, hosts: &[String]) -> Router {
    finished(routes, hosts)
}

/// The public interface: what tells of boards, and what does not.
pub fn public(hub: Arc<Hub>, info: ServeInfo, stop: CancellationToken) -> (Router, Router) {
    let shared = Arc::new(Shared { hub, info, stop });
    let boards = Router::new()
        .route("/api/v1/boards", get(boards))
        .route("/api/v1/boards/{board}", get(board))
        .route("/api/v1/boards/{board}/events", get(board_events))
        .route("/api/v1/boards/{board}/pgn", get(board_pgn))
        .route("/api/v1/events", get(all_events))
        .route("/metrics", get(metrics))
        .route("/", get(page))
        .merge(screens::pages())
        .with_state(shared.clone());
    let rest = Router::new()
        .route("/healthz", get(health))
        .route("/page/{file}", get(assets::file))
        .merge(screens::files())
        .merge(operator::pages())
        .with_state(shared);
    (squeezed(boards), squeezed(rest))
}

/// Answers are compressed for whoever asks for it; streams and pictures are not. A strong tag becomes a weak one: the bytes are others.
pub fn squeezed(routes: Router) -> Router {
    let weak = |mut answer: Response| async move {
        let headers = answer.headers_mut();
        let tag = headers.get(header::ETAG).filter(|_| headers.contains_key(header::CONTENT_ENCODING)).and_then(|tag| tag.to_str().ok());
        if let Some(weak) = tag.filter(|tag| tag.starts_with('"')).and_then(|tag| HeaderValue::try_from(format!("W/{tag}")).ok()) {
            headers.insert(header::ETAG, weak);
        }
        answer
    };
    routes.layer(CompressionLayer::new()).layer(middleware::map_response(weak))
}

/// What holds for every answer.
fn finished(routes: Router, hosts: &[String]) -> Router {
    let fixed = |name, value| SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value));
    routes
        .fallback(assets::not_found)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(guard::Hosts::new(hosts), guard::guard))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
        .layer(middleware::map_response(policy::unframed))
        .layer(fixed(header::CACHE_CONTROL, "no-cache"))
        .layer(fixed(HeaderName::from_static("cross-origin-opener-policy"), "same-origin"))
}

type Server = State<Arc<Shared>>;

/// So many boards come with the page: a screen full of them.
const FIRST: usize = 8;

/// The page.
async fn page(State(server): Server, headers: HeaderMap, uri: Uri) -> Response {
    assets::index(headers, uri, || server.hub.first_json(FIRST)).await
}

/// All boards.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards", tag = "public", operation_id = "boards",
    responses((status = 200, body = [BoardView<'_>]))))]
pub(crate) async fn boards(State(server): Server) -> Response {
    json(server.hub.boards_json())
}

/// One board with its moves.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards/{board}", tag = "public", operation_id = "board",
    params(("board" = String, Path, description = "The board's name")),
    responses((status = 200, body = BoardView<'_>), (status = 404, body = Problem))))]
pub(crate) async fn board(State(server): Server, Name(name): Name) -> Response {
    server.hub.board_json(&name).map_or_else(|| no_board(&name), json)
}

/// Events of one board.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards/{board}/events", tag = "public", operation_id = "board_events",
    params(("board" = String, Path, description = "The board's name")),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 404, body = Problem))))]
pub(crate) async fn board_events(State(server): Server, Name(name): Name, headers: HeaderMap) -> Response {
    match server.hub.listen(Topic::Board(name.as_str().into()), last_id(&headers)) {
        Some((first, listener)) => stream::answer(first, listener, server.stop.clone()),
        None => no_board(&name),
    }
}

/// Which boards a stream is about.
#[cfg(feature = "openapi")]
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "read by hand: a comma that is part of a name must not divide it")]
pub(crate) struct OfBoards {
    /// Their names, with commas between; a comma in a name is `%2C`. Boards that come while the stream is open are in it, too.
    boards: Option<String>,
}

/// The boards that are asked for.
fn topic(query: Option<&str>) -> Topic {
    let Some(list) = query.and_then(|query| query.split('&').find_map(|part| part.strip_prefix("boards="))) else { return Topic::All };
    let name = |text: &str| Arc::from(percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().as_ref());
    Topic::Some(list.split(',').filter(|name| !name.is_empty()).map(name).collect())
}

/// Events of all boards, or of those that are named.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/events", tag = "public", operation_id = "events", params(OfBoards),
    responses((status = 200, content_type = "text/event-stream", body = String))))]
pub(crate) async fn all_events(State(server): Server, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    match server.hub.listen(topic(query.as_deref()), last_id(&headers)) {
        Some((first, listener)) => stream::answer(first, listener, server.stop.clone()),
        // All boards can always be listened to; only a single one can be unknown.
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Which game of a board.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub(crate) struct OfBoard {
    /// From 1; without it the one that is shown.
    game: Option<u32>,
}

/// The game on a board, or an earlier one of it.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/boards/{board}/pgn", tag = "public", operation_id = "board_pgn",
    params(("board" = String, Path, description = "The board's name"), OfBoard),
    responses((status = 200, content_type = "application/x-chess-pgn", body = String), (status = 404, body = Problem))))]
pub(crate) async fn board_pgn(State(server): Server, Name(name): Name, wanted: Result<Query<OfBoard>, QueryRejection>) -> Response {
    let Ok(Query(OfBoard { game })) = wanted else { return no_game(&name) };
    let Some(state) = server.hub.board(&name) else { return no_board(&name) };
    let (now, info) = (server.info.now.as_ref(), &server.info);
    let earlier = game.filter(|game| state.game().number != Some(*game));
    let played = earlier.map(|number| now?.game(state.board(), number));
    let known = match &played {
        None => now.and_then(|event| event.tags(state.board())),
        Some(None) => return no_game(&name),
        Some(Some(played)) => Some(played.tags.clone()),
    };
    let [event, site, round] = known.unwrap_or_default();
    let given = [("Event", info.event.clone().or(event)), ("Site", info.site.clone().or(site)), ("Round", info.round.clone().or(round))];
    let mut tags: Vec<(&str, &str)> = given.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))).collect();
    tags.push(("Board", state.board()));
    let text = match played.flatten() {
        None => pgn(&state, &tags),
        Some(Earlier { game, players: [white, black], .. }) => pgn::of_record(&game, game.result, [&white, &black], &tags),
    };
    ([(header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")], text).into_response()
}

/// Counters and gauges for Prometheus; OpenMetrics for whoever accepts it.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/metrics", tag = "public", operation_id = "metrics",
    responses((status = 200, content_type = "text/plain", body = String))))]
pub(crate) async fn metrics(State(server): Server, headers: HeaderMap) -> Response {
    figures(&server.hub, Shown::Public, &headers)
}

/// Counters and gauges for Prometheus, those that tell of findings and alarms among them.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/metrics", tag = "broadcast", operation_id = "all_metrics",
    responses((status = 200, content_type = "text/plain", body = String), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn all_metrics(State(server): Server, headers: HeaderMap) -> Response {
    figures(&server.hub, Shown::Everything, &headers)
}

fn figures(hub: &Hub, shown: Shown, headers: &HeaderMap) -> Response {
    let metrics = hub.metrics();
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let (text, kind) = match accepts.contains("application/openmetrics-text") {
        true => (metrics.open_metrics(shown), "application/openmetrics-text; version=1.0.0; charset=utf-8"),
        false => (metrics.text(shown), prometheus_client::encoding::prometheus_text::CONTENT_TYPE),
    };
    match text {
        Ok(text) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// How the machine is; nothing of any board.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct Health<'a> {
    version: &'static str,
    listeners: &'a [Listening],
    boards: usize,
    boards_up: usize,
    journal: JournalHealth,
    #[serde(skip_serializing_if = "Option::is_none")]
    hall: Option<HallUp<'a>>,
    /// Missing where no broker is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    nats: Option<NatsUp<'a>>,
}

/// How the journals are.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct JournalHealth {
    state: &'static str,
}

/// How a hall is.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct HallUp<'a> {
    name: &'a str,
    event: &'a str,
    broker: bool,
    speaks: bool,
    speaker: Option<&'a str>,
    /// Missing where what is public is delayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pis: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pis_away: Option<usize>,
}

/// How it stands with the broker.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct NatsUp<'a> {
    connected: bool,
    event: &'a str,
    pi: &'a str,
}

/// How the machine is. What of it tells of boards, entries or single events is for operators.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/healthz", tag = "public", operation_id = "health",
    responses((status = 200, body = Health<'_>))))]
pub(crate) async fn health(State(server): Server) -> Response {
    let (boards, boards_up) = server.hub.boards_up();
    let (hall, nats) = (server.info.hall.as_ref().map(|hall| hall.now()), server.info.nats.as_ref().and_then(|nats| nats.health()));
    let state = match server.hub.journal() {
        JournalState::Off => "off",
        JournalState::Ok => "ok",
        JournalState::Failing { .. } => "failing",
    };
    let health = Health {
        version: env!("CARGO_PKG_VERSION"),
        listeners: &server.info.listeners,
        boards,
        boards_up,
        journal: JournalHealth { state },
        hall: hall.as_ref().map(|hall| HallUp {
            name: &hall.name,
            event: &hall.event,
            broker: hall.broker,
            speaks: hall.speaks,
            speaker: hall.speaker.as_deref(),
            pis: Some(hall.pis).filter(|_| !server.hub.is_behind()),
            pis_away: Some(hall.pis_away).filter(|_| !server.hub.is_behind()),
        }),
        nats: nats.as_ref().map(|nats| NatsUp { connected: nats.connected, event: &nats.event, pi: &nats.pi }),
    };
    json(crate::stage::json(&health))
}

/// How the machine is, with everything that is known of it.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct WholeHealth<'a> {
    version: &'static str,
    listeners: &'a [Listening],
    boards: usize,
    boards_up: usize,
    journal: JournalState,
    #[serde(skip_serializing_if = "Option::is_none")]
    hall: Option<HallHealth>,
    /// Missing where no broker is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    nats: Option<NatsHealth>,
}

/// How the machine is, with everything that is known of it.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/health", tag = "broadcast", operation_id = "whole_health",
    responses((status = 200, body = WholeHealth<'_>), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn whole_health(State(server): Server) -> Response {
    let (boards, boards_up) = server.hub.boards_up();
    let version = env!("CARGO_PKG_VERSION");
    let (hall, nats) = (server.info.hall.as_ref().map(|hall| hall.now()), server.info.nats.as_ref().and_then(|nats| nats.health()));
    let (listeners, journal) = (&*server.info.listeners, server.hub.journal());
    json(crate::stage::json(&WholeHealth { version, listeners, boards, boards_up, journal, hall, nats }))
}

/// What operators see of the machine.
pub fn operators(hub: Arc<Hub>, info: ServeInfo, stop: CancellationToken) -> Router {
    let own = operator::routes(hub.clone(), info.addresses.clone());
    Router::new()
        .route("/api/v1/operator/metrics", get(all_metrics))
        .route("/api/v1/operator/health", get(whole_health))
        .with_state(Arc::new(Shared { hub, info, stop }))
        .merge(own)
}

fn no_game(name: &str) -> Response {
    let error = format!("that game of board {name:?} is not kept here");
    failure(
        StatusCode::NOT_FOUND,
        &error,
        "games count from 1; the last one is `game.number` at GET /api/v1/boards/{board}; older ones are in the journals: flagfall export",
    )
}

async fn wrong_method(method: Method) -> Response {
    failure(StatusCode::METHOD_NOT_ALLOWED, &format!("{method} is not possible here"), "GET /api/v1/openapi.json says what is possible")
}
