//! Findings and proposals.
pub use flagfall_events::{
    Action, Alternative, ClaimRule, DrawClaim, Facts, Finding, FindingUpdate, PressCounter, Proposal, Status, TouchedPiece, Words,
};
