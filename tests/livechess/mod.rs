//! The API of DGT LiveChess as its clients meet it: over real sockets.
//!
//! | file | holds |
//! |---|---|
//! | `vectors/*.frames`, `vectors.rs` | exact frames for every call |
//! | `strict.rs` | typed clients: no key too many or too few |
//! | `final_moves.rs` | a move that was sent is final |
//! | `pages.rs` | a client that behaves like Lichess's page |
//! | `hostile.rs` | malformed, huge and binary frames, foreign pages, clients that take nothing |
//! | `whole_game.rs` | a whole game through the daemon, on a simulated board |
#![allow(clippy::unwrap_used, reason = "a test may")]
pub(crate) mod client;
mod final_moves;
mod hostile;
mod pages;
mod strict;
mod table;
mod vectors;
mod whole_game;
