//! Boards behind real ports, and behind Bluetooth without a radio.
//!
//! | file | holds |
//! |---|---|
//! | `bus.rs` | a line with several boards |
//! | `daemon.rs` | the daemon with boards on ports |
//! | `serial.rs` | one serial link |
//! | `../bluetooth/` | Bluetooth, with a BlueZ of the tests |
#[cfg(feature = "ble")]
#[path = "../bluetooth/mod.rs"]
mod bluetooth;
mod bus;
mod daemon;
#[path = "../scripted_board/mod.rs"]
mod scripted_board;
mod serial;
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../started/mod.rs"]
mod started;
