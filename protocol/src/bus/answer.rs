//! What a board says on a bus.
use super::address::{BusAddress, checksum};
use crate::clock::ClockReport;
use crate::frame::{ContentError, FrameError, MEMORY_SIZE, PAYLOAD, TEXT_MAX};
use crate::message;
use crate::parse::{self, any};
use crate::square::{Fen, WirePlacement};
use alloc::{boxed::Box, vec::Vec};
use core::fmt;
use nom::Parser;
use thiserror::Error;

/// Type, length and address: five bytes before the data.
const DATA: usize = 5;
/// Everything but the data.
const AROUND: usize = DATA + 1;

/// Why bytes on a bus gave no command or answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum BusError {
    /// Damage as in single-board mode.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A byte below 80 where a command should begin.
    #[error("byte {0:02X} where a bus command should begin")]
    StrayByte(u8),
    /// The checksum is wrong. After CHANGES ask again with 84, not 83.
    #[error("bus frame {id:02X}: checksum {found:02X}, should be {expected:02X}")]
    Checksum {
        /// b0.
        id: u8,
        /// The sum of the bytes before it, & 7F.
        expected: u8,
        /// The last byte.
        found: u8,
    },
}

/// What one board answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusAnswer {
    /// Who speaks.
    pub address: BusAddress,
    /// What it says.
    pub message: BusMessage,
}

/// The data of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BusMessage {
    /// 83: all 64 fields.
    Board(Box<WirePlacement>),
    /// 84: the seven payload bytes of 8D.
    Clock(ClockReport),
    /// 85 or 8B: changes, for [`Entries`](crate::memory::Entries).
    Changes {
        /// 8B: newer boards answer with 85 and 8B in turn, so that a repeat can be told.
        alternate: bool,
        /// Entries of the move memory.
        entries: Vec<u8>,
    },
    /// 86: the log since the start tag, for [`Entries`](crate::memory::Entries).
    FromStart(Vec<u8>),
    /// 87: here I am.
    Ping,
    /// 88: the start tag is written.
    StartGameSet,
    /// 89: firmware version; up to version 1.2 the answer has no numbers.
    Version(Option<(u8, u8)>),
    /// 8A: draughts, 50 raw fields.
    Draughts(Vec<u8>),
    /// Any other type; its layout is not public.
    Unknown {
        /// b0.
        id: u8,
        /// What stands between address and checksum.
        data: Vec<u8>,
    },
}

/// Whether an answer of this type may have this total length.
pub(crate) const fn length_fits(id: u8, length: usize) -> bool {
    match id {
        0x83 => length == AROUND + 64,
        0x84 => length == AROUND + 7,
        0x85 | 0x86 | 0x8B => length >= AROUND && length <= AROUND + MEMORY_SIZE,
        0x87 | 0x88 => length == AROUND,
        0x89 => matches!(length, 6 | 8),
        0x8A => length == AROUND + 50,
        _ => length >= AROUND && length <= AROUND + TEXT_MAX,
    }
}

impl BusMessage {
    /// b0 of the answer.
    pub const fn id(&self) -> u8 {
        match self {
            Self::Board(_) => 0x83,
            Self::Clock(_) => 0x84,
            Self::Changes { alternate: false, .. } => 0x85,
            Self::FromStart(_) => 0x86,
            Self::Ping => 0x87,
            Self::StartGameSet => 0x88,
            Self::Version(_) => 0x89,
            Self::Draughts(_) => 0x8A,
            Self::Changes { alternate: true, .. } => 0x8B,
            Self::Unknown { id, .. } => *id | 0x80,
        }
    }

    fn data(&self) -> Vec<u8> {
        match self {
            Self::Board(placement) => placement.iter().map(|piece| piece.to_byte()).collect(),
            Self::Clock(report) => report.encode().into(),
            Self::Changes { entries: data, .. } | Self::FromStart(data) => data.iter().copied().take(MEMORY_SIZE).collect(),
            Self::Ping | Self::StartGameSet | Self::Version(None) => Vec::new(),
            Self::Version(Some((main, sub))) => [*main, *sub].into(),
            Self::Draughts(fields) => fields.iter().copied().chain(core::iter::repeat(0)).take(50).collect(),
            Self::Unknown { data, .. } => data.iter().copied().take(TEXT_MAX).collect(),
        }
    }

    fn parse(id: u8, data: &[u8]) -> Result<Self, ContentError> {
        let step = match id {
            0x83 => message::board_dump.map(Self::Board).parse(data),
            0x84 => match <&[u8; 7]>::try_from(data) {
                Ok(seven) => {
                    let shifted = |fault: ContentError| ContentError { offset: fault.offset + (DATA - PAYLOAD), ..fault };
                    return ClockReport::parse(seven).map(Self::Clock).map_err(shifted);
                }
                Err(_) => Ok((data, Self::Clock(ClockReport::Null))),
            },
            0x85 | 0x8B => Ok((&[][..], Self::Changes { alternate: id == 0x8B, entries: data.into() })),
            0x86 => Ok((&[][..], Self::FromStart(data.into()))),
            0x87 => Ok((data, Self::Ping)),
            0x88 => Ok((data, Self::StartGameSet)),
            0x89 if data.is_empty() => Ok((data, Self::Version(None))),
            0x89 => (any, any).map(|version| Self::Version(Some(version))).parse(data),
            0x8A => message::draughts_fields.map(Self::Draughts).parse(data),
            _ => Ok((&[][..], Self::Unknown { id, data: data.into() })),
        };
        parse::finish(data, DATA, step)
    }
}

impl BusAnswer {
    /// The boards' side: the whole frame. Data bytes lose D7; data too long for its type is cut.
    pub fn encode(&self) -> Vec<u8> {
        let data = self.message.data();
        let length = AROUND + data.len();
        let mut out = Vec::with_capacity(length);
        out.extend([self.message.id(), (length >> 7) as u8, (length & 0x7F) as u8]);
        out.extend(self.address.bytes());
        out.extend(data.iter().map(|byte| byte & 0x7F));
        out.push(checksum(&out));
        out
    }
}

impl fmt::Display for BusAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.address)?;
        match &self.message {
            BusMessage::Board(placement) => write!(f, "board dump {}", Fen(placement)),
            BusMessage::Clock(report) => report.fmt(f),
            BusMessage::Changes { entries, .. } => write!(f, "changes, {} bytes", entries.len()),
            BusMessage::FromStart(entries) => write!(f, "log from start, {} bytes", entries.len()),
            BusMessage::Ping => f.write_str("ping"),
            BusMessage::StartGameSet => f.write_str("start of game set"),
            BusMessage::Version(Some((main, sub))) => write!(f, "version {main}.{sub:02}"),
            BusMessage::Version(None) => f.write_str("version, not told"),
            BusMessage::Draughts(_) => f.write_str("draughts dump"),
            BusMessage::Unknown { id, data } => write!(f, "unknown answer {id:02X}, {} bytes", data.len()),
        }
    }
}

/// Reads a frame whose length fits its type.
pub(crate) fn read(frame: &[u8]) -> Result<BusAnswer, BusError> {
    let &[id, _, _, high, low, ref data @ .., found] = frame else {
        let id = frame.first().copied().unwrap_or_default();
        return Err(FrameError::WrongLength { id, length: frame.len() }.into());
    };
    let expected = checksum(frame.get(..frame.len() - 1).unwrap_or_default());
    if found != expected {
        return Err(BusError::Checksum { id, expected, found });
    }
    let message = BusMessage::parse(id, data).map_err(|fault| FrameError::Content { id, fault })?;
    Ok(BusAnswer { address: BusAddress::from_bytes([high, low]), message })
}
