//! The body of every refusal over HTTP.
use serde::Serialize;

/// Every refusal.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// What is wrong.
    pub error: String,
    /// What to do.
    pub hint: String,
}
