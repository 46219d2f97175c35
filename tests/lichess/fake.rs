//! A Lichess on loopback: answers as documented, by a script, and remembers what it was sent, when, and how much at once. With a model it has
//! the round, too: what was pushed can be read back and is streamed. Without one nothing can be read.
use super::model::Lichess;
pub(crate) use super::model::split;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;

/// What it does with the next push.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Does {
    /// Takes every game.
    Takes,
    /// Takes all but the second.
    TakesAllButTheSecond,
    /// Says that the round has a source of its own.
    HasSource,
    /// Answers with this status and a JSON error.
    Says(u16),
    /// Answers with a web page, as a log-in page of a network does.
    Page,
    /// Never answers.
    Hangs,
    /// Takes every game, after a while.
    Slow(u64),
    /// Breaks the connection in the middle of its answer.
    Breaks,
}

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) at: Instant,
    /// `push` or `reset`.
    pub(crate) what: String,
    pub(crate) round: String,
    pub(crate) body: String,
    pub(crate) headers: HeaderMap,
    /// Requests under way when it came, itself among them.
    pub(crate) at_once: usize,
}

#[derive(Default)]
struct Desk {
    script: VecDeque<Does>,
    seen: Vec<Seen>,
    under_way: usize,
    model: Option<(Lichess, Instant)>,
    /// The round is private: nothing is read without a token.
    private: bool,
    looks: usize,
    streams: usize,
}

#[derive(Default)]
pub(crate) struct Book {
    desk: Mutex<Desk>,
    news: Condvar,
}

/// The server; it can be killed and come back at the same address.
pub(crate) struct Fake {
    pub(crate) book: Arc<Book>,
    pub(crate) address: SocketAddr,
    runtime: Option<Runtime>,
    /// Its port while it is dead: nobody listens, and nobody else gets it.
    kept: Option<TcpSocket>,
}

impl Fake {
    pub(crate) fn new(script: impl IntoIterator<Item = Does>) -> Self {
        let book = Arc::new(Book::default());
        book.lock().script = script.into_iter().collect();
        let mut fake = Self { book, address: SocketAddr::from(([127, 0, 0, 1], 0)), runtime: None, kept: None };
        fake.start();
        fake
    }

    /// One that keeps the round.
    pub(crate) fn keeping(model: Lichess, private: bool) -> Self {
        let fake = Self::new([]);
        {
            let mut desk = fake.book.lock();
            desk.model = Some((model, now()));
            desk.private = private;
        }
        fake
    }

    /// What happens there by itself or by hand.
    pub(crate) fn there<T>(&self, what: impl FnOnce(&mut Lichess, u64) -> T) -> T {
        self.book.lock().there(what).unwrap()
    }

    /// How often the round was read whole, and how often its stream was opened.
    pub(crate) fn looked(&self) -> (usize, usize) {
        let desk = self.book.lock();
        (desk.looks, desk.streams)
    }

    pub(crate) fn start(&mut self) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let kept = self.kept.take();
        let listener = runtime.block_on(async {
            match kept {
                Some(socket) => socket.listen(1024),
                None => TcpListener::bind(self.address).await,
            }
        });
        let listener = listener.unwrap();
        self.address = listener.local_addr().unwrap();
        let app = Router::new()
            .route("/api/broadcast/round/{round}/{what}", post(answer))
            .route("/api/study/{round}/{chapter}/moves", post(replace))
            .route("/api/broadcast/-/-/{round}", get(info))
            .route("/api/broadcast/round/{file}", get(export))
            .route("/api/stream/broadcast/round/{file}", get(stream))
            .with_state(self.book.clone());
        runtime.spawn(async move { axum::serve(listener, app).await });
        self.runtime = Some(runtime);
    }

    /// As a power cut: every connection is gone, nobody listens.
    pub(crate) fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(5));
            self.kept = kept(self.address).ok();
        }
        self.book.lock().under_way = 0;
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.book.lock().seen.clone()
    }

    /// Waits until `enough` holds of what it saw.
    pub(crate) fn wait(&self, what: &str, enough: impl Fn(&[Seen]) -> bool) -> Vec<Seen> {
        let desk = self.book.lock();
        let (desk, timeout) = self.book.news.wait_timeout_while(desk, Duration::from_secs(60), |desk| !enough(&desk.seen)).unwrap();
        let seen = desk.seen.clone();
        drop(desk);
        assert!(!timeout.timed_out(), "{what}: {seen:#?}");
        seen
    }

    /// What holds of every feed, whatever happened.
    pub(crate) fn check(&self) {
        let seen = self.seen();
        for request in &seen {
            assert_eq!(request.at_once, 1, "two at once");
            assert_eq!(request.headers["authorization"], "Bearer lip_secret");
            assert!(request.headers["user-agent"].to_str().unwrap().starts_with("flagfall/"));
            if request.what == "push" {
                assert!(request.headers["content-type"].to_str().unwrap().starts_with("text/plain"));
            }
        }
        for pair in seen.windows(2) {
            let gap = pair[1].at - pair[0].at;
            let least = if pair[1].what == "moves" { 240 } else { 990 };
            assert!(gap >= Duration::from_millis(least), "two within {gap:?}");
        }
    }
}

/// A port that is taken, and on which nobody listens.
fn kept(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Desk {
    fn there<T>(&mut self, what: impl FnOnce(&mut Lichess, u64) -> T) -> Option<T> {
        let (model, since) = self.model.as_mut()?;
        Some(what(model, u64::try_from(since.elapsed().as_millis()).unwrap()))
    }

    /// What somebody reads, where he may.
    fn read<T>(&mut self, headers: &HeaderMap, what: impl FnOnce(&mut Lichess, u64) -> T) -> Result<T, StatusCode> {
        if self.private && !headers.contains_key("authorization") {
            return Err(StatusCode::NOT_FOUND);
        }
        self.there(what).ok_or(StatusCode::NOT_FOUND)
    }
}

impl Book {
    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request under way; it is over when the answer is, or when the other side has gone.
struct UnderWay(Arc<Book>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut desk = self.0.lock();
        desk.under_way = desk.under_way.saturating_sub(1);
    }
}

async fn answer(State(book): State<Arc<Book>>, Path((round, what)): Path<(String, String)>, headers: HeaderMap, body: Bytes) -> Response {
    let body = String::from_utf8(body.to_vec()).unwrap();
    let does = {
        let mut desk = book.lock();
        desk.under_way += 1;
        let seen = Seen { at: now(), what, round, body: body.clone(), headers, at_once: desk.under_way };
        desk.seen.push(seen);
        book.news.notify_all();
        desk.script.pop_front().unwrap_or(Does::Takes)
    };
    let _under_way = UnderWay(book.clone());
    if matches!(does, Does::Takes)
        && let Some(answer) = book.lock().there(|model, now| model_answers(model, now, &body))
    {
        return answer;
    }
    match does {
        Does::Takes => games(&body, None),
        Does::TakesAllButTheSecond => games(&body, Some(1)),
        Does::HasSource => {
            let error = "The relay has an upstream URL, and cannot be pushed to.";
            axum::Json(serde_json::json!({ "games": [{ "tags": {}, "error": error }] })).into_response()
        }
        Does::Says(status) => {
            let error = axum::Json(serde_json::json!({ "error": "no" }));
            (StatusCode::from_u16(status).unwrap(), error).into_response()
        }
        Does::Page => "<!doctype html><title>Welcome to our hotel</title>".into_response(),
        Does::Hangs => std::future::pending().await,
        Does::Slow(ms) => {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            games(&body, None)
        }
        Does::Breaks => {
            let half = futures_util::stream::iter([Ok(Bytes::from_static(b"{\"games\":[")), Err(std::io::Error::other("power cut"))]);
            Body::from_stream(half).into_response()
        }
    }
}

/// A body is a push; a reset has none.
fn model_answers(model: &mut Lichess, now: u64, body: &str) -> Response {
    if body.is_empty() {
        model.reset();
        return axum::Json(serde_json::json!({ "ok": true })).into_response();
    }
    let entries = model.push(now, body).into_iter().map(|entry| match entry.moves {
        Ok(moves) => serde_json::json!({ "tags": entry.tags, "moves": moves }),
        Err(error) => serde_json::json!({ "tags": entry.tags, "error": error }),
    });
    axum::Json(serde_json::json!({ "games": entries.collect::<Vec<_>>() })).into_response()
}

async fn replace(
    State(book): State<Arc<Book>>,
    Path((round, chapter)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let body = String::from_utf8(body.to_vec()).unwrap();
    let pgn =
        &body.split('&').filter_map(|pair| pair.split_once('=')).find(|(name, _)| *name == "pgn").map(|(_, value)| decoded(value)).unwrap();
    let mut desk = book.lock();
    desk.under_way += 1;
    let seen = Seen { at: now(), what: String::from("moves"), round, body: pgn.clone(), headers, at_once: desk.under_way };
    desk.under_way -= 1;
    desk.seen.push(seen);
    let status = desk.there(|model, now| model.replace(now, &chapter, pgn)).unwrap_or(404);
    drop(desk);
    book.news.notify_all();
    StatusCode::from_u16(status).unwrap().into_response()
}

/// A value of a web form.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let hex = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap()
            }
            other => other,
        });
    }
    String::from_utf8(bytes).unwrap()
}

async fn info(State(book): State<Arc<Book>>, headers: HeaderMap) -> Response {
    match book.lock().read(&headers, |model, _| model.delay_s) {
        Ok(0) => axum::Json(serde_json::json!({ "round": { "id": "xVEzYJHf", "name": "Round 1" }, "games": [] })).into_response(),
        Ok(delay) => axum::Json(serde_json::json!({ "round": { "id": "xVEzYJHf", "delay": delay }, "games": [] })).into_response(),
        Err(status) => status.into_response(),
    }
}

async fn export(State(book): State<Arc<Book>>, headers: HeaderMap) -> Response {
    let mut desk = book.lock();
    desk.looks += 1;
    let text = desk.read(&headers, Lichess::export);
    drop(desk);
    book.news.notify_all();
    match text {
        Ok(text) => ([("content-type", "application/x-chess-pgn")], text).into_response(),
        Err(status) => status.into_response(),
    }
}

async fn stream(State(book): State<Arc<Book>>, headers: HeaderMap) -> Response {
    let first = {
        let mut desk = book.lock();
        desk.streams += 1;
        desk.read(&headers, Lichess::export)
    };
    let first = match first {
        Ok(text) => text,
        Err(status) => return status.into_response(),
    };
    let more = futures_util::stream::unfold((Some(first), book), |(first, book)| async move {
        let text = match first {
            Some(text) => text,
            None => loop {
                tokio::time::sleep(Duration::from_millis(50)).await;
                let text = book.lock().there(Lichess::stream).unwrap();
                if !text.is_empty() {
                    break text;
                }
            },
        };
        Some((Ok::<_, std::io::Error>(Bytes::from(text)), (None, book)))
    });
    ([("content-type", "application/x-chess-pgn")], Body::from_stream(more)).into_response()
}

/// One entry a game, in the order of the body.
fn games(body: &str, refused: Option<usize>) -> Response {
    let entries: Vec<_> = split(body)
        .iter()
        .enumerate()
        .map(|(i, game)| {
            let tags = serde_json::json!({ "White": tag(game, "White"), "Black": tag(game, "Black") });
            match refused {
                Some(n) if n == i => serde_json::json!({ "tags": tags, "error": "Cannot move" }),
                _ => serde_json::json!({ "tags": tags, "moves": 1 }),
            }
        })
        .collect();
    axum::Json(serde_json::json!({ "games": entries })).into_response()
}

/// A tag's value.
pub(crate) fn tag(game: &str, name: &str) -> Option<String> {
    let value = game.lines().find_map(|line| line.strip_prefix(&format!("[{name} \"")))?;
    Some(value.trim_end_matches("\"]").to_owned())
}

#[allow(clippy::disallowed_methods, reason = "the server has a clock of its own")]
fn now() -> Instant {
    Instant::now()
}
