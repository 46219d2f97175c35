//! What all of it shares.
use super::board::{Board, Stand};
use super::cursor::Cursors;
use super::figures::Metrics;
use super::wire::{self, Names};
use super::witnessed::Witnessed;
use crate::event_info::desk::EventDesk;
use crate::ledger::Ledger;
use flagfall_config::nats;
use flagfall_events::Mono;
use flagfall_journal::Journal;
use flagfall_journal::way::Ways;
use flagfall_time::Stopwatch;
use flagfall_web::boards::Boards;
use flagfall_web::health::Given;
use flagfall_web::hub::Hub;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Everything the tasks share.
pub(super) struct Station {
    pub(super) config: nats::Nats,
    pub(super) names: Names,
    /// This machine.
    pub(super) pi: String,
    /// The same as a token.
    pub(super) token: String,
    pub(super) data_dir: PathBuf,
    pub(super) hub: Arc<Hub>,
    pub(super) entries: Boards,
    pub(super) chronicle: EventDesk,
    pub(super) stopwatch: Stopwatch,
    pub(super) boards: Mutex<BTreeMap<String, Arc<Board>>>,
    /// What signs, and the newest of what it signed.
    pub(super) journal: Arc<Journal>,
    /// What a hall has seen of it.
    pub(super) witnessed: Witnessed,
    /// What shows it that they go on from there.
    pub(super) ways: Ways,
    /// How many there are.
    pub(super) grown: watch::Sender<usize>,
    /// Whether there is anything public here; a hall may say that there is not.
    pub(super) open: Arc<AtomicBool>,
    /// What this machine's own configuration says.
    pub(super) lan_public: bool,
    /// How far behind what is public is, where it is.
    pub(super) delay_ms: Option<u64>,
    pub(super) cursors: Cursors,
    pub(super) metrics: Metrics,
    /// What the stream took.
    pub(super) ledger: Ledger,
    /// Since when no server answers, and why; `None`: one does.
    pub(super) away: Mutex<Option<(Mono, String)>>,
    /// What was distributed and holds, with its text.
    pub(super) given: Mutex<BTreeMap<String, (Given, String)>>,
    /// Orders that are being carried out outlive a connection.
    pub(super) tasks: TaskTracker,
    pub(super) stop: CancellationToken,
}

impl Station {
    /// The boards that publish.
    pub(super) fn list(&self) -> Vec<(Arc<Board>, Stand)> {
        let boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        boards.values().filter_map(|board| Some((board.clone(), board.stand()?))).collect()
    }

    /// The server said what this machine's account may not: whose subject that is.
    pub(super) fn deny(&self, text: &str) {
        for (board, _) in self.list() {
            if text.contains(&format!(".{}.", wire::token(&board.name))) {
                board.deny(String::from(text));
            }
        }
    }

    /// Events that are not acknowledged.
    pub(super) fn behind(&self) -> u64 {
        self.list().iter().map(|(_, stand)| stand.said.saturating_sub(stand.acked)).sum()
    }

    /// Why events do not go out, and since when.
    pub(super) fn trouble(&self) -> Option<(Mono, String)> {
        let away = self.away.lock().unwrap_or_else(PoisonError::into_inner).clone();
        away.or_else(|| {
            let of = |(board, _): (Arc<Board>, Stand)| board.troubled().map(|(since, why)| (since, format!("board {}: {why}", board.name)));
            self.list().into_iter().filter_map(of).min()
        })
    }

    /// No server answers (`Some`), or one does.
    pub(super) fn set_away(&self, why: Option<String>) {
        let mut away = self.away.lock().unwrap_or_else(PoisonError::into_inner);
        let since = away.as_ref().map_or_else(|| self.stopwatch.now(), |(since, _)| *since);
        match &why {
            Some(why) => {
                self.metrics.away();
                if away.as_ref().is_none_or(|(_, was)| was != why) {
                    tracing::warn!("nats: {why}; boards and journals go on, it is tried again");
                }
            }
            None => {
                self.metrics.connected();
                tracing::info!("nats: connected");
            }
        }
        *away = why.map(|why| (since, why));
    }
}
