//! Pieces that were touched (4.3).
use crate::{Colour, Mono, Square};
use serde::{Deserialize, Serialize};

/// Who sees what a hand does before a move stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Touches {
    /// Everybody: placements are public as they are sensed.
    #[default]
    Public,
    /// Arbiters only.
    Arbiter,
}

impl Touches {
    /// As the configuration writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Arbiter => "arbiter",
        }
    }
}

/// A piece that was lifted (4.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TouchedPiece {
    /// Who was to move.
    pub by: Colour,
    /// FEN's letter.
    pub piece: char,
    /// Where it stood.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub square: Square,
    /// One of the mover's own.
    pub own: bool,
    /// When it left its square.
    pub lifted: Mono,
    /// When it came back.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub returned: Option<Mono>,
}
