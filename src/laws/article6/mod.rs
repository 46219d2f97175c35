//! Article 6 of the Laws: the chessclock. Numbers are those of 2018 and 2023; other editions beside them.
//!
//! | file | articles |
//! |---|---|
//! | `handling.rs` | 6.2: presses, hands, adjusting |
//! | `flags.rs` | 6.4, 6.8, 6.9, III.3.1 |
//! | `start.rs` | 6.5 to 6.7 |
//! | `clock.rs` | 6.1, 6.10, and times that were ruled but not set |
//! | `stops.rs` | 6.11 |
pub(super) mod clock;
pub(super) mod flags;
pub(super) mod handling;
pub(super) mod start;
pub(super) mod stops;
