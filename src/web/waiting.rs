//! Orders on their way from a hall to a board: what waits, what was sent, what became of it. A machine with boards has none.
use flagfall_events::Wall;
use serde::Serialize;
use serde_json::Value;

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum OrderState {
    /// The board's Pi is away; it is sent when that returns. It can be withdrawn.
    Waiting,
    /// It was sent and may have arrived; it is sent again until there is an answer, and carried out once.
    Sent,
    /// The Pi has it in its journal.
    Journaled,
    /// The board refused it; nothing was changed.
    Refused,
    /// It was withdrawn before it was sent.
    Withdrawn,
}

impl OrderState {
    /// Whether it may still be carried out.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Waiting | Self::Sent)
    }
}

/// An order for a board of another machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WaitingOrder {
    /// Its name; unique.
    pub key: String,
    /// The entry.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub entry: Value,
    /// When it was given.
    pub at: Wall,
    /// Where it stands.
    pub state: OrderState,
    /// The board's newest event when it was journaled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// Why it was refused, or who withdrew it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
