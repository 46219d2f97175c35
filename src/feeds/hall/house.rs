//! What the parts of a hall share.
use super::book::Book;
use super::known::Known;
use super::witness::Witness;
use crate::arrivals::Arrivals;
use crate::nats::wire::Names;
use crate::outlets::Outlets;
use async_nats::Client;
use async_nats::jetstream::Context;
use flagfall_config::Config;
use flagfall_config::nats::Nats;
use flagfall_time::Stopwatch;
use flagfall_web::boards::Boards;
use flagfall_web::health::HallState;
use flagfall_web::hub::Hub;
use flagfall_web::voice::{Speaker, Voice};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// What the parts of a hall share.
pub(super) struct House {
    pub(super) nats: Nats,
    /// Whether this hall may ever speak.
    pub(super) speaks: bool,
    /// This hall's name.
    pub(super) name: String,
    pub(super) names: Names,
    pub(super) stopwatch: Stopwatch,
    pub(super) outlets: Outlets,
    pub(super) boards: Boards,
    pub(super) state: Arc<HallState>,
    pub(super) voice: Voice,
    pub(super) speaker: Speaker,
    pub(super) known: Mutex<Known>,
    pub(super) book: Mutex<Book>,
    /// Something may be sent to a board now.
    pub(super) poke: Notify,
    /// The connection, while there is one.
    pub(super) broker: watch::Sender<Option<Broker>>,
    /// Everything that was in the stream at start has been taken.
    pub(super) caught_up: watch::Sender<bool>,
    /// What an earlier process proved, until the stream is known.
    pub(super) arrivals: Mutex<Option<Arrivals>>,
    /// What it has seen of the Pis' journals.
    pub(super) witness: Witness,
    pub(super) figures: Figures,
    pub(super) config: Config,
}

/// A connection to the broker.
#[derive(Clone, Debug)]
pub(super) struct Broker {
    pub(super) client: Client,
    pub(super) jetstream: Context,
}

/// What `/metrics` shows of a hall.
#[derive(Debug, Default)]
pub(super) struct Figures {
    pub(super) taken: Counter,
    pub(super) repeated: Counter,
    pub(super) missing: Counter,
    pub(super) odd: Counter,
    pub(super) speaks: Gauge,
    pub(super) behind: Gauge,
    pub(super) away: Gauge,
    pub(super) pis_behind: Gauge,
    pub(super) waiting: Gauge,
    pub(super) brokers: Gauge,
    pub(super) brokers_up: Gauge,
    pub(super) broker_up: Family<ServerLabel, Gauge>,
}

/// A server of the broker: its address as the configuration has it, else its name in the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ServerLabel {
    pub(super) server: String,
}

impl Figures {
    pub(super) fn new(hub: &Hub) -> Self {
        let figures = Self::default();
        hub.metrics().register(|registry| {
            registry.register("hall_events", "Events taken from the stream", figures.taken.clone());
            registry.register("hall_events_repeated", "Events of the stream that were known already", figures.repeated.clone());
            registry.register("hall_events_missing", "Numbers that boards left out in the stream", figures.missing.clone());
            registry.register("hall_events_odd", "Messages of the stream that are no events of their board", figures.odd.clone());
            registry.register("hall_speaks", "1 while this hall writes to others, 0 while it stands by", figures.speaks.clone());
            registry.register("hall_behind", "Messages of the stream that were not taken yet", figures.behind.clone());
            registry.register("hall_pis_away", "Pis that are silent", figures.away.clone());
            registry.register("hall_pis_behind", "Events that Pis have and the stream has not", figures.pis_behind.clone());
            registry.register("hall_orders_waiting", "Orders that wait for a board", figures.waiting.clone());
            registry.register("hall_brokers", "Servers of the broker that are known", figures.brokers.clone());
            registry.register("hall_brokers_up", "Servers of the broker that answer and keep up", figures.brokers_up.clone());
            registry.register("hall_broker_up", "1 while this server of the broker answers and keeps up", figures.broker_up.clone());
        });
        figures
    }
}

impl House {
    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hub(&self) -> &Arc<Hub> {
        &self.outlets.hub
    }
}
