//! The Laws of Chess: one irregularity and what surrounds it in, one finding with a proposed ruling out. Pure: no ids, no state, no time.
//!
//! | file | holds |
//! |---|---|
//! | `situation.rs`, `irregularity.rs` | what the rulebook is told |
//! | `judgement.rs` | what it answers |
//! | `article6.rs`, `article7.rs` | one function a clause, in the order of the Laws |
//! | `penalty.rs` | offences, their times and results (7.1, 7.5.5) |
//! | `touch.rs` | moves that may replace an illegal one (4.3, 4.4, 4.7) |
//! | `edition.rs` | editions and their policies, as data |
//! | `key.rs`, `finding.rs` | the vocabulary of findings |
//! | `reason.rs`, `words.rs` | sentences in English and Russian |
//!
//! A game calls [`judge`] when it sees an irregularity, and again with the new situation whenever something that the proposal rests on
//! changes; `None` then means that the finding is to be withdrawn. It gives numbers and evidence, and asks the solver a judgement's question.
pub mod edition;
pub mod finding;
pub mod irregularity;
pub mod judgement;
pub mod key;
pub mod reason;
pub mod situation;

mod article6;
mod article7;
mod penalty;
mod touch;
mod words;

#[cfg(test)]
mod tests;

pub use edition::Edition;
pub use irregularity::Irregularity;
pub use judgement::Judgement;
pub use key::{Grade, Key};
pub use reason::Reason;
pub use situation::{Offences, Question, Situation, Verdict};

/// What the edition in use makes of this situation; `None` where it is no irregularity (any more).
pub fn judge(situation: &Situation) -> Option<Judgement> {
    let s = situation;
    match &s.irregularity {
        Irregularity::FlagFall(fact) => article6::flag_fall(s, fact),
        Irregularity::BothFlags(fact) => article6::both_flags(s, fact),
        Irregularity::DisplacedPieces(fact) => article7::displaced_pieces(s, fact),
        Irregularity::IllegalMove(fact) => article7::illegal_move(s, fact),
        Irregularity::UnpromotedPawn(fact) => article7::unpromoted_pawn(s, fact),
        Irregularity::PressWithoutMove(fact) => article7::press_without_move(s, fact),
    }
}
