//! A board's bytes in its dialect become the messages that a game understands. Pure.
use alloc::boxed::Box;
use alloc::vec::Vec;
use dgt_protocol::frame::{Counters, Decoder, FrameError};
use dgt_protocol::message::Message;
use dgt_protocol::pegasus::{self, Field};
use dgt_protocol::square::PieceCode;
use flagfall_events::BoardKind;

/// The decoder of one kind of board.
#[derive(Clone, Debug)]
pub(super) enum Dialect {
    /// Boards on a wire, and classic Bluetooth boards.
    Wired(Decoder),
    /// Bluetooth LE boards.
    Pegasus(pegasus::Decoder),
}

impl Dialect {
    pub(super) fn of(kind: BoardKind) -> Self {
        match kind {
            BoardKind::Dgt | BoardKind::Occupancy => Self::Wired(Decoder::new()),
            BoardKind::Pegasus => Self::Pegasus(pegasus::Decoder::new()),
        }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        match self {
            Self::Wired(decoder) => decoder.feed(bytes),
            Self::Pegasus(decoder) => decoder.feed(bytes),
        }
    }

    /// The next message or damage; `None` until more is fed.
    pub(super) fn next(&mut self) -> Option<Result<Message, FrameError>> {
        match self {
            Self::Wired(decoder) => decoder.next(),
            Self::Pegasus(decoder) => decoder.next().map(|read| read.map(translate)),
        }
    }

    pub(super) fn give_up(&mut self) -> Option<FrameError> {
        match self {
            Self::Wired(decoder) => decoder.give_up(),
            Self::Pegasus(decoder) => decoder.give_up(),
        }
    }

    pub(super) fn frame_in_progress(&self) -> Option<u8> {
        match self {
            Self::Wired(decoder) => decoder.frame_in_progress(),
            Self::Pegasus(decoder) => decoder.frame_in_progress(),
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Self::Wired(decoder) => decoder.clear(),
            Self::Pegasus(decoder) => decoder.clear(),
        }
    }

    pub(super) const fn counters(&self) -> &Counters {
        match self {
            Self::Wired(decoder) => decoder.counters(),
            Self::Pegasus(decoder) => decoder.counters(),
        }
    }
}

/// What a game may know of it: a piece on a field reads as a white pawn, a locked field as nothing that was said.
fn translate(message: pegasus::Message) -> Message {
    use pegasus::Message as Said;
    match message {
        // A locked or uncalibrated board says nothing about the pieces.
        Said::Dump(dump) if dump.is_full() || dump.0.contains(&Field::Locked) => Message::LockState(1),
        Said::Dump(dump) => Message::BoardDump(Box::new(dump.0.map(piece))),
        Said::Field { field: Field::Locked, .. } => Message::LockState(1),
        Said::Field { square, field } => Message::FieldUpdate { square, piece: piece(field) },
        Said::BusAddress(address) => Message::BusAddress(address),
        Said::SerialNumber(digits) => Message::SerialNumber(digits),
        Said::Trademark(text) => Message::Trademark(text),
        Said::Version { main, sub } => Message::Version { main, sub },
        Said::HardwareVersion { main, sub } => Message::HardwareVersion { main, sub },
        Said::Battery(battery) => Message::Battery(battery),
        Said::LongSerialNumber(characters) => Message::LongSerialNumber(characters),
        Said::LockState(state) => Message::LockState(state),
        Said::KeyState(state) => Message::KeyState(state),
        Said::Unknown { id, payload } => Message::Unknown { id, payload },
        // Nothing else is known; the enum may grow.
        _ => Message::Unknown { id: 0xFF, payload: Vec::new() },
    }
}

const fn piece(field: Field) -> PieceCode {
    match field {
        Field::Occupied => PieceCode::WhitePawn,
        Field::Empty | Field::Locked => PieceCode::Empty,
    }
}
