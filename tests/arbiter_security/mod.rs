//! What strangers, other sites, guessers and crowds can do to the running daemon: nothing to the boards, and nothing that is not theirs.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
mod accounts;
mod daemon;
mod encrypted;
mod generator;
mod hostile;
mod machine;
mod roles;
mod touches;
