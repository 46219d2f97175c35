//! Draws that may be claimed (9.2, 9.3).
use crate::Colour;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A draw that the player to move may claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DrawClaim {
    /// Which rule.
    pub rule: ClaimRule,
    /// The ply after which the position stands.
    pub ply: u32,
    /// Who may claim: the player to move.
    pub by: Colour,
    /// Plies after which the same position stood; empty for fifty moves. 0 is the start.
    pub earlier: Vec<u32>,
}

/// What may be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ClaimRule {
    /// The position stands for the third time (9.2).
    Threefold,
    /// Fifty moves without a pawn move or a capture (9.3).
    Fifty,
}
