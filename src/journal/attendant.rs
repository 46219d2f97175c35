//! Who is told how the journal is doing.
use prometheus_client::registry::Registry;
use serde::Serialize;

/// How the journal is doing, for `/healthz`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum JournalState {
    /// Nothing is recorded.
    #[default]
    Off,
    /// Every event is on disk.
    Ok,
    /// Events are not reaching the disk.
    Failing {
        /// Why, and what to do.
        reason: String,
    },
}

/// Whoever shows the journal's state to people. Must not wait.
pub trait Attendant: Send + Sync {
    /// How the journal is doing from now on.
    fn journal(&self, state: JournalState);

    /// Raises (`Some`: what is wrong and what to do) or clears (`None`) an alarm; `key` is its kind, `about` names what fails.
    fn alarm(&self, key: &str, about: &str, text: Option<String>);

    /// Adds figures to those that are shown.
    fn register(&self, add: &mut dyn FnMut(&mut Registry));
}
