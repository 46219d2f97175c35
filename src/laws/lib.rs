//! The Laws of Chess: one irregularity and what surrounds it in, one finding with a proposed ruling out. Pure: no ids, no state, no time.
//!
//! | file | holds |
//! |---|---|
//! | `situation.rs`, `irregularity.rs` | what the rulebook is told |
//! | `judgement.rs` | what it answers |
//! | `article6/`, `article7.rs`, `article12.rs`, `russia.rs` | one function a clause, in the order of the Laws |
//! | `report.rs` | what the arbiter saw |
//! | `penalty.rs` | offences, their times and results (7.1, 7.5.5) |
//! | `touch.rs` | moves that may replace an illegal one (4.3, 4.4, 4.7) |
//! | `mating/` | can this side still mate by any series of legal moves (5.1.2, 5.2.2, 6.9, 7.5.5) |
//! | `edition.rs` | editions and their policies, as data |
//! | `table/` | the clause table |
//! | `reason.rs`, `title.rs`, `words.rs` | sentences in English and Russian |
//!
//! A game calls [`judge`] when it sees an irregularity, and again with the new situation whenever something that the proposal rests on
//! changes; `None` then means that the finding is to be withdrawn. It gives numbers and evidence, and asks the solver a judgement's question.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod edition;
pub mod irregularity;
pub mod judgement;
pub mod mating;
pub mod reason;
pub mod situation;
pub mod table;

mod article12;
mod article6;
mod article7;
mod penalty;
mod report;
mod russia;
mod title;
mod touch;
mod words;

#[cfg(test)]
mod tests;

use alloc::string::String;

pub use edition::Edition;
pub use irregularity::Irregularity;
pub use judgement::Judgement;
pub use reason::Reason;
pub use situation::{Offences, Question, Situation, Verdict};
pub use title::{edition_title, title};

/// What the edition in use makes of this situation; `None` where it is no irregularity (any more).
pub fn judge(situation: &Situation) -> Option<Judgement> {
    let mut judgement = by_clause(situation)?;
    // The proof that the opponent cannot mate, for the arbiter who has to say why it is a draw.
    if let (Some(_), Verdict::Unwinnable(proof)) = (&judgement.question, &situation.verdict) {
        judgement.facts.insert(String::from("proof"), proof.clone().into());
    }
    Some(judgement)
}

fn by_clause(s: &Situation) -> Option<Judgement> {
    use Irregularity as I;
    use article6::{clock, flags, handling, start, stops};
    match &s.irregularity {
        I::UnpressedMove { by, ply, uci, behind } => handling::unpressed_move(s, *by, *ply, uci, *behind),
        I::LatePress { by, ply, after_ms } => handling::late_press(s, *by, *ply, *after_ms),
        I::PressBeforeMove { by, ply, early_ms, scan_ms } => handling::press_before_move(s, *by, *ply, *early_ms, *scan_ms),
        I::AdjustedOutOfTurn { by, piece, square } => handling::adjusted_out_of_turn(s, *by, *piece, *square),
        I::ClockSide { white_is_left } => start::clock_side(s, *white_is_left),
        I::WrongSideStarted { ran_ms } => start::wrong_side_started(s, *ran_ms),
        I::LateStart { late_ms, started, ruled } => start::late_start(s, *late_ms, *started, *ruled),
        I::DefaultTime { by, default_ms, absent_ms, entered } => start::default_time(s, *by, *default_ms, *absent_ms, *entered),
        I::NeitherPresent { lost_ms, arrived, ruled } => start::neither_present(s, *lost_ms, *arrived, *ruled),
        I::FlagFall(fact) => flags::flag_fall(s, fact),
        I::BothFlags(fact) => flags::both_flags(s, fact),
        I::ClockDefect { defect, times, run, doubt_ppm } => {
            clock::clock_defect(s, *defect, *times, *run).map(|found| doubted(found, *doubt_ppm))
        }
        I::ClockSetting { setting, times, run, press_counter, doubt_ppm } => {
            clock::clock_setting(s, *setting, *times, *run, *press_counter).map(|found| doubted(found, *doubt_ppm))
        }
        I::ClockUnset { times, run } => clock::clock_unset(s, *times, *run),
        I::RuledTimeNotSet { ruled, shown } => clock::ruled_time_not_set(s, *ruled, *shown),
        I::ClockStopped { reason } => stops::clock_stopped(s, *reason),
        I::ClockRestarted => stops::clock_restarted(s),
        I::WrongInitialPosition(fact) => article7::wrong_initial_position(s, fact),
        I::BoardTurned { placement } => article7::board_turned(s, placement),
        I::ColoursReversed { completed } => article7::colours_reversed(s, *completed),
        I::DisplacedPieces(fact) => article7::displaced_pieces(s, fact),
        I::IllegalMove(fact) => article7::illegal_move(s, fact),
        I::UnpromotedPawn(fact) => article7::unpromoted_pawn(s, fact),
        I::PressWithoutMove(fact) => article7::press_without_move(s, fact),
        I::TwoHandsHint { by, ply, seen, within_ms } => article7::two_hands_hint(s, *by, *ply, *seen, *within_ms),
        I::TwoMovesInARow { by, ply, moves, before } => article12::two_moves_in_a_row(s, *by, *ply, moves, before.as_ref()),
        I::MovedBeforeClock { by, ply, before_ms } => russia::moved_before_clock(s, *by, *ply, *before_ms),
        I::LeverCheck { by } => russia::lever_check(s, *by),
        I::FiveMoves { by, done } => russia::five_moves(s, *by, *done),
        I::Reported(reported) => report::reported(s, reported),
    }
}

/// How sure it is that the clock is wrong, beside what is wrong with it.
fn doubted(mut found: Judgement, doubt_ppm: u32) -> Judgement {
    found.facts.insert(String::from("doubt_ppm"), doubt_ppm.into());
    found
}
