//! Without a clock a move is completed by the next one, or by standing long enough.
use super::rig::{Hand, START};

#[test]
fn the_opponents_move_completes_it() {
    let mut hand = Hand::without_clock(START);
    hand.pace(300).moves("e2e4 e7e5 g1f3");
    let report = hand.report();
    report.expect("e2e4 e7e5 g1f3").expect_how("1 next-move, 2 next-move, 3 settled");
}

#[test]
fn a_move_that_stands_is_settled() {
    let mut hand = Hand::without_clock(START);
    hand.moves("e2e4").wait(8000).moves("e7e5").wait(8000);
    hand.report().expect("e2e4 e7e5").expect_how("1 settled, 2 settled");
}

#[test]
fn a_move_that_does_not_stand_yet_is_not() {
    let mut hand = Hand::without_clock(START);
    hand.carry("e2", "e4").wait(1500).carry("e4", "e2").wait(8000);
    hand.report().expect("");
}

#[test]
fn a_slide_with_pauses_is_one_move() {
    for pause in [200, 1000, 2000] {
        let mut hand = Hand::without_clock("4k3/pp6/8/8/8/8/PP6/2R1K3 w - - 0 1");
        hand.slide(&["c1", "c2"]).wait(pause).slide(&["c2", "c3"]).wait(pause).slide(&["c3", "c4"]).wait(5000).moves("a7a6");
        hand.report().expect("c1c4 a7a6").expect_how("1 settled, 2 settled");
    }
}

#[test]
fn a_clock_that_never_ran_is_no_clock() {
    let mut hand = Hand::before(START);
    hand.carry("e2", "e4").wait(600).carry("e7", "e5").wait(6000);
    hand.report().expect("e2e4 e7e5").expect_how("1 next-move, 2 settled");
}

#[test]
fn mate_without_a_clock() {
    let mut hand = Hand::without_clock(START);
    hand.moves("f2f3 e7e5 g2g4 d8h4");
    hand.report().expect("f2f3 e7e5 g2g4 d8h4").expect_results(&["0-1 checkmate 5.1.1 position"]);
}

#[test]
fn castling_and_en_passant_without_a_clock() {
    let mut hand = Hand::without_clock("rnbqkbnr/ppp1pppp/8/8/3p4/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 3");
    hand.moves("e2e4").carry("d4", "e3").lift("e4").wait(1000);
    hand.moves("g2g3 b8c6 f1g2 g8f6").castle(["e1", "g1"], ["h1", "f1"]).wait(1000);
    hand.report().expect("e2e4 d4e3 g2g3 b8c6 f1g2 g8f6 e1g1");
}

#[test]
fn castling_rook_first_with_the_king_long_in_the_air() {
    let mut hand = Hand::without_clock("r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 0 1");
    hand.carry("a1", "d1").wait(1200).lift("e1").wait(1900).put("c1", 'K').wait(5000);
    hand.report().expect("e1c1");
}

#[test]
fn a_piece_that_is_pushed_after_it_was_let_go_of_has_not_moved() {
    for stood in [6_000, 20_000] {
        let mut hand = Hand::without_clock(START);
        hand.moves("g1f3 g8f6 e2e4")
            .wait(stood)
            .slide(&["e4", "e3"])
            .wait(4_000)
            .slide(&["e3", "e4"])
            .wait(2_000)
            .moves("e7e5")
            .wait(8_000);
        let report = hand.report();
        report.expect("g1f3 g8f6 e2e4 e7e5").expect_made("g1f3 g8f6 e2e4 e7e5");
    }
}

#[test]
fn which_of_two_plies_came_first_is_assumed_and_somebody_is_asked() {
    let mut hand = Hand::without_clock(START);
    hand.moves("e2e4 a7a6").wait(4_000);
    // Both of White's pieces are in the air while Black moves, all of it faster than a scan.
    hand.pace(20).lift("g1").lift("d2").carry("d7", "d5").pace(1).put("f3", 'N').put("d4", 'P').wait(4_000);
    let report = hand.report();
    assert_eq!(report.assumed(), [(1, false), (2, false), (3, true), (4, false), (5, true)], "{}", report.story());
    assert!(report.is_unsure());
}
