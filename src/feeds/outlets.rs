//! Whoever shows boards, all together: what a board's publisher hands its events to.
use crate::alarms::Alarms;
use crate::event_info::desk::EventDesk;
use crate::later::Later;
use crate::livechess::LiveChess;
use flagfall_events::{Event, Touches};
use flagfall_journal::Said;
use flagfall_score::board::Pi;
use flagfall_web::hub::Hub;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Whoever shows boards, all together. Clones lead to the same.
#[derive(Clone, Debug)]
pub struct Outlets {
    /// The console; the page, too, where nothing is delayed.
    pub hub: Arc<Hub>,
    /// The API of LiveChess, as far as it shows what is so now.
    pub livechess: LiveChess,
    /// The operators' alarms.
    pub alarms: Alarms,
    /// The event's own view of every game.
    pub chronicle: EventDesk,
    /// What the world sees, where that is behind.
    pub later: Option<Arc<Later>>,
}

impl Outlets {
    /// Makes a board known before its first event; `link` is where it is plugged in. One that comes later than the start is public when that is due.
    pub fn register(&self, board: &str, link: &str, at_start: bool) {
        self.hub.register(board);
        self.livechess.register(board, link);
        self.alarms.register(board);
        match &self.later {
            Some(later) if at_start => later.shown().register(board, link),
            Some(later) => {
                let (board, link) = (String::from(board), String::from(link));
                later.change(move |shown| shown.register(&board, &link));
            }
            None => {}
        }
    }

    /// Takes an event that is safe in its journal; where the world is behind, the board's other way brings it there. Must not wait, and does not.
    pub fn publish(&self, said: &Said) {
        self.now(said, 0);
    }

    /// The same for an event of a hall that is so old already, milliseconds: what a clock in it shows now is reckoned from its reading.
    /// `message`: its number in the stream.
    pub fn publish_aged(&self, said: &Said, age_ms: u64, message: u64) {
        self.now(said, age_ms);
        if let Some(later) = &self.later {
            later.event(said, age_ms, message);
        }
    }

    fn now(&self, said: &Said, age_ms: u64) {
        // The hub first: whoever has no room for an event asks it how the board stands.
        self.hub.publish_to(said, age_ms, |public| self.show(public));
        self.alarms.publish(&said.event);
    }

    fn show(&self, public: &Arc<Event>) {
        self.livechess.publish(public);
        self.chronicle.take(public);
    }

    /// Shows what entries did once they cannot be undone any more, until `token` is cancelled. `broker`: who else takes what is public later.
    pub async fn let_go(self, token: CancellationToken, broker: impl Fn(&Arc<Event>)) {
        let later = self.later.as_ref().map(|later| later.shown().clone());
        loop {
            let now = self.hub.let_go(|public| self.show(public)).map(|at| self.hub.stopwatch().instant(at));
            let then = later.as_ref().and_then(|later| Some(later.hub.stopwatch().instant(later.let_go(&broker)?)));
            let due = async {
                match now.into_iter().chain(then).min() {
                    Some(at) => tokio::time::sleep_until(at.into()).await,
                    None => std::future::pending().await,
                }
            };
            let entered_later = async {
                match &later {
                    Some(later) => later.hub.entered().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = token.cancelled() => return,
                () = self.hub.entered() => {}
                () = entered_later => {}
                () = due => {}
            }
        }
    }

    /// One of those that have queues of their own has it half full: what comes much faster than this is dropped there, and boards are looked at anew.
    pub fn is_busy(&self) -> bool {
        let later = self.later.as_ref().is_some_and(|later| later.shown().chronicle.is_busy());
        later || self.chronicle.is_busy() || self.livechess.is_busy() || self.alarms.is_busy()
    }

    /// What waits for those that have queues of their own.
    pub fn waiting(&self) -> Vec<(String, u64)> {
        let mut waiting =
            vec![("livechess", self.livechess.waiting()), ("documents", self.chronicle.waiting()), ("alarms", self.alarms.waiting())];
        waiting.extend(self.later.iter().map(|later| ("later", later.len())));
        waiting.into_iter().map(|(name, waiting)| (String::from(name), waiting as u64)).collect()
    }

    /// A board of a hall whose numbering begins anew: it is as one that has said nothing yet.
    pub fn anew(&self, board: &str, message: u64) {
        self.hub.let_go_of(board, |public| self.show(public));
        self.hub.anew(board);
        self.livechess.anew(board);
        self.alarms.anew(board);
        self.chronicle.anew(board);
        if let Some(later) = &self.later {
            later.anew(board, message);
        }
    }

    /// What was published of a board before this process began; nobody gets it as news. `last`: the number of the last public event, where that is known.
    pub fn restore(&self, board: &str, events: &[Arc<Event>], last: Option<u64>) {
        let public = self.hub.restore(board, events, last);
        self.livechess.restore(&public);
        self.alarms.restore(events);
        self.chronicle.restore(public);
    }

    /// The same in a hall, each event with the number of its message in the stream.
    pub fn restore_in_hall(&self, board: &str, events: &[(u64, Arc<Event>)]) {
        let all: Vec<Arc<Event>> = events.iter().map(|(_, event)| event.clone()).collect();
        self.restore(board, &all, None);
        if let Some(later) = &self.later {
            later.restore(board, events);
        }
    }

    /// The numbering of a board begins anew in a hall, and these events go on with its game: nobody sees less of it meanwhile. Each with the number of its
    /// message in the stream.
    pub fn taken_over(&self, board: &str, events: &[(u64, Arc<Event>)]) {
        let all: Vec<Arc<Event>> = events.iter().map(|(_, event)| event.clone()).collect();
        self.hub.let_go_of(board, |public| self.show(public));
        let public = self.hub.taken_over(board, &all);
        self.livechess.taken_over(board, &public);
        self.alarms.anew(board);
        self.alarms.restore(&all);
        self.chronicle.anew(board);
        self.chronicle.restore(public);
        if let Some(later) = &self.later {
            later.anew(board, events.first().map_or(0, |(message, _)| *message));
            later.restore(board, events);
        }
    }

    /// Says which Pi a board is at, and since how many milliseconds it is silent; `clock`: how old the clock's reading is, where that is known.
    pub fn set_pi(&self, board: &Arc<str>, pi: Pi, silent: Option<u64>, clock: Option<u64>) {
        self.hub.set_pi(board, &pi, silent, clock);
        self.livechess.silent(board, pi.away);
        if let Some(later) = &self.later {
            let board = board.clone();
            later.change(move |shown| {
                shown.hub.set_pi(&board, &pi, silent, clock);
                shown.livechess.iter().for_each(|livechess| livechess.silent(&board, pi.away));
            });
        }
    }

    /// The machine that a board is at keeps its touches for arbiters, whatever is said here.
    pub fn keep_touches(&self, board: &Arc<str>) {
        self.hub.keep_touches(board);
        if let Some(later) = &self.later {
            let board = board.clone();
            later.change(move |shown| shown.hub.keep_touches(&board));
        }
    }

    /// Whose touches are from now on: everybody's or the arbiters', on boards that are named and on all others.
    pub fn set_touches(&self, others: Touches, named: impl IntoIterator<Item = (String, Touches)>) {
        let named: Vec<(String, Touches)> = named.into_iter().collect();
        self.hub.set_touches(others, named.clone());
        if let Some(later) = &self.later {
            later.change(move |shown| shown.hub.set_touches(others, named));
        }
    }
}
