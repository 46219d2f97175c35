//! What a five-hour game costs to replay: 119 moves by human hands at 7200+30, a clock message every second.
//!
//! ```sh
//! cargo bench --bench replay
//! ```
#![allow(missing_docs, reason = "criterion's macros make functions")]
#[path = "long_game.rs"]
mod long_game;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_capture::{Capture, CaptureLine, drive};
use flagfall_events::{Body, Event, Wall};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::hint::black_box;

/// Players who think nine times as long as the simulator's usual ones need five hours for this game; nobody's flag falls.
const SPEED: f64 = 0.109;

/// The capture, and the moves that were really played.
fn capture() -> (Vec<u8>, Vec<String>) {
    let stream = long_game::stream(SPEED);
    let mut bytes = Vec::new();
    stream.write(&mut bytes, Wall::EPOCH, "a long game").expect("memory takes it");
    (bytes, stream.truth.uci())
}

fn replayed(bytes: &[u8], mut each: impl FnMut(&Event)) {
    let capture = Capture::open(bytes).expect("the header is ours");
    let broken = drive("1", capture, flagfall_solver::answers(), |event| {
        each(&event);
        Ok::<_, Infallible>(())
    });
    assert_eq!(broken, Ok(None));
}

/// Says what is measured, and whether it is the game that was played.
fn describe(bytes: &[u8], truth: &[String]) {
    let (mut events, mut ended, mut flags) = (0, 0, 0);
    let mut moves = BTreeMap::new();
    replayed(bytes, |event| {
        (events, ended) = (events + 1, event.t.millis());
        match &event.body {
            Body::MoveCompleted { ply, uci, .. } => drop(moves.insert(*ply, uci.clone())),
            Body::Clock(clock) => flags += usize::from(clock.flag.is_some()),
            _ => {}
        }
    });
    let (mut chunks, mut wire) = (0, 0);
    for item in Capture::open(bytes).expect("the header is ours") {
        if let Ok((_, CaptureLine::FromBoard(bytes))) = item {
            (chunks, wire) = (chunks + 1, wire + bytes.len());
        }
    }
    assert!(moves.values().eq(truth), "the replay is not the game that was played");
    println!(
        "{} h {:02} min, {} plies, {chunks} reads of {wire} bytes, capture of {} bytes, {events} events, {flags} with a fallen flag",
        ended / 3_600_000,
        ended / 60_000 % 60,
        truth.len(),
        bytes.len(),
    );
}

fn replay(c: &mut Criterion) {
    let (bytes, truth) = capture();
    describe(&bytes, &truth);
    let mut group = c.benchmark_group("five-hour game");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("capture to messages", |b| {
        b.iter(|| {
            let mut receiver = Receiver::new(Single::Dgt);
            for (t, line) in Capture::open(black_box(&bytes)).expect("the header is ours").filter_map(Result::ok) {
                if let CaptureLine::FromBoard(chunk) = line {
                    receiver.feed(t.millis(), &chunk).for_each(|message| drop(black_box(message)));
                }
            }
        });
    });
    group.bench_function("capture to events", |b| {
        b.iter(|| replayed(black_box(&bytes), |event| _ = black_box(event)));
    });
    group.bench_function("capture to JSON", |b| {
        let mut json = Vec::new();
        b.iter(|| {
            json.clear();
            replayed(black_box(&bytes), |event| {
                serde_json::to_writer(&mut json, event).expect("events are JSON");
                json.push(b'\n');
            });
            json.len()
        });
    });
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);
