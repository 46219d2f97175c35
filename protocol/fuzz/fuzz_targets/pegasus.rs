//! The body is shared with `tests/corpus.rs`.
#![no_main]
#[path = "../bodies.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::pegasus(data));
