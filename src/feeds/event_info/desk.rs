//! The way in to the event: events of boards, operators' wishes, lists that come another way than as files. Nobody waits here.
use super::found::{Posted, Taken};
use super::held::{Follow, Held};
use super::seats::Kept;
use crate::pairings::files::FoundFile;
use crate::pairings::{List, Mistake};
use flagfall_config::event::EventConfig;
use flagfall_events::{Body, Event};
use flagfall_score::board::BoardState;
use flagfall_web::hub::Hub;
use flagfall_web::queue::{self, Feeder, Queue};
use std::fmt;
use std::sync::Arc;
use tokio::sync::oneshot;

/// Events that wait at most: minutes of a hall.
const WAITING: usize = 8192;

/// Of so many games at most that a board has ended since, the ends are kept where they were not told.
const ENDED: usize = 64;

/// What a board did that was not told, as far as the hub does not have it any more.
#[derive(Debug, Default)]
pub(super) struct Missed {
    /// The game that is on.
    now: Option<BoardState>,
    /// Those before it, as they ended, the first one first.
    pub(super) ended: Vec<BoardState>,
}

impl Missed {
    /// One event was not told. `board`: as it stands now.
    fn take(&mut self, event: &Event, board: impl FnOnce() -> Option<BoardState>) {
        let Some(now) = &mut self.now else {
            self.now = board();
            return;
        };
        if matches!(event.body, Body::GameStart { .. }) && now.is_news(event) && self.ended.len() < ENDED {
            self.ended.push(now.clone());
        }
        now.apply(event);
    }
}

/// What others do with the event.
pub(super) enum Wish {
    /// A board said something.
    Event(Arc<Event>),
    /// What a board had said before this process began.
    Restore(Vec<Arc<Event>>),
    /// A board's numbering begins anew.
    Anew(Arc<str>),
    /// Read the files now.
    Reload,
    /// The configuration is another one; read the files now.
    Configure(Box<EventConfig>),
    /// A pairing list of a round that came another way than as a file; where from.
    Pairings(String, u32, String),
    /// What the event is called, as the section `[event]`; where from.
    About(String, String),
    /// A list or report was read elsewhere.
    Found(FoundFile),
    /// An operator's list was taken elsewhere.
    Listed(Box<List>, Follow),
    /// What was held was followed elsewhere.
    Followed(Vec<Held>),
    /// A round began.
    Begin(u32),
    /// Rounds of before.
    Kept(Box<Kept>),
    /// Where its documents go.
    Folders(Box<EventConfig>),
    /// Everything was said.
    End,
    /// An operator's pairing list.
    Posted(Posted, oneshot::Sender<Result<Taken, Vec<Mistake>>>),
    /// What was held is to be followed, or only said.
    Held { take: bool, answer: oneshot::Sender<Taken> },
    /// An operator begins a round.
    Round(u32, oneshot::Sender<Result<(), String>>),
}

/// The way in: events of boards, and operators' wishes. Clones lead to the same event.
#[derive(Clone)]
pub struct EventDesk {
    way: Feeder<Wish, Missed>,
    /// Knows how boards stand.
    hub: Arc<Hub>,
}

impl fmt::Debug for EventDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventDesk").finish_non_exhaustive()
    }
}

/// The way in, and where it ends. `hub`: whose boards are told of.
pub(super) fn open(hub: Arc<Hub>) -> (EventDesk, Queue<Wish, Missed>) {
    let (way, queue) = queue::bounded("documents", WAITING);
    (EventDesk { way, hub }, queue)
}

impl EventDesk {
    /// Takes an event of a board; every kind, in the journal's order. Never waits.
    pub fn take(&self, event: &Arc<Event>) {
        // Without a task the daemon is about to end.
        let board = || self.hub.board(&event.board);
        self.way.event_or(&event.board, Wish::Event(event.clone()), |missed| missed.take(event, board));
    }

    /// What another one's keeper passes on.
    pub(super) fn pass(&self, wish: Wish) {
        let _ = self.way.tell(wish);
    }

    /// Half of what may wait does.
    pub(crate) fn is_busy(&self) -> bool {
        self.waiting() > WAITING / 2
    }

    /// How much waits to be taken.
    pub fn waiting(&self) -> usize {
        self.way.waiting()
    }

    /// Takes what a board had said before this process began, all at once: nobody sees the game as it grows again.
    pub fn restore(&self, events: Vec<Arc<Event>>) {
        let _ = self.way.tell(Wish::Restore(events));
    }

    /// A board's numbering begins anew.
    pub fn anew(&self, board: &str) {
        // Its events have other numbers from now on.
        self.way.forget(board);
        let _ = self.way.tell(Wish::Anew(board.into()));
    }

    /// Takes a round's pairing list as if its file had changed; `about` says where it comes from.
    pub fn pairings(&self, about: String, round: u32, text: String) {
        let _ = self.way.tell(Wish::Pairings(about, round, text));
    }

    /// Takes the section `[event]` of a configuration: names and places, no files.
    pub fn event(&self, about: String, text: String) {
        let _ = self.way.tell(Wish::About(about, text));
    }

    /// Nothing more comes: what is there is written, and the task ends.
    pub fn end(&self) {
        let _ = self.way.tell(Wish::End);
    }

    /// Reads pairings and players again, whether they changed or not.
    pub fn reload(&self) {
        let _ = self.way.tell(Wish::Reload);
    }

    /// Follows `config` from now on, and reads pairings and players again.
    pub fn configure(&self, config: EventConfig) {
        let _ = self.way.tell(Wish::Configure(Box::new(config)));
    }

    /// Takes an operator's list, or says what it would change.
    ///
    /// # Errors
    /// Every mistake in it.
    pub async fn post(&self, posted: Posted) -> Result<Taken, Vec<Mistake>> {
        let (answer, answered) = oneshot::channel();
        let _ = self.way.tell(Wish::Posted(posted, answer));
        answered.await.unwrap_or_else(|_| Err(vec![Mistake { line: 1, text: String::from("is not taken: flagfall is about to end") }]))
    }

    /// What is held because games have begun; with `take` it is followed now.
    pub async fn held(&self, take: bool) -> Taken {
        let (answer, answered) = oneshot::channel();
        let _ = self.way.tell(Wish::Held { take, answer });
        answered.await.unwrap_or_default()
    }

    /// Begins a round, whatever became of the games of the one before.
    ///
    /// # Errors
    /// Why not, and what to do.
    pub async fn start_round(&self, number: u32) -> Result<(), String> {
        let (answer, answered) = oneshot::channel();
        let _ = self.way.tell(Wish::Round(number, answer));
        answered.await.unwrap_or_else(|_| Err(String::from("flagfall is about to end")))
    }
}
