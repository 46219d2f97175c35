//! Pairing lists and tournament reports, as files or fetched: what is in them, or every mistake with its line.
//!
//! | file | has or reads |
//! |---|---|
//! | `pairings/reading.rs` | which kind it is; what cannot be true in it |
//! | `pairings/list.rs` | what is in one; words for players and results |
//! | `pairings/label.rs` | what a list calls a board, also in team events |
//! | `pairings/pgn.rs` | a PGN of which only the tags count, as pairing programs write it |
//! | `pairings/csv.rs` | `board,white,black,…`, for people without a pairing program |
//! | `pairings/json.rs` | what programs post |
//! | `pairings/report.rs` | whom a tournament report pairs |
//! | `pairings/files.rs` | the files on disk, when they change |
//! | `pairings/polling.rs`, `pairings/fetch.rs` | addresses: when they are asked again, what the answers come to; the questions themselves |
//! | `pairings/scored.rs` | everybody's points in such a report |
//! | `pairings/trf.rs` | FIDE's tournament report (TRF16, TRF26): who the players are |
mod csv;
pub mod fetch;
pub mod files;
mod json;
pub mod label;
mod list;
mod pgn;
pub mod polling;
mod reading;
mod report;
pub mod scored;
pub mod trf;

pub use list::{Bye, List, Listed, Mistake};
pub use reading::read;

#[cfg(test)]
#[path = "pairings/tests.rs"]
mod tests;
