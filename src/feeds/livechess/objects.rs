//! The objects of the LiveChess API. Keys and their order are the contract: one too many or too few breaks typed clients.
use crate::cloud::CloudClock;
use serde::Serialize;
use std::sync::Arc;

/// How a board is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) enum State {
    /// It answers.
    #[serde(rename = "ACTIVE")]
    Active,
    /// It is plugged in and says nothing.
    #[serde(rename = "NOTRESPONDING")]
    NotResponding,
    /// It is not plugged in.
    #[serde(rename = "INACTIVE")]
    Inactive,
}

/// One e-board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct EBoard {
    pub(crate) serialnr: Arc<str>,
    pub(crate) source: Option<String>,
    pub(crate) state: Option<State>,
    pub(crate) battery: Option<String>,
    pub(crate) comment: Option<String>,
    pub(crate) board: Option<Arc<str>>,
    pub(crate) flipped: bool,
    pub(crate) clock: Option<Clock>,
}

/// The last reading of a chess clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Clock {
    /// Seconds.
    pub(crate) white: i64,
    /// Seconds.
    pub(crate) black: i64,
    /// White's time runs, Black's, nobody's.
    pub(crate) run: Option<bool>,
    /// When it was read, milliseconds since 1970.
    pub(crate) time: i64,
}

/// Where a board is plugged in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Source {
    pub(crate) r#type: &'static str,
    pub(crate) device: String,
    pub(crate) name: Option<String>,
    pub(crate) present: bool,
    pub(crate) active: bool,
    pub(crate) status: Option<String>,
}

/// What a frame of a feed tells; what is unchanged is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct FeedParam {
    pub(crate) serialnr: Arc<str>,
    pub(crate) flipped: bool,
    /// `Some(None)` is told as null: nothing was detected yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) board: Option<Option<Arc<str>>>,
    /// `Some(None)` is told as null: there is no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<Option<Clock>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<Arc<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) san: Option<Vec<Arc<str>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) r#match: Option<bool>,
}

/// What an error tells.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Failure<'a> {
    pub(crate) message: &'a str,
    pub(crate) stacktrace: &'static str,
}

/// A tournament in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TournamentEntry {
    pub(crate) uuid: String,
    pub(crate) description: String,
    pub(crate) rounds: usize,
}

/// A tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Tournament {
    pub(crate) uuid: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) country: Option<String>,
    pub(crate) rounds: usize,
    /// Serial numbers; the index is the board's number less one.
    pub(crate) eboards: Vec<Arc<str>>,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Round {
    pub(crate) nr: u32,
    pub(crate) date: Option<String>,
    pub(crate) pairings: Vec<Pairing>,
}

/// Who plays whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Pairing {
    pub(crate) nr: u32,
    pub(crate) uuid: String,
    pub(crate) white: Option<Player>,
    pub(crate) black: Option<Player>,
    pub(crate) live: bool,
    pub(crate) result: Option<&'static str>,
}

/// A player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Player {
    pub(crate) fname: Option<String>,
    pub(crate) mname: Option<String>,
    pub(crate) lname: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) federation: Option<String>,
    pub(crate) gender: Option<String>,
    pub(crate) fideid: Option<u32>,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Game {
    pub(crate) chess960: u16,
    pub(crate) result: Option<&'static str>,
    pub(crate) comment: Option<String>,
    pub(crate) clock: Option<CloudClock>,
    pub(crate) moves: Vec<String>,
}
