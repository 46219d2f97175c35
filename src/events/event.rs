//! What is published: one event of one board, version 1. Readers must ignore fields they do not know.
use crate::{Body, GameResult, Mono, REOPENED, ResultSource, Wall};
use alloc::sync::Arc;
use serde::{Deserialize, Serialize};

/// One event of one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Event {
    /// Per board, from 1, no gaps.
    pub seq: u64,
    /// Milliseconds since the journal or capture opened.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// The board's name.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub board: Arc<str>,
    /// Which game of this board it belongs to, from 1: of its beginning, its moves, findings, rulings and result. What happens before a game's
    /// first move belongs to the game that will begin. Missing where an event is about the board, and in what was written before there were numbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub game: Option<u32>,
    /// What happened.
    #[serde(flatten)]
    pub body: Body,
}

impl Event {
    /// Whether it takes a result back, so that the same game goes on. Before games had numbers every `*` of an operator did.
    pub fn reopens(&self) -> bool {
        match &self.body {
            Body::Result { result: GameResult::Open, reason, source, .. } => {
                reason == REOPENED || (self.game.is_none() && *source == ResultSource::Operator)
            }
            _ => false,
        }
    }

    /// Whether it is about another game than this one of its board. What has no number may be about any.
    pub fn is_of_another(&self, game: Option<u32>) -> bool {
        self.game.zip(game).is_some_and(|(of, this)| of != this)
    }
}
