//! What it costs to show the world an event: fold, one serialisation, the ring for those who return, the channels.
#![allow(missing_docs, reason = "criterion's macros make functions")]
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use flagfall::web::hub::Hub;
use flagfall_events::{Body, ClockSource, ClockState, Colour, Event, Mono, Wall};
use std::sync::Arc;

const BOARDS: u64 = 12;

/// One blitz move as events, on each of twelve boards.
fn round(first: u64) -> Vec<Arc<Event>> {
    let mut events = Vec::new();
    for board in 1..=BOARDS {
        let clock = ClockState {
            white_ms: Some(179_000),
            black_ms: Some(180_000),
            running: Some(Colour::Black),
            flag: None,
            source: ClockSource::Device,
            uncertainty_ms: 1000,
        };
        let placement = String::from("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
        let bodies = [
            Body::Placement { placement: placement.clone(), settled: false },
            Body::Placement { placement, settled: true },
            Body::Press { by: Colour::White },
            Body::Clock(clock),
        ];
        for (seq, body) in (first..).zip(bodies) {
            events.push(Arc::new(Event {
                seq,
                t: Mono::from_millis(seq),
                at: Wall::EPOCH,
                board: board.to_string().into(),
                game: None,
                body,
            }));
        }
    }
    events
}

fn publish(c: &mut Criterion) {
    let mut group = c.benchmark_group("publish");
    group.throughput(Throughput::Elements(BOARDS * 4));
    let hub = Hub::new();
    let mut seq = 1;
    group.bench_function("a round of events on 12 boards", |b| {
        b.iter_batched(
            || {
                seq += 4;
                round(seq - 4)
            },
            |events| events.into_iter().for_each(|event| hub.publish(event)),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, publish);
criterion_main!(benches);
