//! What can happen on a board.
use crate::ruling::Ruling;
use crate::{
    AlarmKey, AlarmState, BoardKind, ClockPair, ClockSide, ClockState, Colour, DrawClaim, Finding, FindingUpdate, GameResult, LinkState,
    Orientation, Play, PossibleLine, PromotedTo, Receipt, ReceiptAfter, ResultSource, Rules, Square, TouchedPiece, Wall, Word,
};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// What can happen. Fields without a value are left out, except where the contract says `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
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
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        kind: Word<BoardKind>,
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
    /// Which side of the clock is White's, once that is known, and again when it turns out otherwise. Clocks of plies that were told with the
    /// other one are corrected by what follows.
    Sides {
        /// White's side.
        white: ClockSide,
        /// The first ply that it is so of, from 1.
        from: u32,
        /// How the board stands.
        orientation: Orientation,
    },
    /// A game begins.
    GameStart {
        /// Start position.
        fen: String,
        /// Edition of the Laws.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        rules: Word<Rules>,
        /// `standard`, `rapid`, `blitz`.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        play: Word<Play>,
        /// PGN notation, or null.
        time_control: Option<String>,
        /// Chess960.
        chess960: bool,
        /// When it began, where that was on another machine and this one has taken it over.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        began: Option<Wall>,
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
    /// The move of this ply is another one, or its times are.
    MoveRevised {
        /// Which ply.
        ply: u32,
        /// What it is now.
        uci: String,
        /// SAN of what it is now.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        san: Option<String>,
        /// What it was; the same as `uci` where only its times are other ones.
        was: String,
        /// Both displays at its press, where other ones were told before, or none.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        clock: Option<ClockPair>,
        /// Think time, where `clock` is there and it is known.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        spent_ms: Option<u64>,
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
        /// What was played, or which piece a pawn became, was not told: it was taken for the likeliest.
        #[serde(skip_serializing_if = "core::ops::Not::not", default)]
        assumed: bool,
    },
    /// Which piece a pawn became on a board that does not tell.
    Promotion {
        /// Which ply.
        ply: u32,
        /// Where it stands, `e8`.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        square: Square,
        /// How far it is known.
        state: PromotionState,
        /// What it is; missing while it is asked, and where the move was taken back.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        piece: Option<PromotedTo>,
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
    Ruling(Box<Ruling>),
    /// An irregularity, with a proposed ruling.
    Finding(Box<Finding>),
    /// What became of a finding.
    FindingUpdate(Box<FindingUpdate>),
    /// A piece was touched (4.3).
    TouchedPiece(TouchedPiece),
    /// A draw may be claimed (9.2, 9.3).
    DrawClaim(DrawClaim),
    /// What a result or a ruling can be proved by.
    Receipt(Receipt),
    /// The operator should look.
    Alarm {
        /// Which alarm.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        key: Word<AlarmKey>,
        /// Raised or cleared.
        state: AlarmState,
        /// Of `unsure`: which ply it is about.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        ply: Option<u32>,
        /// What may have been played from that ply on, the likeliest first.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        readings: Vec<PossibleLine>,
    },
}

impl Body {
    /// An alarm that is only raised or cleared.
    pub fn alarm(key: impl Into<Word<AlarmKey>>, state: AlarmState) -> Self {
        Self::Alarm { key: key.into(), state, ply: None, readings: Vec::new() }
    }

    /// Whether it belongs to a game, and so carries its number.
    pub const fn is_of_a_game(&self) -> bool {
        match self {
            Self::GameStart { .. }
            | Self::Sides { .. }
            | Self::MoveMade { .. }
            | Self::MoveRevised { .. }
            | Self::MoveWithdrawn { .. }
            | Self::MoveCompleted { .. }
            | Self::Promotion { .. }
            | Self::Result { .. }
            | Self::Ruling(_)
            | Self::Finding(_)
            | Self::FindingUpdate(_)
            | Self::TouchedPiece(_)
            | Self::DrawClaim(_) => true,
            Self::Link { .. }
            | Self::Identity { .. }
            | Self::Placement { .. }
            | Self::Clock(_)
            | Self::Press { .. }
            | Self::Receipt(_)
            | Self::Alarm { .. } => false,
        }
    }

    /// Whether it tells what was played.
    pub const fn is_play(&self) -> bool {
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
                | Self::Ruling(_)
                | Self::Finding(_)
                | Self::FindingUpdate(_)
                | Self::TouchedPiece(_)
                | Self::DrawClaim(_)
                | Self::Promotion { .. }
                | Self::Receipt(Receipt { after: ReceiptAfter::Ruling, .. })
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
            Self::Sides { .. } => "sides",
            Self::GameStart { .. } => "game-start",
            Self::MoveMade { .. } => "move-made",
            Self::MoveRevised { .. } => "move-revised",
            Self::MoveWithdrawn { .. } => "move-withdrawn",
            Self::MoveCompleted { .. } => "move-completed",
            Self::Promotion { .. } => "promotion",
            Self::Result { .. } => "result",
            Self::Ruling(_) => "ruling",
            Self::Finding(_) => "finding",
            Self::FindingUpdate(_) => "finding-update",
            Self::TouchedPiece(_) => "touched-piece",
            Self::DrawClaim(_) => "draw-claim",
            Self::Receipt(_) => "receipt",
            Self::Alarm { .. } => "alarm",
        }
    }
}

/// How a move came to be completed (6.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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

/// How far it is known which piece a pawn became.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
