//! The published vocabulary: design section 6, version 1. Readers must ignore fields they do not know.
pub use crate::rulebook::finding::{
    Action, Alternative, ClaimRule, DrawClaim, Facts, Finding, FindingUpdate, PressCounter, Proposal, Status, TouchedPiece, Words,
};
pub use crate::rulebook::key::{Grade, Key};
use crate::time::{Mono, Wall};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One event of one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Event {
    /// Per board, from 1, no gaps.
    pub seq: u64,
    /// Milliseconds since the journal or capture opened.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// The board's name.
    #[schema(value_type = String)]
    pub board: Arc<str>,
    /// Which game of this board it belongs to, from 1: of its beginning, its moves, findings, rulings and result. What happens before a game's
    /// first move belongs to the game that will begin. Missing where an event is about the board, and in what was written before there were numbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub game: Option<u32>,
    /// What happened.
    #[serde(flatten)]
    pub body: Body,
}

/// The reason of the result `*` that takes an earlier one back: the same game goes on.
pub const REOPENED: &str = "reopened";

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

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// White.
    White,
    /// Black.
    Black,
}

impl Colour {
    /// The opponent.
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// Up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkState {
    /// The board answers.
    Up,
    /// It does not.
    Down,
}

/// Whose flag is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Flag {
    /// White's.
    White,
    /// Black's.
    Black,
    /// Both.
    Both,
}

/// Where a clock value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClockSource {
    /// Read from the clock.
    Device,
    /// Extrapolated; `uncertainty_ms` bounds it.
    Estimate,
    /// Set by the arbiter.
    Arbiter,
    /// There is no clock.
    None,
}

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ClockState {
    /// White's display, milliseconds; absent where there is no reading.
    pub white_ms: Option<i64>,
    /// Black's display.
    pub black_ms: Option<i64>,
    /// Whose time runs.
    pub running: Option<Colour>,
    /// Whose flag is down.
    pub flag: Option<Flag>,
    /// Where the values come from.
    pub source: ClockSource,
    /// How far the values may be off, milliseconds.
    pub uncertainty_ms: u64,
}

/// Both displays at a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ClockPair {
    /// White's display, milliseconds.
    pub white_ms: i64,
    /// Black's display.
    pub black_ms: i64,
}

/// How a move came to be completed (6.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Its player pressed the clock.
    Press,
    /// Its player's next move was made (6.2.1.2); without a clock also the opponent's.
    NextMove,
    /// It ended the game (6.2.1.1).
    GameEnd,
    /// It stood long enough on a board without a clock.
    Settled,
    /// An arbiter's ruling.
    Ruling,
    /// Found after the link came back.
    Recovered,
}

/// Where a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ResultSource {
    /// Mate, stalemate, dead position, fivefold repetition, 75 moves.
    Position,
    /// A confirmed flag-fall.
    Flag,
    /// Any other confirmed finding.
    Ruling,
    /// Both kings in the centre.
    Kings,
    /// Entered.
    Operator,
    /// Nobody showed a result, and the pieces were set up again.
    Setup,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Unknown or cancelled.
    #[serde(rename = "*")]
    Open,
}

impl GameResult {
    /// As PGN writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }
}

/// What can happen. Fields without a value are left out, except where the contract says `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Body {
    /// The link came up or went down.
    Link {
        /// Up or down.
        state: LinkState,
        /// Why, in words.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        reason: Option<String>,
    },
    /// What kind of board answers.
    Identity {
        /// `dgt`, `occupancy`, `pegasus`.
        kind: String,
        /// Serial number.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        serial: Option<String>,
        /// Firmware version.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        firmware: Option<String>,
        /// Where it is plugged in, or `capture`.
        link: String,
    },
    /// What the board senses.
    Placement {
        /// FEN field 1, White at the bottom.
        placement: String,
        /// Nothing changed for a full scan.
        settled: bool,
    },
    /// The clocks.
    Clock(ClockState),
    /// A player pressed the clock.
    Press {
        /// Who.
        by: Colour,
    },
    /// A game begins.
    GameStart {
        /// Start position.
        fen: String,
        /// Edition of the Laws.
        rules: String,
        /// `standard`, `rapid`, `blitz`.
        play: String,
        /// PGN notation, or null.
        time_control: Option<String>,
        /// Chess960.
        chess960: bool,
    },
    /// A move stands on the board.
    MoveMade {
        /// From 1 at the game's first move.
        ply: u32,
        /// Who moved.
        by: Colour,
        /// UCI; castling by the king's step, except in Chess960.
        uci: String,
        /// SAN where the move is legal.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        san: Option<String>,
        /// Legal.
        legal: bool,
        /// FEN field 1 after the move.
        placement: String,
        /// May still be revised.
        provisional: bool,
    },
    /// The move of this ply is another one.
    MoveRevised {
        /// Which ply.
        ply: u32,
        /// What it is now.
        uci: String,
        /// SAN of what it is now.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        san: Option<String>,
        /// What it was.
        was: String,
    },
    /// The move of this ply was taken back.
    MoveWithdrawn {
        /// Which ply.
        ply: u32,
        /// What it was.
        uci: String,
    },
    /// The move counts (6.2.1).
    MoveCompleted {
        /// Which ply.
        ply: u32,
        /// Who moved.
        by: Colour,
        /// UCI.
        uci: String,
        /// SAN.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        san: Option<String>,
        /// Legal.
        legal: bool,
        /// How.
        how: How,
        /// Both displays at the press.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        clock: Option<ClockPair>,
        /// Think time.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        spent_ms: Option<u64>,
        /// The piece that a pawn became was not read and nobody said it: it was taken for a queen.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        assumed: bool,
    },
    /// Which piece a pawn became on a board that does not tell.
    Promotion {
        /// Which ply.
        ply: u32,
        /// Where it stands, `e8`.
        square: String,
        /// How far it is known.
        state: PromotionState,
        /// What it is; missing while it is asked, and where the move was taken back.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        piece: Option<super::entry::PromotedTo>,
    },
    /// The game is over.
    Result {
        /// The result.
        result: GameResult,
        /// Why, one or two words.
        reason: String,
        /// Article of the edition in use.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        article: Option<String>,
        /// Where it comes from.
        source: ResultSource,
    },
    /// An arbiter's or operator's input, echoed.
    Ruling {
        /// Which input.
        r#do: String,
        /// What it said.
        #[serde(flatten)]
        #[schema(value_type = Object)]
        rest: serde_json::Map<String, serde_json::Value>,
    },
    /// An irregularity, with a proposed ruling.
    Finding(Box<Finding>),
    /// What became of a finding.
    FindingUpdate(Box<FindingUpdate>),
    /// A piece was touched (4.3).
    TouchedPiece(TouchedPiece),
    /// A draw may be claimed (9.2, 9.3).
    DrawClaim(DrawClaim),
    /// The operator should look.
    Alarm {
        /// Which alarm.
        key: String,
        /// Raised or cleared.
        state: AlarmState,
    },
}

impl Body {
    /// Whether it belongs to a game, and so carries its number.
    pub const fn is_of_a_game(&self) -> bool {
        match self {
            Self::GameStart { .. }
            | Self::MoveMade { .. }
            | Self::MoveRevised { .. }
            | Self::MoveWithdrawn { .. }
            | Self::MoveCompleted { .. }
            | Self::Promotion { .. }
            | Self::Result { .. }
            | Self::Ruling { .. }
            | Self::Finding(_)
            | Self::FindingUpdate(_)
            | Self::TouchedPiece(_)
            | Self::DrawClaim(_) => true,
            Self::Link { .. }
            | Self::Identity { .. }
            | Self::Placement { .. }
            | Self::Clock(_)
            | Self::Press { .. }
            | Self::Alarm { .. } => false,
        }
    }

    /// Whether it tells what was played.
    pub(crate) const fn is_play(&self) -> bool {
        matches!(
            self,
            Self::MoveMade { .. }
                | Self::MoveRevised { .. }
                | Self::MoveWithdrawn { .. }
                | Self::MoveCompleted { .. }
                | Self::Promotion { .. }
                | Self::TouchedPiece(_)
                | Self::DrawClaim(_)
        )
    }

    /// Whether a public stream may carry it.
    pub const fn is_public(&self) -> bool {
        !matches!(
            self,
            Self::Alarm { .. }
                | Self::Ruling { .. }
                | Self::Finding(_)
                | Self::FindingUpdate(_)
                | Self::TouchedPiece(_)
                | Self::DrawClaim(_)
                | Self::Promotion { .. }
        )
    }

    /// The event's `type`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Link { .. } => "link",
            Self::Identity { .. } => "identity",
            Self::Placement { .. } => "placement",
            Self::Clock(_) => "clock",
            Self::Press { .. } => "press",
            Self::GameStart { .. } => "game-start",
            Self::MoveMade { .. } => "move-made",
            Self::MoveRevised { .. } => "move-revised",
            Self::MoveWithdrawn { .. } => "move-withdrawn",
            Self::MoveCompleted { .. } => "move-completed",
            Self::Promotion { .. } => "promotion",
            Self::Result { .. } => "result",
            Self::Ruling { .. } => "ruling",
            Self::Finding(_) => "finding",
            Self::FindingUpdate(_) => "finding-update",
            Self::TouchedPiece(_) => "touched-piece",
            Self::DrawClaim(_) => "draw-claim",
            Self::Alarm { .. } => "alarm",
        }
    }
}

/// How far it is known which piece a pawn became.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromotionState {
    /// Somebody should say: the entry `promote`.
    Asked,
    /// Somebody said.
    Answered,
    /// Nobody said in time: a queen.
    Assumed,
    /// What was played since told, or the move was taken back.
    Settled,
}

/// Raised or cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AlarmState {
    /// It holds.
    Raised,
    /// It is over.
    Cleared,
}
