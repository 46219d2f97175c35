//! The table of byte vectors, `vectors.txt`: every row is read, and said again where it is canonical.
use dgt_protocol::bus::{Bus, BusCommandDecoder};
use dgt_protocol::command::CommandDecoder;
use dgt_protocol::memory::Entries;
use dgt_protocol::pegasus;
use dgt_protocol::receiver::{Receiver, Single};
use std::fmt::Display;

struct Reading {
    lines: Vec<String>,
    encoded: Vec<u8>,
}

impl Reading {
    fn of<T: Display, E: Display>(items: impl Iterator<Item = Result<T, E>>, mut encode: impl FnMut(&T, &mut Vec<u8>)) -> Self {
        let mut encoded = Vec::new();
        let lines = items
            .map(|item| match item {
                Ok(value) => {
                    encode(&value, &mut encoded);
                    value.to_string()
                }
                Err(error) => error.to_string(),
            })
            .collect();
        Self { lines, encoded }
    }
}

fn read(kind: &str, bytes: &[u8]) -> Reading {
    match kind {
        "board" | "pegasus" => {
            let mut receiver = Receiver::new(if kind == "board" { Single::Dgt } else { Single::Pegasus });
            let mut items: Vec<_> = receiver.feed(0, bytes).collect();
            items.extend(receiver.give_up().map(Err));
            Reading::of(items.into_iter(), |message, out| message.write_to(out))
        }
        "host" => {
            let mut decoder = CommandDecoder::new();
            decoder.feed(bytes);
            Reading::of(decoder.map(Ok::<_, String>), |command, out| out.extend(command.encode()))
        }
        "bus" => {
            let mut receiver = Receiver::new(Bus);
            Reading::of(receiver.feed(0, bytes), |answer, out| out.extend(answer.encode()))
        }
        "bus-host" => {
            let mut decoder = BusCommandDecoder::new();
            decoder.feed(bytes);
            Reading::of(decoder, |command, out| out.extend(command.encode()))
        }
        "pegasus-host" => {
            let mut decoder = pegasus::CommandDecoder::new();
            decoder.feed(bytes);
            Reading::of(decoder.map(Ok::<_, String>), |command, out| out.extend(command.encode()))
        }
        "log" => Reading::of(Entries::new(bytes).map(Ok::<_, String>), |entry, out| entry.write_to(out)),
        other => panic!("unknown kind {other}"),
    }
}

#[test]
fn every_row_reads_as_stated() {
    let mut rows = 0;
    let mut wrong = Vec::new();
    for (number, line) in include_str!("vectors.txt").lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [kind, bytes, expected, provenance] = columns[..] else { panic!("line {}: four columns", number + 1) };
        assert!(provenance.starts_with("reference") || provenance.starts_with("calculated"), "line {}: provenance", number + 1);
        let bytes: Vec<u8> = bytes.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
        let reading = read(kind.trim_end_matches('='), &bytes);
        if reading.lines.join(" ; ") != expected {
            wrong.push(format!("line {}: reads {}", number + 1, reading.lines.join(" ; ")));
        }
        if kind.ends_with('=') && reading.encoded != bytes {
            wrong.push(format!("line {}: encodes to {:02X?}", number + 1, reading.encoded));
        }
        rows += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows > 110, "{rows} rows");
}
