//! Counters and gauges in Prometheus' text form. Names say their units.
use crate::game::event::LinkState;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::{counter::Counter, family::Family, gauge::Gauge, info::Info};
use prometheus_client::registry::Registry;
use std::fmt;
use std::sync::{Mutex, PoisonError};

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    r#type: &'static str,
}

/// What `/metrics` shows.
pub struct Metrics {
    registry: Mutex<Registry>,
    events: Family<Kind, Counter>,
    boards_up: Gauge,
    listeners: Gauge,
    lagged: Counter,
    snapshots: Counter,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut registry = Registry::with_prefix("flagfall");
        registry.register("build", "Version of the program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        let (events, boards_up, listeners) = (Family::default(), Gauge::default(), Gauge::default());
        let (lagged, snapshots) = (Counter::default(), Counter::default());
        registry.register("events", "Public events, by type", events.clone());
        registry.register("boards_up", "Boards that answer", boards_up.clone());
        registry.register("stream_listeners", "Open event streams", listeners.clone());
        registry.register("stream_lagged", "Times a listener fell so far behind that it got a snapshot", lagged.clone());
        registry.register("stream_snapshots", "Snapshots sent: first visits, returns after too long, lags", snapshots.clone());
        Self { registry: Mutex::new(registry), events, boards_up, listeners, lagged, snapshots }
    }

    /// Lets another room add its own counters; the prefix `flagfall_` comes by itself, the unit belongs into the name.
    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        add(&mut self.registry.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn event(&self, kind: &'static str) {
        self.events.get_or_create(&Kind { r#type: kind }).inc();
    }

    pub(super) fn link(&self, was: LinkState, is: LinkState) {
        match (was, is) {
            (LinkState::Down, LinkState::Up) => _ = self.boards_up.inc(),
            (LinkState::Up, LinkState::Down) => _ = self.boards_up.dec(),
            _ => {}
        }
    }

    pub(super) fn listener_came(&self) {
        self.listeners.inc();
    }

    pub(super) fn listener_went(&self) {
        self.listeners.dec();
    }

    pub(super) fn lagged(&self) {
        self.lagged.inc();
    }

    pub(super) fn snapshot(&self) {
        self.snapshots.inc();
    }

    /// The text that a Prometheus server reads.
    pub(super) fn text(&self) -> Result<String, fmt::Error> {
        let mut out = String::new();
        text::encode(&mut out, &self.registry.lock().unwrap_or_else(PoisonError::into_inner))?;
        Ok(out)
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}
