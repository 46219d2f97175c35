//! What goes out to the world. A reader here never delays a board.
//!
//! | to change | go to |
//! |---|---|
//! | what a reader knows of a board after an event | [`state`] |
//! | who gets which event, what is kept for those who come back | [`hub`] |
//! | the HTTP interface and the page | [`web`] |
//! | a game as PGN | [`pgn`] |
//! | counters and gauges | [`metrics`] |
pub mod hub;
pub mod metrics;
pub mod pgn;
pub mod state;
pub mod web;
