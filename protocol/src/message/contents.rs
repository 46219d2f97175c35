//! Payload bytes become messages; R6 is applied here.
use super::board::{Battery, Message};
use crate::clock::ClockReport;
use crate::frame::{ContentError, FrameError, PAYLOAD};
use crate::parse::{self, Step, any, field, piece};
use crate::square::{PieceCode, WirePlacement};
use alloc::{boxed::Box, string::String, vec::Vec};
use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::rest;
use nom::multi::fill;

/// Reads a whole frame whose length already fits its id and whose payload is below 80.
#[inline]
pub(crate) fn contents(frame: &[u8]) -> Result<Message, FrameError> {
    let (header, payload) = frame.split_at_checked(PAYLOAD).unwrap_or((frame, &[]));
    let id = header.first().copied().unwrap_or_default();
    payload_of(id, payload).map_err(|fault| FrameError::Content { id, fault })
}

fn payload_of(id: u8, payload: &[u8]) -> Result<Message, ContentError> {
    let step = match id {
        // The times are by far the second commonest message.
        0x8D => {
            if let Ok(seven) = <&[u8; 7]>::try_from(payload) {
                return ClockReport::parse(seven).map(Message::Clock);
            }
            return parse::finish(payload, PAYLOAD, Ok((payload, Message::Clock(ClockReport::Null))));
        }
        0x8E => (field, any).map(|(square, byte)| Message::FieldUpdate { square, piece: PieceCode::from_nibble(byte) }).parse(payload),
        0x86 if payload.len() == 64 => board_dump.map(Message::BoardDump).parse(payload),
        0x86 => raw(100).map(Message::TenByTenDump).parse(payload),
        0x8F => rest.map(|bytes: &[u8]| Message::MoveMemory(bytes.into())).parse(payload),
        0x90 => address.map(Message::BusAddress).parse(payload),
        0x91 => serial_number(payload),
        0x92 => rest.map(|bytes| Message::Trademark(text(bytes))).parse(payload),
        0x93 => (any, any).map(|(main, sub)| Message::Version { main, sub }).parse(payload),
        0x94 | 0x95 => draughts_fields.map(|fields| Message::DraughtsDump { white: id == 0x95, fields }).parse(payload),
        0x96 => (any, any).map(|(main, sub)| Message::HardwareVersion { main, sub }).parse(payload),
        0xA0 => battery.map(Message::Battery).parse(payload),
        0xA2 => array.map(Message::LongSerialNumber).parse(payload),
        0xA3 => rest.map(|bytes: &[u8]| Message::I2cClock(bytes.into())).parse(payload),
        0xA4 => any.map(Message::LockState).parse(payload),
        0xA5 => any.map(Message::KeyState).parse(payload),
        _ => rest.map(|bytes: &[u8]| Message::Unknown { id, payload: bytes.into() }).parse(payload),
    };
    parse::finish(payload, PAYLOAD, step)
}

/// 64 pieces, a8 first.
pub(crate) fn board_dump(input: &[u8]) -> Step<'_, Box<WirePlacement>> {
    let mut placement = Box::new([PieceCode::Empty; 64]);
    let (rest, ()) = fill(piece, placement.as_mut_slice()).parse(input)?;
    Ok((rest, placement))
}

/// 50 draughts fields, as they came.
pub(crate) fn draughts_fields(input: &[u8]) -> Step<'_, Vec<u8>> {
    raw(50)(input)
}

fn raw(count: usize) -> impl Fn(&[u8]) -> Step<'_, Vec<u8>> {
    move |input| take(count).map(|bytes: &[u8]| bytes.into()).parse(input)
}

fn array<const N: usize>(input: &[u8]) -> Step<'_, [u8; N]> {
    let mut bytes = [0; N];
    let (rest, ()) = fill(any, &mut bytes).parse(input)?;
    Ok((rest, bytes))
}

/// Fourteen bits, high seven first.
fn address(input: &[u8]) -> Step<'_, u16> {
    (any, any).map(|(high, low)| u16::from(high) << 7 | u16::from(low)).parse(input)
}

/// Five digits; boards of 1998 send a blank and `1.0` behind them.
fn serial_number(input: &[u8]) -> Step<'_, Message> {
    (array, rest).map(|(digits, _)| Message::SerialNumber(digits)).parse(input)
}

fn battery(input: &[u8]) -> Step<'_, Battery> {
    (any, (any, any), (any, any), (any, any, any), any)
        .map(|(percent, left, on, standby, status)| Battery {
            percent,
            remaining: (left.0 != 0x7F && left.1 != 0x7F).then_some(left),
            on,
            standby,
            status,
        })
        .parse(input)
}

/// Printable ASCII and line ends as they are, anything else U+FFFD.
fn text(bytes: &[u8]) -> String {
    let readable = |&byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r');
    bytes.iter().map(|byte| if readable(byte) { char::from(*byte) } else { char::REPLACEMENT_CHARACTER }).collect()
}
