//! What goes out to the world. A reader here never delays a board.
//!
//! | to change | go to |
//! |---|---|
//! | what a reader knows of a board after an event | [`state`] |
//! | which audience gets which event | [`hub`] |
//! | what is kept for those who come back, who listens | [`stage`] |
//! | the HTTP interface and the page | [`web`] |
//! | a game as PGN | [`pgn`] |
//! | counters and gauges | [`metrics`] |
pub mod hub;
pub mod metrics;
pub mod pgn;
pub mod stage;
pub mod state;
pub mod web;
