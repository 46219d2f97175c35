//! Placement and legal moves become what was played.
//!
//! | file | holds |
//! |---|---|
//! | `step.rs` | one ply as the sensors can see it |
//! | `search.rs` | plies that explain a picture, whole or under way |
pub(crate) mod search;
pub(crate) mod step;
