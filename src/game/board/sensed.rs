//! What a game may know of a board that tells occupied from empty: a piece on a field reads as a white pawn, a locked field as nothing that was said.
use alloc::boxed::Box;
use dgt_protocol::message::Message;
use dgt_protocol::pegasus::Field;
use dgt_protocol::square::PieceCode;

/// The message as a game takes it.
pub(super) fn sensed(message: Message) -> Message {
    match message {
        // A locked or uncalibrated board says nothing about the pieces.
        Message::Occupancy(dump) if dump.is_full() || dump.0.contains(&Field::Locked) => Message::LockState(1),
        Message::Occupancy(dump) => Message::BoardDump(Box::new(dump.0.map(piece))),
        Message::FieldOccupancy { field: Field::Locked, .. } => Message::LockState(1),
        Message::FieldOccupancy { square, field } => Message::FieldUpdate { square, piece: piece(field) },
        other => other,
    }
}

const fn piece(field: Field) -> PieceCode {
    match field {
        Field::Occupied => PieceCode::WhitePawn,
        Field::Empty | Field::Locked => PieceCode::Empty,
    }
}
