//! What stands below every dialect: the sizes of a frame, what may be wrong with one, and how damage is counted.
//!
//! The rules by which frames are found are the [`receiver`](crate::receiver)'s.
use thiserror::Error;

/// b0, b1, b2.
pub(crate) const HEADER: usize = 3;
/// Offset of the first payload byte: b3.
pub(crate) const PAYLOAD: usize = HEADER;
/// Length of the move memory, 1F00 bytes.
pub const MEMORY_SIZE: usize = 0x1F00;
/// The longest payload of a trade-mark text, and the longest believed of an unknown id.
pub const TEXT_MAX: usize = 256;

/// Why bytes from a board gave no message. Damage is counted and skipped; the decoder goes on with the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum FrameError {
    /// R1: bytes outside any frame. Reported when the run is over, so that portions make no difference.
    #[error("{bytes} stray bytes before a message")]
    Stray {
        /// Length of the run.
        bytes: usize,
    },
    /// R2: the next message began before this one was complete.
    #[error("message {id:02X} was cut short after {received} bytes")]
    CutShort {
        /// b0 of the unfinished frame.
        id: u8,
        /// Bytes that were there, b0 included.
        received: usize,
    },
    /// R3: b1 and b2 give a length that this message cannot have.
    #[error("message {id:02X} cannot have length {length}")]
    WrongLength {
        /// b0.
        id: u8,
        /// What b1 and b2 say.
        length: usize,
    },
    /// R4: the rest of the frame did not come.
    #[error("message {id:02X} stopped after {received} bytes")]
    TimedOut {
        /// b0.
        id: u8,
        /// Bytes that were there, b0 included.
        received: usize,
    },
    /// R6: the frame was whole and cannot be true.
    #[error("message {id:02X}: {fault}")]
    Content {
        /// b0.
        id: u8,
        /// The byte that cannot be.
        fault: ContentError,
    },
}

/// The byte of a whole frame that cannot be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("b{offset} should be {expected}, {}", Found(*value))]
pub struct ContentError {
    /// Its place in the frame, header included: 3 is the first payload byte.
    pub offset: usize,
    /// What it was; `None` where the frame ended too early.
    pub value: Option<u8>,
    /// What it should have been.
    pub expected: &'static str,
}

struct Found(Option<u8>);

impl core::fmt::Display for Found {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            Some(value) => write!(f, "is {value:02X}"),
            None => f.write_str("is missing"),
        }
    }
}

/// What a [`Receiver`](crate::receiver::Receiver) met since it was made.
///
/// Every byte fed is in one place: in a whole frame (good, unknown or failed), in `bytes_dropped`, or still waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counters {
    /// Messages handed on, unknown ids included.
    pub frames_good: u64,
    /// Bytes that belong to no whole frame (R1 to R4).
    pub bytes_dropped: u64,
    /// Frames ended by the next id (R2) or by the time-out (R4).
    pub cut_short: u64,
    /// Headers refused for their length (R3).
    pub wrong_lengths: u64,
    /// Frames with an id that the reference does not know (R5).
    pub unknown_ids: u64,
    /// Whole frames with an impossible value (R6).
    pub failed_contents: u64,
    /// Field updates whose piece byte had bits above D3; they were masked off.
    pub extra_bits: u64,
}
