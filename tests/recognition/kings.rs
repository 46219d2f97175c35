//! Both kings in the centre show the result; a gesture is never a move.
use super::rig::{Black, Hand, White};

const ENDING: &str = "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1";

/// A move each, then both kings go to these squares and stay.
#[track_caller]
fn shows(white: &str, black: &str, result: &[&str]) {
    for white_first in [true, false] {
        for both_lifted in [true, false] {
            let mut hand = Hand::new(ENDING);
            hand.moves("h2h3 h7h6").stop_clock();
            match (both_lifted, white_first) {
                (true, true) => hand.lift("g1").lift("g8").put(white, 'K').put(black, 'k'),
                (true, false) => hand.lift("g8").lift("g1").put(black, 'k').put(white, 'K'),
                (false, true) => hand.carry("g1", white).carry("g8", black),
                (false, false) => hand.carry("g8", black).carry("g1", white),
            };
            hand.report().expect("h2h3 h7h6").expect_made("h2h3 h7h6").expect_results(result);
        }
    }
}

#[test]
fn both_on_light_squares() {
    shows("e4", "d5", &["1-0 kings in the centre 5.1.2 kings"]);
    shows("d5", "e4", &["1-0 kings in the centre 5.1.2 kings"]);
}

#[test]
fn both_on_dark_squares() {
    shows("d4", "e5", &["0-1 kings in the centre 5.1.2 kings"]);
    shows("e5", "d4", &["0-1 kings in the centre 5.1.2 kings"]);
}

#[test]
fn one_on_each_is_a_draw() {
    shows("e4", "e5", &["1/2-1/2 kings in the centre 5.2.3 kings"]);
    shows("d4", "d5", &["1/2-1/2 kings in the centre 5.2.3 kings"]);
    shows("e4", "d4", &["1/2-1/2 kings in the centre 5.2.3 kings"]);
}

#[test]
fn one_in_the_centre_and_one_beside_it_show_nothing() {
    shows("e4", "d6", &[]);
    shows("e3", "d5", &[]);
}

#[test]
fn one_second_is_not_enough() {
    let mut hand = Hand::new(ENDING);
    hand.moves("h2h3 h7h6").carry("g1", "e4").carry("g8", "d5").wait(1000).carry("e4", "g1").carry("d5", "g8").wait(3000);
    hand.report().expect("h2h3 h7h6").expect_results(&[]);
    hand.moves("g2g3");
    hand.report().expect("h2h3 h7h6 g2g3");
}

#[test]
fn one_king_alone_shows_nothing() {
    let mut hand = Hand::new(ENDING);
    hand.moves("h2h3 h7h6").carry("g1", "e4").wait(8000);
    hand.report().expect("h2h3 h7h6").expect_results(&[]).expect_made("h2h3 h7h6");
}

#[test]
fn kings_that_are_lifted_show_nothing() {
    let mut hand = Hand::new(ENDING);
    hand.moves("h2h3 h7h6").lift("g1").lift("g8").wait(8000);
    hand.report().expect("h2h3 h7h6").expect_results(&[]).expect_made("h2h3 h7h6");
}

#[test]
fn a_king_that_walks_to_e4_in_an_ending_moves() {
    let mut hand = Hand::new("8/8/2k5/8/8/3K4/P7/8 w - - 0 1");
    hand.moves("d3e4 c6d6").wait(8000).moves("e4d4").wait(8000);
    hand.report().expect("d3e4 c6d6 e4d4").expect_results(&[]);
}

#[test]
fn a_kings_step_into_the_centre_that_was_the_gesture_is_no_move() {
    let mut hand = Hand::new("8/8/5k2/8/8/4K3/P7/8 w - - 0 1");
    hand.carry("e3", "e4").carry("f6", "d5").wait(6000);
    let report = hand.report();
    report.expect("").expect_results(&["1-0 kings in the centre 5.1.2 kings"]);
    assert!(report.made().is_empty() || report.made() == "e3e4 -e3e4", "{}", report.made());
}

#[test]
fn the_last_real_move_stays() {
    let mut hand = Hand::new(ENDING);
    hand.moves("h2h3 h7h6").carry("g2", "g3").wait(3000).carry("g1", "e4").carry("g8", "e5").wait(6000);
    let report = hand.report();
    report.expect_results(&["1/2-1/2 kings in the centre 5.2.3 kings"]).expect_made("h2h3 h7h6 g2g3");
}

#[test]
fn what_follows_the_kings_adds_nothing() {
    let mut hand = Hand::new(ENDING);
    hand.moves("h2h3 h7h6").carry("g1", "e4").carry("g8", "d5").wait(8000).carry("e4", "g1").carry("d5", "g8").wait(500);
    hand.carry("g2", "g3").press(White).carry("g7", "g6").press(Black);
    hand.report().expect("h2h3 h7h6").expect_made("h2h3 h7h6").expect_count("result", 1);
}

#[test]
fn kings_shown_while_the_first_pieces_are_taken_off() {
    let mut hand = Hand::new(ENDING);
    hand.moves("h2h3 h7h6").lift("f7").lift("g7").carry("g1", "e4").lift("f2").carry("g8", "d5").wait(8000);
    hand.report().expect("h2h3 h7h6").expect_made("h2h3 h7h6").expect_results(&["1-0 kings in the centre 5.1.2 kings"]);
}

#[test]
fn pieces_in_the_centre_make_room_for_the_kings() {
    let mut hand = Hand::new("6k1/5ppp/8/3p4/4P3/8/5PPP/6K1 w - - 0 1");
    hand.moves("h2h3 h7h6").lift("e4").lift("d5").carry("g1", "e4").carry("g8", "d5").wait(8000);
    hand.report().expect("h2h3 h7h6").expect_results(&["1-0 kings in the centre 5.1.2 kings"]);
}
