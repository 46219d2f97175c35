//! Several boards on one RS-232 line: one port, one host, and each board's events to its own task.
//!
//! Who speaks when is decided by [`dgt_protocol::bus::host`], which is pure; this is a loop around it.
//!
//! | to change | go to |
//! |---|---|
//! | what a line needs to run | `setup.rs` |
//! | opening, reading, writing, reopening | `line.rs` |
//! | how one board's task gets what the board said, and when it happened | `seat.rs` |
//! | what is wrong, in words | `words.rs` |
//! | who is on a line, asked once | `ask.rs` |
mod ask;
mod line;
mod seat;
mod setup;
mod words;

pub use ask::{Answering, Asked, ask, bring_back, may_be_a_line};
pub use line::keep;
pub use setup::{Attach, BusSetup, Direction, Record, Seat, Tell, TimeOfDay, Trouble};
