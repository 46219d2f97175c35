//! Throughput of the decoder in bytes a second: `cargo bench -p dgt-protocol`.
#![allow(missing_docs)]
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever, SideTime};
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use dgt_protocol::square::{PieceCode, START_PLACEMENT, WireSquare};
use std::hint::black_box;

/// What one `read` of a busy host might give.
const PORTION: usize = 4096;
const BYTES: usize = 1 << 20;

fn update(number: usize) -> Message {
    let square = WireSquare::new((number * 7 % 64) as u8).expect("below 64");
    Message::FieldUpdate { square, piece: PieceCode::from_nibble((number % 13) as u8) }
}

fn time(number: usize) -> Message {
    let left = SideTime::from_seconds(5400 - (number % 5400) as u32).expect("below ten hours");
    let right = SideTime::from_seconds(5400 - (number * 3 % 5400) as u32).expect("below ten hours");
    let lever = if number.is_multiple_of(2) { Lever::LeftHigh } else { Lever::RightHigh };
    let turn_bits = lever.usual_turn_bits();
    Message::Clock(ClockReport::Time(ClockTimes { left, right, running: true, lever, battery_low: false, turn_bits }))
}

/// As many whole messages as fit into a mebibyte.
fn stream(message: impl Fn(usize) -> Message) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(BYTES + 128);
    for number in 0.. {
        if bytes.len() >= BYTES {
            break;
        }
        message(number).write_to(&mut bytes);
    }
    bytes
}

fn decode(bytes: &[u8], portion: usize) -> u64 {
    let mut receiver = Receiver::new(Single::Dgt);
    for portion in bytes.chunks(portion) {
        for message in receiver.feed(0, portion) {
            let _ = black_box(message);
        }
    }
    receiver.counters().frames_good
}

fn decoder(criterion: &mut Criterion) {
    // Of twenty messages of a game about fourteen are times, five are updates; a dump comes once in a while.
    let mixed = |number: usize| match number % 20 {
        _ if number % 400 == 399 => Message::BoardDump(Box::new(START_PLACEMENT)),
        0 | 1 | 7 | 8 | 13 => update(number),
        _ => time(number),
    };
    let streams = [("field updates", stream(update), PORTION), ("times", stream(time), PORTION), ("mixed stream", stream(mixed), PORTION)];
    let mut group = criterion.benchmark_group("decoder");
    for (name, bytes, portion) in &streams {
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(*name, |bencher| bencher.iter(|| decode(black_box(bytes), *portion)));
    }
    let (_, updates, _) = &streams[0];
    group.throughput(Throughput::Bytes(updates.len() as u64));
    group.bench_function("field updates, byte by byte", |bencher| bencher.iter(|| decode(black_box(updates), 1)));
    let noise: Vec<u8> = (0..BYTES as u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    group.throughput(Throughput::Bytes(noise.len() as u64));
    group.bench_function("noise", |bencher| bencher.iter(|| decode(black_box(&noise), PORTION)));
    group.finish();
}

criterion_group!(benches, decoder);
criterion_main!(benches);
