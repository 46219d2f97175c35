//! Rulings by clause. `worked.rs` is the example with its exact numbers.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]
mod worked;
