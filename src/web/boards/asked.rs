//! What only a board's own machine has or does: its journal's films and reports, its own bell. Asked there at once; from a hall by whoever carries the question.
use crate::going::Going;
use axum::body::to_bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// An answer is no larger, bytes.
const LARGEST: usize = 4 * 1024 * 1024;

/// What a board's machine is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// Somebody goes to an open finding; without `going` nobody does any more.
    Going {
        /// Its number.
        finding: u64,
        /// Who.
        going: Option<Going>,
    },
    /// The lines of the journal that led to these events.
    Lines {
        /// Number of the first event.
        from: u64,
        /// Number of the last.
        to: u64,
    },
    /// The film around a finding.
    Finding {
        /// Its number.
        finding: u64,
    },
    /// The film around a move.
    Ply {
        /// From 1 at the game's first move.
        ply: u32,
        /// Which game of the board; without it the newest one that has this ply.
        game: Option<u32>,
    },
    /// The incident report on a finding.
    Report {
        /// Its number.
        finding: u64,
        /// `en` or `ru`.
        lang: String,
    },
    /// Why a move was read as it was.
    Explanation {
        /// From 1 at the game's first move.
        ply: u32,
        /// Which game of the board.
        game: Option<u32>,
        /// `en` or `ru`; of a machine that does not know it, English.
        #[serde(default)]
        lang: String,
    },
}

/// What it answers, as HTTP has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Status code.
    pub status: u16,
    /// Media type; empty where there is no body.
    pub kind: String,
    /// The body.
    pub body: String,
}

impl Reply {
    /// What an answer says.
    pub async fn of(answer: Response) -> Self {
        let status = answer.status().as_u16();
        let kind = answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
        match to_bytes(answer.into_body(), LARGEST).await {
            Ok(body) => Self { status, kind, body: String::from_utf8_lossy(&body).into_owned() },
            Err(_) => Self { status: StatusCode::PAYLOAD_TOO_LARGE.as_u16(), kind: String::new(), body: String::new() },
        }
    }

    /// The same answer, handed on.
    pub fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_GATEWAY);
        if self.kind.is_empty() { status.into_response() } else { (status, [(header::CONTENT_TYPE, self.kind)], self.body).into_response() }
    }
}

/// Why there is no answer, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unanswered {
    /// Why.
    pub reason: String,
    /// What to do.
    pub hint: String,
}

/// An answer that comes.
pub type Coming = Pin<Box<dyn Future<Output = Result<Reply, Unanswered>> + Send>>;

/// Whoever answers questions about a board.
pub type Answering = Arc<dyn Fn(String, Question) -> Coming + Send + Sync>;
