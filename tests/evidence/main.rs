//! Journals: whole, torn, damaged, changed; kept by real daemons on disks that fail.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may, and says when it gives up waiting")]
mod attacks;
#[cfg(feature = "nats")]
#[path = "../halls/broker.rs"]
mod broker;
mod changed;
mod chatter;
mod disks;
mod forged;
#[cfg(feature = "nats")]
#[path = "../free_port/mod.rs"]
mod free_port;
#[allow(dead_code, reason = "its own tests need more of it")]
#[cfg(feature = "nats")]
#[path = "../halls/house.rs"]
mod house;
mod kept;
mod keys;
#[path = "../kills/mod.rs"]
mod kills;
mod lost;
mod outside;
mod receipts;
mod recording;
mod reports;
mod rig;
#[path = "../scripted_board/mod.rs"]
mod scripted_board;
mod second;
#[path = "../signed_in/mod.rs"]
mod signed_in;
mod torn;
mod two;
#[cfg(feature = "nats")]
mod witnesses;

/// A few of the thousand kills of `cargo bench --bench kills`.
#[test]
fn kills_at_random_moments_lose_nothing_and_invent_nothing() {
    let outcome = kills::run(kills::Plan { kills: 5, boards: 2, seed: 7, lives: 2_500 }, |_| {});
    assert_eq!(outcome.restarts.len(), 5);
    assert!(outcome.received > 0 && outcome.acknowledged > 0 && outcome.journaled > 0, "{outcome:?}");
}
