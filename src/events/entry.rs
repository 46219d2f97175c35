//! What arbiters and operators enter: the `!` lines of a capture and the bodies of the HTTP API.
use crate::{Colour, GameResult, Key, ResultSource, SetClock, Wall, Word};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// One entry: what to do, who says so, and a note.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Entry {
    /// What to do.
    #[serde(flatten)]
    pub order: Order,
    /// A name; the API fills it in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub who: Option<String>,
    /// Free text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// What a repeat is known by, where it came from a hall.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub order_key: Option<String>,
    /// The `seq` of the ruling that this one replaces, where it came from a hall.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<u64>,
    /// The `seq` up to which its author has seen what became of that which is ruled: if it has changed since, the entry is refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seen: Option<u64>,
}

impl Entry {
    /// What to do; nobody says so, and there is no note.
    pub const fn new(order: Order) -> Self {
        Self { order, who: None, note: None, order_key: None, after: None, seen: None }
    }
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Order {
    /// Rule on a finding.
    Rule {
        /// Which finding.
        finding: u64,
        /// How.
        decision: Decision,
        /// Other times.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        clock: Option<SetClock>,
        /// One of the results that the proposal offers, where it is not decided whether the opponent can mate.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        result: Option<GameResult>,
    },
    /// What sensors cannot see.
    Report {
        /// A key of the clause table.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        key: Word<Key>,
        /// The offender.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        by: Option<Colour>,
    },
    /// This position stands on the board now.
    SetPosition {
        /// FEN.
        fen: String,
    },
    /// The record of the game is this one, whole: plies that differ are withdrawn.
    Moves {
        /// One game in PGN; `%clk` gives its clock.
        pgn: String,
    },
    /// The board's game goes on here as another machine recorded it: what a machine itself says at its first sight of a board that a hall knows.
    TakeOver {
        /// Its number on this board.
        game: u32,
        /// When it began.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        began: Option<Wall>,
        /// Its completed moves as PGN.
        pgn: String,
        /// How it ended, if it has.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        ended: Option<TakenResult>,
    },
    /// These times are on the clock now.
    SetClock {
        /// The times.
        clock: SetClock,
    },
    /// Whose flag is down.
    Flag {
        /// Whose.
        by: Colour,
    },
    /// A player has arrived (6.7.1).
    Arrived {
        /// Who.
        by: Colour,
    },
    /// The result.
    Result {
        /// The result.
        result: GameResult,
        /// Why.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        reason: Option<String>,
        /// Of which game of this board; without it of the one in progress, or that was played last.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        game: Option<u32>,
    },
    /// Which piece a pawn became, on a board that does not tell.
    Promote {
        /// The piece.
        piece: PromotedTo,
        /// Which ply; without it the one that is asked about, else the newest queen that was assumed.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        ply: Option<u32>,
    },
    /// What was played where sensors could not tell: one of the readings of the alarm `unsure`.
    Choose {
        /// Which ply.
        ply: u32,
        /// The move, UCI.
        uci: String,
    },
    /// Both clocks are stopped by the arbiter (6.11.1).
    Stop {},
    /// And started again.
    Restart {},
    /// The next game begins.
    NewGame {},
    /// An assistant presses for this player (6.2.6).
    Assistant {
        /// For whom.
        by: Colour,
    },
    /// Five moves of this player from now (Russia 1.16.7).
    Count {
        /// Whose moves.
        by: Colour,
    },
    /// A penalty under 12.9.
    Penalty {
        /// Who is penalised.
        by: Colour,
        /// Article.
        article: String,
        /// Times to set.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        clock: Option<SetClock>,
    },
    /// What an entry did is taken back, by the person who made it, within [`UNDO_MS`](crate::UNDO_MS).
    Undo {
        /// The `seq` of its `ruling` event, or the one that its author was answered with.
        ruling: u64,
    },
}

impl Order {
    /// What is to be done, as entries write it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Rule { .. } => "rule",
            Self::Report { .. } => "report",
            Self::SetPosition { .. } => "set-position",
            Self::Moves { .. } => "moves",
            Self::TakeOver { .. } => "take-over",
            Self::SetClock { .. } => "set-clock",
            Self::Flag { .. } => "flag",
            Self::Arrived { .. } => "arrived",
            Self::Result { .. } => "result",
            Self::Promote { .. } => "promote",
            Self::Choose { .. } => "choose",
            Self::Stop { .. } => "stop",
            Self::Restart { .. } => "restart",
            Self::NewGame { .. } => "new-game",
            Self::Assistant { .. } => "assistant",
            Self::Count { .. } => "count",
            Self::Penalty { .. } => "penalty",
            Self::Undo { .. } => "undo",
        }
    }
}

/// The result of a game that is taken over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TakenResult {
    /// The result.
    pub result: GameResult,
    /// Why.
    pub reason: String,
    /// Where it came from.
    pub source: ResultSource,
}

/// What an arbiter decides about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// As proposed.
    Confirm,
    /// It did not happen, or does not matter.
    Dismiss,
    /// With other times.
    Amend,
}

impl Decision {
    /// As entries write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Dismiss => "dismiss",
            Self::Amend => "amend",
        }
    }
}

/// What a pawn became.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PromotedTo {
    /// A queen.
    Queen,
    /// A rook.
    Rook,
    /// A bishop.
    Bishop,
    /// A knight.
    Knight,
}
