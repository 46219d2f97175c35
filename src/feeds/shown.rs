//! What the world sees where it is behind: the page, the APIs of LiveChess and the documents, fed by what is due and by nothing else.
use crate::event_info::desk::EventDesk;
use crate::livechess::LiveChess;
use flagfall_events::{Event, Mono};
use flagfall_journal::Said;
use flagfall_web::hub::Hub;
use std::sync::Arc;

/// What the world sees: fed by what is due, it is as if nothing had happened since. Clones lead to the same.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The page.
    pub hub: Arc<Hub>,
    /// The APIs of LiveChess.
    pub livechess: Vec<LiveChess>,
    /// The event's documents.
    pub chronicle: EventDesk,
}

impl Shown {
    /// Makes a board known before its first event.
    pub fn register(&self, board: &str, link: &str) {
        self.hub.register(board);
        self.livechess.iter().for_each(|livechess| livechess.register(board, link));
    }

    /// Takes an event that is due and was so old, milliseconds, when it was recorded; `quiet_ms`: for how long nothing was said after it until what is
    /// due now. What is public of it goes to `others`, too.
    pub fn publish_to(&self, said: &Said, (age_ms, quiet_ms): (u64, u64), mut others: impl FnMut(&Arc<Event>)) {
        self.hub.publish_to(said, age_ms, |public| {
            self.show(public);
            others(public);
        });
        self.hub.quiet(&said.event.board, quiet_ms);
    }

    /// The same for nobody else.
    pub fn publish_aged(&self, said: &Said, ages: (u64, u64)) {
        self.publish_to(said, ages, |_| ());
    }

    fn show(&self, public: &Arc<Event>) {
        self.livechess.iter().for_each(|livechess| livechess.publish(public));
        self.chronicle.take(public);
    }

    /// Shows what entries did that cannot be undone any more; it goes to `others`, too. When there is more, by the hub's time.
    pub fn let_go(&self, mut others: impl FnMut(&Arc<Event>)) -> Option<Mono> {
        self.hub.let_go(|public| {
            self.show(public);
            others(public);
        })
    }

    /// What was public of a board before this process began.
    pub fn restore(&self, board: &str, events: &[Arc<Event>], last: Option<u64>) {
        let public = self.hub.restore(board, events, last);
        self.livechess.iter().for_each(|livechess| livechess.restore(&public));
        self.chronicle.restore(public);
    }

    /// A board whose numbering begins anew.
    pub fn anew(&self, board: &str) {
        self.hub.let_go_of(board, |public| self.show(public));
        self.hub.anew(board);
        self.livechess.iter().for_each(|livechess| livechess.anew(board));
        self.chronicle.anew(board);
    }
}
