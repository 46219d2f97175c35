//! flagfall: reads DGT-compatible boards and clocks, applies the Laws of Chess, publishes moves and clock state.
//!
//! The floor plan, with the reason for each border, is in `docs/architecture.md`.
pub(crate) mod beats;
pub mod cli;
pub mod daemon;
pub mod exit;
#[cfg(feature = "nats")]
pub mod hall;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod output;
pub mod paint;

pub use flagfall_config as config;
pub use flagfall_feeds as feeds;
pub use flagfall_journal as journal;
pub use flagfall_link as link;
pub use flagfall_time as time;
pub use flagfall_web as web;
