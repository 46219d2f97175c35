//! Everything a board may say, and its encoder.
//!
//! | to change | go to |
//! |---|---|
//! | messages, ids, names, lengths | [`Message`], `board.rs` |
//! | how payload bytes are read and checked | `contents.rs`; where Bluetooth LE boards differ: `occupancy.rs` |
//! | how the board's side writes them | `encode.rs` |
//! | how people read them | `show.rs` |
mod board;
mod contents;
mod encode;
pub(crate) mod occupancy;
mod show;

pub use crate::frame::{MEMORY_SIZE, TEXT_MAX};
pub(crate) use board::length_fits;
pub use board::{Battery, Message};
pub(crate) use contents::{board_dump, contents, draughts_fields};
