//! What was played, from what a board's sensors and a chess clock said, in simulated time.
//!
//! The hands, the board and the clock here are built by hand from the laws of physics and the wire's reference; they share nothing with
//! `src/simulator`. Every run is checked by a referee of its own (`referee.rs`), whatever else a test asks.
//!
//! | file | holds |
//! |---|---|
//! | `rig.rs` | a physical board, its pieces, and the hands that move them |
//! | `table.rs` | one run of it, with flagfall's `Board` reading the wire |
//! | `report.rs` | what flagfall said, in the tests' short words |
//! | `dgt_clock.rs` | a clock that speaks as real ones do |
//! | `referee.rs` | what must hold in every stream of events |
//! | the rest | one kind of behaviour each, with its near misses |
#![allow(clippy::unwrap_used, reason = "a test may")]
mod beginnings;
mod captures;
mod castling;
mod corpus;
mod dgt_clock;
mod endings;
mod kings;
mod late;
mod legal_hands;
mod links;
mod no_clock;
mod occupancy;
mod pawns;
mod prices;
mod properties;
mod referee;
mod report;
mod rig;
mod sides;
mod slides;
mod table;
mod tempo;
mod unseen;
