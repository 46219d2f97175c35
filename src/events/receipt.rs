//! What can be noted outside the machine, so that its record cannot be changed afterwards.
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// Twelve words that stand for everything the board's journal held when a result or a ruling was safe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Receipt {
    /// Number of the `result` or `ruling` after which it was given.
    pub of: u64,
    /// Which of the two that is.
    pub after: ReceiptAfter,
    /// Twelve words of the English list of BIP-39, a blank between two: the first 128 bits of the SHA-256 of a checkpoint.
    pub words: String,
}

/// After what a receipt was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReceiptAfter {
    /// A game's end.
    Result,
    /// A ruling on a finding.
    Ruling,
}
