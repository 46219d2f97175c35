//! The daemon under a service manager: what it tells systemd, the watchdog, reload, stop, the log; real processes, a socket in systemd's place.
#![allow(clippy::unwrap_used, reason = "a test may")]
mod log;
mod machine;
mod manager;
mod metrics;
mod reload;
mod short_soak;
#[path = "../signed_in/mod.rs"]
mod signed_in;
mod stop;
mod watchdog;
