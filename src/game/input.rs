//! What can happen to a game.
use crate::played::Played;
use crate::questions::Verdict;
use alloc::boxed::Box;
use alloc::string::String;
use dgt_protocol::message::Message;
use flagfall_events::{Entry, LinkState, Mono};

/// What can happen to a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The board said this.
    Message(Message),
    /// Bytes were lost: the image may be wrong.
    Damaged,
    /// From then until now the board said more than it may, and nothing of it was read.
    Dropped(Mono),
    /// The link came up or went down. Up while it is up: what comes at this time may have waited to be read, so its order counts and not its time.
    Link(LinkState, Option<String>),
    /// Another build published the game so: that counts.
    TakeOver(Box<Played>),
    /// The program ended and runs again.
    Restart,
    /// An arbiter or operator says so.
    Entry(Entry),
    /// The solver answers a question.
    Verdict(Verdict),
    /// A deadline passed. Early or repeated time-outs change nothing.
    Timeout,
}
