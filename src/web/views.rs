//! What is public of each board, as the public's stage is fed with it.
use crate::audience::{Audience, Detail};
use crate::stage::json;
use flagfall_events::{Body, Event, Mono, Touches};
use flagfall_score::board::{Ages, BoardState, Pi};
use flagfall_score::public::PublicView;
use flagfall_score::sheet::set_position;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What is public of each board.
#[derive(Debug, Default)]
pub(crate) struct Views {
    /// Whose touches are, where nothing else is said.
    pub(crate) touches: Touches,
    pub(crate) of: HashMap<String, Touches>,
    /// Boards whose own machine keeps touches for arbiters.
    pub(crate) kept: HashSet<Arc<str>>,
    /// Each with a lock of its own: no board waits for what another one says.
    pub(crate) boards: HashMap<Arc<str>, Arc<Mutex<View>>>,
}

/// What is public of one board, and how its time is known: when its last event came, and the board's time then.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) public: PublicView,
    pub(crate) heard: Option<(Mono, Mono)>,
}

impl View {
    pub(crate) fn take(&mut self, event: &Event, now: Mono) -> Vec<Event> {
        self.heard = Some((now, event.t));
        self.public.take(event)
    }

    /// The board's own time.
    pub(crate) fn time(&self, now: Mono) -> Option<Mono> {
        self.heard.map(|(came, t)| t + now.since(came))
    }

    /// When what waits for an undo is public, if nothing is said until then.
    pub(crate) fn sure_at(&self) -> Option<Mono> {
        let (came, t) = self.heard?;
        Some(came + self.public.sure_at()?.since(t))
    }
}

impl Views {
    pub(crate) fn touches(&self, board: &str) -> Touches {
        if self.kept.contains(board) { Touches::Arbiter } else { self.of.get(board).copied().unwrap_or(self.touches) }
    }

    pub(crate) fn open(&mut self, board: &Arc<str>) -> Arc<Mutex<View>> {
        let touches = self.touches(board);
        let new = || View { public: PublicView::new(touches, 0), heard: None };
        self.boards.entry(board.clone()).or_insert_with(|| Arc::new(Mutex::new(new()))).clone()
    }

    pub(crate) fn apply(&self) {
        for (board, view) in &self.boards {
            view.lock().unwrap_or_else(PoisonError::into_inner).public.set_touches(self.touches(board));
        }
    }
}

impl Audience for BoardState {
    /// Some ten minutes of blitz.
    const KEPT_BYTES: usize = 256 * 1024;

    fn new(board: Arc<str>) -> Self {
        Self::new(board)
    }
    fn hears(body: &Body) -> bool {
        body.is_public()
    }
    fn needs(body: &Body) -> bool {
        set_position(body).is_some()
    }
    fn apply(&mut self, event: &Event) {
        self.apply(event);
    }
    fn seq(&self) -> u64 {
        self.seq()
    }
    fn set_players(&mut self, white: Option<String>, black: Option<String>) {
        self.set_players(white, black);
    }
    fn anew(&self) -> Self {
        self.anew()
    }
    fn set_pi(&mut self, pi: Pi) {
        self.set_pi(pi);
    }
    fn object(&self, ages: Ages, detail: Detail) -> Vec<u8> {
        json(&self.view(ages, detail.whole))
    }
    fn is_for_operators(_: &Body) -> bool {
        true
    }
}
