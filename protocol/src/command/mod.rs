//! Everything a host may say to one board, and its decoder.
//!
//! | to change | go to |
//! |---|---|
//! | commands, their names and answers | [`Command`], `board.rs` |
//! | clock commands, set-and-run | [`ClockCommand`], `clock.rs` |
//! | bytes for the wire | `encode.rs` |
//! | the board's side: bytes become commands | [`CommandDecoder`], `decoder.rs` |
//!
//! Bytes that must never reach a single board (4A, 4E, 51, 53, 54 and all from 80 on) have no variant that encodes to them.
mod board;
mod clock;
mod decoder;
mod encode;

pub use board::Command;
pub use clock::{ClockCommand, Run, SetAndRun};
pub use decoder::CommandDecoder;
