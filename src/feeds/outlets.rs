//! Whoever shows boards, all together: what a board's publisher hands its events to.
use crate::alarms::Alarms;
use crate::event_info::desk::EventDesk;
use crate::livechess::LiveChess;
use flagfall_events::Event;
use flagfall_journal::Said;
use flagfall_web::hub::Hub;
use std::sync::Arc;

/// Whoever shows boards, all together. Clones lead to the same.
#[derive(Clone, Debug)]
pub struct Outlets {
    /// The page and the console.
    pub hub: Arc<Hub>,
    /// The API of LiveChess.
    pub livechess: LiveChess,
    /// The operators' alarms.
    pub alarms: Alarms,
    /// The event's own view of every game.
    pub chronicle: EventDesk,
}

impl Outlets {
    /// Makes a board known before its first event; `link` is where it is plugged in.
    pub fn register(&self, board: &str, link: &str) {
        self.hub.register(board);
        self.livechess.register(board, link);
        self.alarms.register(board);
    }

    /// Takes an event that is safe in its journal. Must not wait, and does not.
    pub fn publish(&self, said: &Said) {
        self.publish_aged(said, 0);
    }

    /// The same for an event that is so old already, milliseconds: what a clock in it shows now is reckoned from its reading.
    pub fn publish_aged(&self, said: &Said, age_ms: u64) {
        // The hub first: whoever has no room for an event asks it how the board stands.
        for public in self.hub.publish_aged(said, age_ms) {
            self.livechess.publish(&public);
            self.chronicle.take(&public);
        }
        self.alarms.publish(&said.event);
    }

    /// What waits for those that have queues of their own.
    pub fn waiting(&self) -> [(String, u64); 3] {
        [("livechess", self.livechess.waiting()), ("documents", self.chronicle.waiting()), ("alarms", self.alarms.waiting())]
            .map(|(name, waiting)| (String::from(name), waiting as u64))
    }

    /// A board whose numbering begins anew: it is as one that has said nothing yet.
    pub fn anew(&self, board: &str) {
        self.hub.anew(board);
        self.livechess.anew(board);
        self.alarms.anew(board);
        self.chronicle.anew(board);
    }

    /// What was published of a board before this process began; nobody gets it as news. `last`: the number of the last public event, where that is known.
    pub fn restore(&self, board: &str, events: &[Arc<Event>], last: Option<u64>) {
        let public = self.hub.restore(board, events, last);
        self.livechess.restore(&public);
        self.alarms.restore(events);
        self.chronicle.restore(public);
    }
}
