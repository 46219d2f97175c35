//! Arbitrary messages, commands and answers, all in the form that decoding gives back.
// Each test file takes what it needs; lengths and ranges are right by construction.
#![allow(dead_code, clippy::unwrap_used)]
use dgt_protocol::bus::{BusAddress, BusAnswer, BusMessage};
use dgt_protocol::clock::{Ack, ClockReport, ClockTimes, Lever, Side, SideTime};
use dgt_protocol::command::{ClockCommand, Command, SetAndRun};
use dgt_protocol::memory::Entry;
use dgt_protocol::message::{Battery, Message};
use dgt_protocol::pegasus;
use dgt_protocol::square::{PieceCode, WireSquare};
use proptest::collection::vec;
use proptest::prelude::*;

fn seven() -> impl Strategy<Value = u8> {
    0..0x80u8
}

pub(crate) fn square() -> impl Strategy<Value = WireSquare> {
    (0..64u8).prop_map(|index| WireSquare::new(index).unwrap())
}

pub(crate) fn piece() -> impl Strategy<Value = PieceCode> {
    any::<u8>().prop_map(PieceCode::from_nibble)
}

fn digits() -> impl Strategy<Value = SideTime> {
    (0..=9u8, 0..=59u8, 0..=59u8).prop_map(|(hours, minutes, seconds)| SideTime { hours, minutes, seconds, ..SideTime::default() })
}

fn side_time() -> impl Strategy<Value = SideTime> {
    (digits(), any::<(bool, bool, bool)>()).prop_map(|(time, (flag_blocked, per_move, flag_shown))| SideTime {
        flag_blocked,
        per_move,
        flag_shown,
        ..time
    })
}

pub(crate) fn ack() -> impl Strategy<Value = Ack> {
    any::<[u8; 4]>().prop_map(|[ack0, ack1, ack2, ack3]| Ack { ack0, ack1, ack2, ack3 })
}

pub(crate) fn report() -> impl Strategy<Value = ClockReport> {
    let times = (side_time(), side_time(), any::<(bool, bool, bool)>()).prop_map(|(right, left, (running, high, battery_low))| {
        let lever = if high { Lever::RightHigh } else { Lever::LeftHigh };
        let turn_bits = lever.usual_turn_bits();
        ClockReport::Time(ClockTimes { right, left, running, lever, battery_low, turn_bits })
    });
    prop_oneof![1 => Just(ClockReport::Null), 1 => Just(ClockReport::NoClock), 3 => ack().prop_map(ClockReport::Ack), 6 => times]
}

fn battery() -> impl Strategy<Value = Battery> {
    let pair = || (0..0x7Fu8, 0..0x7Fu8);
    (seven(), proptest::option::of(pair()), pair(), (seven(), seven(), seven()), seven())
        .prop_map(|(percent, remaining, on, standby, status)| Battery { percent, remaining, on, standby, status })
}

pub(crate) fn message() -> impl Strategy<Value = Message> {
    let unknown = prop_oneof![0x81..=0x85u8, 0x87..=0x8Cu8, 0x97..=0x9Fu8, Just(0xA1), 0xA6..=0xFFu8];
    prop_oneof![
        1 => vec(piece(), 64).prop_map(|pieces| Message::BoardDump(Box::new(pieces.try_into().unwrap()))),
        1 => vec(seven(), 100).prop_map(Message::TenByTenDump),
        8 => report().prop_map(Message::Clock),
        8 => (square(), piece()).prop_map(|(square, piece)| Message::FieldUpdate { square, piece }),
        1 => seven().prop_map(|byte| Message::MoveMemory(vec![byte; 7936])),
        1 => (0..1u16 << 14).prop_map(Message::BusAddress),
        1 => [seven(), seven(), seven(), seven(), seven()].prop_map(Message::SerialNumber),
        1 => "[ -~\r\n]{0,256}".prop_map(Message::Trademark),
        1 => (seven(), seven()).prop_map(|(main, sub)| Message::Version { main, sub }),
        1 => (any::<bool>(), vec(seven(), 50)).prop_map(|(white, fields)| Message::DraughtsDump { white, fields }),
        1 => (seven(), seven()).prop_map(|(main, sub)| Message::HardwareVersion { main, sub }),
        1 => battery().prop_map(Message::Battery),
        1 => vec(seven(), 10).prop_map(|bytes| Message::LongSerialNumber(bytes.try_into().unwrap())),
        1 => vec(seven(), 0..=256).prop_map(Message::I2cClock),
        1 => seven().prop_map(Message::LockState),
        1 => seven().prop_map(Message::KeyState),
        1 => (unknown, vec(seven(), 0..=256)).prop_map(|(id, payload)| Message::Unknown { id, payload }),
    ]
}

fn set_and_run() -> impl Strategy<Value = SetAndRun> {
    let side = || (0..=9u8, any::<bool>(), 0..=59u8, 0..=59u8).prop_map(|(hours, up, m, s)| (hours | u8::from(up) << 4, m, s));
    (side(), side(), 0..0x10u8).prop_map(|(left, right, run)| SetAndRun { left, right, run })
}

fn text<const N: usize>() -> impl Strategy<Value = [u8; N]> {
    vec(0x20..=0x7Eu8, N).prop_map(|bytes| bytes.try_into().unwrap())
}

fn raw<const N: usize>() -> impl Strategy<Value = [u8; N]> {
    vec(seven(), N).prop_map(|bytes| bytes.try_into().unwrap())
}

/// A command that the encoder says as it is.
pub(crate) fn command() -> impl Strategy<Value = Command> {
    let beep = || 0..0x40u8;
    let clock = prop_oneof![
        Just(ClockCommand::End),
        Just(ClockCommand::Button),
        Just(ClockCommand::Version),
        (raw(), seven(), beep()).prop_map(|(digits, icons, beep)| ClockCommand::Display { digits, icons, beep }),
        raw().prop_map(ClockCommand::Icons),
        set_and_run().prop_map(ClockCommand::SetAndRun),
        beep().prop_map(ClockCommand::Beep),
        (text(), beep()).prop_map(|(text, beep)| ClockCommand::Ascii { text, beep }),
        (text(), beep()).prop_map(|(text, beep)| ClockCommand::RevelationAscii { text, beep }),
    ];
    prop_oneof![
        3 => (0..19usize).prop_map(|number| Command::singles().nth(number).unwrap()),
        3 => clock.prop_map(Command::Clock),
        1 => (0..=0x40u8, 0..=0x40u8, 0..=0x40u8).prop_map(|(pattern, start, end)| Command::RevelationLeds { pattern, start, end }),
    ]
}

/// Any value that a caller could write down, in range or not.
pub(crate) fn careless_command() -> impl Strategy<Value = Command> {
    let clock = prop_oneof![
        any::<([u8; 6], u8, u8)>().prop_map(|(digits, icons, beep)| ClockCommand::Display { digits, icons, beep }),
        any::<[u8; 8]>().prop_map(ClockCommand::Icons),
        any::<((u8, u8, u8), (u8, u8, u8), u8)>().prop_map(|(left, right, run)| ClockCommand::SetAndRun(SetAndRun { left, right, run })),
        any::<u8>().prop_map(ClockCommand::Beep),
        any::<([u8; 8], u8)>().prop_map(|(text, beep)| ClockCommand::Ascii { text, beep }),
        any::<([u8; 11], u8)>().prop_map(|(text, beep)| ClockCommand::RevelationAscii { text, beep }),
        any::<Vec<u8>>().prop_map(ClockCommand::Other),
        (any::<String>(), any::<u8>()).prop_map(|(text, beep)| ClockCommand::ascii(&text, beep)),
        any::<(String, bool)>().prop_map(|(text, beep)| ClockCommand::display(&text, beep)),
    ];
    prop_oneof![
        command(),
        clock.prop_map(Command::Clock),
        any::<(u8, u8, u8)>().prop_map(|(pattern, start, end)| Command::RevelationLeds { pattern, start, end }),
        any::<u8>().prop_map(Command::Other),
    ]
}

pub(crate) fn entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        (square(), piece(), any::<bool>()).prop_map(|(square, piece, quick)| Entry::Piece { square, piece, quick }),
        digits().prop_map(|time| Entry::Time { side: Side::Left, time }),
        digits().prop_map(|time| Entry::Time { side: Side::Right, time }),
        proptest::sample::select(vec![
            Entry::PowerUp,
            Entry::FourRows,
            Entry::EmptyBoard,
            Entry::Downloaded,
            Entry::BeginPosition,
            Entry::BeginPositionTurned,
            Entry::StartTag,
            Entry::Watchdog,
            Entry::Future1,
            Entry::Future2,
            Entry::Nop,
        ]),
    ]
}

pub(crate) fn address() -> impl Strategy<Value = BusAddress> {
    (0..1u16 << 14).prop_map(|number| BusAddress::new(number).unwrap())
}

pub(crate) fn answer() -> impl Strategy<Value = BusAnswer> {
    let bytes = |range| vec(seven(), range);
    let message = prop_oneof![
        vec(piece(), 64).prop_map(|pieces| BusMessage::Board(Box::new(pieces.try_into().unwrap()))),
        report().prop_map(BusMessage::Clock),
        (any::<bool>(), bytes(0..=300)).prop_map(|(alternate, entries)| BusMessage::Changes { alternate, entries }),
        bytes(0..=300).prop_map(BusMessage::FromStart),
        Just(BusMessage::Ping),
        Just(BusMessage::StartGameSet),
        proptest::option::of((seven(), seven())).prop_map(BusMessage::Version),
        bytes(50..=50).prop_map(BusMessage::Draughts),
        (0xB0..=0xB5u8, bytes(0..=256)).prop_map(|(id, data)| BusMessage::Unknown { id, data }),
    ];
    (address(), message).prop_map(|(address, message)| BusAnswer { address, message })
}

pub(crate) fn pegasus_message() -> impl Strategy<Value = Message> {
    use pegasus::{Dump, Field};
    let field = prop_oneof![Just(Field::Empty), Just(Field::Occupied), Just(Field::Locked)];
    let unknown = prop_oneof![0x81..=0x85u8, 0x87..=0x8Du8, Just(0x8F), Just(0x94), 0x97..=0x9Fu8, Just(0xA1), Just(0xA3), 0xA6..=0xFFu8];
    prop_oneof![
        any::<u64>().prop_map(|occupied| Message::Occupancy(Box::new(Dump::of(occupied)))),
        vec(field.clone(), 64).prop_map(|fields| Message::Occupancy(Box::new(Dump(fields.try_into().unwrap())))),
        (square(), field).prop_map(|(square, field)| Message::FieldOccupancy { square, field }),
        (0..1u16 << 14).prop_map(Message::BusAddress),
        any::<[u8; 5]>().prop_map(|digits| Message::SerialNumber(digits.map(|d| d & 0x7F))),
        any::<[u8; 10]>().prop_map(|digits| Message::LongSerialNumber(digits.map(|d| d & 0x7F))),
        "[ -~\r\n]{0,200}".prop_map(Message::Trademark),
        (seven(), seven()).prop_map(|(main, sub)| Message::Version { main, sub }),
        (seven(), seven()).prop_map(|(main, sub)| Message::HardwareVersion { main, sub }),
        battery().prop_map(Message::Battery),
        seven().prop_map(Message::LockState),
        seven().prop_map(Message::KeyState),
        (unknown, vec(seven(), 0..100)).prop_map(|(id, payload)| Message::Unknown { id, payload }),
    ]
}

pub(crate) fn pegasus_command() -> impl Strategy<Value = pegasus::Command> {
    use pegasus::{Command, DeveloperKey, LED_SQUARES, Leds};
    let squares = || vec(square(), 1..=LED_SQUARES);
    prop_oneof![
        4 => proptest::sample::select(Command::singles().collect::<Vec<_>>()),
        1 => any::<[u8; 6]>().prop_map(|key| Command::Key(DeveloperKey::new(key))),
        1 => Just(Command::Leds(Leds::Off)),
        1 => squares().prop_map(|squares| Command::Leds(Leds::path(squares))),
        1 => squares().prop_map(|squares| Command::Leds(Leds::together(squares))),
    ]
}
