//! A few of the kills of `cargo bench --bench kills -- --hall`: daemon and hall, one or both, at random moments.
#![cfg(feature = "nats")]
#![allow(clippy::unwrap_used, dead_code, reason = "a test may; the benches' helpers have more than it needs")]
#[path = "../whole/checks.rs"]
mod checks;
#[path = "../nats/compare.rs"]
mod compare;
#[path = "../whole/floor.rs"]
mod floor;
#[path = "../free_port/mod.rs"]
mod free_port;
#[path = "../whole/halls.rs"]
mod halls;
#[path = "mod.rs"]
mod kills;
#[path = "../whole/network.rs"]
mod network;
mod reader;
#[path = "../whole/receiver.rs"]
mod receiver;
#[path = "../nats/server.rs"]
mod server;
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../nats/table.rs"]
mod table;
mod together;
#[path = "../whole/watch.rs"]
mod watch;

#[test]
fn kills_of_daemon_and_hall_lose_nothing_double_nothing_and_show_nothing_shorter() {
    let Some(outcome) = together::run(kills::Plan { kills: 6, boards: 2, seed: 7, lives: 1_000 }, |_| {}) else { return };
    assert!(outcome.right && outcome.kills.iter().sum::<usize>() >= 6, "{outcome:?}");
    assert!(outcome.received > 0 && outcome.acknowledged > 0 && outcome.heard > 0 && outcome.messages > 0, "{outcome:?}");
}
