//! What holds for all streams: splits, ways back, and the cost of damage.
#[path = "../fuzz/bodies.rs"]
mod bodies;
mod strategies;

use dgt_protocol::bus::{Bus, BusCommand, BusCommandDecoder, BusOpcode};
use dgt_protocol::command::Command;
use dgt_protocol::memory::{Entries, Entry};
use dgt_protocol::message::Message;
use dgt_protocol::receiver::Receiver;
use proptest::collection::vec;
use proptest::prelude::*;
use strategies::{address, answer, command, entry, message, pegasus_command, pegasus_message};

/// Cuts `data` at these places, wherever they fall.
fn cut<'a>(data: &'a [u8], places: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = places.iter().map(|place| place.index(data.len() + 1)).collect();
    places.sort_unstable();
    let mut portions = Vec::new();
    let mut rest = data;
    for pair in [0].into_iter().chain(places).collect::<Vec<_>>().windows(2) {
        let (portion, after) = rest.split_at(pair[1] - pair[0]);
        portions.push(portion);
        rest = after;
    }
    portions.push(rest);
    portions
}

/// A change to one byte of a stream.
#[derive(Clone, Debug)]
enum Damage {
    Flip(u8),
    Drop,
    Insert(u8),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![(1..=255u8).prop_map(Damage::Flip), Just(Damage::Drop), any::<u8>().prop_map(Damage::Insert)]
}

/// Valid frames with noise between them.
fn noisy() -> impl Strategy<Value = Vec<u8>> {
    let frame = message().prop_map(|message| message.encode());
    vec(prop_oneof![3 => frame, 1 => vec(any::<u8>(), 0..12)], 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn messages_come_back_in_any_split(messages in vec(message(), 0..20), places in vec(any::<prop::sample::Index>(), 0..20)) {
        let bytes: Vec<u8> = messages.iter().flat_map(Message::encode).collect();
        let (items, counters) = bodies::decode(cut(&bytes, &places));
        prop_assert_eq!(items.into_iter().collect::<Result<Vec<_>, _>>(), Ok(messages));
        prop_assert_eq!(counters.bytes_dropped, 0);
    }

    #[test]
    fn any_split_of_noise_equals_the_whole(bytes in noisy(), places in vec(any::<prop::sample::Index>(), 0..30)) {
        prop_assert_eq!(bodies::decode(cut(&bytes, &places)), bodies::decode([&bytes[..]]));
    }

    #[test]
    fn damage_costs_at_most_the_frame_it_touches(
        messages in vec(message(), 1..12),
        place in any::<prop::sample::Index>(),
        damage in damage(),
    ) {
        let frames: Vec<Vec<u8>> = messages.iter().map(Message::encode).collect();
        let mut bytes = frames.concat();
        let place = place.index(bytes.len());
        match damage {
            Damage::Flip(bits) => bytes[place] ^= bits,
            Damage::Drop => drop(bytes.remove(place)),
            Damage::Insert(byte) => bytes.insert(place, byte),
        }
        let ends = frames.iter().scan(0, |end, frame| { *end += frame.len(); Some(*end) });
        let touched = ends.take_while(|end| *end <= place).count();
        // An insertion in front of a frame's first byte stands between two frames and touches neither.
        let spared = matches!(damage, Damage::Insert(_)) && frames[..touched].concat().len() == place;
        let mut left = messages.iter().enumerate().filter(|(number, _)| spared || *number != touched).map(|(_, message)| message).peekable();
        let (items, counters) = bodies::decode([&bytes[..]]);
        for message in items.iter().flatten() {
            left.next_if_eq(&message);
        }
        prop_assert_eq!(left.next(), None, "lost although not touched");
        // At most one false message may have come out of the damage.
        prop_assert!(counters.frames_good <= messages.len() as u64 + 1);
    }

    #[test]
    fn commands_come_back_in_any_split(commands in vec(command(), 0..20), places in vec(any::<prop::sample::Index>(), 0..20)) {
        let bytes: Vec<u8> = commands.iter().flat_map(Command::encode).collect();
        prop_assert_eq!(bodies::hear(cut(&bytes, &places)), commands);
    }

    #[test]
    fn a_log_comes_back_up_to_its_end(entries in vec(entry(), 0..60), undefined in vec(0..0x80u8, 0..20)) {
        let mut log = Vec::new();
        entries.iter().chain([&Entry::End]).for_each(|entry| entry.write_to(&mut log));
        log.extend(&undefined);
        let mut read = Entries::new(&log);
        let expected: Vec<Entry> = entries.into_iter().chain([Entry::End]).collect();
        prop_assert_eq!(read.by_ref().collect::<Vec<_>>(), expected);
        prop_assert_eq!((read.skipped(), read.remainder()), (0, &undefined[..]));
    }

    #[test]
    fn bus_answers_come_back_in_any_split(answers in vec(answer(), 0..12), places in vec(any::<prop::sample::Index>(), 0..20)) {
        let bytes: Vec<u8> = answers.iter().flat_map(|answer| answer.encode()).collect();
        let mut receiver = Receiver::new(Bus);
        let mut read = Vec::new();
        for portion in cut(&bytes, &places) {
            read.extend(receiver.feed(0, portion));
        }
        prop_assert_eq!(read, answers.into_iter().map(Ok).collect::<Vec<_>>());
    }

    // A byte of the data that became an id begins an answer of its own, whose seven bits of checksum may be right by chance; its address and its
    // kind are then what stood there, and nobody asked for that.
    #[test]
    fn bus_damage_never_passes_for_what_was_asked(answer in answer(), place in any::<prop::sample::Index>(), bits in 1..=255u8) {
        let mut bytes = answer.encode();
        let place = place.index(bytes.len());
        bytes[place] ^= bits;
        let mut receiver = Receiver::new(Bus);
        let mut read = receiver.feed(0, &bytes).flatten();
        prop_assert!(read.all(|read| (read.address, read.message.id()) != (answer.address, answer.message.id())));
    }

    #[test]
    fn bus_commands_come_back(byte in 0x80..=0xFFu8, address in address()) {
        let command = BusCommand { opcode: BusOpcode::from_byte(byte), address };
        let mut decoder = BusCommandDecoder::new();
        decoder.feed(&command.encode());
        prop_assert_eq!(decoder.collect::<Vec<_>>(), [Ok(command)]);
        prop_assert_eq!(command.opcode.byte(), byte);
    }

    #[test]
    fn notifications_cut_anywhere_say_the_same(messages in vec(pegasus_message(), 0..20), places in vec(any::<prop::sample::Index>(), 0..20)) {
        let bytes: Vec<u8> = messages.iter().flat_map(|message| message.encode()).collect();
        let (items, counters) = bodies::decode_pegasus(cut(&bytes, &places));
        prop_assert_eq!(items.into_iter().collect::<Result<Vec<_>, _>>(), Ok(messages));
        prop_assert_eq!(counters.bytes_dropped, 0);
    }

    #[test]
    fn commands_to_bluetooth_boards_fit_one_write_and_come_back(
        commands in vec(pegasus_command(), 0..20),
        places in vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let bytes: Vec<u8> = commands.iter().flat_map(|command| command.encode()).collect();
        prop_assert!(commands.iter().all(|command| (1..=20).contains(&command.encode().len())));
        prop_assert_eq!(bodies::hear_pegasus(cut(&bytes, &places)), commands);
    }

    #[test]
    fn nothing_panics_on_random_bytes(bytes in vec(any::<u8>(), 0..400), noisy in noisy()) {
        for bytes in [bytes, noisy] {
            bodies::decoder(&bytes);
            bodies::commands(&bytes);
            bodies::memory_and_bus(&bytes);
            bodies::pegasus(&bytes);
            let _ = Message::parse(&bytes);
        }
    }
}
