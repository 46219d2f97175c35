//! What must hold for any bytes; run by the fuzz targets, and on the corpus and random bytes by the ordinary tests.
//!
//! Nothing panics; any split equals the whole; what was decoded encodes to bytes that decode to the same bytes again.
#![allow(dead_code)]
use dgt_protocol::bus::{Bus, BusCommandDecoder};
use dgt_protocol::command::{Command, CommandDecoder};
use dgt_protocol::frame::{Counters, FrameError};
use dgt_protocol::memory::Entries;
use dgt_protocol::message::Message;
use dgt_protocol::pegasus;
use dgt_protocol::receiver::{Receiver, Single};

/// Portions of 1 to 16 bytes, by the data itself, so that a finding can be run again.
fn portions(data: &[u8]) -> Vec<&[u8]> {
    let mut rest = data;
    let mut portions = Vec::new();
    while let Some(&byte) = rest.first() {
        let (portion, after) = rest.split_at(rest.len().min(1 + usize::from(byte ^ byte >> 4) % 16));
        portions.push(portion);
        rest = after;
    }
    portions
}

/// Everything a receiver makes of these portions, and its counters, after a time-out at the end.
pub(crate) fn receive<'a>(board: Single, portions: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Result<Message, FrameError>>, Counters) {
    let mut receiver = Receiver::new(board);
    let mut items = Vec::new();
    for (ms, portion) in portions.into_iter().enumerate() {
        // Never late: any split equals the whole.
        items.extend(receiver.feed(ms as u64 % 1_000, portion));
    }
    assert_eq!(receiver.is_mid_frame(), receiver.deadline().is_some());
    items.extend(receiver.expire(u64::MAX).map(Err));
    items.extend(receiver.give_up().map(Err));
    assert!(!receiver.is_mid_frame() && receiver.deadline().is_none() && receiver.give_up().is_none());
    (items, *receiver.counters())
}

/// The same of a board on a wire.
pub(crate) fn decode<'a>(portions: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Result<Message, FrameError>>, Counters) {
    receive(Single::Dgt, portions)
}

/// A board's bytes.
pub(crate) fn decoder(data: &[u8]) {
    let (items, counters) = decode([data]);
    assert_eq!((&items, counters), (&decode(portions(data)).0, decode(portions(data)).1));
    assert_eq!(counters.frames_good, items.iter().filter(|item| item.is_ok()).count() as u64);
    assert!(counters.bytes_dropped <= data.len() as u64);
    for item in &items {
        match item {
            Ok(message) => {
                let bytes = message.encode();
                assert_eq!(bytes[0], message.id());
                let again = Message::parse(&bytes).expect("what was decoded can be said again");
                assert_eq!(again.encode(), bytes);
                assert!(!message.to_string().contains('\n') && !message.name().is_empty());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Ok(message) = Message::parse(data) {
        assert_eq!(items, [Ok(message)]);
    }
}

/// Everything the board's side makes of these portions.
pub(crate) fn hear<'a>(portions: impl IntoIterator<Item = &'a [u8]>) -> Vec<Command> {
    let mut decoder = CommandDecoder::new();
    let mut commands = Vec::new();
    for portion in portions {
        decoder.feed(portion);
        commands.extend(decoder.by_ref());
    }
    commands
}

/// A host's bytes.
pub(crate) fn commands(data: &[u8]) {
    let whole = hear([data]);
    assert_eq!(whole, hear(portions(data)));
    for command in whole {
        let bytes = command.encode();
        assert!(!matches!(bytes.first(), Some(0x4A | 0x4E | 0x51 | 0x53 | 0x54 | 0x80..)), "{command}");
        assert!(bytes.iter().all(|byte| *byte < 0x80), "{command}");
        let again: Vec<u8> = hear([&bytes[..]]).iter().flat_map(Command::encode).collect();
        assert_eq!(again, bytes, "{command}");
        let _ = (command.answer(), command.repeatable(), command.sets_mode(), command.opcode(), command.name());
    }
}

/// A move memory, and both sides of a bus.
pub(crate) fn memory_and_bus(data: &[u8]) {
    let mut entries = Entries::new(data);
    // A log is read again behind an entry of our own, since bytes below 40 at its very front would be skipped.
    let mut log = vec![0x7F];
    let found: Vec<_> = entries.by_ref().inspect(|entry| entry.write_to(&mut log)).collect();
    assert_eq!(log.len() - 1 + entries.skipped() + entries.remainder().len(), data.len());
    let mut again = Entries::new(&log);
    assert!(again.by_ref().skip(1).eq(found.iter().copied()) && again.skipped() == 0);
    let _ = found.iter().map(|entry| entry.to_string().len()).sum::<usize>();

    let answers = |portions: Vec<&[u8]>| {
        let mut receiver = Receiver::new(Bus);
        let mut items = Vec::new();
        for portion in portions {
            items.extend(receiver.feed(0, portion));
        }
        items.extend(receiver.give_up().map(|error| Err(error.into())));
        (items, *receiver.counters())
    };
    let whole = answers(vec![data]);
    assert_eq!(whole, answers(portions(data)));
    for answer in whole.0.into_iter().flatten() {
        let bytes = answer.encode();
        let (again, _) = answers(vec![&bytes]);
        let [Ok(again)] = &again[..] else { panic!("{answer} came back as {again:?}") };
        assert_eq!(again.encode(), bytes, "{answer}");
    }

    let heard = |portions: Vec<&[u8]>| {
        let mut decoder = BusCommandDecoder::new();
        let mut items = Vec::new();
        for portion in portions {
            decoder.feed(portion);
            items.extend(decoder.by_ref());
        }
        items
    };
    let whole = heard(vec![data]);
    assert_eq!(whole, heard(portions(data)));
    for command in whole.into_iter().flatten() {
        assert_eq!(heard(vec![&command.encode()]), [Ok(command)], "{command}");
    }
}

/// Everything made of these notifications, and the counters, after a time-out at the end.
pub(crate) fn decode_pegasus<'a>(portions: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Result<Message, FrameError>>, Counters) {
    receive(Single::Pegasus, portions)
}

/// Everything a Bluetooth LE board makes of these writes.
pub(crate) fn hear_pegasus<'a>(portions: impl IntoIterator<Item = &'a [u8]>) -> Vec<pegasus::Command> {
    let mut decoder = pegasus::CommandDecoder::new();
    let mut commands = Vec::new();
    for portion in portions {
        decoder.feed(portion);
        commands.extend(decoder.by_ref());
    }
    commands
}

/// Both sides of a Bluetooth LE board.
pub(crate) fn pegasus(data: &[u8]) {
    let whole = decode_pegasus([data]);
    assert_eq!(whole, decode_pegasus(portions(data)));
    assert!(whole.1.bytes_dropped <= data.len() as u64);
    for message in whole.0.iter().flatten() {
        let bytes = message.encode();
        assert_eq!(bytes[0], message.id());
        let (again, _) = decode_pegasus([&bytes[..]]);
        let [Ok(again)] = &again[..] else { panic!("{message} came back as {again:?}") };
        assert_eq!(again.encode(), bytes);
        assert!(!message.to_string().contains('\n') && !message.name().is_empty());
    }
    let heard = hear_pegasus([data]);
    assert_eq!(heard, hear_pegasus(portions(data)));
    for command in heard {
        let bytes = command.encode();
        assert!(bytes.len() <= pegasus::WRITE_MAX, "{command}");
        assert!(!matches!(bytes.first(), Some(0x2B | 0x43 | 0x4A | 0x4B | 0x4E | 0x51 | 0x53 | 0x54 | 0x80..)), "{command}");
        let again: Vec<u8> = hear_pegasus([&bytes[..]]).iter().flat_map(pegasus::Command::encode).collect();
        assert_eq!(again, bytes, "{command}");
        let _ = (command.answer(), command.name());
    }
}
