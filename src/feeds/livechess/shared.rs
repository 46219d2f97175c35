//! What all connections share.
use super::hall::{self, Pictures};
use super::objects::{EBoard, Source};
use super::tournament::Tournaments;
use crate::delay::Lag;
use axum::extract::State;
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) hall: Arc<Pictures>,
    pub(crate) tournaments: Tournaments,
    pub(crate) stop: CancellationToken,
    stopwatch: Stopwatch,
}

impl Shared {
    pub(crate) fn new(tournaments: Tournaments, lag: Lag, stopwatch: Stopwatch, stop: CancellationToken) -> Self {
        Self { hall: Arc::new(Pictures::new(lag)), tournaments, stop, stopwatch }
    }

    pub(crate) fn now(&self) -> Mono {
        self.stopwatch.now()
    }

    pub(crate) fn instant(&self, t: Mono) -> tokio::time::Instant {
        self.stopwatch.instant(t).into()
    }

    /// Milliseconds since 1970, on the same scale as the times of clock readings.
    pub(crate) fn wall_ms(&self) -> i64 {
        self.stopwatch.opened_at().after(self.stopwatch.now()).timestamp().as_millisecond()
    }

    /// Every board, and what a tournament names besides.
    pub(crate) fn eboards(&self) -> Vec<EBoard> {
        let pictures = self.hall.pictures();
        let mut boards = hall::eboards(&pictures);
        let named = self.tournaments.serials(&pictures);
        for serialnr in named {
            if boards.iter().all(|board| board.serialnr != serialnr) {
                boards.push(hall::absent(serialnr));
            }
        }
        boards
    }

    pub(crate) fn sources(&self) -> Vec<Source> {
        hall::sources(&self.hall.pictures())
    }
}

/// The same, as a route takes it.
pub(super) type Server = State<Arc<Shared>>;
