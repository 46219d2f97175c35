//! One board: bytes in, events out. The decoder and the game joined, with sequence numbers; the daemon and `replay` both run this.
//!
//! Pure: time comes in as an argument. After each call drain [`Board::poll`] before the next.
use crate::game::event::{Event, LinkState};
use crate::game::{self, Game, Input, entry::Entry, settings::Settings};
use crate::time::{Mono, Wall};
use dgt_protocol::command::Command;
use std::sync::Arc;

/// What a board says.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Journal and publish it.
    Event(Event),
    /// Send it to the board.
    Command(Command),
}

/// One board's decoder and game.
#[derive(Debug)]
pub struct Board {
    name: Arc<str>,
    opened_at: Wall,
    seq: u64,
    now: Mono,
    game: Game,
}

impl Board {
    /// A board of which nothing is known yet; `opened_at` is the wall time of millisecond 0.
    pub fn new(name: &str, opened_at: Wall, settings: Settings) -> Self {
        Self { name: name.into(), opened_at, seq: 0, now: Mono::ZERO, game: Game::new(settings) }
    }

    /// Bytes that were read from the board at `t`.
    pub fn bytes(&mut self, t: Mono, _bytes: &[u8]) {
        self.now = t;
    }

    /// The link came up or went down.
    pub fn link(&mut self, t: Mono, state: LinkState, reason: Option<String>) {
        self.now = t;
        self.game.handle(t, Input::Link(state, reason));
    }

    /// An arbiter or operator says so.
    pub fn entry(&mut self, t: Mono, entry: Entry) {
        self.now = t;
        self.game.handle(t, Input::Entry(entry));
    }

    /// A deadline passed.
    pub fn timeout(&mut self, t: Mono) {
        self.now = t;
        self.game.handle(t, Input::Timeout);
    }

    /// When to call [`Board::timeout`] if nothing else happens.
    pub fn deadline(&self) -> Option<Mono> {
        self.game.deadline()
    }

    /// The next output, until there is none.
    pub fn poll(&mut self) -> Option<Output> {
        Some(match self.game.poll()? {
            game::Output::Event(body) => {
                self.seq += 1;
                Output::Event(Event { seq: self.seq, t: self.now, at: self.opened_at.after(self.now), board: self.name.clone(), body })
            }
            game::Output::Command(command) => Output::Command(command),
        })
    }
}
