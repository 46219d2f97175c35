//! Counters of the door, for `/metrics`.
use crate::publish::metrics::Metrics;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::{counter::Counter, family::Family};

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

/// What is counted.
#[derive(Debug, Default)]
pub(super) struct Counts {
    logins: Family<Outcome, Counter>,
    entries: Family<Outcome, Counter>,
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
        self.logins.get_or_create(&Outcome { outcome }).inc();
    }

    pub(super) fn entry(&self, outcome: &'static str) {
        self.entries.get_or_create(&Outcome { outcome }).inc();
    }
}
