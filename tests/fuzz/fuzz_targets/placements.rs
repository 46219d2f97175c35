//! The body is shared with `tests/recognition/corpus.rs`; only here the time of each call is bounded.
#![no_main]

#[path = "../bodies.rs"]
mod bodies;

use std::time::{Duration, Instant};

/// Not the contract (5 ms a placement, which the benches watch), but what tells a search that has no bound from a machine that is busy.
const LIMIT: Duration = Duration::from_secs(10);

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::placements(data, |call| {
    let began = Instant::now();
    call();
    let took = began.elapsed();
    assert!(took < LIMIT, "one call took {took:?}");
}));
