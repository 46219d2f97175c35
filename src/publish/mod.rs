//! What goes out to the world. A reader here never delays a board.
//!
//! | to change | go to |
//! |---|---|
//! | what a reader knows of a board after an event | [`state`] |
//! | which audience gets which event | [`hub`] |
//! | what is kept for those who come back, who listens | [`stage`] |
//! | the HTTP interface and the page | [`web`] |
//! | a game as PGN | [`pgn`] |
//! | the event: rounds, pairings, players, which game is whose | [`event_info`]; lists and reports as files: [`pairings`], names: [`players`] |
//! | counters and gauges | [`metrics`] |
pub mod event_info;
pub mod hub;
pub mod metrics;
pub mod pairings;
pub mod pgn;
pub mod players;
pub mod stage;
pub mod state;
pub mod web;
