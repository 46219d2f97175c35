//! Several boards on one RS-232 line.
//!
//! ```text
//! command   CMD   address 13–7   address 6–0   checksum                                     always 4 bytes
//! answer    TYPE  length 13–7    length 6–0    address 13–7   address 6–0   data…  checksum
//! ```
//!
//! The length counts everything; the checksum is the sum of all bytes before it, & 7F. Address 0 means all boards. Ids from 83
//! to 8D mean other things here than in single-board mode, so a decoder must know which mode the line is in.
//!
//! | to change | go to |
//! |---|---|
//! | addresses, the checksum | [`BusAddress`], [`checksum`], `address.rs` |
//! | commands and their decoder | [`BusCommand`], `command.rs` |
//! | answers | [`BusMessage`], `answer.rs`; the [`Receiver`](crate::receiver::Receiver) makes them of bytes, as [`Bus`] says, `dialect.rs` |
//! | the host: who is on a line, whose turn it is, what boards said | [`host`], `host/` |
mod address;
pub(crate) mod answer;
mod command;
mod dialect;
pub mod host;

pub use address::{BusAddress, checksum};
pub use answer::{BusAnswer, BusError, BusMessage};
pub use command::{BusCommand, BusCommandDecoder, BusOpcode};
pub use dialect::Bus;
