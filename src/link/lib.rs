//! From a port to a board's task: open, run, hang-up, back off, reopen.
//!
//! | to change | go to |
//! |---|---|
//! | what is sent in which order after opening, keep-alive, when a board is lost | [`startup`] (pure) |
//! | one command in flight, pacing, which answer belongs to which command | [`queue`] (pure) |
//! | what a board said about itself | [`identity`] (pure) |
//! | where a board is plugged in, as it is written | [`address`] |
//! | opening a port, and why it does not open | [`open`] |
//! | reading, writing and reopening a serial port | [`serial`] |
//! | what a board's task is told | [`event`]; what waits for it: `outbox` |
//! | which ports are worth a try | [`discovery`] |
//! | boards that nobody named: plugging and unplugging | [`watch`] |
//! | many boards on one RS-232 line | [`bus`] |
//! | Bluetooth LE boards | [`ble`] |
//! | classic Bluetooth boards | [`rfcomm`] |
pub mod address;
mod back_off;
pub mod ble;
pub mod bus;
pub mod discovery;
pub mod event;
pub mod identity;
pub mod open;
mod outbox;
pub mod queue;
pub mod rfcomm;
pub mod serial;
pub mod startup;
pub mod watch;
