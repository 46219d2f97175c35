//! The published vocabulary.
pub use flagfall_events::{
    Action, AlarmState, Alternative, Body, ClaimRule, ClockPair, ClockSource, ClockState, Colour, DrawClaim, Event, Facts, Finding,
    FindingUpdate, Flag, GameResult, Grade, How, Key, LinkState, PressCounter, PromotionState, Proposal, REOPENED, ResultSource, Status,
    TouchedPiece, Words,
};
