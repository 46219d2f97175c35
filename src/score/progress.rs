//! How far a board's day is: whether a game is in progress, or was a moment ago.
use flagfall_events::{Body, Event, Mono};

/// A game in which nothing was played for so long is not in progress, milliseconds.
const LEFT: u64 = 6 * 3_600_000;
/// After the last word about a game, milliseconds.
const QUIET: u64 = 10 * 60_000;

/// How far the board's day is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    playing: bool,
    /// Which game of the board it is.
    game: Option<u32>,
    moved: bool,
    /// The last event of a game.
    last: Option<Mono>,
}

impl Progress {
    /// Takes an event of the board.
    pub fn take(&mut self, event: &Event) {
        match &event.body {
            Body::GameStart { .. } => (self.playing, self.game) = (true, event.game),
            // One that was entered for an earlier game ends nothing, and one that is reopened goes on.
            Body::Result { .. } if event.is_of_another(self.game) => {}
            Body::Result { .. } => self.playing = event.reopens(),
            Body::MoveMade { .. } => self.moved = true,
            Body::MoveRevised { .. }
            | Body::MoveWithdrawn { .. }
            | Body::MoveCompleted { .. }
            | Body::Press { .. }
            | Body::Ruling(_)
            | Body::Finding(_)
            | Body::FindingUpdate(_) => {}
            _ => return,
        }
        self.last = Some(event.t);
    }

    /// A journal that is named for another day, or was begun with other settings, may end at `t`.
    pub fn may_end(&self, t: Mono) -> bool {
        let quiet = self.last.map_or(u64::MAX, |last| t.since(last));
        quiet >= if self.playing { LEFT } else { QUIET }
    }

    /// A move was made in this journal.
    pub const fn has_moves(&self) -> bool {
        self.moved
    }

    /// Nothing is in progress at all: the program may begin with a new journal at once.
    pub fn is_over(&self, t: Mono) -> bool {
        !self.playing || self.may_end(t)
    }
}
