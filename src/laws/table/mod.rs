//! The clause table: for every clause of the texts what the sensors show and what flagfall does. `flagfall laws` prints it.
//!
//! | file | holds |
//! |---|---|
//! | `article6.rs`, `article7.rs`, `around.rs` | FIDE 2018 and 2023 |
//! | `fide1997.rs`, `russia.rs` | the other two editions |
//! | `row.rs` | what a row says |
//! | `policy.rs` | policies and keys by edition, from [`Edition`](super::Edition) |
mod around;
mod article6;
mod article7;
mod fide1997;
mod policy;
mod row;
mod russia;

pub use policy::{EDITIONS, Policy, policies};
pub use row::{Row, Standing, Text};

/// Every row, in the order of the texts.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [article6::ROWS, article7::ROWS, around::ROWS, fide1997::ROWS, russia::ROWS].into_iter().flatten()
}
