//! Placement and legal moves become what was played.
//!
//! | file | holds |
//! |---|---|
//! | `step.rs` | one ply as the sensors can see it |
//! | `search.rs` | plies that explain a picture, whole or under way |
//! | `evidence.rs` | how well a line of plies explains everything that was sensed |
//! | `illegal.rs` | one illegal move that explains a picture, and why it is illegal |
//! | `lattice.rs`, `hypothesis.rs`, `weigh.rs`, `circumstances.rs` | hypotheses of a board without piece identities, and what is odd about each |
//! | `sense.rs` | which of them to show until something tells |
//! | `disturbed.rs` | a legal move among squares that no move explains |
//! | `walk.rs` | from a known position along a row of pictures |
//! | `likely.rs` | the lines a press may have completed, cheapest first |
mod circumstances;
pub(crate) mod disturbed;
pub(crate) mod evidence;
mod hypothesis;
pub(crate) mod illegal;
pub(crate) mod lattice;
pub(crate) mod likely;
pub(crate) mod search;
pub(crate) mod sense;
pub(crate) mod step;
pub(crate) mod walk;
pub(crate) mod weigh;
