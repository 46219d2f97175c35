//! Capture files: one chunk of bytes a line, with its millisecond and direction. What a field engineer sends in and what tests replay.
//!
//! ```text
//! # flagfall-capture 1
//! # rules: fide-2018            header lines set the game; any other key is a comment
//! 0 < 86 00 43 08 09 0a         milliseconds, direction (< from the board, > to the board), bytes in hex
//! 60000 ! {"do":"result","result":"1-0"}
//! 61000 = down
//! ```
//!
//! The format is stable. CRLF, blank lines and comments anywhere are tolerated; everything else that is odd is an error with its line.
//!
//! | file | holds |
//! |---|---|
//! | `blank` | what a board says of itself, taken out of its bytes |
//! | `drive` | a capture through a board, in its own time |
//! | `header` | the `#` lines: what is fixed before the game |
//! | `line` | one line: its kinds, reading and writing |
//! | `reader`, `writer` | a whole capture |
//! | `inbytes` | another form of recording, converted |
pub mod blank;
mod drive;
pub mod header;
pub mod inbytes;
pub mod line;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use drive::{drive, drive_seen};
pub use header::Header;
pub use inbytes::convert;
pub use line::CaptureLine;
pub use reader::{Capture, CaptureError};
pub use writer::Writer;
