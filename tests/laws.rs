//! Scenarios of the Laws: what an e-board and a clock show, hand by hand, and what an arbiter must then be told.
//!
//! They are written from the contract and the texts of the Laws, and share nothing with `src/simulator`: `laws/table.rs` is a board with a
//! scanner, a clock and hands of its own, and gives what real ones would send. Every scenario is a capture; it goes through the same code as
//! `flagfall replay`, once as the board says it unasked and once with the answers to what a host asks, and must end the same.
//!
//! A scenario names the editions it is run under and the rows of the clause table that it covers, `law("fide-2018 fide-2023", &["7.5.1 illegal-move"], …)`:
//! the article as the table has it, and the key, or `-` for a row without one. `tests/laws_table.rs` compares them with the table. A scenario may cover
//! several rows, and a row may have several scenarios: what must be found, and what must not.
//!
//! `HAND=200 cargo test --test laws` lets every hand take so many milliseconds (350 where nothing is said).
//!
//! `NOT_YET` names scenarios that are known to fail. Each still runs, and one that holds fails the test until its name is taken off the list.
#![allow(clippy::unwrap_used, reason = "a test may")]
#[path = "laws/mod.rs"]
mod laws;

/// Scenarios that do not hold yet.
const NOT_YET: &[&str] = &[];
