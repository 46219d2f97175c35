//! How one feed is doing, as the operator sees it.
use super::engine::Engine;
use flagfall_config::lichess::Push;
use flagfall_events::{Wall, Words};
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
    /// When Lichess took something last.
    pub sent_at: Option<Wall>,
    /// Games in the last push.
    pub games: usize,
    /// Plies of their main lines.
    pub plies: usize,
    /// Viewers see what was sent, as far as it is due; null: not known.
    pub equal: Option<bool>,
    /// Where it differs: what stands as `lichess-differs`, `lichess-override`, `lichess-orphan`.
    pub differs: Vec<Words>,
    /// Why it cannot be read back what viewers see.
    pub unread: Option<Words>,
    /// Times that the whole round was read back.
    pub looks: u64,
    /// Pushes and replaced chapters that looking back made necessary.
    pub healed: u64,
}

impl Status {
    pub(super) fn of(setting: &Push, engine: &Engine, sent_at: Option<Wall>) -> Self {
        let progress = engine.progress();
        let (games, plies) = progress.last_size.unwrap_or_default();
        Self {
            round: setting.round.clone(),
            base_url: setting.base_url.clone(),
            up_to_date: progress.up_to_date,
            taken: progress.taken,
            failed: progress.failed,
            failing: engine.failing().cloned(),
            sent_at,
            games,
            plies,
            equal: progress.equal,
            differs: engine.differs().cloned().collect(),
            unread: progress.unread,
            looks: progress.looks,
            healed: progress.healed,
        }
    }
}
