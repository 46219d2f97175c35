//! A set of documents in the making: what they are made of, and how values become bytes.
use super::documents::{Document, Snapshot};
use crate::delay::Lag;
use bytes::Bytes;
use serde::Serialize;
use std::sync::Arc;

/// Below this path the archive stands: a page, and all that it shows.
pub const ARCHIVE: &str = "archive/";

/// Content type of games; with its charset, since Latin-1 is assumed of `text/*`.
pub(super) const PGN: &str = "application/x-chess-pgn; charset=utf-8";
pub(super) const JSON: &str = "application/json";

/// How long a cache may keep a document of the round that is being played, and any other, in seconds.
pub(super) const FRESH: (u32, u32) = (1, 30);

/// The next set after `before`, as it stood `lag` ago.
pub(super) struct Making<'a> {
    pub(super) before: &'a Snapshot,
    pub(super) lag: Lag,
    pub(super) made: Vec<Arc<Document>>,
}

impl Making<'_> {
    pub(super) fn put(&mut self, path: String, content_type: &'static str, max_age_s: u32, bytes: impl Into<Bytes>) {
        self.made.push(self.before.renewed(path, content_type, max_age_s, bytes.into()));
    }
}

pub(super) fn compact(value: &impl Serialize) -> Vec<u8> {
    flagfall_web::stage::json(value)
}

/// As LiveChess lays out its exports: two blanks a level.
pub(super) fn pretty(value: &impl Serialize) -> Vec<u8> {
    // Our own types have string keys and finite numbers only; serde_json cannot refuse them.
    serde_json::to_vec_pretty(value).unwrap_or_else(|_| b"{}".to_vec())
}
