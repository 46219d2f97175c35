//! Requests to Lichess: the only file here that touches the network, and the only one that sees the token.
use super::answer::{Failure, Outcome, Refusal};
use super::asked::Order;
use crate::bounded::{self, Unread};
use crate::client::USER_AGENT;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Lichess lets a push wait ten seconds in its queue.
const PATIENCE: Duration = Duration::from_secs(20);
/// For the connection alone.
const CONNECT: Duration = Duration::from_secs(10);
/// No answer to a push is longer: a hundred entries of a kilobyte.
const LONGEST_ANSWER: usize = 256 * 1024;
/// A round that is read back: a hundred games, and what Lichess adds to each.
const LONGEST_ROUND: usize = 4 * 1024 * 1024;
/// A stream that says nothing for so long is opened again.
const SILENCE: Duration = Duration::from_secs(900);

/// A round on a Lichess.
#[derive(Clone, Debug)]
pub(super) struct Client {
    http: reqwest::Client,
    base: String,
    round: String,
    token_file: PathBuf,
    /// Reading needs the token, too: the round is private.
    secret: Arc<AtomicBool>,
}

impl Client {
    pub(super) fn new(base: &str, round: &str, token_file: &Path) -> reqwest::Result<Self> {
        crate::tls_provider();
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            // A redirection would carry the token to somebody else, and turns a POST into a GET.
            .redirect(Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .build()?;
        Ok(Self {
            http,
            base: base.trim_end_matches('/').into(),
            round: round.into(),
            token_file: token_file.into(),
            secret: Arc::default(),
        })
    }

    /// Sends one order and waits for the answer.
    pub(super) async fn send(&self, order: Order) -> Outcome {
        let Self { base, round, .. } = self;
        let (path, body) = match &order {
            Order::Delay => return self.look(&format!("/api/broadcast/-/-/{round}"), false).await,
            Order::Round => return self.look(&format!("/api/broadcast/round/{round}.pgn"), true).await,
            Order::Push(body) => {
                (format!("{base}/api/broadcast/round/{round}/push"), Some(("text/plain; charset=utf-8", body.text.clone())))
            }
            Order::Reset => (format!("{base}/api/broadcast/round/{round}/reset"), None),
            Order::Moves(wanted) => {
                let form = form(&[("pgn", &wanted.pgn)]);
                (format!("{base}/api/study/{round}/{}/moves", wanted.chapter), Some(("application/x-www-form-urlencoded", form)))
            }
        };
        // Read each time: a new token works with the next request.
        let token = match super::token::read(&self.token_file) {
            Ok(token) => token,
            Err(why) => return Outcome::Refused(Refusal::NoToken(why)),
        };
        let request = self.http.post(path).timeout(PATIENCE).header("Authorization", token);
        let request = match body {
            Some((kind, body)) => request.header("Content-Type", kind).body(body),
            None => request.header("Content-Length", "0"),
        };
        match answer(request, LONGEST_ANSWER).await {
            Err(outcome) => outcome,
            Ok(Answer { status, headers, body }) => {
                let (after, to) = (text(&headers, RETRY_AFTER), text(&headers, LOCATION));
                match order {
                    Order::Push(_) => Outcome::of_push(status, after, to, &body),
                    _ => Outcome::of_status(status, after, to, &body),
                }
            }
        }
    }

    /// Reads what everybody may see; where that is refused, with the token.
    async fn look(&self, path: &str, pgn: bool) -> Outcome {
        loop {
            let secret = self.secret.load(Ordering::Relaxed);
            let Some(request) = self.reading(path, secret) else { return Outcome::Refused(Refusal::NotAllowed) };
            let outcome = match answer(request.timeout(PATIENCE), LONGEST_ROUND).await {
                Err(outcome) => outcome,
                Ok(Answer { status, headers, body }) => {
                    // A hundred games take a small machine a tenth of a second: not where others wait.
                    let read = tokio::task::spawn_blocking(move || {
                        let (after, to) = (text(&headers, RETRY_AFTER), text(&headers, LOCATION));
                        if pgn {
                            Outcome::of_round(status, after, to, text(&headers, CONTENT_TYPE), &body)
                        } else {
                            Outcome::of_info(status, after, to, &body)
                        }
                    });
                    read.await.unwrap_or(Outcome::Failed(Failure::Garbled))
                }
            };
            match outcome {
                Outcome::Refused(Refusal::BadToken | Refusal::NotAllowed | Refusal::NoSuchRound) if !secret => {
                    self.secret.store(true, Ordering::Relaxed);
                }
                Outcome::Refused(_) => {
                    self.secret.store(false, Ordering::Relaxed);
                    return outcome;
                }
                other => return other,
            }
        }
    }

    /// The stream of the round: first every game, then each whenever it changes.
    pub(super) async fn stream(&self) -> Option<reqwest::Response> {
        let path = format!("/api/stream/broadcast/round/{}.pgn", self.round);
        let request = self.reading(&path, self.secret.load(Ordering::Relaxed))?;
        request.send().await.ok().filter(|answer| answer.status().as_u16() == 200)
    }

    fn reading(&self, path: &str, secret: bool) -> Option<reqwest::RequestBuilder> {
        let request = self.http.get(format!("{}{path}", self.base));
        if !secret {
            return Some(request);
        }
        Some(request.header("Authorization", super::token::read(&self.token_file).ok()?))
    }
}

/// What came back.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap<HeaderValue>,
    pub(super) body: Vec<u8>,
}

/// Sends a request and reads the answer, `longest` bytes of it at most.
pub(super) async fn answer(request: reqwest::RequestBuilder, longest: usize) -> Result<Answer, Outcome> {
    let mut answer = request.send().await.map_err(|error| Outcome::Failed(failure(&error)))?;
    let status = answer.status().as_u16();
    let headers = answer.headers().clone();
    let body = match bounded::body(&mut answer, longest).await {
        Ok(body) => body,
        // A refusal is one even if its text breaks off.
        Err(_) if status >= 300 => Vec::new(),
        Err(Unread::TooLong) => return Err(Outcome::Failed(Failure::Garbled)),
        Err(Unread::Broken(error)) => return Err(Outcome::Failed(failure(&error))),
    };
    Ok(Answer { status, headers, body })
}

/// Fields as a web form sends them.
pub(super) fn form(fields: &[(&str, &str)]) -> String {
    let Ok(mut url) = reqwest::Url::parse("https://lichess.org") else { return String::new() };
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap_or("").to_owned()
}

fn text(headers: &HeaderMap<HeaderValue>, name: impl reqwest::header::AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn failure(error: &reqwest::Error) -> Failure {
    if error.is_timeout() {
        return Failure::TimedOut;
    }
    // The innermost cause is the one for people: "Connection refused", not "error sending request".
    let mut cause = error.source();
    let mut why = String::from("the connection failed");
    while let Some(inner) = cause {
        why = inner.to_string();
        cause = inner.source();
    }
    Failure::Network(why)
}
