//! Bytes in any portions become messages; resynchronises on damage. The only place that frames what boards say.
//!
//! ```text
//! b0   message id, D7 set
//! b1   length, bits 13..7     00..7F
//! b2   length, bits 6..0      00..7F     counts the three header bytes too
//! b3…  payload, every byte    00..7F     no checksum
//! ```
//!
//! | rule | what the receiver does | reported as |
//! |---|---|---|
//! | R1 hunt | drops bytes until one with D7 set; 80 (NONE) is dropped as well | [`FrameError::Stray`] |
//! | R2 restart | a byte with D7 set inside an unfinished frame ends it and begins the next | [`FrameError::CutShort`] |
//! | R3 early check | judges the length as soon as b2 is there; a wrong one costs the header | [`FrameError::WrongLength`] |
//! | R4 time-out | gives an unfinished frame up when its time is over | [`FrameError::TimedOut`] |
//! | R5 unknown id | consumed by its length when that is 3..=259 | [`Message::Unknown`] |
//! | R6 content | a whole frame with an impossible value is an error, not a message | [`FrameError::Content`] |
//!
//! One changed, lost or inserted byte costs the frames it touches and no frame after them.
//!
//! Time is an argument, in milliseconds since any moment: it is the caller who has a clock.
use crate::assembler::Assembler;
use crate::frame::{ContentError, Counters, FrameError};
use crate::message::{self, Message, occupancy};
use crate::square::{PieceCode, WireSquare};
use core::fmt::Debug;

/// R4: without a byte for so long an unfinished frame is given up.
const FRAME_MS: u64 = 1_000;
/// A move memory takes 8.3 s on the wire and may pause; it is given up so long after its beginning.
const MEMORY_MS: u64 = 15_000;
/// b0 of a move memory.
const MEMORY_ID: u8 = 0x8F;

/// How long an unfinished frame is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// So many milliseconds since the last byte.
    Pause(u64),
    /// So many since the receiver last stood between two frames.
    Whole(u64),
}

/// What a kind of line says in its frames: which lengths are believed, and what whole frames mean.
pub trait Dialect: Debug {
    /// What is said.
    type Message;
    /// Why nothing was.
    type Error: From<FrameError>;

    /// R3 and R5: whether a frame `id` may have this total length.
    fn length_fits(&self, id: u8, length: usize) -> bool;

    /// R6: reads a whole frame whose length fits, and counts what is odd about it.
    ///
    /// # Errors
    /// It cannot be true.
    fn read(&self, frame: &[u8], counters: &mut Counters) -> Result<Self::Message, Self::Error>;

    /// R4: how long the rest of a frame `id` is waited for.
    fn patience(&self, id: u8) -> Patience;

    /// The commonest message, where it stands at the front of these bytes, and its length: a way past the rules for what obeys all of them.
    #[inline]
    fn at_once(&self, _: &[u8]) -> Option<(Self::Message, usize)> {
        None
    }
}

/// One board on a line of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Single {
    /// On a wire or over classic Bluetooth: pieces, a clock, a move memory.
    #[default]
    Dgt,
    /// Over Bluetooth LE: DGT Pegasus and what speaks like it.
    Pegasus,
}

impl Dialect for Single {
    type Message = Message;
    type Error = FrameError;

    #[inline]
    fn length_fits(&self, id: u8, length: usize) -> bool {
        match self {
            Self::Dgt => message::length_fits(id, length),
            Self::Pegasus => occupancy::length_fits(id, length),
        }
    }

    #[inline]
    fn read(&self, frame: &[u8], counters: &mut Counters) -> Result<Message, FrameError> {
        let message = match self {
            Self::Dgt => message::contents(frame)?,
            Self::Pegasus => occupancy::read(frame)?,
        };
        match &message {
            Message::Unknown { .. } => counters.unknown_ids += 1,
            Message::FieldUpdate { .. } if frame.get(4).is_some_and(|piece| *piece > 0x0F) => counters.extra_bits += 1,
            _ => {}
        }
        Ok(message)
    }

    fn patience(&self, id: u8) -> Patience {
        if id == MEMORY_ID { Patience::Whole(MEMORY_MS) } else { Patience::Pause(FRAME_MS) }
    }

    #[inline]
    fn at_once(&self, bytes: &[u8]) -> Option<(Message, usize)> {
        let [0x8E, 0x00, 0x05, field, piece @ 0x00..=0x0F, ..] = *bytes else { return None };
        let square = WireSquare::new(field).filter(|_| *self == Self::Dgt)?;
        Some((Message::FieldUpdate { square, piece: PieceCode::from_nibble(piece) }, 5))
    }
}

/// Makes messages out of what one line says. Feed what was read and when, then take messages until there are none.
///
/// ```
/// use dgt_protocol::receiver::{Receiver, Single};
/// let mut receiver = Receiver::new(Single::Dgt);
/// assert!(receiver.feed(0, &[0x8E, 0x00, 0x05, 0x24]).next().is_none());
/// assert_eq!(receiver.deadline(), Some(1_000));
/// let message = receiver.feed(20, &[0x01]).next().unwrap().unwrap();
/// assert_eq!(message.to_string(), "field update e4 P");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Receiver<D: Dialect = Single> {
    dialect: D,
    bytes: Assembler,
    counters: Counters,
    /// What was given up before the newest bytes and is not reported yet.
    late: Option<FrameError>,
    /// When the newest bytes came.
    fed: u64,
    /// Since when a frame has been unfinished whenever all messages were taken.
    began: Option<u64>,
}

impl<D: Dialect> Receiver<D> {
    /// A receiver that has heard nothing.
    pub fn new(dialect: D) -> Self {
        Self { dialect, bytes: Assembler::default(), counters: Counters::default(), late: None, fed: 0, began: None }
    }

    /// Takes bytes as they were read at `ms`, in any portions. They are copied; nothing is decoded before the next message is asked for. A frame whose
    /// time was over by then is given up first.
    #[inline]
    pub fn feed(&mut self, ms: u64, bytes: &[u8]) -> &mut Self {
        if self.began.is_some() && self.late.is_none() {
            self.late = self.expire(ms);
        }
        self.fed = ms;
        self.bytes.feed(bytes);
        self
    }

    /// R4: when the unfinished frame is given up, if nothing comes. Ask when all messages have been taken.
    pub fn deadline(&self) -> Option<u64> {
        Some(match self.dialect.patience(self.bytes.in_progress()?) {
            Patience::Pause(ms) => self.fed.saturating_add(ms),
            Patience::Whole(ms) => self.began.unwrap_or(self.fed).saturating_add(ms),
        })
    }

    /// R4: gives the unfinished frame up, if its time is over at `ms`.
    pub fn expire(&mut self, ms: u64) -> Option<FrameError> {
        self.deadline().filter(|at| *at <= ms)?;
        self.give_up()
    }

    /// Nothing more will come: whatever is unfinished is given up. `None` where nothing was, or where messages are still to be taken.
    pub fn give_up(&mut self) -> Option<FrameError> {
        let given_up = self.bytes.give_up(&mut self.counters);
        if given_up.is_some() {
            self.began = None;
        }
        given_up
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
        (self.late, self.began) = (None, None);
    }

    /// What was met since the receiver was made. On a bus a wrong checksum counts as failed contents.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Everything but the commonest message at the cursor.
    fn next_slow(&mut self) -> Option<Result<D::Message, D::Error>> {
        if let Some(late) = self.late.take() {
            return Some(Err(late.into()));
        }
        let Self { dialect, bytes, counters, .. } = self;
        let read = match bytes.next_frame(counters, |id, length| dialect.length_fits(id, length)) {
            Some(Ok(frame)) => dialect.read(frame, counters),
            Some(Err(error)) => return Some(Err(error.into())),
            None => {
                self.began = self.bytes.in_progress().map(|_| self.began.unwrap_or(self.fed));
                return None;
            }
        };
        match &read {
            Ok(_) => self.counters.frames_good += 1,
            Err(_) => self.counters.failed_contents += 1,
        }
        Some(read)
    }
}

impl<D: Dialect> Iterator for Receiver<D> {
    type Item = Result<D::Message, D::Error>;

    /// The next message or the next piece of damage; `None` until more is fed.
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // The commonest message by far is taken without a look at the rules: this is the whole of its frame.
        if self.late.is_none()
            && let Some((message, length)) = self.dialect.at_once(self.bytes.waiting())
            && self.bytes.skip_clean(length)
        {
            self.counters.frames_good += 1;
            return Some(Ok(message));
        }
        self.next_slow()
    }
}

impl Message {
    /// Reads exactly one frame of a board on a wire, header included.
    ///
    /// # Errors
    /// The same as of a [`Receiver`] that gets these bytes and then a time-out. Bytes after the frame are a content error too: a stream is for a receiver.
    pub fn parse(frame: &[u8]) -> Result<Self, FrameError> {
        let mut receiver = Receiver::new(Single::Dgt);
        let first = receiver.feed(0, frame).next().or_else(|| receiver.give_up().map(Err));
        let message = first.unwrap_or(Err(FrameError::Stray { bytes: 0 }))?;
        let Some(&value) = receiver.bytes.waiting().first() else { return Ok(message) };
        let offset = frame.len() - receiver.bytes.waiting().len();
        let fault = ContentError { offset, value: Some(value), expected: "the end of the frame" };
        Err(FrameError::Content { id: message.id(), fault })
    }
}
