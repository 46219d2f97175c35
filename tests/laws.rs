//! Scenarios of the Laws: what an e-board and a clock show, hand by hand, and what an arbiter must then be told.
//!
//! They are written from the contract and the texts of the Laws, and share nothing with `src/simulator`: `laws/table.rs` is a board with a
//! scanner, a clock and hands of its own, and gives what real ones would send. Every scenario is a capture; it goes through the same code as
//! `flagfall replay`, once as the board says it unasked and once with the answers to what a host asks, and must end the same.
//!
//! A scenario names the editions it is run under and the rows of the clause table that it covers, `law("fide-2018 fide-2023", &["7.5.1 illegal-move"], …)`:
//! the article as the table has it, and the key, or `-` for a row without one. `tests/laws_table.rs` compares them with the table. A scenario may cover
//! several rows, and a row may have several scenarios: what must be found, and what must not.
//!
//! `NOT_YET` names scenarios that are known to fail. Each still runs, and one that holds fails the test until its name is taken off the list.
#![allow(clippy::unwrap_used, reason = "a test may")]
#[path = "laws/mod.rs"]
mod laws;

/// Scenarios that do not hold yet.
const NOT_YET: &[&str] = &[
    "a_base_that_is_a_minute_off",
    "a_bishop_alone_cannot_mate_a_queen",
    "a_clock_that_drops_off_is_an_alarm_of_operations",
    "a_clock_that_runs_two_in_a_hundred_fast",
    "a_delay_set_for_an_increment",
    "a_display_that_stands_while_it_runs",
    "a_flag_against_a_bare_king_is_a_draw",
    "a_flag_that_falls_is_for_the_arbiter",
    "a_game_that_starts_late",
    "a_helpmate_proves_the_loss",
    "a_jump_is_a_defect",
    "a_period_not_completed_is_a_flag_fall",
    "a_period_whose_time_does_not_come",
    "a_player_who_may_be_absent",
    "a_proposal_is_revised_when_the_clock_is_stopped_started_or_set",
    "a_queen_is_missing",
    "a_real_game_raises_its_flag_and_nothing_else",
    "a_ruled_time_that_was_not_set_is_noted_once",
    "an_increment_that_was_not_set",
    "blacks_clock_is_started_first",
    "both_displays_count_at_once",
    "both_flags_before_the_last_period_the_game_goes_on",
    "both_flags_in_1997_the_game_goes_on",
    "both_flags_in_unknown_order",
    "both_flags_unseen_in_russia",
    "both_stopped_in_the_middle_of_a_game",
    "dismissed_the_game_goes_on",
    "in_russia_both_flags_are_a_draw_in_any_order",
    "in_russia_time_lost_is_the_game_lost",
    "mate_before_the_flag_is_confirmed_stands",
    "one_hour_is_the_default_of_1997",
    "the_arbiter_sees_a_flag",
    "the_arbiters_times_are_published_as_his",
    "the_clock_stands_on_the_other_side_than_set",
    "the_flag_that_fell_first_counts",
    "the_line_that_proves_a_loss_mates",
    "the_opponents_clock_does_not_run",
    "whether_a_knight_can_mate_depends_on_what_stands_in_the_way",
    "white_loses_the_time_until_he_arrives",
    "white_who_may_be_absent",
    "without_a_stated_time_control_a_flag_is_a_flag",
    "zero_without_a_flag_bit_is_a_flag",
];
