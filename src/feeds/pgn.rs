//! A board's game as PGN. Our own interface's style is in [`flagfall_score::pgn`], LiveChess's in [`broadcast`]; [`check`] looks for what is missing
//! or contradicts itself in anybody's.
pub mod broadcast;
pub mod check;

use flagfall_score::pgn::{Wrapped, comment, record_tags, tag};
pub use flagfall_score::pgn::{of_record, pgn};
