//! How games end.
use serde::{Deserialize, Serialize};

/// The reason of the result `*` that takes an earlier one back: the same game goes on.
pub const REOPENED: &str = "reopened";

/// The reason of the result `*` of a game whose end nobody saw: the pieces of the next one stand.
pub const UNREAD: &str = "unread";

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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

/// Where a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
