//! The boards, what their tasks share, and how one is added.
use super::desk::Desk;
use super::logging;
use super::machine::Machine;
use super::recorder::Recorder;
use crate::beats::Beats;
use crate::config::Config;
use crate::feeds::nats::{Feed, Nats};
use crate::feeds::outlets::Outlets;
use crate::journal::JournalState;
use crate::journal::{Journal, Recovered, Said, Track};
use crate::link::event::Events;
use crate::time::Stopwatch;
use crate::web::boards::Boards;
use crate::web::outbox::Outbox;
use flagfall_capture::Header;
use flagfall_game::settings::Settings;
use flagfall_solver::worker::Worker;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::mpsc;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

/// Events between a link and its board's task; more wait in the link.
const CHANNEL: usize = 256;

/// What the boards' tasks share.
pub(super) struct PlayingHall {
    pub(super) config: Config,
    pub(super) stopwatch: Stopwatch,
    pub(super) outlets: Outlets,
    pub(super) recorder: Option<Recorder>,
    /// Where evidence is kept, if it is.
    pub(super) journal: Option<Arc<Journal>>,
    pub(super) desks: TaskTracker,
    /// Without it no game ends by a proof, and no finding that needs one is decided.
    pub(super) solver: Option<Arc<Worker>>,
    /// How entries reach the desks.
    pub(super) boards: Boards,
    /// The broker of the event.
    pub(super) nats: Nats,
    pub(super) open: Mutex<HashMap<String, Events>>,
    /// The boards' ways to the world, and the threads that publish what is safe.
    pub(super) outboxes: Outboxes,
    /// What holds for boards that are found.
    pub(super) defaults: Mutex<Settings>,
    /// What holds for each board from its next game on.
    pub(super) wanted: Mutex<HashMap<String, Arc<Mutex<Settings>>>>,
    pub(super) beats: Arc<Beats>,
    pub(super) machine: Machine,
}

/// By the board's name.
type Publishing = BTreeMap<String, (Outbox, JoinHandle<()>)>;

/// The boards' ways to the world. Clones lead to the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Outboxes {
    boards: Arc<Mutex<Publishing>>,
}

impl Outboxes {
    fn boards(&self) -> MutexGuard<'_, Publishing> {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What of each board waits to be published.
    fn waiting(&self) -> impl Iterator<Item = (String, u64)> {
        let boards = self.boards();
        let waiting: Vec<_> =
            boards.iter().map(|(name, (outbox, _))| (format!("publisher of board {name}"), outbox.len() as u64)).collect();
        waiting.into_iter()
    }

    /// After the last event: waits until all that is safe was published. Blocks.
    pub(super) fn end(&self) {
        let boards = std::mem::take(&mut *self.boards());
        boards.values().for_each(|(outbox, _)| outbox.end());
        // One that has panicked publishes nothing more.
        boards.into_values().for_each(|(_, publisher)| _ = publisher.join());
    }
}

impl PlayingHall {
    /// What holds for a board that is found at `link`.
    pub(super) fn found(&self, link: String) -> Settings {
        Settings { link, ..self.defaults.lock().unwrap_or_else(PoisonError::into_inner).clone() }
    }

    /// What waits for each board's task.
    pub(super) fn waiting(&self) -> BTreeMap<String, u64> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter()
            .map(|(name, events)| (format!("board {name}"), events.max_capacity().saturating_sub(events.capacity()) as u64))
            .chain(self.outboxes.waiting())
            .chain(self.outlets.waiting())
            .collect()
    }

    /// The boards' settings are those of `config` from their next games on.
    pub(super) fn want(&self, config: &Config) {
        self.defaults.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&config.defaults);
        for (name, wanted) in &*self.wanted.lock().unwrap_or_else(PoisonError::into_inner) {
            let named = config.boards.iter().find(|board| board.name == *name);
            let next = named.map_or(&config.defaults, |board| &board.settings).clone();
            let mut wanted = wanted.lock().unwrap_or_else(PoisonError::into_inner);
            // Where it is plugged in and what its bytes are does not change while the daemon runs.
            *wanted = Settings { link: wanted.link.clone(), kind: wanted.kind, ..next };
        }
    }

    /// The channel to the task of board `name`; the task is made where there is none yet.
    pub(super) fn desk(&self, name: &str, settings: impl FnOnce() -> Settings) -> Events {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(events) = open.get(name) {
            return events.clone();
        }
        let settings = settings();
        let (events, inbox) = mpsc::channel(CHANNEL);
        let header = || Header { settings: settings.clone(), opened_at: self.stopwatch.opened_at(), ..Header::default() };
        let track = self.recorder.as_ref().map(|recorder| recorder.track(name, header()));
        self.outlets.register(name, &settings.link);
        let feed = self.nats.board(name);
        let (outbox, journal) = self.journaled(name, &settings, &feed);
        self.publish(name, &outbox, feed);
        let desk = Desk::new(name, settings, self.stopwatch, outbox, track)
            .journaled(journal)
            .asking(self.solver.clone())
            .listening(self.boards.open(name))
            .dated(self.machine.time_of_day.clone())
            .beating(self.beats.join(format!("board {name}")));
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).insert(String::from(name), desk.wanted.clone());
        self.desks.spawn(desk.run(inbox).instrument(tracing::info_span!("board", board = name)));
        open.insert(String::from(name), events.clone());
        events
    }

    /// Begins to publish what is said of a board, once it is safe.
    fn publish(&self, name: &str, outbox: &Outbox, feed: Feed) {
        let outlets = self.outlets.clone();
        // Must not wait, and does not: every consumer has a queue with a bound.
        let publish = move |said: &Said| {
            logging::tell(&said.event);
            feed.publish(said);
            outlets.publish(said);
        };
        let journals = self.journal.as_ref().map(|journal| journal.data_dir().to_owned());
        match outbox.publish(journals, publish) {
            Ok(publisher) => _ = self.outboxes.boards().insert(String::from(name), (outbox.clone(), publisher)),
            Err(error) => {
                tracing::error!("board {name}: it is not shown until flagfall is restarted: {error}; is the system out of memory?")
            }
        }
    }

    /// The board as its last journal left it; whoever shows boards is told what was published before.
    fn journaled(&self, name: &str, settings: &Settings, feed: &Feed) -> (Outbox, Option<(Recovered, Track)>) {
        let Some(journal) = &self.journal else { return (Outbox::new(name, 0), None) };
        let recovered = journal.recover_board(name, settings);
        match recovered {
            Ok(recovered) => {
                self.outlets.restore(name, &recovered.events, Some(recovered.public.number()));
                feed.begin(&recovered);
                let outbox = Outbox::new(name, recovered.seq.saturating_sub(recovered.unseen.len() as u64));
                let told = outbox.clone();
                let track = journal.track(name, Arc::new(move |seq| told.safe(seq)));
                (outbox, Some((recovered, track)))
            }
            Err(error) => {
                tracing::error!("board {name}: its journal cannot be read: {error}; it runs without one until flagfall is restarted");
                self.outlets.hub.set_journal(JournalState::Failing { reason: format!("board {name}: {error}") });
                (Outbox::new(name, 0), None)
            }
        }
    }
}
