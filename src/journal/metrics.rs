//! Figures of the journal for `/metrics`: the disk's time and our own apart.
use super::attendant::Attendant;
use prometheus_client::metrics::{counter::Counter, gauge::Gauge, histogram::Histogram};

/// Seconds: from a tenth of a millisecond to some seconds.
const BOUNDS: [f64; 14] = [0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0];

pub(super) struct Metrics {
    lines: Counter,
    bytes: Counter,
    syncs: Counter,
    disk: Histogram,
    sync: Histogram,
    own: Histogram,
    failing: Gauge,
    queued: Gauge,
}

impl Metrics {
    pub(super) fn new(attendant: &dyn Attendant) -> Self {
        let made = Self {
            lines: Counter::default(),
            bytes: Counter::default(),
            syncs: Counter::default(),
            disk: Histogram::new(BOUNDS),
            sync: Histogram::new(BOUNDS),
            own: Histogram::new(BOUNDS),
            failing: Gauge::default(),
            queued: Gauge::default(),
        };
        attendant.register(&mut |registry| {
            registry.register("journal_lines", "Lines journaled", made.lines.clone());
            registry.register("journal_bytes", "Bytes that were written to journals", made.bytes.clone());
            registry.register("journal_syncs", "Times journals were synced; one covers all boards", made.syncs.clone());
            registry.register("journal_disk_seconds", "What the disk took for a group: writing and syncing", made.disk.clone());
            registry.register("journal_sync_seconds", "What the disk took to sync a group", made.sync.clone());
            registry.register(
                "journal_own_seconds",
                "From an event to its being safe, without the disk's time for its group",
                made.own.clone(),
            );
            registry.register("journal_failing", "1 while lines do not reach the disk", made.failing.clone());
            registry.register("journal_queue_length", "Lines that wait to be gathered", made.queued.clone());
        });
        made
    }

    pub(super) fn line(&self) {
        self.lines.inc();
    }

    /// How many lines wait; whoever adds one counts it here.
    pub(super) const fn queued(&self) -> &Gauge {
        &self.queued
    }

    /// A group is done: so many bytes, microseconds of writing and syncing, and of everything else.
    pub(super) fn group(&self, bytes: u64, (written, synced): (u64, u64), synced_at_all: bool, own: Option<u64>) {
        let seconds = |micros: u64| micros as f64 / 1e6;
        self.bytes.inc_by(bytes);
        self.disk.observe(seconds(written.saturating_add(synced)));
        if synced_at_all {
            self.syncs.inc();
            self.sync.observe(seconds(synced));
        }
        if let Some(own) = own {
            self.own.observe(seconds(own));
        }
    }

    pub(super) fn failing(&self, failing: bool) {
        self.failing.set(i64::from(failing));
    }
}
