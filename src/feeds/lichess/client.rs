//! Requests to Lichess: the only file here that touches the network, and the only one that sees the token.
use super::answer::{Failure, PushOutcome, Refusal};
use super::engine::Order;
use crate::bounded::{self, Unread};
use reqwest::header::{HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lichess lets a push wait ten seconds in its queue.
const PATIENCE: Duration = Duration::from_secs(20);
/// For the connection alone.
const CONNECT: Duration = Duration::from_secs(10);
/// Nobody's answer is longer: a hundred entries of a kilobyte.
const LONGEST_ANSWER: usize = 256 * 1024;
/// How this program names itself.
const USER_AGENT: &str = concat!("flagfall/", env!("CARGO_PKG_VERSION"));

/// A round on a Lichess.
#[derive(Clone, Debug)]
pub(super) struct Client {
    http: reqwest::Client,
    base: String,
    round: String,
    token_file: PathBuf,
}

impl Client {
    pub(super) fn new(base: &str, round: &str, token_file: &Path) -> reqwest::Result<Self> {
        crate::tls_provider();
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            // A redirection would carry the token to somebody else, and turns a POST into a GET.
            .redirect(Policy::none())
            .connect_timeout(CONNECT)
            .timeout(PATIENCE)
            .build()?;
        Ok(Self { http, base: base.trim_end_matches('/').into(), round: round.into(), token_file: token_file.into() })
    }

    /// Sends one order and waits for the answer.
    pub(super) async fn send(&self, order: Order) -> PushOutcome {
        // Read each time: a new token works with the next request.
        let token = match super::token::read(&self.token_file) {
            Ok(token) => token,
            Err(why) => return PushOutcome::Refused(Refusal::NoToken(why)),
        };
        let what = if order == Order::Reset { "reset" } else { "push" };
        let request = self.http.post(format!("{}/api/broadcast/round/{}/{what}", self.base, self.round)).header("Authorization", token);
        let request = match &order {
            Order::Push(body) => request.header("Content-Type", "text/plain; charset=utf-8").body(body.text.clone()),
            Order::Reset => request.header("Content-Length", "0"),
        };
        let mut answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) => return PushOutcome::Failed(failure(&error)),
        };
        let status = answer.status().as_u16();
        let headers = answer.headers().clone();
        let body = match bounded::body(&mut answer, LONGEST_ANSWER).await {
            Ok(body) => body,
            // A refusal is one even if its text breaks off.
            Err(_) if status >= 300 => Vec::new(),
            Err(Unread::TooLong) => return PushOutcome::Failed(Failure::Garbled),
            Err(Unread::Broken(error)) => return PushOutcome::Failed(failure(&error)),
        };
        let (after, to) = (text(&headers, RETRY_AFTER), text(&headers, LOCATION));
        match order {
            Order::Push(_) => PushOutcome::of_push(status, after, to, &body),
            Order::Reset => PushOutcome::of_status(status, after, to, &body),
        }
    }
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
