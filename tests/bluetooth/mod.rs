//! Bluetooth without a radio: the real program, its real D-Bus library and a fake `org.bluez` on a private bus, with simulated boards behind it.
//!
//! Needs `dbus-daemon` (Debian: `apt-get install dbus-daemon`), no root and no system bus; without it each test says so and returns.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]
mod bluez;
mod board;
mod bus;
mod daemon;
mod game;
mod link;
mod missing;
mod pair;
mod rounds;
