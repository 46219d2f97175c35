//! The recogniser at work: one input is read, and the referee is told what follows from it.
//!
//! | file | holds |
//! |---|---|
//! | `parts.rs` | the parts of a game that read and judge |
//! | `view.rs` | what it owns, what it may look at, the one way down from it |
//! | `observe.rs` | messages, the link, damage; what a changed or settled image is read for |
//! | `made.rs` | which moves stand, and what follows from them |
//! | `followed.rs`, `sides.rs` | what the estimate says stands, and was pressed; which side of the clock is White's |
//! | `presses.rs` | clock reports and who pressed |
//! | `blind.rs`, `doubted.rs`, `promotion.rs` | boards that tell only occupied from empty; which piece a pawn became there |
//! | `corrected.rs` | completed moves that were others |
//! | `disorder.rs`, `put_right.rs` | pieces that stand where no move put them; an illegal move that the players put right |
//! | `begin.rs`, `ended.rs`, `stage.rs` | when a game begins and ends; between two games |
//! | `wrong_start.rs` | the board before the first move |
//! | `longer.rs` | a lost link after which one ply more had been made than the picture tells |
//! | `meanwhile.rs`, `late.rs` | a game that has ended as if it went on, for a result that was wrong, and for what the board's log tells later |
//! | `jump.rs`, `restored.rs`, `taken_over.rs` | a position, a whole record that was entered; a game as another build published it, taken as fact |
//! | `entered.rs`, `carried_out.rs` | what arbiters and operators enter, and what a ruling does to the game |
//! | `gap.rs`, `memory.rs` | after the link was down; the board's own move memory |
//! | `unseen.rs` | a game whose first moves nobody saw |
//! | `unsure.rs` | saying that the record cannot be known |
mod begin;
mod blind;
mod carried_out;
mod corrected;
mod disorder;
mod doubted;
mod ended;
mod entered;
mod followed;
mod gap;
mod jump;
mod late;
mod longer;
mod made;
mod meanwhile;
mod memory;
pub(crate) mod observe;
pub(crate) mod parts;
mod presses;
mod promotion;
mod put_right;
mod restored;
mod sides;
mod stage;
mod taken_over;
mod unseen;
mod unsure;
pub(crate) mod view;
mod wrong_start;
