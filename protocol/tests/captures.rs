//! Real recordings, read from beside the project where they are at hand; never copied.
use dgt_protocol::clock::{ClockReport, ClockTimes};
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use dgt_protocol::square::START_PLACEMENT;
use std::path::Path;

/// One line of base64 with padding.
fn base64(line: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("not base64: {line}"),
    };
    let mut bytes = Vec::new();
    for four in line.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = four.iter().fold(0u32, |bits, byte| bits << 6 | u32::from(value(*byte))) << (6 * (4 - four.len()));
        bytes.extend(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}

struct Counts {
    bytes: usize,
    clock: usize,
    updates: usize,
    first: u32,
    last: (u32, u32),
    flag: bool,
}

fn check(name: &str, expected: &Counts) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/captures").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is not there", path.display());
        return;
    };
    let lines: Vec<Vec<u8>> = text.lines().map(base64).collect();
    let bytes = lines.concat();
    assert_eq!(bytes.len(), expected.bytes);
    // Portions as no board would send them.
    for portion in [1, 7, 64, bytes.len()] {
        let mut receiver = Receiver::new(Single::Dgt);
        let mut messages = Vec::new();
        for portion in bytes.chunks(portion) {
            receiver.feed(0, portion);
            messages.extend(receiver.by_ref().map(|item| item.expect("a recording without damage")));
        }
        assert!(!receiver.is_mid_frame());
        assert_eq!((receiver.counters().bytes_dropped, receiver.counters().frames_good), (0, lines.len() as u64));
        let again: Vec<u8> = messages.iter().flat_map(Message::encode).collect();
        assert_eq!(again, bytes, "the encoder says what the board said");

        assert_eq!(messages[0], Message::BoardDump(Box::new(START_PLACEMENT)));
        let times: Vec<&ClockTimes> = messages
            .iter()
            .filter_map(|message| match message {
                Message::Clock(ClockReport::Time(times)) => Some(times),
                _ => None,
            })
            .collect();
        let updates = messages.iter().filter(|message| matches!(message, Message::FieldUpdate { .. })).count();
        assert_eq!((times.len(), updates, messages.len()), (expected.clock, expected.updates, 1 + expected.clock + expected.updates));
        assert!(times.iter().all(|times| times.turn_bits == times.lever.usual_turn_bits()));
        let (first, last) = (times[0], times[times.len() - 1]);
        assert_eq!((first.left.total_seconds(), first.right.total_seconds(), first.running), (expected.first, expected.first, false));
        assert_eq!((last.right.total_seconds(), last.left.total_seconds()), expected.last);
        assert_eq!((last.running, last.right.flag(), last.left.flag()), (false, expected.flag, false));
    }
}

#[test]
fn a_game_stopped_by_hand() {
    let expected = Counts { bytes: 3952, clock: 323, updates: 131, first: 182, last: (106, 109), flag: false };
    check("dgtdriver-1.inbytes", &expected);
}

#[test]
fn a_game_lost_on_time() {
    let expected = Counts { bytes: 9112, clock: 854, updates: 101, first: 305, last: (0, 16), flag: true };
    check("dgtdriver-johan.inbytes", &expected);
}
