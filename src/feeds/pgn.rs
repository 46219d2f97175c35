//! A board's game as PGN. Our own interface's style is in [`flagfall_score::pgn`], LiveChess's in [`broadcast`].
pub mod broadcast;

use flagfall_score::pgn::{Wrapped, comment, tag};
pub use flagfall_score::pgn::{of_record, pgn};
