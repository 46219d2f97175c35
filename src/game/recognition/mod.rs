//! Placement and legal moves become what was played.
//!
//! | file | holds |
//! |---|---|
//! | `step.rs` | one ply as the sensors can see it |
//! | `search.rs` | plies that explain a picture, whole or under way |
//! | `order.rs` | how plainly plies that lead to a picture were seen |
//! | `illegal.rs` | one illegal move that explains a picture, and why it is illegal |
//! | `disturbed.rs` | a legal move among squares that no move explains |
//! | `walk.rs` | from a known position along a row of pictures |
pub(crate) mod disturbed;
pub(crate) mod illegal;
pub(crate) mod order;
pub(crate) mod search;
pub(crate) mod step;
pub(crate) mod walk;
