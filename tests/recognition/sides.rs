//! Which way round the board and the clock stand.
use super::rig::{Hand, Lie, START};
use flagfall_events::{Body, Colour};
use flagfall_game::settings::ClockWhite;

const OPENING: &str = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4";

#[track_caller]
fn is_read(lie: Lie, white_is_left: bool) {
    let mut hand = Hand::table(START, lie, Some(white_is_left));
    hand.start_clock().moves(OPENING);
    let report = hand.report();
    report.expect(OPENING).expect_how("1 press, 2 press, 3 press, 4 press, 5 press, 6 press, 7 press");
    let first = report.first(|e| match e.body {
        Body::Press { by } => Some(by),
        _ => None,
    });
    assert_eq!(first, Some(Colour::White));
    let last = report.events.iter().rev().find_map(|e| match &e.body {
        Body::Placement { placement, .. } => Some(placement.as_str()),
        _ => None,
    });
    assert_eq!(last, Some("rnbqkbnr/pp2pppp/3p4/8/3NP3/8/PPP2PPP/RNBQKB1R"));
}

#[test]
fn as_usual() {
    is_read(Lie::Usual, true);
}

#[test]
fn turned_by_half_with_the_clock_on_whites_right() {
    is_read(Lie::Half, false);
}

#[test]
fn the_clock_alone_on_the_other_side() {
    is_read(Lie::Usual, false);
    is_read(Lie::Half, true);
}

#[test]
fn turned_by_a_quarter() {
    for lie in [Lie::Quarter, Lie::OtherQuarter] {
        for white_is_left in [true, false] {
            is_read(lie, white_is_left);
        }
    }
}

#[test]
fn a_side_that_is_set_is_not_found_again() {
    for (white_is_left, setting) in [(true, ClockWhite::Left), (false, ClockWhite::Right)] {
        let mut hand = Hand::table(START, Lie::Usual, Some(white_is_left));
        hand.settings.clock_white = setting;
        hand.start_clock().moves(OPENING);
        hand.report().expect(OPENING);
    }
}

#[test]
fn the_clock_is_started_by_black_pressing() {
    for white_is_left in [true, false] {
        // Before the game the lever is White's; Black starts White's clock.
        let mut hand = Hand::before(START);
        if !white_is_left {
            hand = Hand::table(START, Lie::Usual, Some(false));
        }
        hand.start_clock().wait(3000).moves("d2d4 d7d5 c2c4");
        hand.report().expect("d2d4 d7d5 c2c4");
    }
}

#[test]
fn the_board_is_turned_before_the_first_move() {
    let mut hand = Hand::table(START, Lie::Half, Some(false));
    hand.wait(2000).start_clock().moves("e2e4 e7e5");
    let report = hand.report();
    report.expect("e2e4 e7e5").expect_count("game-start", 1);
}

#[test]
fn a_game_from_a_position_on_a_turned_board() {
    let fen = "r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 0 1";
    let mut hand = Hand::table(fen, Lie::Half, Some(false));
    hand.start_clock().castle(["e1", "c1"], ["a1", "d1"]).press(Colour::White).moves("a7a6");
    hand.report().expect("e1c1 a7a6");
}
