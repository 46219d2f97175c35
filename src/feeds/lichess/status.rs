//! How one feed is doing, as the operator sees it.
use super::engine::Engine;
use flagfall_config::lichess::Push;
use flagfall_events::Words;
use serde::Serialize;

/// How one feed is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LichessStatus))]
pub struct Status {
    /// The round's eight characters.
    pub round: String,
    /// Where it is.
    pub base_url: String,
    /// Lichess has the latest state, as far as we know.
    pub up_to_date: bool,
    /// Requests that were taken.
    pub taken: u64,
    /// Requests that were not.
    pub failed: u64,
    /// What stands in the way, and what to do.
    pub failing: Option<Words>,
}

impl Status {
    pub(super) fn of(setting: &Push, engine: &Engine) -> Self {
        let progress = engine.progress();
        Self {
            round: setting.round.clone(),
            base_url: setting.base_url.clone(),
            up_to_date: progress.up_to_date,
            taken: progress.taken,
            failed: progress.failed,
            failing: engine.failing().cloned(),
        }
    }
}
