//! What becomes of an entry, as its author reads it.
#[cfg(feature = "openapi")]
use crate::boards::preview::Preview;
use crate::boards::preview::Recovered;
use crate::boards::ruled::Happened;
#[cfg(feature = "openapi")]
use crate::problem::Problem;
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

/// What can become of a preview.
#[cfg(feature = "openapi")]
#[derive(utoipa::IntoResponses)]
#[allow(dead_code, reason = "only described")]
pub(super) enum Foreseen {
    /// What the entry would do.
    #[response(status = 200)]
    Done(Preview),
    /// No JSON.
    #[response(status = 400)]
    Malformed(Problem),
    /// Nobody is logged in.
    #[response(status = 401)]
    Stranger(Problem),
    /// This role may not.
    #[response(status = 403)]
    Forbidden(Problem),
    /// No such board.
    #[response(status = 404)]
    Unknown(Problem),
    /// Its author has not seen what happened meanwhile.
    #[response(status = 409)]
    Meanwhile(Conflict),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(Problem),
    /// The body is not declared as JSON.
    #[response(status = 415)]
    NoJson(Problem),
    /// It could not be carried out.
    #[response(status = 422)]
    Impossible(Problem),
    /// The board does not answer.
    #[response(status = 503)]
    Busy(Problem),
}

/// What can become of an entry.
#[cfg(feature = "openapi")]
#[derive(utoipa::IntoResponses)]
#[allow(dead_code, reason = "only described")]
pub(super) enum Entered {
    /// It was carried out, and is on disk where there is one.
    #[response(status = 200)]
    Taken(Taken),
    /// In a hall: the board's Pi is away, and the order waits for it.
    #[response(status = 202)]
    Waits(Waits),
    /// No JSON.
    #[response(status = 400)]
    Malformed(Problem),
    /// Nobody is logged in.
    #[response(status = 401)]
    Stranger(Problem),
    /// This role may not.
    #[response(status = 403)]
    Forbidden(Problem),
    /// No such board.
    #[response(status = 404)]
    Unknown(Problem),
    /// Its author has not seen what happened meanwhile; nothing was changed.
    #[response(status = 409)]
    Meanwhile(Conflict),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(Problem),
    /// The body is not declared as JSON.
    #[response(status = 415)]
    NoJson(Problem),
    /// It cannot be carried out; nothing was changed.
    #[response(status = 422)]
    Impossible(Problem),
    /// The board does not answer.
    #[response(status = 503)]
    Busy(Problem),
}
