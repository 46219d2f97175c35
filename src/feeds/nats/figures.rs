//! What `/metrics` shows of it.
use flagfall_web::metrics::{self, OutcomeLabel};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;

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

    pub(super) fn behind(&self, events: u64) {
        self.behind.set(i64::try_from(events).unwrap_or(i64::MAX));
    }

    pub(super) fn away(&self) {
        self.connected.set(0);
    }
}
