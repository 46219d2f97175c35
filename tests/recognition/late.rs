//! What the sensors show after a move was completed, and was done before: the record is corrected, by an event of its own.
use super::rig::{Black, Hand, White};

const ROOK: &str = "4k3/pp6/8/8/8/8/PP6/2R1K3 w - - 0 1";
const CASTLING: &str = "r3k2r/pp4pp/8/8/8/8/PP4PP/R3K2R w KQkq - 0 1";

/// A rook that stood on c2 for two seconds; that it went on to c4 shows `late` milliseconds after the press.
fn a_slide_that_shows_late(late: u64) -> Hand {
    let mut hand = Hand::new(ROOK);
    hand.carry("c1", "c2").wait(2_000).press(White).pace(late / 2).put("c4", 'R').lift("c2").pace(400).wait(1_000);
    hand
}

#[test]
fn a_piece_that_went_on_just_before_the_press() {
    for late in [20, 120] {
        let mut hand = a_slide_that_shows_late(late);
        hand.moves("a7a6 b2b3");
        let report = hand.report_of_illegal_play();
        report.expect("c1c2 a7a6 b2b3").expect_made("c1c2 c1c2>c1c4 a7a6 b2b3").expect_findings("").expect_count("alarm", 2);
    }
}

/// Shown so late a hand may have come back from the clock: which it was is told by what is played next.
#[test]
fn a_piece_that_may_have_gone_on_after_the_press() {
    for late in [280, 480] {
        let mut hand = a_slide_that_shows_late(late);
        hand.moves("a7a6 b2b3");
        let report = hand.report_of_illegal_play();
        assert!(report.made().contains("c1c2>c1c4"), "{}", report.story());
    }
}

#[test]
fn a_piece_that_goes_on_after_the_press_was_moved_again() {
    let mut hand = a_slide_that_shows_late(1_600);
    hand.wait(10_000);
    let report = hand.report_of_illegal_play();
    report.expect("c1c2").expect_made("c1c2").expect_count("move-revised", 0);
    assert!(report.count("finding") > 0, "{}", report.story());
}

#[test]
fn a_king_that_castles_after_its_rook() {
    let mut hand = Hand::new(CASTLING);
    hand.carry("a1", "d1").wait(1_000).lift("e1").pace(100).press(White).pace(310).put("c1", 'K').pace(400).wait(1_000).moves("a7a6 c1b1");
    let report = hand.report_of_illegal_play();
    assert!(report.made().contains("e1c1"), "{}", report.story());
    report.expect_findings("");
}

#[test]
fn the_reply_is_found_with_the_correction() {
    let mut hand = Hand::new(ROOK);
    hand.carry("c1", "c2").wait(2_000).press(White).pace(60).put("c4", 'R').lift("c2").carry("a7", "a6").pace(400).press(Black).wait(2_000);
    hand.moves("b2b3");
    let report = hand.report_of_illegal_play();
    report.expect("c1c2 a7a6 b2b3").expect_made("c1c2 c1c2>c1c4 a7a6 b2b3").expect_findings("");
}
