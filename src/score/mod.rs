//! What a board's events come to: folds of them, pure, for everything that records or shows a board.
//!
//! | file | holds |
//! |---|---|
//! | `public` | what of a board is public |
pub mod public;
