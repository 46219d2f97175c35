//! The dialect of Bluetooth LE boards: DGT Pegasus and what speaks like it.
//!
//! ```text
//! host, short   CMD
//! host, long    CMD  length  payload…  00          length counts the payload and the closing 00
//! board         id   length 13..7   length 6..0   payload…      counts the three header bytes; no terminator
//! ```
//!
//! The frame is that of [`receiver`](crate::receiver), and so are most ids; what such a board says is a
//! [`Message`](crate::message::Message) like any other. What differs has types of its own here: a field reads
//! occupied or empty, never a piece; LEDs have their own command, which is not the Revelation's; there is no clock and no
//! `43`, `4B` or `2B`, and none of the bytes that could harm a board.
//!
//! | to change | go to |
//! |---|---|
//! | what fields read | [`Field`], [`Dump`], `occupancy.rs`; what else a board says: `src/message/occupancy.rs` |
//! | what a host says, and its decoder; the developer key | [`Command`], [`CommandDecoder`], [`DeveloperKey`], `command.rs` |
//! | how such a board is found and written to | `service.rs` |
//! | LED patterns | [`Leds`], `leds.rs` |
mod command;
mod leds;
mod occupancy;
mod service;

pub use command::{Command, CommandDecoder, DeveloperKey, KeyError};
pub use leds::{Brightness, LED_SQUARES, Leds, Repeat, Speed};
pub use occupancy::{Dump, Field};
pub use service::{BOARD_NOTIFIES, HOST_WRITES, MAIN_VERSION, SERVICE, WRITE_MAX};
