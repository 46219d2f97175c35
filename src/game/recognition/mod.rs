//! Placement and legal moves become what was played.
//!
//! | file | holds |
//! |---|---|
//! | `step.rs` | one ply as the sensors can see it |
//! | `search.rs` | plies that explain a picture, whole or under way |
//! | `evidence.rs` | how well a line of plies explains everything that was sensed |
//! | `likely.rs` | the lines a press may have completed, cheapest first |
pub(crate) mod evidence;
pub(crate) mod likely;
pub(crate) mod search;
pub(crate) mod step;
