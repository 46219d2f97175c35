//! What a board's events come to: one fold, the score sheet, and what everybody is shown of it. Pure: no clock, no file, no socket; any source of
//! events can feed it, and the same events give the same texts.
//!
//! | file | holds |
//! |---|---|
//! | `sheet.rs` | the one fold: moves, revisions, take-backs, positions that were set, results, one game after another |
//! | `times.rs` | the clock after each ply: read, corrected, reckoned |
//! | `played.rs` | one move of the record |
//! | `plies.rs` | the plies of a game, and what a ply made again or a take-back does to them |
//! | `position.rs` | positions as they are written, moves on them |
//! | `board.rs` | a board: its sheet, link, clock and placement; the board object; the games of a recording |
//! | `public/` | what of a board is public, and its numbers |
//! | `undone.rs` | events as if what was undone had not been entered |
//! | `office.rs`, `folded.rs` | what arbiters know of a board: findings, alarms, claims, touches, entries |
//! | `clock_audit.rs` | before a game: whether the clock shows what the time control says |
//! | `clock_sheet.rs` | both displays at every press, stop and setting |
//! | `alarms.rs` | the operator's alarms of a board |
//! | `line.rs` | a game as one line of legal play |
//! | `kept.rs`, `pgn.rs` | a game as documents keep it, and as PGN |
//! | `film.rs`, `moment.rs` | what the sensors showed around a moment, step by step; where that moment is |
//! | `livechess.rs` | a game as clients of the LiveChess API see it; which moves of a board without a clock have stood: `standing.rs` |
//! | `incidents.rs` | findings with what stood, what was ruled and what became of it |
//! | `progress.rs` | whether a game is in progress |
//! | `timeline.rs` | events for people, a line each |
//!
//! The feature `openapi` describes what is shown for an interface's documentation. What it derives needs std; nothing else here does.
#![cfg_attr(not(any(test, feature = "openapi")), no_std)]

extern crate alloc;

pub mod alarms;
pub mod board;
pub mod clock_audit;
pub mod clock_sheet;
pub mod film;
pub mod folded;
pub mod incidents;
pub mod kept;
pub mod line;
pub mod livechess;
pub mod moment;
pub mod office;
pub mod pgn;
mod played;
mod plies;
mod position;
pub mod progress;
pub mod public;
#[cfg(test)]
mod said;
pub mod sheet;
pub mod standing;
pub mod timeline;
mod times;
pub mod undone;
