//! Captures in every order of hands.
use super::rig::{Black, Hand, START, White};

/// After e4 d5 White's hand does this and presses; Black answers.
#[track_caller]
fn white_plays(acts: impl Fn(&mut Hand), uci: &str) {
    for pace in [60, 150, 400, 1500] {
        let mut hand = Hand::new(START);
        hand.moves("e2e4 d7d5").pace(pace);
        acts(&mut hand);
        hand.press(White).pace(400).wait(1000).moves("g8f6");
        hand.report().expect(&format!("e2e4 d7d5 {uci} g8f6"));
    }
}

#[test]
fn captured_piece_first() {
    white_plays(
        |hand| {
            hand.lift("d5").lift("e4").put("d5", 'P');
        },
        "e4d5",
    );
}

#[test]
fn capturer_first() {
    white_plays(
        |hand| {
            hand.lift("e4").lift("d5").put("d5", 'P');
        },
        "e4d5",
    );
}

#[test]
fn directly_without_an_empty_reading() {
    white_plays(
        |hand| {
            hand.lift("e4").put("d5", 'P');
        },
        "e4d5",
    );
}

#[test]
fn captured_piece_pushed_aside_and_taken_off_before_the_press() {
    white_plays(
        |hand| {
            hand.wait(300).carry("d5", "d6").carry("e4", "d5").lift("d6");
        },
        "e4d5",
    );
}

#[test]
fn captured_piece_pushed_aside_and_taken_off_after_the_press() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 d7d5").carry("d5", "d6").carry("e4", "d5").press(White).wait(500).lift("d6").wait(1000).moves("g8f6");
    hand.report().expect("e2e4 d7d5 e4d5 g8f6");
}

#[test]
fn a_pawn_that_steps_past_the_other_captures_nothing() {
    white_plays(
        |hand| {
            hand.carry("e4", "e5");
        },
        "e4e5",
    );
}

#[test]
fn a_piece_lifted_and_put_back_is_not_captured() {
    white_plays(
        |hand| {
            hand.lift("d5").put("d5", 'p').carry("b1", "c3");
        },
        "b1c3",
    );
}

#[test]
fn a_capture_begun_on_one_square_and_made_on_another() {
    let mut hand = Hand::new("4k3/8/8/2p1p3/3Q4/8/8/4K3 w - - 0 1");
    hand.lift("c5").lift("d4").put("c5", 'Q').wait(1000).lift("c5").put("c5", 'p').lift("e5").put("e5", 'Q').press(White);
    hand.report().expect("d4e5");
}

#[test]
fn which_of_two_pieces_captured_is_told_by_what_left_its_square() {
    let fen = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1";
    for (from, uci) in [("c4", "c4d5"), ("e4", "e4d5")] {
        for captured_first in [true, false] {
            let mut hand = Hand::new(fen);
            if captured_first {
                hand.lift("d5").carry(from, "d5").press(White);
            } else {
                hand.lift(from).put("d5", 'P').press(White);
            }
            hand.report().expect(uci);
        }
    }
}

#[test]
fn a_recapture_by_the_other_hand_at_once() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 d7d5").lift("d5").carry("e4", "d5").press(White).pace(120).lift("d8").lift("d5").put("d5", 'q').press(Black);
    hand.pace(400).wait(1000).moves("b1c3");
    hand.report().expect("e2e4 d7d5 e4d5 d8d5 b1c3");
}

#[test]
fn a_capture_that_slides_over_empty_squares_first() {
    let mut hand = Hand::new("4k3/2p5/8/8/8/8/8/2R1K3 w - - 0 1");
    for pace in [80, 400, 1000] {
        let mut hand = hand.clone();
        hand.pace(pace).slide(&["c1", "c3", "c5"]).lift("c7").carry("c5", "c7").press(White);
        hand.report().expect("c1c7");
    }
    hand.slide(&["c1", "c3", "c5"]).press(White);
    hand.report().expect("c1c5");
}
