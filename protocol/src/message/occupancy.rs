//! Messages of Bluetooth LE boards: most are a wired board's; dumps and updates tell occupied from empty, and no other id is known.
use super::board::Message;
use super::contents::contents;
use crate::frame::{ContentError, FrameError, PAYLOAD, TEXT_MAX};
use crate::pegasus::{Dump, Field};
use crate::square::WireSquare;
use alloc::boxed::Box;

/// Whether a message `id` may have this total length.
pub(crate) const fn length_fits(id: u8, length: usize) -> bool {
    match id {
        0x86 => length == 67,
        0x8E | 0x90 | 0x93 | 0x96 => length == 5,
        0x91 => matches!(length, 8 | 12),
        0xA0 => length == 12,
        0xA2 => length == 13,
        0xA4 | 0xA5 => length == 4,
        _ => length >= PAYLOAD && length <= PAYLOAD + TEXT_MAX,
    }
}

/// Reads a whole frame whose length fits its id.
pub(crate) fn read(frame: &[u8]) -> Result<Message, FrameError> {
    let (header, payload) = frame.split_at_checked(PAYLOAD).unwrap_or((frame, &[]));
    let id = header.first().copied().unwrap_or_default();
    if let (0x86, Ok(fields)) = (id, <[u8; 64]>::try_from(payload)) {
        return Ok(Message::Occupancy(Box::new(Dump(fields.map(Field::of)))));
    }
    if let (0x8E, &[index, byte]) = (id, payload) {
        let fault = ContentError { offset: PAYLOAD, value: Some(index), expected: "a field 00..=3F" };
        let square = WireSquare::new(index).ok_or(FrameError::Content { id, fault })?;
        return Ok(Message::FieldOccupancy { square, field: Field::of(byte) });
    }
    if matches!(id, 0x90..=0x93 | 0x96 | 0xA0 | 0xA2 | 0xA4 | 0xA5) {
        contents(frame)
    } else {
        Ok(Message::Unknown { id, payload: payload.into() })
    }
}
