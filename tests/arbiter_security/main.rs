//! What strangers, other sites, guessers and crowds can do to the running daemon: nothing to the boards, and nothing that is not theirs.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
mod daemon;
mod encrypted;
mod generator;
mod hostile;
mod machine;
mod roles;
#[path = "../schema/mod.rs"]
mod schema;
#[path = "../scripted_board/mod.rs"]
mod scripted_board;
#[path = "../signed_in/mod.rs"]
mod signed_in;
mod touches;
