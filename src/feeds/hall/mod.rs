//! A hall: the same publishers and the same console as a machine with boards, over all boards of an event, fed by the broker.
//!
//! Events come from the stream by a durable consumer, entries go back to the boards' machines as orders, and of several halls one speaks. While no
//! server answers everything is shown as it was last, and as such. Clocks of different machines are never compared: ages are measured where things
//! happen and carried; what is added here comes from our own stopwatch.
//!
//! | to change | go to |
//! |---|---|
//! | what a hall knows of boards and Pis | `known` |
//! | what its parts share | `house` |
//! | how a board becomes known, and is shown with its Pi | `boards` |
//! | the stream's events: what was, what comes, what was missed | `intake` |
//! | who is there, who is away: heard, shown | `pis` |
//! | the same as a state, and where each board is | `presence` |
//! | what comes into a bucket, and was not put there by a trick | `bucket` |
//! | orders to boards: sent, waiting, withdrawn | `orders`, what is known of them `book` |
//! | films, reports and who goes there, from and to the boards' machines | `afar` |
//! | games for machines that know none of their board | `games` |
//! | records of one board that differ | `differ` |
//! | which hall speaks | `lease` |
//! | pairings and the event for the Pis | `settings` |
//! | what it has seen of the Pis' journals | `witness` |
//! | which servers of the cluster answer and keep up | `brokers` |
//! | finding a server, what runs while there is one | `session` |
//! | what the daemon sees of it | this file |
mod afar;
mod boards;
mod book;
mod brokers;
mod bucket;
mod differ;
mod games;
mod house;
mod intake;
mod known;
mod lease;
mod orders;
mod pis;
mod presence;
mod session;
mod settings;
mod witness;

use crate::arrivals::Arrivals;
use crate::nats::wire::Names;
use crate::outlets::Outlets;
use flagfall_config::Config;
use flagfall_config::nats::Nats;
use flagfall_time::Stopwatch;
use flagfall_web::boards::Boards;
use flagfall_web::health::HallState;
use flagfall_web::voice::{Speaker, Voice};
use house::{Figures, House};
use std::fmt;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use witness::Witness;

/// What a hall is made of.
pub struct Needs {
    /// The configuration.
    pub config: Config,
    /// The broker.
    pub nats: Nats,
    /// This hall's name.
    pub name: String,
    /// The daemon's.
    pub stopwatch: Stopwatch,
    /// Whoever shows boards.
    pub outlets: Outlets,
    /// Where entries come from.
    pub boards: Boards,
    /// Where it is said how the hall is doing.
    pub state: Arc<HallState>,
    /// Whether this hall speaks …
    pub voice: Voice,
    /// … and who says so.
    pub speaker: Speaker,
    /// How old the stream's messages are, where the world is behind.
    pub arrivals: Option<Arrivals>,
}

/// A hall at work.
pub struct Hall {
    house: Arc<House>,
    withdrawals: JoinHandle<()>,
    session: JoinHandle<()>,
}

impl fmt::Debug for Hall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hall").field("name", &self.house.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Needs").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Hall {
    /// Looks for a server, and for another one whenever that is lost, until `token` is cancelled.
    pub fn start(needs: Needs, token: &CancellationToken) -> Self {
        let Needs { config, nats, name, stopwatch, outlets, boards, state, voice, speaker, arrivals } = needs;
        let house = Arc::new(House {
            names: Names::new(&nats.event),
            nats,
            witness: Witness::new(config.data_dir.clone()),
            speaks: config.hall.speaks,
            name,
            stopwatch,
            figures: Figures::new(&outlets.hub),
            outlets,
            boards,
            state,
            voice,
            speaker,
            known: Mutex::default(),
            book: Mutex::default(),
            poke: Notify::new(),
            broker: watch::Sender::new(None),
            caught_up: watch::Sender::new(false),
            arrivals: Mutex::new(arrivals),
            config,
        });
        house.boards.ask_afar(afar::asking(&house));
        let withdrawals = tokio::spawn(orders::withdrawals(house.clone(), house.boards.waiting()));
        let session = tokio::spawn(session::run(house.clone(), token.clone()));
        Self { house, withdrawals, session }
    }

    /// Waits until everything that was in the stream at the start has been taken.
    pub async fn caught_up(&self) {
        // The sender is the house's own.
        _ = self.house.caught_up.subscribe().wait_for(|done| *done).await;
    }

    /// After the token was cancelled: gives the lease back, so that the other hall speaks at once.
    pub async fn end(self) {
        let _ = self.session.await;
        self.withdrawals.abort();
    }
}
