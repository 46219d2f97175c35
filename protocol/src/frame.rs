//! Bytes in any portions become messages; resynchronises on damage (reference, section 3.1).
//!
//! ```text
//! b0   message id, D7 set
//! b1   length, bits 13..7     00..7F
//! b2   length, bits 6..0      00..7F     counts the three header bytes too
//! b3…  payload, every byte    00..7F     no checksum
//! ```
//!
//! | rule | what the decoder does | reported as |
//! |---|---|---|
//! | R1 hunt | drops bytes until one with D7 set; 80 (NONE) is dropped as well | [`FrameError::Stray`] |
//! | R2 restart | a byte with D7 set inside an unfinished frame ends it and begins the next | [`FrameError::CutShort`] |
//! | R3 early check | judges the length as soon as b2 is there; a wrong one costs the header | [`FrameError::WrongLength`] |
//! | R4 time-out | the caller has the clock and calls [`Decoder::give_up`] | [`FrameError::TimedOut`] |
//! | R5 unknown id | consumed by its length when that is 3..=259 | [`Message::Unknown`] |
//! | R6 content | a whole frame with an impossible value is an error, not a message | [`FrameError::Content`] |
//!
//! One changed, lost or inserted byte costs the frames it touches and no frame after them.
use crate::assembler::Assembler;
use crate::message::{self, Message};
use crate::square::{PieceCode, WireSquare};
use thiserror::Error;

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

/// What a [`Decoder`] met since it was made.
///
/// Every byte fed is in one place: in a whole frame (good, unknown or failed), in `bytes_dropped`, or still waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counters {
    /// Messages handed on, unknown ids included.
    pub frames_good: u64,
    /// Bytes that belong to no whole frame (R1 to R4).
    pub bytes_dropped: u64,
    /// Frames ended by the next id (R2) or by the caller's time-out (R4).
    pub cut_short: u64,
    /// Headers refused for their length (R3).
    pub wrong_lengths: u64,
    /// Frames with an id that the reference does not know (R5).
    pub unknown_ids: u64,
    /// Whole frames with an impossible value (R6).
    pub failed_contents: u64,
    /// Field updates whose piece byte had bits above D3; they were masked off (reference, section 3.3).
    pub extra_bits: u64,
}

/// Makes messages out of a board's bytes. Feed what was read, then take messages until there are none.
///
/// ```
/// use dgt_protocol::frame::Decoder;
/// let mut decoder = Decoder::new();
/// decoder.feed(&[0x8E, 0x00, 0x05, 0x24]);
/// assert!(decoder.next().is_none() && decoder.is_mid_frame());
/// decoder.feed(&[0x01]);
/// let message = decoder.next().unwrap().unwrap();
/// assert_eq!(message.to_string(), "field update e4 P");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    bytes: Assembler,
    counters: Counters,
}

impl Decoder {
    /// An empty decoder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes bytes as they were read, in any portions. They are copied; nothing is decoded yet.
    #[inline]
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes.feed(bytes);
    }

    /// R4: no byte came for the time-out (1 s; a move memory 8F may take 15 s in total), so the unfinished frame is
    /// given up. `None` where nothing was unfinished, or where messages are still to be taken.
    pub fn give_up(&mut self) -> Option<FrameError> {
        self.bytes.give_up(&mut self.counters)
    }

    /// A frame has begun and is not complete. Ask when all messages have been taken.
    pub fn is_mid_frame(&self) -> bool {
        self.frame_in_progress().is_some()
    }

    /// The id of the unfinished frame. Ask when all messages have been taken.
    pub fn frame_in_progress(&self) -> Option<u8> {
        self.bytes.in_progress()
    }

    /// Forgets what is unfinished, for use after a hang-up. The counters stay; the bytes count as dropped.
    pub fn clear(&mut self) {
        self.bytes.clear(&mut self.counters);
    }

    /// What was met since the decoder was made.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Everything but a clean field update at the cursor.
    fn next_slow(&mut self) -> Option<Result<Message, FrameError>> {
        let frame = match self.bytes.next_frame(&mut self.counters, message::length_fits)? {
            Ok(frame) => frame,
            Err(error) => return Some(Err(error)),
        };
        Some(match message::contents(frame) {
            Ok(message) => {
                self.counters.frames_good += 1;
                match &message {
                    Message::Unknown { .. } => self.counters.unknown_ids += 1,
                    Message::FieldUpdate { .. } if frame[4] > 0x0F => self.counters.extra_bits += 1,
                    _ => {}
                }
                Ok(message)
            }
            Err(error) => {
                self.counters.failed_contents += 1;
                Err(error)
            }
        })
    }
}

impl Iterator for Decoder {
    type Item = Result<Message, FrameError>;

    /// The next message or the next piece of damage; `None` until more is fed.
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // The commonest message by far is taken without a look at the rules: this is the whole of its frame.
        if let [0x8E, 0x00, 0x05, field, piece @ 0x00..=0x0F, ..] = *self.bytes.waiting()
            && let Some(square) = WireSquare::new(field)
            && self.bytes.skip_clean(5)
        {
            self.counters.frames_good += 1;
            return Some(Ok(Message::FieldUpdate { square, piece: PieceCode::from_nibble(piece) }));
        }
        self.next_slow()
    }
}
