//! What arbiters are told of a board besides the public object: findings, alarms, claims, touched pieces, entries, each as they stand.
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{ClockState, DrawClaim, Finding, Mono, Order, PossibleLine, PromotionState, Ruling, SetClock, TouchedPiece, Wall};
use serde::Serialize;
use serde_json::Value;

/// Where a finding stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Nobody has ruled on it.
    Open,
    /// What it rested on is gone.
    Withdrawn,
    /// Ruled as proposed.
    Confirmed,
    /// Ruled to be nothing.
    Dismissed,
    /// Ruled with other times.
    Amended,
}

/// What stood on the board and the clock when the finding was raised: what an arbiter writes down before touching anything.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AsFound {
    /// FEN field 1, as sensed.
    pub placement: Option<String>,
    /// The clock as last read.
    pub clock: Option<ClockState>,
    /// How old that reading was, milliseconds.
    pub clock_age_ms: Option<u64>,
    /// Plies made.
    pub plies_made: u32,
}

/// The ruling on a finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ruled {
    /// Number of the `ruling` event.
    pub seq: u64,
    /// When.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// Who ruled.
    pub who: Option<String>,
    /// `confirm`, `dismiss`, `amend`; for a report `report`.
    pub decision: Option<String>,
    /// The times that were ruled, where they are not the proposal's.
    pub clock: Option<Value>,
    /// What the arbiter noted.
    pub note: Option<String>,
}

/// A finding and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FoldedFinding {
    /// The event's fields; proposal, facts and summary are the newest.
    #[serde(flatten)]
    pub finding: Finding,
    /// Where it stands.
    pub status: Standing,
    /// An arbiter must still rule on it or look at it: it is open, and no note.
    pub urgent: bool,
    /// Number of the `finding` event.
    pub seq: u64,
    /// When it was raised.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// Which game of the board, from 1.
    pub game_number: u32,
    /// Number of the last event about it: what a ruling says that it has `seen`.
    pub last_seq: u64,
    /// How often it was revised.
    pub revisions: u32,
    /// What stood when it was raised; never changes.
    pub found: AsFound,
    /// The newest ruling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruled: Option<Ruled>,
}

/// An alarm that stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StandingAlarm {
    /// Which.
    pub key: String,
    /// Since when, for people.
    pub at: Wall,
    /// Number of its event; an alarm that the daemon raised, not the game, has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// What is wrong and what to do, where the daemon says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Of `unsure`: which ply it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// What may have been played from that ply on, the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<PossibleLine>,
}

/// Which piece a pawn became on a board that does not tell: a question that waits, or a queen that was assumed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenPromotion {
    /// Which ply.
    pub ply: u32,
    /// Where it stands.
    pub square: String,
    /// `asked` or `assumed`.
    pub state: PromotionState,
    /// Since when.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
}

/// A draw that may be, or could have been, claimed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Claim {
    /// The event's fields.
    #[serde(flatten)]
    pub claim: DrawClaim,
    /// Number of its event.
    pub seq: u64,
    /// When.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// The position stands on the board: no move was made since.
    pub stands: bool,
}

/// A piece that was touched.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Touch {
    /// The event's fields.
    #[serde(flatten)]
    pub touch: TouchedPiece,
    /// Number of its event.
    pub seq: u64,
    /// The ply that was being played.
    pub ply: u32,
}

/// An entry of an arbiter or operator, as it was carried out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Entered {
    /// Number of its `ruling` event.
    pub seq: u64,
    /// When.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// What was entered.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = flagfall_events::Entry))]
    pub ruling: Ruling,
    /// Twelve words by which the record up to this ruling can be proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub receipt: Option<String>,
    /// It was undone: nothing of it stands.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub taken_back: bool,
}

impl From<&Entered> for Ruled {
    fn from(entered: &Entered) -> Self {
        let ruling = &entered.ruling;
        let decision = match ruling.order() {
            Some(Order::Rule { decision, .. }) => decision.as_str(),
            _ => ruling.name(),
        };
        let written = |clock: &SetClock| serde_json::to_value(clock).ok();
        let clock = match ruling.order() {
            Some(Order::SetClock { clock }) => written(clock),
            Some(Order::Rule { clock, .. } | Order::Penalty { clock, .. }) => clock.as_ref().and_then(written),
            Some(_) => None,
            // Of another version: as it was written.
            None => ruling.fields().remove("clock"),
        };
        Self {
            seq: entered.seq,
            t: entered.t,
            at: entered.at,
            who: ruling.who().map(String::from),
            decision: Some(String::from(decision)),
            clock,
            note: ruling.note().map(String::from),
        }
    }
}
