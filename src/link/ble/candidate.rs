//! A device that may be a board: why it is talked to, and what came of it.
use super::connection::Device;
use super::session::Loss;
use std::sync::Arc;

/// Why a device is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// By the configuration, this one of its Bluetooth LE boards.
    Named(usize),
    /// Boards are looked for.
    Found,
}

/// A device that may be a board.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) device: Arc<Device>,
    pub(super) wanted: Wanted,
    /// It may be told the key before it has said who it is.
    pub(super) trusted: bool,
}

/// How a talk ended.
#[derive(Debug)]
pub(super) enum End {
    /// No connection came about, and why.
    Unconnected(String),
    /// Connected, but no board, or none that can be read.
    Refused(Loss),
    /// It was a board until the link was lost.
    Lost(Loss),
    /// All ends.
    Stopped,
}
