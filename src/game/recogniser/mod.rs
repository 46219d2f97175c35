//! What was played: the state of the recogniser, below everybody who reads it.
//!
//! | file | holds |
//! |---|---|
//! | `state.rs` | the game on the board, and its number |
//! | `play.rs` | one game in progress: what is certain, what was made on top of it |
//! | `lines.rs` | plies that lead to what the board shows, where nobody saw them; illegal and disturbed moves |
//! | `record.rs` | moves made and completed, ends of games |
//! | `judgement.rs` | what a press comes to that completes no legal move |
//! | `completion.rs` | by what a ply is completed |
//! | `follows.rs`, `estimated.rs` | the estimate of the game in progress; the record beside it |
//! | `doubted.rs` | the same on a board that does not know its pieces: what is certain, and what waits |
//! | `choice.rs` | what may have been played where sensors cannot tell, for people to choose from |
//! | `kings.rs` | the result shown with both kings in the centre |
//! | `relived.rs` | what the board's own log says happened |
//! | `told_sides.rs`, `sides.rs` | whose display is whose, as it was told; what follows where that turns |
//! | `promotions.rs`, `promoted.rs` | which piece a pawn became, where the board does not tell |
//! | `written.rs` | the record beside one that was written down |
//! | `stage.rs` | where the board stands between its games |
pub(crate) mod choice;
pub(crate) mod completion;
pub(crate) mod doubted;
pub(crate) mod estimated;
pub(crate) mod follows;
pub(crate) mod judgement;
pub(crate) mod kings;
pub(crate) mod lines;
pub(crate) mod play;
pub(crate) mod promoted;
pub(crate) mod promotions;
pub(crate) mod record;
pub(crate) mod relived;
pub(crate) mod sides;
pub(crate) mod stage;
pub(crate) mod state;
pub(crate) mod told_sides;
pub(crate) mod written;
