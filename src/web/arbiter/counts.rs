//! Counters of the door, for `/metrics`.
use crate::metrics::{Metrics, OutcomeLabel};
use prometheus_client::metrics::{counter::Counter, family::Family};

/// What is counted.
#[derive(Debug, Default)]
pub(super) struct Counts {
    logins: Family<OutcomeLabel, Counter>,
    entries: Family<OutcomeLabel, Counter>,
}

impl Counts {
    pub(super) fn new(metrics: &Metrics) -> Self {
        let counts = Self::default();
        metrics.register(|registry| {
            registry.register("logins", "Passwords tried, by outcome: right, wrong, slowed", counts.logins.clone());
            registry.register("entries", "Entries of arbiters and operators, by outcome: taken, refused", counts.entries.clone());
        });
        counts
    }

    pub(super) fn login(&self, outcome: &'static str) {
        self.logins.get_or_create(&OutcomeLabel { outcome }).inc();
    }

    pub(super) fn entry(&self, outcome: &'static str) {
        self.entries.get_or_create(&OutcomeLabel { outcome }).inc();
    }
}
