//! What the table on the screen shows, and where in it somebody is.
use super::boards::Boards;
use super::lines::Lines;
use super::words::Lang;
use flagfall_events::{Decision, Mono};
use ratatui::widgets::TableState;
use serde_json::Value;
use std::collections::VecDeque;

/// News that are kept.
const MOST_NEWS: usize = 200;

/// What is shown, and where in it somebody is.
pub(super) struct Table {
    pub(super) lines: Lines,
    pub(super) boards: Boards,
    /// The newest last.
    pub(super) news: VecDeque<String>,
    pub(super) is_connected: bool,
    /// The board that is chosen.
    pub(super) board: Option<String>,
    /// Where the list of boards is scrolled to.
    pub(super) rows: TableState,
    /// The finding that is shown, of the chosen board.
    pub(super) finding: Option<u64>,
    /// What waits for a yes.
    pub(super) question: Option<Ruling>,
    /// What became of the last entry.
    pub(super) answer: Option<Answer>,
}

/// What became of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Done(String),
    Refused(String),
}

/// A ruling, and what its author had seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ruling {
    pub(super) board: String,
    pub(super) finding: u64,
    pub(super) decision: Decision,
    /// Number of the board's last event by then.
    pub(super) seen: u64,
}

impl Table {
    pub(super) fn new(lines: Lines) -> Self {
        Self {
            lines,
            boards: Boards::default(),
            news: VecDeque::new(),
            is_connected: false,
            board: None,
            rows: TableState::default(),
            finding: None,
            question: None,
            answer: None,
        }
    }

    pub(super) const fn lang(&self) -> Lang {
        self.lines.lang
    }

    /// Takes an event of the stream.
    pub(super) fn take(&mut self, kind: &str, event: &Value, now: Mono) {
        if !self.lines.wants(event) {
            return;
        }
        self.boards.take(kind, event, now);
        // The first account of a board is the table itself.
        if kind != "snapshot" {
            self.news.extend(self.lines.told(kind, event));
            self.news.drain(..self.news.len().saturating_sub(MOST_NEWS));
        }
        if self.board.is_none() {
            self.board = self.boards.all().next().map(|board| board.name.clone());
        }
    }
}
