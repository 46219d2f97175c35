//! Pairing lists and tournament reports as files: what is in them, or every mistake with its line.
//!
//! | file | has or reads |
//! |---|---|
//! | `pairings/reading.rs` | which of them it is; what cannot be true in it |
//! | `pairings/list.rs` | what is in one; words for players and results |
//! | `pairings/label.rs` | what a list calls a board, also in team events |
//! | `pairings/pgn.rs` | a PGN of which only the tags count, as pairing programs write it |
//! | `pairings/csv.rs` | `board,white,black,…`, for people without a pairing program |
//! | `pairings/files.rs` | the files on disk, when they change |
//! | `pairings/trf.rs` | FIDE's tournament report (TRF16, TRF26): who the players are, not where they sit |
mod csv;
pub mod files;
pub mod label;
mod list;
mod pgn;
mod reading;
pub mod trf;

pub use list::{Bye, List, Listed, Mistake};
pub use reading::read;

#[cfg(test)]
#[path = "pairings/tests.rs"]
mod tests;
