//! Boards of a Pi in a real broker: nothing lost, nothing doubled, order kept, whatever falls; who may read what; orders.
#![allow(clippy::unwrap_used, reason = "a test may")]
mod accounts;
mod brokers;
mod compare;
mod doctor;
mod failures;
mod fleet;
mod orders;
mod public;
mod secure;
mod server;
mod settings;
mod stalled;
mod table;
mod takeover;
mod whole_hall;
