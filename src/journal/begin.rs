//! How a board's journal begins.
use super::disk::Slot;
use super::file::Unsigned;
use super::header::Open;
use super::line::Chain;
use flagfall_events::{Mono, ReceiptAfter};

/// How a board's journal begins.
pub(super) enum Begin {
    /// It goes on after what stands.
    Continue {
        slot: Slot,
        open: Open,
        chain: Box<Chain>,
        offset: u64,
        last: Mono,
        seq: u64,
        unsigned: Option<Unsigned>,
        wanted: Vec<(u64, ReceiptAfter)>,
    },
    /// A new one; what precedes it is filled in here where it is known.
    New { slot: Slot, open: Open },
}
