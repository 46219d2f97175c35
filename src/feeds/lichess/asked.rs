//! What the engine is asked and told, and what it says: orders for the shell, words for the operator.
use super::proof::Replacement;
use super::round::Body;
use flagfall_events::{Mono, Words};
use std::sync::Arc;

/// What to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The whole round.
    Push(Arc<Body>),
    /// Empty the round on Lichess.
    Reset,
    /// Replace the moves of one chapter.
    Moves(Replacement),
    /// Ask how long the round is held back.
    Delay,
    /// Read what viewers see.
    Round,
}

/// What to do now. [`super::engine::Engine::answered`] answers a `Send`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Send this now.
    Send(Order),
    /// Nothing before then.
    At(Mono),
    /// Nothing until something changes.
    Idle,
}

/// What an operator wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Send the whole round again, even if nothing changed.
    Push,
    /// Empty the round on Lichess, then send it whole.
    Reset,
}

/// Something for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tell {
    /// `feed-failing`: nothing arrives; `feed-game-refused`: one board's game does not; `feed-size`: something had to be left out;
    /// `lichess-differs`, `lichess-override`, `lichess-orphan`: viewers see something else.
    pub key: &'static str,
    /// The board, where it is about one.
    pub board: Option<Arc<str>>,
    /// What is so and what to do; `None` when it is over.
    pub text: Option<Words>,
}

/// How the feed is doing, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Requests that were taken.
    pub taken: u64,
    /// Requests that were not.
    pub failed: u64,
    /// When the last push was taken.
    pub last_taken: Option<Mono>,
    /// The latest state has arrived.
    pub up_to_date: bool,
    /// Viewers see what was sent last, as far as it is due; `None`: not known.
    pub equal: Option<bool>,
    /// Why it cannot be read back.
    pub unread: Option<Words>,
    /// Times that the round was read back.
    pub looks: u64,
    /// Pushes and replaced chapters that a look made necessary.
    pub healed: u64,
    /// Games and plies of the last push.
    pub last_size: Option<(usize, usize)>,
}
