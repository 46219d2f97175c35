//! What becomes of an entry, as its author reads it.
use crate::web::boards::preview::Recovered;
use crate::web::boards::ruled::Happened;
use serde::Serialize;

/// An entry was carried out.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct Taken {
    /// The board's newest event when it was.
    pub(super) seq: u64,
    /// Plies that it recovered: what was played while a result stood that was wrong, or what leads to a position that was set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) recovered: Vec<Recovered>,
}

/// An order waits for its board's Pi.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct Waits {
    /// The order's key; it can be withdrawn by it.
    pub(super) order: String,
    /// `waiting`.
    pub(super) state: &'static str,
    /// What happens next.
    pub(super) hint: &'static str,
}

/// An entry whose author has not seen what happened meanwhile; nothing was changed.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct Conflict {
    /// What happened last, and by whom.
    pub(super) error: String,
    /// What to do.
    pub(super) hint: String,
    /// Everything that happened since, the oldest first.
    pub(super) meanwhile: Vec<Happened>,
}
