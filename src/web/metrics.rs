//! Counters and gauges in Prometheus' text form. Names say their units; `flagfall_` is before all but those that every process has.
use flagfall_events::LinkState;
use prometheus_client::encoding::{EncodeLabelSet, prometheus_text, text};
use prometheus_client::metrics::{counter::Counter, family::Family, gauge::Gauge, info::Info};
use prometheus_client::registry::Registry;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What our own names begin with.
const PREFIX: &str = "flagfall";

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    r#type: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BoardLabel {
    board: String,
}

/// What came of something that is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct OutcomeLabel {
    /// One word.
    pub outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Publisher {
    publisher: String,
}

/// What `/metrics` shows: to everybody what follows from public events and how the machine is, to operators everything. What is counted of the
/// journal, of alarms, alerts, entries or a broker would tell of every finding at the moment it is raised.
pub struct Metrics {
    registry: Mutex<Registry>,
    public: Mutex<Registry>,
    events: Family<Kind, Counter>,
    boards_up: Gauge,
    link_downs: Family<BoardLabel, Counter>,
    deliveries: Family<Publisher, Counter>,
    failures: Family<Publisher, Counter>,
    success: Family<Publisher, Gauge>,
    streams: Figures,
}

/// What is counted of listeners. Clones count together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    listeners: Gauge,
    lagged: Counter,
    snapshots: Counter,
}

impl Figures {
    pub(crate) fn listener_came(&self) {
        self.listeners.inc();
    }

    pub(crate) fn listener_went(&self) {
        self.listeners.dec();
    }

    pub(crate) fn lagged(&self) {
        self.lagged.inc();
    }

    pub(crate) fn snapshot(&self) {
        self.snapshots.inc();
    }
}

/// Which figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Operators'.
    Everything,
    /// Everybody's.
    Public,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let made = Self {
            registry: Mutex::default(),
            public: Mutex::default(),
            events: Family::default(),
            boards_up: Gauge::default(),
            link_downs: Family::default(),
            deliveries: Family::default(),
            failures: Family::default(),
            success: Family::default(),
            streams: Figures::default(),
        };
        made.register_public(|registry| {
            registry.register("build", "Version of the program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
            registry.register("events", "Public events, by type", made.events.clone());
            registry.register("boards_up", "Boards that answer", made.boards_up.clone());
            registry.register("link_downs", "Times a board's link went down", made.link_downs.clone());
            registry.register("stream_listeners", "Open event streams", made.streams.listeners.clone());
            registry.register("stream_lagged", "Times a listener fell so far behind that it got a snapshot", made.streams.lagged.clone());
            registry.register(
                "stream_snapshots",
                "Snapshots sent: first visits, returns after too long, lags",
                made.streams.snapshots.clone(),
            );
        });
        made.register(|registry| {
            registry.register("publisher_deliveries", "Requests and files that arrived, by publisher", made.deliveries.clone());
            registry.register("publisher_failures", "Requests and files that did not arrive, by publisher", made.failures.clone());
            registry.register(
                "publisher_last_success_timestamp_seconds",
                "When something of this publisher arrived last, seconds since 1970; 0 if nothing has since the start",
                made.success.clone(),
            );
        });
        made
    }

    /// Lets another room add its own, for operators; the prefix `flagfall_` comes by itself, the unit belongs into the name.
    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        add(self.registry.lock().unwrap_or_else(PoisonError::into_inner).sub_registry_with_prefix(PREFIX));
    }

    /// The same for everybody: it must follow from public events and from the machine alone.
    pub fn register_public(&self, add: impl Fn(&mut Registry)) {
        for registry in [&self.registry, &self.public] {
            add(registry.lock().unwrap_or_else(PoisonError::into_inner).sub_registry_with_prefix(PREFIX));
        }
    }

    /// For operators (`true`) and for everybody, without the prefix, for names that every process has (`process_…`).
    pub fn register_bare(&self, add: impl Fn(&mut Registry, bool)) {
        for (registry, whole) in [(&self.registry, true), (&self.public, false)] {
            add(&mut registry.lock().unwrap_or_else(PoisonError::into_inner), whole);
        }
    }

    /// Makes a board's own figures known before anything happened.
    pub(crate) fn board(&self, board: &str) {
        _ = self.link_downs.get_or_create_owned(&BoardLabel { board: String::from(board) });
    }

    pub(crate) fn event(&self, kind: &'static str) {
        self.events.get_or_create(&Kind { r#type: kind }).inc();
    }

    pub(crate) fn link(&self, board: &str, was: LinkState, is: LinkState) {
        match (was, is) {
            (LinkState::Down, LinkState::Up) => _ = self.boards_up.inc(),
            (LinkState::Up, LinkState::Down) => {
                self.boards_up.dec();
                self.link_downs.get_or_create(&BoardLabel { board: String::from(board) }).inc();
            }
            _ => {}
        }
    }

    /// Makes a publisher's figures known before it delivered anything. `publisher` names it as its alarm does: `upload chess.com`.
    pub fn publisher(&self, publisher: &str) {
        let label = Publisher { publisher: String::from(publisher) };
        _ = self.deliveries.get_or_create_owned(&label);
        _ = self.failures.get_or_create_owned(&label);
        _ = self.success.get_or_create_owned(&label);
    }

    /// A publisher's request or file arrived, or did not.
    pub fn delivery(&self, publisher: &str, arrived: bool) {
        let label = Publisher { publisher: String::from(publisher) };
        if arrived {
            self.deliveries.get_or_create(&label).inc();
            self.success.get_or_create(&label).set(flagfall_time::now().timestamp().as_second());
        } else {
            self.failures.get_or_create(&label).inc();
        }
    }

    /// What is counted of listeners.
    pub(crate) fn streams(&self) -> Figures {
        self.streams.clone()
    }

    /// OpenMetrics, for whoever asks for it.
    pub(crate) fn open_metrics(&self, shown: Shown) -> Result<String, fmt::Error> {
        let mut out = String::new();
        text::encode(&mut out, &self.shown(shown))?;
        Ok(out)
    }

    /// Prometheus' own text, version 0.0.4.
    pub fn text(&self, shown: Shown) -> Result<String, fmt::Error> {
        let mut out = String::new();
        prometheus_text::encode(&mut out, &self.shown(shown))?;
        Ok(out)
    }

    fn shown(&self, shown: Shown) -> MutexGuard<'_, Registry> {
        let registry = match shown {
            Shown::Everything => &self.registry,
            Shown::Public => &self.public,
        };
        registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_called_as_its_samples_are_and_every_family_says_what_it_is() {
        let metrics = Metrics::new();
        metrics.board("Tisch 7");
        metrics.link("1", LinkState::Up, LinkState::Down);
        metrics.delivery("alert 1 (club.example)", false);
        let text = metrics.text(Shown::Everything).unwrap();
        for line in [
            "# TYPE flagfall_build_info gauge",
            "# TYPE flagfall_link_downs_total counter",
            "flagfall_link_downs_total{board=\"Tisch 7\"} 0",
            "flagfall_link_downs_total{board=\"1\"} 1",
            "flagfall_publisher_failures_total{publisher=\"alert 1 (club.example)\"} 1",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is missing in\n{text}");
        }
        assert!(!text.contains("# EOF") && metrics.open_metrics(Shown::Public).unwrap().ends_with("# EOF\n"));
        // Every sample belongs to a family that was described just before.
        let mut family = "";
        for line in text.lines() {
            match line.strip_prefix("# TYPE ") {
                Some(rest) => family = rest.split(' ').next().unwrap(),
                None => assert!(line.starts_with("# HELP ") || line.starts_with(family), "{line}"),
            }
        }
    }
}
