//! Slides, changed minds, adjusted pieces: what is provisional until the press.
use super::rig::{Black, Hand, START, White};

const ROOK: &str = "4k3/pp6/8/8/8/8/PP6/2R1K3 w - - 0 1";

#[test]
fn a_slide_without_pauses_is_one_move() {
    let mut hand = Hand::new(ROOK);
    hand.pace(100).slide(&["c1", "c2", "c3", "c4"]).press(White).wait(1000).pace(400).moves("a7a6");
    hand.report().expect("c1c4 a7a6").expect_made("c1c4 a7a6");
}

#[test]
fn a_slide_with_pauses_is_revised_and_only_its_end_completed() {
    let mut hand = Hand::new(ROOK);
    hand.slide(&["c1", "c2"]).wait(4000).slide(&["c2", "c3"]).wait(5000).slide(&["c3", "c4"]).wait(4000);
    let (before, mut pressed) = (hand.report(), hand);
    before.expect("").expect_made("c1c2 c1c2>c1c3 c1c3>c1c4");
    pressed.press(White).moves("a7a6");
    pressed.report().expect("c1c4 a7a6").expect_made("c1c2 c1c2>c1c3 c1c3>c1c4 a7a6").expect_how("1 press, 2 press");
}

#[test]
fn a_slide_that_ends_just_before_the_press() {
    for last in [20, 120, 280] {
        let mut hand = Hand::new(ROOK);
        hand.slide(&["c1", "c2"]).wait(2000).slide(&["c2", "c4"]).pace(last).press(White).pace(400).wait(1000).moves("a7a6");
        hand.report().expect("c1c4 a7a6");
    }
}

#[test]
fn a_rook_that_stops_half_way_is_completed_there() {
    let mut hand = Hand::new(ROOK);
    hand.slide(&["c1", "c2", "c3"]).press(White).moves("a7a6");
    hand.report().expect("c1c3 a7a6");
}

#[test]
fn a_bishop_and_a_queen_slide_too() {
    for (fen, way) in [
        ("4k3/pp6/8/8/8/8/P7/B3K3 w - - 0 1", ["a1", "c3", "f6"]),
        ("4k3/pp6/8/8/8/8/PP6/3QK3 w - - 0 1", ["d1", "d3", "d6"]),
        ("4k3/pp6/8/8/8/8/PP6/3QK3 w - - 0 1", ["d1", "e2", "g4"]),
    ] {
        for pace in [100, 400, 2000] {
            let mut hand = Hand::new(fen);
            hand.pace(pace).slide(&way).press(White).pace(400).wait(1000).moves("a7a6");
            hand.report().expect(&format!("{}{} a7a6", way[0], way[2]));
        }
    }
}

#[test]
fn a_pawn_that_rests_on_its_third_rank() {
    for pace in [100, 400, 2000] {
        let mut hand = Hand::new(START);
        hand.pace(pace).slide(&["e2", "e3", "e4"]).press(White).pace(400).wait(1000).moves("e7e6");
        hand.report().expect("e2e4 e7e6");
    }
}

#[test]
fn a_changed_mind_with_the_same_piece_is_a_revision() {
    let mut hand = Hand::new(START);
    hand.carry("b1", "c3").wait(2000).carry("c3", "a3").wait(1000).press(White).moves("e7e5");
    hand.report().expect("b1a3 e7e5").expect_made("b1c3 b1c3>b1a3 e7e5");
}

#[test]
fn a_changed_mind_with_another_piece_is_a_withdrawal() {
    let mut hand = Hand::new(START);
    hand.carry("b1", "c3").wait(2000).carry("c3", "b1").wait(1000).carry("g1", "f3").press(White).moves("e7e5");
    let report = hand.report();
    report.expect("g1f3 e7e5").expect_made("b1c3 -b1c3 g1f3 e7e5");
    assert_eq!(
        report.kinds()[2..],
        ["sides", "move-made", "move-withdrawn", "move-made", "press", "move-completed", "move-made", "press", "move-completed"]
    );
}

#[test]
fn a_move_taken_back_and_nothing_else_leaves_the_record_empty() {
    let mut hand = Hand::new(START);
    hand.carry("b1", "c3").wait(2000).carry("c3", "b1").wait(2000);
    hand.report().expect("").expect_made("b1c3 -b1c3");
}

#[test]
fn two_moves_are_taken_back_the_last_one_first() {
    let mut hand = Hand::new(START);
    hand.carry("b1", "c3").wait(2000).carry("b8", "c6").wait(2000).carry("c6", "b8").wait(2000).carry("c3", "b1").wait(2000);
    hand.report().expect("").expect_made("b1c3 b8c6 -b8c6 -b1c3");
}

#[test]
fn an_adjusted_piece_is_no_move() {
    let mut hand = Hand::new(START);
    for (at, piece) in [("e2", 'P'), ("g1", 'N'), ("d8", 'q'), ("e1", 'K'), ("h1", 'R')] {
        hand.lift(at).wait(1000).put(at, piece).wait(500);
    }
    hand.report().expect("").expect_made("");
    hand.moves("e2e4 e7e5");
    hand.report().expect("e2e4 e7e5").expect_made("e2e4 e7e5");
}

#[test]
fn pieces_adjusted_while_the_opponent_thinks_are_no_moves() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").lift("e4").put("e4", 'P').wait(1000).lift("f1").lift("g1").wait(2000).put("g1", 'N').put("f1", 'B').wait(1000);
    hand.moves("g1f3 b8c6");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6").expect_made("e2e4 e7e5 g1f3 b8c6");
}

#[test]
fn the_piece_just_moved_is_adjusted_before_and_after_the_press() {
    let mut hand = Hand::new(START);
    hand.carry("e2", "e4").lift("e4").wait(500).put("e4", 'P').press(White).lift("e4").put("e4", 'P').wait(1000).moves("e7e5");
    hand.report().expect("e2e4 e7e5").expect_how("1 press, 2 press");
}

#[test]
fn a_piece_touched_before_another_one_moves() {
    let mut hand = Hand::new(START);
    hand.lift("b1").wait(1500).put("b1", 'N').carry("e2", "e4").press(White).lift("d7").put("d7", 'p').carry("e7", "e5").press(Black);
    hand.report().expect("e2e4 e7e5").expect_made("e2e4 e7e5");
}

#[test]
fn two_moves_taken_back_together() {
    let mut hand = Hand::new(START);
    hand.carry("b1", "c3").wait(2000).carry("b8", "c6").wait(2000);
    hand.lift("c3").lift("c6").put("b1", 'N').put("b8", 'n').wait(2000);
    // Without a press both are possible: taken back, or two moves more. To stay with two moves is not.
    let made = hand.report().made();
    assert!(["b1c3 b8c6 -b8c6 -b1c3", "b1c3 b8c6 c3b1 c6b8"].contains(&made.as_str()), "{made}");
}
