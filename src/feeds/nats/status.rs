//! Figures, the alarm, and the cursor's file from time to time.
use super::station::Station;
use flagfall_web::metrics::{self, OutcomeLabel};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How often it is looked.
const LOOK: Duration = Duration::from_secs(1);
/// Looks between two writings of the cursor, if it has changed: it is small, and a card wears out.
const SAVE: u32 = 30;
/// Events that do not go out for so long are the operator's alarm, milliseconds.
const LONG: u64 = 30_000;

/// What `/metrics` shows of it.
pub(super) struct Metrics {
    connected: Gauge,
    connections: Counter,
    behind: Gauge,
    published: Counter,
    bytes: Counter,
    failed: Counter,
    orders: Family<OutcomeLabel, Counter>,
}

impl Metrics {
    pub(super) fn new(all: &metrics::Metrics) -> Self {
        let made = Self {
            connected: Gauge::default(),
            connections: Counter::default(),
            behind: Gauge::default(),
            published: Counter::default(),
            bytes: Counter::default(),
            failed: Counter::default(),
            orders: Family::default(),
        };
        all.register(|registry| {
            registry.register("nats_connected", "1 while a NATS server answers", made.connected.clone());
            registry.register("nats_connections", "Connections made to NATS servers", made.connections.clone());
            registry.register("nats_behind", "Journaled events that the stream has not acknowledged", made.behind.clone());
            registry.register("nats_published", "Events that the stream has acknowledged", made.published.clone());
            registry.register("nats_published_bytes", "Bytes of these events, without headers", made.bytes.clone());
            registry.register("nats_failures", "Times a board's events did not go out and the stream was asked again", made.failed.clone());
            registry.register("nats_orders", "Orders of halls, by outcome", made.orders.clone());
        });
        made
    }

    pub(super) fn published(&self, bytes: usize) {
        self.published.inc();
        self.bytes.inc_by(bytes as u64);
    }

    pub(super) fn failed(&self) {
        self.failed.inc();
    }

    pub(super) fn order(&self, outcome: &'static str) {
        self.orders.get_or_create(&OutcomeLabel { outcome }).inc();
    }

    pub(super) fn connected(&self) {
        self.connections.inc();
        self.connected.set(1);
    }

    pub(super) fn away(&self) {
        self.connected.set(0);
    }
}

/// Looks after gauges, the alarm and the cursor until it is told to stop.
pub(super) async fn watch(station: Arc<Station>) {
    let mut ticks = tokio::time::interval(LOOK);
    let mut looks = 0_u32;
    loop {
        tokio::select! {
            () = station.stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        station.metrics.behind.set(i64::try_from(station.behind()).unwrap_or(i64::MAX));
        let long = station.trouble().filter(|(since, _)| station.stopwatch.now().since(*since) > LONG);
        let text = long.map(|(_, why)| {
            format!("events do not reach the broker: {why}. Boards and journals go on; all of it is sent as soon as it can be. `flagfall doctor --hall` tells more")
        });
        station.hub.alarm("feed-failing", "nats", text);
        looks = looks.wrapping_add(1);
        if looks.is_multiple_of(SAVE) {
            let saved = station.clone();
            // A disk may hold its thread for long.
            _ = tokio::task::spawn_blocking(move || saved.cursors.save()).await;
        }
    }
}

impl Station {
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
