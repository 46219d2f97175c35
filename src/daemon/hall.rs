//! The boards, what their tasks share, and how one is added.
use super::desk::Desk;
use super::homes::Homes;
use super::logging;
use super::machine::Machine;
use super::marks::{Before, Keeper, Marks};
use super::recorder::Recorder;
use crate::beats::Beats;
use crate::config::Config;
use crate::feeds::later::Later;
use crate::feeds::nats::{Feed, Nats};
use crate::feeds::outlets::Outlets;
use crate::journal::JournalState;
use crate::journal::backlog::Backlog;
use crate::journal::{Journal, Recovered, Said, Track};
use crate::link::event::Events;
use crate::time::Stopwatch;
use crate::web::boards::Boards;
use crate::web::outbox::{Outbox, Start};
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
    /// How far the world was told of them before this process began, where it is behind.
    pub(super) marks: Marks,
    /// What holds for boards that are found.
    pub(super) defaults: Mutex<Settings>,
    /// What holds for each board from its next game on.
    pub(super) wanted: Mutex<HashMap<String, Arc<Mutex<Settings>>>>,
    pub(super) beats: Arc<Beats>,
    pub(super) machine: Machine,
    pub(super) homes: Homes,
}

/// By the board's name.
type Publishing = BTreeMap<String, (Outbox, Vec<JoinHandle<()>>)>;

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
        let of = |(name, (outbox, _)): (&String, &(Outbox, _))| {
            let later = outbox.later().map(|later| (format!("later publisher of board {name}"), later.len() as u64));
            [(format!("publisher of board {name}"), outbox.len() as u64)].into_iter().chain(later)
        };
        let waiting: Vec<_> = boards.iter().flat_map(of).collect();
        waiting.into_iter()
    }

    /// After the last event: waits until all that is safe was published. Blocks.
    pub(super) fn end(&self) {
        let boards = std::mem::take(&mut *self.boards());
        boards.values().for_each(|(outbox, _)| outbox.end());
        // One that has panicked publishes nothing more.
        boards.into_values().flat_map(|(_, publishers)| publishers).for_each(|publisher| _ = publisher.join());
    }

    /// Keeps how far the world was told of each board, where it is behind. Blocks.
    pub(super) fn save(&self, keeper: &mut Keeper) {
        let boards = self.boards();
        let shown: Vec<_> = boards.iter().filter_map(|(name, (outbox, _))| Some((name.clone(), outbox.later()?.shown()))).collect();
        drop(boards);
        keeper.save(shown.into_iter());
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
        let named = self.config.boards.iter().any(|board| board.name == name);
        self.outlets.register(name, &settings.link, named);
        let feed = self.nats.board(name);
        let (outbox, journal) = self.journaled(name, &settings, &feed);
        self.publish(name, &outbox, feed);
        let desk = Desk::new(name, settings, self.stopwatch, outbox, track)
            .journaled(journal)
            .asking(self.solver.clone())
            .listening(self.boards.open(name))
            .dated(self.machine.time_of_day.clone())
            .charged({
                let (livechess, hub, name) = (self.outlets.livechess.clone(), self.outlets.hub.clone(), String::from(name));
                move |percent| {
                    livechess.battery(&name, percent);
                    hub.set_battery(&name, percent);
                }
            })
            .housed(self.homes.clone(), {
                let (hub, name) = (self.outlets.hub.clone(), String::from(name));
                move |text| hub.alarm("boards-exchanged", &name, text)
            })
            .beating(self.beats.join(format!("board {name}")));
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).insert(String::from(name), desk.wanted.clone());
        self.desks.spawn(desk.run(inbox).instrument(tracing::info_span!("board", board = name)));
        open.insert(String::from(name), events.clone());
        events
    }

    /// Begins to publish what is said of a board, once it is safe.
    fn publish(&self, name: &str, outbox: &Outbox, feed: Feed) {
        let (outlets, shows) = (self.outlets.clone(), feed.clone());
        // Must not wait, and does not: every consumer has a queue with a bound.
        let publish = move |said: &Said, _: u64| {
            logging::tell(&said.event);
            feed.publish(said);
            outlets.publish(said);
        };
        let journals = self.journal.as_ref().map(|journal| journal.data_dir().to_owned());
        let later = match (outbox.later(), &self.outlets.later) {
            (Some(way), Some(later)) => {
                let shown = later.shown().clone();
                let publish = move |said: &Said, quiet: u64| shown.publish_to(said, (0, quiet), |public| shows.show(public));
                Some(way.publish(journals.clone(), publish))
            }
            _ => None,
        };
        match outbox.publish(journals, publish).and_then(|publisher| Ok([publisher].into_iter().chain(later.transpose()?).collect())) {
            Ok(publishers) => _ = self.outboxes.boards().insert(String::from(name), (outbox.clone(), publishers)),
            Err(error) => {
                tracing::error!("board {name}: it is not shown until flagfall is restarted: {error}; is the system out of memory?")
            }
        }
    }

    /// The board as its last journal left it; whoever shows boards is told what was published before.
    fn journaled(&self, name: &str, settings: &Settings, feed: &Feed) -> (Outbox, Option<(Recovered, Track)>) {
        let Some(journal) = &self.journal else { return (self.alone(name), None) };
        let recovered = journal.recover_board(name, settings);
        match recovered {
            Ok(recovered) => {
                self.outlets.restore(name, &recovered.events, Some(recovered.public.number()));
                feed.begin(&recovered);
                let published = recovered.seq.saturating_sub(recovered.unseen.len() as u64);
                let later = self.outlets.later.as_ref().map(|later| self.behind(later, name, settings, published));
                let outbox = Outbox::before(name, published, later);
                let told = outbox.clone();
                let track = journal.track(name, Arc::new(move |seq| told.safe(seq)));
                (outbox, Some((recovered, track)))
            }
            Err(error) => {
                tracing::error!("board {name}: its journal cannot be read: {error}; it runs without one until flagfall is restarted");
                self.outlets.hub.set_journal(JournalState::Failing { reason: format!("board {name}: {error}") });
                (self.alone(name), None)
            }
        }
    }

    /// The ways of a board without journals.
    fn alone(&self, name: &str) -> Outbox {
        let later = self.outlets.later.as_ref().map(|later| {
            let start = Outbox::nothing(later.delay());
            Outbox::held(name, start, later.stopwatch(), None, false)
        });
        Outbox::before(name, 0, later)
    }

    /// The later way of a board, and the world as it knew the board.
    fn behind(&self, later: &Later, name: &str, settings: &Settings, published: u64) -> Outbox {
        let journals = self.journal.as_ref().map(|journal| journal.data_dir().to_owned()).unwrap_or_default();
        let mut backlog = Backlog::new(&journals, &name.into());
        let before = self.marks.board(&mut backlog, published, settings.touches, later.delay(), later.stopwatch());
        let start = match before {
            Ok(Before { events, number, start }) => {
                if !events.is_empty() {
                    later.shown().restore(name, &events, Some(number));
                }
                start
            }
            Err(error) => {
                tracing::warn!("board {name}: its journals cannot be read back: {error}; the world sees it from its next event on");
                Start { shown: published, journaled: published, ..Outbox::nothing(later.delay()) }
            }
        };
        Outbox::held(name, start, later.stopwatch(), self.marks.up(), true)
    }
}
