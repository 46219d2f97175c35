//! What the game wants to know from the solver: which questions wait, what was answered, and what an answer changes.
//!
//! A question goes out as [`Output::Question`](crate::Output::Question), its verdict comes back as [`Input::Verdict`](crate::Input::Verdict), perhaps much later,
//! perhaps never, perhaps first as "not decided yet" and then for good. A verdict on a position that is gone changes nothing.
use alloc::string::String;
use flagfall_laws::mating::{Answer, Winner};
use serde::{Deserialize, Serialize};

/// What an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Did the last move end the game (5.2.2)? Asked after every made move; only a proof is worth an answer.
    DeadPosition,
    /// A flag fell (6.9).
    FlagFall,
    /// A second illegal move was completed (7.5.5).
    SecondIllegal,
    /// A player resigned (5.1.2).
    Resignation,
}

/// One question: can `winner` mate from `fen` by any series of legal moves?
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Question {
    /// From 1, per board.
    pub id: u64,
    /// The position; its counters mean nothing.
    pub fen: String,
    /// Castling is named by king and rook.
    pub chess960: bool,
    /// Who must be able to mate.
    pub winner: Winner,
    /// What for.
    pub purpose: Purpose,
}

/// The answer to a question. Journaled with the whole question, so that it can be checked again and never fits another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Verdict {
    /// The question.
    #[serde(flatten)]
    pub question: Question,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
}
