//! Boards behind real ports, and behind Bluetooth without a radio.
//!
//! | file | holds |
//! |---|---|
//! | `bus.rs` | a line with several boards; `bus_host.py` is a host that shares nothing with ours |
//! | `bus_doctor.rs` | what the doctor and discovery say of such a line |
//! | `daemon.rs` | the daemon with boards on ports |
//! | `serial.rs` | one serial link |
//! | `../bluetooth/` | Bluetooth, with a BlueZ of the tests |
#[cfg(feature = "ble")]
#[path = "../bluetooth/mod.rs"]
mod bluetooth;
mod bus;
mod bus_doctor;
mod daemon;
#[path = "../scripted_board/mod.rs"]
mod scripted_board;
mod serial;
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../started/mod.rs"]
mod started;
