//! A hall: the same publishers and the same console as a machine with boards (`daemon::front`), over all boards of an event, fed by the broker.
//!
//! Events come from the stream by a durable consumer, entries go back to the boards' machines as orders, and of several halls one speaks. While no
//! server answers everything is shown as it was last, and as such. Clocks of different machines are never compared: ages are measured where things
//! happen and carried; what is added here comes from our own stopwatch.
//!
//! | to change | go to |
//! |---|---|
//! | what a hall knows of boards and Pis | `known` |
//! | the stream's events: what was, what comes, what was missed | `intake` |
//! | who is there, who is away | `pis` |
//! | what comes into a bucket, and was not put there by a trick | `bucket` |
//! | orders to boards: sent, waiting, withdrawn | `orders`, what is known of them `book` |
//! | which hall speaks | `lease` |
//! | pairings and the event for the Pis | `settings` |
//! | finding a server, what runs while there is one | `session` |
//! | wiring, signals, the order in which everything ends | this file |
mod book;
mod bucket;
mod intake;
mod known;
mod lease;
mod orders;
mod pis;
mod session;
mod settings;

use crate::beats::Beats;
use crate::config::Config;
use crate::config::nats::Nats;
use crate::daemon::front::{Front, Needs, Outlets};
use crate::daemon::reload::Following;
use crate::daemon::{self, listen};
use crate::exit::ExitError;
use crate::feeds::nats::wire::Names;
use crate::time::Stopwatch;
use crate::web::boards::Boards;
use crate::web::health::HallState;
use crate::web::hub::Hub;
use crate::web::voice::{Speaker, Voice};
use async_nats::Client;
use async_nats::jetstream::Context;
use book::Book;
use known::Known;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

/// How long the page may wait for the boards at start: a hall whose broker is away shows none, but it shows itself.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the parts of a hall share.
pub(crate) struct House {
    nats: Nats,
    /// Whether this hall may ever speak.
    speaks: bool,
    /// This hall's name.
    name: String,
    names: Names,
    stopwatch: Stopwatch,
    outlets: Outlets,
    boards: Boards,
    state: Arc<HallState>,
    voice: Voice,
    speaker: Speaker,
    known: Mutex<Known>,
    book: Mutex<Book>,
    /// Something may be sent to a board now.
    poke: Notify,
    /// The connection, while there is one.
    broker: watch::Sender<Option<Broker>>,
    /// Everything that was in the stream at start has been taken.
    caught_up: watch::Sender<bool>,
    figures: Figures,
    config: Config,
}

/// A connection to the broker.
#[derive(Clone, Debug)]
pub(crate) struct Broker {
    client: Client,
    jetstream: Context,
}

/// What `/metrics` shows of a hall.
#[derive(Debug, Default)]
struct Figures {
    taken: Counter,
    repeated: Counter,
    missing: Counter,
    odd: Counter,
    speaks: Gauge,
    behind: Gauge,
    away: Gauge,
    pis_behind: Gauge,
    waiting: Gauge,
}

impl Figures {
    fn new(hub: &Hub) -> Self {
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
        });
        figures
    }
}

impl House {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hub(&self) -> &Arc<Hub> {
        &self.outlets.hub
    }
}

/// Runs a hall until `token` is cancelled.
///
/// # Errors
/// What keeps it from starting: no `[nats]` (78), an address that cannot be listened on (69, 77). A broker that is away is a state.
pub async fn run(config: Config, options: daemon::Options, token: CancellationToken) -> Result<(), ExitError> {
    let Some(nats) = config.nats.clone() else {
        return Err(ExitError::config(
            "a hall needs a broker; add [nats] with servers = [\"nats://HOST:4222\"] and event = \"NAME\" to the configuration",
        ));
    };
    let hangups = daemon::hangups()?;
    let stopwatch = Stopwatch::start();
    let beats = Beats::of_systemd(stopwatch);
    let own = beats.join("the hall");
    let web = listen::listen("web", config.web).await?;
    let (voice, speaker) = Voice::held(stopwatch);
    let (hub, boards, state) = (Hub::speaking(voice.clone()), Boards::default(), Arc::new(HallState::default()));
    let name = config.hall.name.clone().unwrap_or_else(|| nats.pi());
    state.change(|health| (health.name, health.event) = (name.clone(), nats.event.clone()));
    let needs = Needs { hub: hub.clone(), stopwatch, boards: boards.clone(), journal: None, web, hall: Some(state.clone()) };
    let (front, feeds) = Front::start(&config, needs, &token)?;
    let following = Following { config: config.clone(), reread: options.reread, feeds };
    let house = Arc::new(House {
        names: Names::new(&nats.event),
        nats,
        speaks: config.hall.speaks,
        name,
        stopwatch,
        outlets: front.outlets.clone(),
        figures: Figures::new(&hub),
        boards,
        state,
        voice,
        speaker,
        known: Mutex::default(),
        book: Mutex::default(),
        poke: Notify::new(),
        broker: watch::Sender::new(None),
        caught_up: watch::Sender::new(false),
        config,
    });
    let withdrawals = tokio::spawn(orders::withdrawals(house.clone(), house.boards.waiting()));
    let session = tokio::spawn(session::run(house.clone(), token.clone()));
    // Whoever asks sees the boards as they are, not as they come back one by one.
    let mut caught_up = house.caught_up.subscribe();
    tokio::select! {
        _ = caught_up.wait_for(|done| *done) => {}
        () = tokio::time::sleep(PATIENCE) => tracing::warn!("the stream is not read to its end yet; what is shown may be old"),
        () = token.cancelled() => {}
    }
    let mut back = front.serve(&token);
    let service = daemon::turn(&house.outlets, |_| (), following, hangups, own, &token).await;
    service.stopping();
    // The session gives the lease back: the other hall speaks at once.
    let _ = session.await;
    withdrawals.abort();
    let livechess = back.livechess.take();
    // The thread only ends or has panicked; either way nothing more is sent.
    let _ = tokio::task::spawn_blocking(move || livechess.map(std::thread::JoinHandle::join)).await;
    back.end().await;
    Ok(())
}
