//! The body is shared with `tests/recognition/corpus.rs`; only here the time of each call is bounded.
//!
//! The pure core is compiled in as it is, without the daemon around it: it needs none of the daemon's many dependencies.
#![no_main]
#![allow(dead_code, reason = "only a part of the core is used here")]
extern crate self as flagfall;

#[path = "../../../src/board/mod.rs"]
pub mod board;
#[path = "../bodies.rs"]
mod bodies;
#[path = "../../../src/game/mod.rs"]
pub mod game;
#[path = "../../../src/rulebook/mod.rs"]
pub mod rulebook;
#[path = "../../../src/time.rs"]
pub mod time;

use std::time::{Duration, Instant};

/// Not the contract (5 ms a placement, which the benches watch), but what tells a search that has no bound from a machine that is busy.
const LIMIT: Duration = Duration::from_secs(10);

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::placements(data, |call| {
    let began = Instant::now();
    call();
    let took = began.elapsed();
    assert!(took < LIMIT, "one call took {took:?}");
}));
