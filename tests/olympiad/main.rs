//! A small part of the bench `olympiad`: few boards, one game each, some faults of one seed. `cargo bench --bench olympiad` holds a large one.
#![cfg(feature = "nats")]
#![allow(clippy::unwrap_used, dead_code, reason = "a test may; the helpers have more than it needs")]
#[path = "../whole/checks.rs"]
mod checks;
#[path = "../nats/compare.rs"]
mod compare;
#[path = "../whole/faults.rs"]
mod faults;
#[path = "../whole/floor.rs"]
mod floor;
#[path = "../whole/halls.rs"]
mod halls;
#[path = "../whole/measure.rs"]
mod measure;
#[path = "../whole/network.rs"]
mod network;
#[path = "../whole/olympiad.rs"]
mod olympiad;
#[path = "../nats/server.rs"]
mod server;
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../nats/table.rs"]
mod table;
#[path = "../whole/usage.rs"]
mod usage;
#[path = "../whole/watch.rs"]
mod watch;

use olympiad::Olympiad;

#[test]
fn whatever_fails_no_game_is_shorter_than_it_was_played() {
    let plan = Olympiad { boards: 4, of_one: 2, rounds: 1, speed: 2.0, seed: 3, faults: 6, every: 1, measure: 0, read: true };
    assert_ne!(olympiad::hold(&plan), Some(false), "the table says what was lost");
}
