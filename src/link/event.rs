//! What a link tells the board's task.
use super::identity::Identity;
use bytes::Bytes;
use dgt_protocol::command::Command;
use flagfall_events::Mono;
use std::path::PathBuf;
use tokio::sync::mpsc;

/// What a link tells the board's task, each with the moment at which it happened.
#[derive(Debug)]
pub enum LinkEvent {
    /// A board answers.
    Up(Up),
    /// Bytes came from the board.
    Bytes(Bytes),
    /// A command was written.
    Sent(Bytes),
    /// A board that speaks only when it is asked was asked, and nothing more has happened until then.
    Polled,
    /// What comes at this time may have waited to be read: its order counts, its time does not.
    Waited,
    /// The board says how its battery is, percent: one with Bluetooth does at every change once it was asked.
    Battery(u8),
    /// The link is down, and why.
    Down(String),
}

/// A board that answers.
#[derive(Clone, Debug)]
pub struct Up {
    /// The port it answers on.
    pub port: PathBuf,
    /// Who it says it is.
    pub identity: Identity,
    /// Takes commands for this connection; they are lost with it.
    pub commands: mpsc::Sender<Command>,
    /// It speaks only when it is asked: what happened is known when [`LinkEvent::Polled`] comes, and not before.
    pub polled: bool,
}

/// Where a board's task gets its events from.
pub type Events = mpsc::Sender<(Mono, LinkEvent)>;
