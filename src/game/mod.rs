//! One board's game: a pure state machine. `handle` an input, then drain `poll` until it is empty, before the next `handle`.
pub mod entry;
pub mod event;
pub mod settings;
pub mod time_control;

use crate::time::Mono;
use dgt_protocol::command::Command;
use dgt_protocol::message::Message;

/// What can happen to a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The board said this.
    Message(Message),
    /// Bytes were lost: the image may be wrong.
    Damaged,
    /// The link came up or went down.
    Link(event::LinkState, Option<String>),
    /// An arbiter or operator says so.
    Entry(entry::Entry),
    /// A deadline passed. Early or repeated time-outs change nothing.
    Timeout,
}

/// What a game says.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Journal and publish it.
    Event(event::Body),
    /// Send it to the board; its answer comes back as an [`Input::Message`].
    Command(Command),
}

/// One board's game.
#[derive(Debug)]
pub struct Game {
    outputs: std::collections::VecDeque<Output>,
}

impl Game {
    /// A board of which nothing is known yet.
    pub fn new(_settings: settings::Settings) -> Self {
        Self { outputs: std::collections::VecDeque::new() }
    }

    /// Takes one input that happened at `t`.
    pub fn handle(&mut self, _t: Mono, _input: Input) {
        debug_assert!(self.outputs.is_empty(), "poll() must be drained before the next handle()");
    }

    /// The next output, until there is none.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to call `handle(t, Input::Timeout)` if nothing else happens.
    pub fn deadline(&self) -> Option<Mono> {
        None
    }
}
