//! The referee: what was found, what it rests on, and what is ruled. He hears facts and looks at the game; he does nothing to it.
//!
//! | file | holds |
//! |---|---|
//! | `state.rs` | what he keeps |
//! | `facts.rs` | the facts that he hears, and what his rulings ask for |
//! | `scene.rs` | what he may look at |
//! | `hearing.rs` | the referee at work on one fact |
//! | `found.rs`, `findings.rs` | findings as they were last said; found, revised, closed |
//! | `ruled.rs` | what an arbiter's ruling means |
//! | `refusal.rs` | why an entry cannot be carried out |
//! | `reported.rs`, `resigned.rs` | what the arbiter saw and the sensors cannot; a resignation where the opponent cannot mate |
//! | `questions.rs`, `asking.rs` | what the solver is asked, and what its verdicts tell |
//! | `irregular.rs` | presses and moves that break the Laws, with their facts |
//! | `displaced.rs`, `wrong_start.rs` | pieces that stand wrong in a game, and before it |
//! | `clock.rs` | what the clock shows to be wrong |
//! | `turned.rs` | what was found by colour, where White's side of the clock is the other one |
//! | `touches.rs`, `touched.rs` | lifts of one turn; which pieces were touched |
//! | `claims.rs`, `notes.rs` | draws that may be claimed; what is noted and needs no ruling |
mod asking;
mod claims;
mod clock;
pub(crate) mod displaced;
pub(crate) mod facts;
mod findings;
mod found;
pub(crate) mod hearing;
pub(crate) mod irregular;
mod notes;
mod questions;
mod refusal;
mod reported;
pub(crate) mod resigned;
pub(crate) mod ruled;
pub(crate) mod scene;
pub(crate) mod state;
mod touched;
mod touches;
mod turned;
mod wrong_start;

pub(crate) use asking::Told;
