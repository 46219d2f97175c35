//! How hall and broker are doing, for `/healthz`: said by whoever knows, shown by the page.
use flagfall_events::Wall;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// How a hall is doing, for `/healthz`.
#[derive(Debug, Default)]
pub struct HallState {
    health: Mutex<HallHealth>,
    reading: AtomicBool,
}

/// What `/healthz` says of a hall.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HallHealth {
    /// The hall's own name.
    pub name: String,
    /// The event's token.
    pub event: String,
    /// The connection to the broker stands.
    pub broker: bool,
    /// Servers of the broker that are known.
    pub brokers: usize,
    /// Those of them that answer and keep up.
    pub brokers_up: usize,
    /// This hall writes to others: Lichess, the tree, uploads, alerts.
    pub speaks: bool,
    /// The hall that does, as far as is known.
    pub speaker: Option<String>,
    /// Messages of the stream that were not taken yet.
    pub behind: u64,
    /// Pis that are heard.
    pub pis: usize,
    /// Pis that were heard and are silent now.
    pub pis_away: usize,
    /// Orders that wait for a board.
    pub orders_waiting: usize,
}

impl HallState {
    /// As it is now.
    pub fn now(&self) -> HallHealth {
        self.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes it.
    pub fn change(&self, change: impl FnOnce(&mut HallHealth)) {
        change(&mut self.health.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// It reads what was in the stream before it began, or has read that.
    pub fn set_reading(&self, reading: bool) {
        self.reading.store(reading, Ordering::Release);
    }

    /// It has not read everything that was in the stream before it began.
    pub fn is_reading(&self) -> bool {
        self.reading.load(Ordering::Acquire)
    }
}

/// How it stands with the broker, for `/healthz`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NatsHealth {
    /// A server answers.
    pub connected: bool,
    /// Why events do not go out, if they do not, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Events that the stream has not acknowledged yet.
    pub behind: u64,
    /// The event's word in every subject.
    pub event: String,
    /// This machine's name.
    pub pi: String,
    /// What was distributed and holds now.
    pub settings: Vec<Given>,
}

/// A setting that came through the broker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Given {
    /// `pairings.ROUND` or `event`.
    pub key: String,
    /// Who changed it.
    pub who: String,
    /// When, by the clock of where it was changed.
    pub at: Wall,
}

/// Whoever speaks with the broker.
pub trait Broker: fmt::Debug + Send + Sync {
    /// How it stands; `None`: it is not configured.
    fn health(&self) -> Option<NatsHealth>;
}
