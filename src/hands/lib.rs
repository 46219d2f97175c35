//! The estimator: of all lines of legal play, believe the one whose positions disagree least, for the least time, with what the sensors showed.
//!
//! | file | holds |
//! |---|---|
//! | `estimator.rs` | the outside: what was sensed goes in, lines of play come out |
//! | `sensed.rs` | readings of 64 squares, and since when |
//! | `spot.rs` | a position as it reads, with every way on |
//! | `spots.rs` | positions that were looked at |
//! | `position.rs` | positions: legal chess, or what illegal play left |
//! | `line.rs` | a hypothesis, and the plies behind it |
//! | `world.rs` | all hypotheses under one assumption about the clock's sides: time passes, squares are read, players press |
//! | `bill.rs` | what a line costs, by part |
//! | `snapshot.rs` | all that is believed at one moment, for people |
//! | `told.rs` | what somebody says of a ply that sensors left open |
//! | `grow.rs` | a reading that changes may be a ply |
//! | `lost.rs` | a piece that is nowhere was taken where nothing read it |
//! | `merge.rs` | hypotheses with the same future become one; the worst go |
//! | `early.rs` | how often each player presses before his ply is seen |
//! | `lead.rs` | how firmly each of the last plies is believed |
//! | `occupied.rs`, `sense.rs` | boards that do not know their pieces: which way round they stand; how sensible a move is |
//! | `kinds.rs` | how a square disagrees with a line |
//! | `habits.rs`, `habits.toml` | what hands do, and what it costs to believe it: counted, see there |
//! | `price.rs` | prices and curves of prices |
//! | `count/` | habits counted on games that are known |
//!
//! Prices are integers, 1/1024 nat; nothing rests on a clock, a file or the order of a hash: the same inputs give the same lines on every processor.
//!
//! ```
//! use dgt_protocol::square::PieceCode;
//! use flagfall_events::Mono;
//! use flagfall_hands::{Estimator, Eyes, Press};
//! use shakmaty::Chess;
//! let mut game = Estimator::new(Eyes::Pieces, Chess::default(), Mono::ZERO);
//! game.read(Mono::from_millis(4_000), 12, PieceCode::Empty); // e2
//! game.read(Mono::from_millis(4_300), 28, PieceCode::WhitePawn); // e4
//! game.press(Mono::from_millis(4_900), Press::Left);
//! game.advance(Mono::from_millis(5_200));
//! let last = game.leads()[0];
//! assert_eq!((last.ply, last.mv.to_string().as_str(), last.pressed), (1, "e2-e4", true));
//! ```
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod again;
mod bill;
pub mod count;
#[cfg(test)]
mod disarray_tests;
mod early;
mod estimator;
mod grow;
pub mod habits;
mod kinds;
mod lead;
mod line;
mod lost;
mod merge;
mod occupied;
pub mod position;
pub mod price;
#[cfg(test)]
mod quick_tests;
mod sense;
mod sensed;
mod snapshot;
mod spot;
mod spots;
#[cfg(test)]
mod tests;
mod told;
mod world;

pub use bill::{PARTS, Part};
pub use estimator::{Belief, Estimator, Press};
pub use lead::{Lead, is_twin};
pub use sensed::{Eyes, Reading};
pub use snapshot::{Hypothesis, Odd, Snapshot};
pub use spot::code;
