//! What a host is told, and what it says.
use super::line::LineState;
use crate::bus::address::BusAddress;
use crate::bus::command::BusCommand;
use crate::message::Message;
use alloc::vec::Vec;

/// Boards on one line at most: DGT's halls have twelve. Who comes later is told of and left alone.
pub const MOST: usize = 32;

/// What may be chosen for a line.
#[derive(Clone, Debug)]
pub struct HostConfig {
    /// The boards that should be there, in the order of the cable from the machine outwards.
    pub expected: Vec<BusAddress>,
    /// Boards that nobody expects are looked for, and taken.
    pub discover: bool,
    /// How often new boards are looked for once the line works; it costs every board a pause of a second and a half. `None`: never.
    pub search_every_ms: Option<u64>,
    /// How long an answer may take to begin: DGT's 80 ms, the command's own time on the wire, and what a USB adapter holds back.
    pub answer_ms: u64,
    /// A cycle takes so long at least: no board scans faster.
    pub cycle_ms: u64,
}

impl Default for HostConfig {
    fn default() -> Self {
        Self { expected: Vec::new(), discover: true, search_every_ms: Some(60_000), answer_ms: 104, cycle_ms: 200 }
    }
}

/// What happened on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostInput<'a> {
    /// These bytes were read.
    Bytes(&'a [u8]),
    /// Somebody wants something of a board.
    Ask(BusAddress, Ask),
    /// Look for boards as soon as the turn that is on is over.
    Search,
    /// The port is gone: nothing is sent any more, and every board is down.
    Closed,
    /// The port is there again: who is on the line is looked for afresh. What is known of the boards stays known.
    Opened,
    /// A deadline passed. Early or repeated ones change nothing.
    Timeout,
}

/// What may be wanted of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// All 64 fields.
    Board,
    /// The clock, even where it stands as before.
    Clock,
    /// The log since the start of the game.
    Log,
}

/// What comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostOutput {
    /// Write this now, in one piece. The next command follows when this one was answered or given up.
    Write(BusCommand),
    /// A board answers that did not before.
    Up {
        /// Which one.
        address: BusAddress,
        /// Its firmware, where it says so.
        version: Option<(u8, u8)>,
    },
    /// A board does not answer any more.
    Down {
        /// Which one.
        address: BusAddress,
        /// When it answered last.
        since: u64,
    },
    /// What a board said, as it would on a line of its own.
    Said(Said),
    /// Two boards answer to one address.
    Twice(BusAddress),
    /// Only one board answers to that address again.
    Once(BusAddress),
    /// The line as a whole is so from now on.
    Line(LineState),
    /// Boards answer, and the answers of several are damaged again and again (`true`); or that is over.
    Noisy(bool),
    /// The boards that are there are known; a cycle begins.
    Searched,
    /// A board more than a line may have; it is left alone.
    TooMany(BusAddress),
    /// All boards were asked once; that took so long, milliseconds.
    Cycle(u64),
}

/// What a board said since it was asked last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Who.
    pub address: BusAddress,
    /// It was asked then, too: all of it happened later.
    pub from: u64,
    /// In the order in which it happened. Empty: nothing happened.
    pub messages: Vec<Message>,
    /// The board was not heard for long: order counts, times do not.
    pub waited: bool,
}
