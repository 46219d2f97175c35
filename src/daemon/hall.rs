//! The boards, what their tasks share, and how one is added.
use super::boards::Boards;
use super::desk::Desk;
use super::recorder::Recorder;
use crate::capture::Header;
use crate::config::Config;
use crate::game::settings::Settings;
use crate::journal::{Journal, Publish, Recovered, Track};
use crate::link::serial::Events;
use crate::publish::alarms::Alarms;
use crate::publish::event_info::task;
use crate::publish::hub::{Hub, JournalState};
use crate::publish::livechess::LiveChess;
use crate::solver::worker::Worker;
use crate::time::Stopwatch;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

/// Events between a link and its board's task; more wait in the link.
const CHANNEL: usize = 256;

/// What the boards' tasks share.
pub(super) struct Hall {
    pub(super) config: Config,
    pub(super) stopwatch: Stopwatch,
    pub(super) hub: Arc<Hub>,
    pub(super) livechess: LiveChess,
    pub(super) alarms: Alarms,
    pub(super) recorder: Option<Recorder>,
    /// Where evidence is kept, if it is.
    pub(super) journal: Option<Arc<Journal>>,
    pub(super) desks: TaskTracker,
    /// Without it no game ends by a proof, and no finding that needs one is decided.
    pub(super) solver: Option<Arc<Worker>>,
    /// How entries reach the desks.
    pub(super) boards: Boards,
    /// The event's own view of every game.
    pub(super) chronicle: task::Desk,
    pub(super) open: Mutex<HashMap<String, Events>>,
}

impl Hall {
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
        let (hub, livechess, alarms, chronicle) = (self.hub.clone(), self.livechess.clone(), self.alarms.clone(), self.chronicle.clone());
        hub.register(name);
        livechess.register(name, &settings.link);
        alarms.register(name);
        // Called with every event once it is safe. Must not wait.
        let publish: Publish = Arc::new(move |event| {
            livechess.publish(&event);
            alarms.publish(&event);
            chronicle.take(&event);
            hub.publish(event);
        });
        let journal = self.journaled(name, &settings, &publish);
        let desk = Desk::new(name, settings, self.stopwatch, publish, track)
            .journaled(journal)
            .asking(self.solver.clone())
            .listening(self.boards.open(name));
        self.desks.spawn(desk.run(inbox).instrument(tracing::info_span!("board", name)));
        open.insert(String::from(name), events.clone());
        events
    }

    /// The board as its last journal left it; whoever shows boards is told what was published before.
    fn journaled(&self, name: &str, settings: &Settings, publish: &Publish) -> Option<(Recovered, Track)> {
        match self.journal.as_ref()?.board(name, settings, publish.clone()) {
            Ok((recovered, track)) => {
                self.hub.restore(name, &recovered.events);
                self.livechess.restore(&recovered.events);
                recovered.events.iter().for_each(|event| self.alarms.publish(event));
                self.chronicle.restore(recovered.events.clone());
                Some((recovered, track))
            }
            Err(error) => {
                tracing::error!("board {name}: its journal cannot be read: {error}; it runs without one until flagfall is restarted");
                self.hub.set_journal(JournalState::Failing { reason: format!("board {name}: {error}") });
                None
            }
        }
    }
}
