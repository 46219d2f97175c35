//! JetStream asked by plain requests, without consumers: a Pi's account may do nothing else.
use super::wire;
use async_nats::{Client, HeaderMap, Message, Request, RequestErrorKind, StatusCode};
use bytes::Bytes;
use serde::Deserialize;
use std::time::Duration;
use thiserror::Error;

/// How long a server may take to answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// JetStream's number for "the last message of that subject is another one".
const WRONG_LAST: u64 = 10_071;

/// Why there is no answer, or which one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum Asked {
    #[error("nobody keeps the stream now; start `flagfall hall`, which makes it, or wait until its servers have chosen a leader")]
    Nobody,
    #[error("no answer about the stream within {} s; start `flagfall hall`, which makes it, or look at nats-server", PATIENCE.as_secs())]
    Late,
    #[error(
        "no game of this board is known here, and no hall answers which one it has; start `flagfall hall`, or give this Pi's account its lines for games and answers (nats-server/pi-account). The board records on meanwhile"
    )]
    NoHall,
    #[error(
        "{0} serves a board of this name and publishes it; give one of them another name, or switch one off. This one is recorded here"
    )]
    Served(String),
    #[error("this machine's account may not: {0}; write it anew with nats-server/pi-account and reload the servers")]
    Denied(String),
    #[error("the stream has gone on meanwhile")]
    Moved,
    #[error("the connection was lost")]
    Lost,
    #[error("the server refuses: {0}; is this account allowed to publish these boards, is there room on its disk?")]
    Refused(String),
}

/// A message of a stream.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    /// Its number in the stream.
    pub(super) number: u64,
    pub(super) subject: String,
    pub(super) headers: HeaderMap,
    pub(super) payload: Bytes,
}

impl Stored {
    /// Whether it is an answer that somebody had the server send there; see [`wire::FORGED`].
    pub(super) fn is_forged(&self) -> bool {
        self.headers.get_all(wire::FORGED).count() > 1
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.as_str())
    }
}

/// Publishes; the message's number in the stream.
pub(super) async fn publish(client: &Client, subject: String, headers: HeaderMap, payload: Bytes) -> Result<u64, Asked> {
    #[derive(Deserialize)]
    struct Ack {
        #[serde(default)]
        seq: u64,
        error: Option<Error>,
    }
    #[derive(Deserialize)]
    struct Error {
        #[serde(default)]
        err_code: u64,
        #[serde(default)]
        description: String,
    }
    let answer = request(client, subject, Some(headers), payload).await?;
    match serde_json::from_slice::<Ack>(&answer.payload) {
        Ok(Ack { error: Some(error), .. }) if error.err_code == WRONG_LAST => Err(Asked::Moved),
        Ok(Ack { error: Some(error), .. }) => Err(Asked::Refused(error.description)),
        Ok(Ack { seq, .. }) if seq > 0 => Ok(seq),
        _ => Err(Asked::Refused(String::from_utf8_lossy(&answer.payload).into_owned())),
    }
}

/// The last message of a subject; `None`: there is none.
pub(super) async fn last(client: &Client, stream: &str, subject: &str) -> Result<Option<Stored>, Asked> {
    direct(client, format!("$JS.API.DIRECT.GET.{stream}.{subject}"), Bytes::new()).await
}

/// The first message from number `from` on whose subject fits; `None`: there is none.
pub(super) async fn next(client: &Client, stream: &str, from: u64, subject: &str) -> Result<Option<Stored>, Asked> {
    let wanted = serde_json::json!({ "seq": from, "next_by_subj": subject });
    direct(client, format!("$JS.API.DIRECT.GET.{stream}"), wanted.to_string().into()).await
}

async fn direct(client: &Client, subject: String, payload: Bytes) -> Result<Option<Stored>, Asked> {
    let answer = request(client, subject, None, payload).await?;
    match answer.status {
        Some(StatusCode::NOT_FOUND) => return Ok(None),
        Some(status) if status != StatusCode::OK => {
            return Err(Asked::Refused(answer.description.unwrap_or_else(|| status.to_string())));
        }
        _ => {}
    }
    let headers = answer.headers.unwrap_or_default();
    let text = |name: &str| headers.get(name).map(|value| String::from(value.as_str()));
    let number = text("Nats-Sequence").and_then(|number| number.parse().ok());
    match (number, text("Nats-Subject")) {
        (Some(number), Some(subject)) => Ok(Some(Stored { number, subject, headers, payload: answer.payload })),
        _ => Err(Asked::Refused(String::from_utf8_lossy(&answer.payload).into_owned())),
    }
}

/// Asks a hall, which may answer at such subjects only.
pub(super) async fn hall(client: &Client, subject: String, answer: impl Fn(&str) -> String, payload: Bytes) -> Result<Message, Asked> {
    let inbox = client.new_inbox();
    let answer = answer(inbox.rsplit('.').next().unwrap_or_default());
    send(client, subject, Request::new().inbox(answer).payload(payload)).await
}

async fn request(client: &Client, subject: String, headers: Option<HeaderMap>, payload: Bytes) -> Result<Message, Asked> {
    let request = Request::new().payload(payload);
    send(client, subject, if let Some(headers) = headers { request.headers(headers) } else { request }).await
}

async fn send(client: &Client, subject: String, request: Request) -> Result<Message, Asked> {
    let request = request.timeout(Some(PATIENCE));
    client.send_request(subject, request).await.map_err(|error| match error.kind() {
        RequestErrorKind::NoResponders => Asked::Nobody,
        RequestErrorKind::TimedOut => Asked::Late,
        RequestErrorKind::MaxPayloadExceeded | RequestErrorKind::InvalidSubject => Asked::Refused(error.to_string()),
        _ => Asked::Lost,
    })
}

/// What the stream holds of a board in one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The last message's number in the stream; 0: there is none.
    pub(super) number: u64,
    pub(super) epoch: String,
    pub(super) seq: u64,
    pub(super) pi: String,
    /// It is no event of a board, and says nothing of how far the stream is.
    pub(super) junk: bool,
}

impl Head {
    pub(super) fn of(stored: Option<&Stored>) -> Self {
        let Some(stored) = stored else { return Self::default() };
        if stored.is_forged() || !stored.header(wire::EPOCH).is_some_and(wire::is_epoch) {
            return Self { number: stored.number, junk: true, ..Self::default() };
        }
        let text = |name| stored.header(name).map(String::from).unwrap_or_default();
        Self { number: stored.number, epoch: text(wire::EPOCH), seq: text(wire::SEQ).parse().unwrap_or(0), pi: text(wire::PI), junk: false }
    }
}
