//! The board's side: messages become bytes.
use super::board::Message;
use crate::frame::{MEMORY_SIZE, PAYLOAD, TEXT_MAX};
use crate::pegasus::Field;
use alloc::vec::Vec;
use bytes::BufMut;

/// 6B, the move memory's end mark: what a memory that is too short is filled up with.
const END_OF_MEMORY: u8 = 0x6B;

impl Message {
    /// The frame, header included. See [`Message::write_to`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(16);
        self.write_to(&mut out);
        out
    }

    /// Appends the frame to `out`.
    ///
    /// The frame is always one that a receiver takes: payload bytes lose D7; a move memory, a dump of raw fields and a
    /// text are cut or filled up to a length that the message may have; a serial number has the short form of 8 bytes.
    pub fn write_to(&self, out: &mut impl BufMut) {
        match self {
            Self::BoardDump(placement) => {
                header(out, self.id(), 64);
                placement.iter().for_each(|piece| out.put_u8(piece.to_byte()));
            }
            Self::TenByTenDump(fields) => fixed(out, self.id(), fields, 100, 0),
            Self::Clock(report) => frame(out, self.id(), &report.encode()),
            Self::FieldUpdate { square, piece } => frame(out, self.id(), &[square.index(), piece.to_byte()]),
            Self::Occupancy(dump) => frame(out, self.id(), &dump.0.map(Field::byte)),
            Self::FieldOccupancy { square, field } => frame(out, self.id(), &[square.index(), field.byte()]),
            Self::MoveMemory(bytes) => fixed(out, self.id(), bytes, MEMORY_SIZE, END_OF_MEMORY),
            Self::BusAddress(address) => frame(out, self.id(), &[(address >> 7) as u8, *address as u8]),
            Self::SerialNumber(digits) => frame(out, self.id(), digits),
            Self::Trademark(text) => {
                let length = text.chars().take(TEXT_MAX).count();
                header(out, self.id(), length);
                text.chars().take(TEXT_MAX).for_each(|c| out.put_u8(if c.is_ascii() { c as u8 } else { b'?' }));
            }
            Self::Version { main, sub } | Self::HardwareVersion { main, sub } => frame(out, self.id(), &[*main, *sub]),
            Self::DraughtsDump { fields, .. } => fixed(out, self.id(), fields, 50, 0),
            Self::Battery(battery) => {
                let (hours, minutes) = battery.remaining.unwrap_or((0x7F, 0x7F));
                let (on, standby) = (battery.on, battery.standby);
                let bytes = [battery.percent, hours, minutes, on.0, on.1, standby.0, standby.1, standby.2, battery.status];
                frame(out, self.id(), &bytes);
            }
            Self::LongSerialNumber(characters) => frame(out, self.id(), characters),
            Self::I2cClock(payload) | Self::Unknown { payload, .. } => {
                frame(out, self.id(), payload.get(..TEXT_MAX).unwrap_or(payload));
            }
            Self::LockState(state) | Self::KeyState(state) => frame(out, self.id(), &[*state]),
        }
    }
}

fn header(out: &mut impl BufMut, id: u8, payload: usize) {
    let length = PAYLOAD + payload;
    out.put_slice(&[id, (length >> 7) as u8, (length & 0x7F) as u8]);
}

fn frame(out: &mut impl BufMut, id: u8, payload: &[u8]) {
    header(out, id, payload.len());
    payload.iter().for_each(|byte| out.put_u8(byte & 0x7F));
}

fn fixed(out: &mut impl BufMut, id: u8, payload: &[u8], size: usize, filler: u8) {
    header(out, id, size);
    payload.iter().take(size).for_each(|byte| out.put_u8(byte & 0x7F));
    out.put_bytes(filler, size.saturating_sub(payload.len()));
}
