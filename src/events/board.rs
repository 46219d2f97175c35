//! What is known of a board itself.
use serde::{Deserialize, Serialize};

/// Up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum LinkState {
    /// The board answers.
    Up,
    /// It does not.
    Down,
}

/// What the bytes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardKind {
    /// Piece identities.
    #[default]
    Dgt,
    /// DGT framing in which every piece reads as a white pawn.
    Occupancy,
    /// The Bluetooth LE dialect.
    Pegasus,
}

impl BoardKind {
    /// As captures and events write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dgt => "dgt",
            Self::Occupancy => "occupancy",
            Self::Pegasus => "pegasus",
        }
    }
}

/// How the board stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Orientation {
    /// With its connector at White's left.
    Usual,
    /// The other way round: its connector at White's right.
    Turned,
    /// By a quarter, White's pieces on what the board itself takes for the h file (7.2.2).
    QuarterLeft,
    /// By a quarter, White's pieces on what the board itself takes for the a file (7.2.2).
    QuarterRight,
}
