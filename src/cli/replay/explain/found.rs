//! The ply's events, and what was believed when they came.
use flagfall_events::{Colour, Event, How, Mono};
use flagfall_game::believed::{Believed, Unestimated};
use flagfall_game::board::Board;

/// What was believed right after an event and everything else that came of the same input.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) t: Mono,
    pub(super) seq: u64,
    pub(super) believed: Result<Believed, Unestimated>,
}

impl Moment {
    pub(super) fn new(board: &Board, event: &Event) -> Self {
        Self { t: event.t, seq: event.seq, believed: board.believed() }
    }
}

/// How it was completed.
#[derive(Debug)]
pub(super) struct Completion {
    pub(super) how: How,
    pub(super) assumed: bool,
    /// As it was completed; it may have been corrected since.
    pub(super) legal: bool,
    pub(super) at: Moment,
}

/// What became of the ply.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) game: u32,
    pub(super) ply: u32,
    pub(super) by: Colour,
    pub(super) uci: String,
    pub(super) san: Option<String>,
    pub(super) legal: bool,
    pub(super) made: Moment,
    /// Its press, where that completed it.
    pub(super) press: Option<Moment>,
    pub(super) completed: Option<Completion>,
    /// What it was until then, as UCI.
    pub(super) corrected: Option<(String, Moment)>,
    pub(super) withdrawn: Option<(Mono, u64)>,
}

impl Found {
    /// As people read it.
    pub(super) fn word(&self) -> &str {
        self.san.as_deref().unwrap_or(&self.uci)
    }
}
