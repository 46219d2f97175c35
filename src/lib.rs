//! flagfall: reads DGT-compatible boards and clocks, applies the Laws of Chess, publishes moves and clock state.
//!
//! The floor plan, with the reason for each border, is in `docs/architecture.md`.
pub mod arbiter;
pub(crate) mod beats;
pub mod boards;
pub mod cli;
pub mod daemon;
pub mod exit;
#[cfg(feature = "nats")]
pub mod hall;
pub mod output;
pub mod problem;
pub mod publish;

pub use flagfall_config as config;
pub use flagfall_journal as journal;
pub use flagfall_link as link;
pub use flagfall_time as time;
