//! En passant and promotion.
use super::rig::{Black, Hand, White};
use flagfall_events::{Body, Event};

const PASSANT: &str = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
const PROMOTION: &str = "1n2k3/P7/8/8/8/8/1P4p1/4K2R w - - 0 1";

/// After e2e4 Black's hand does this and presses.
#[track_caller]
fn black_plays(acts: impl Fn(&mut Hand), uci: &str) {
    for pace in [60, 150, 400, 1500] {
        let mut hand = Hand::new(PASSANT);
        hand.moves("e2e4").pace(pace);
        acts(&mut hand);
        hand.press(Black).pace(400).wait(1000).moves("b1c3");
        hand.report().expect(&format!("e2e4 {uci} b1c3"));
    }
}

#[test]
fn en_passant_in_three_orders() {
    black_plays(
        |hand| {
            hand.carry("d4", "e3").lift("e4");
        },
        "d4e3",
    );
    black_plays(
        |hand| {
            hand.lift("e4").carry("d4", "e3");
        },
        "d4e3",
    );
    black_plays(
        |hand| {
            hand.lift("d4").lift("e4").put("e3", 'p');
        },
        "d4e3",
    );
}

#[test]
fn a_plain_step_beside_it_is_not_en_passant() {
    black_plays(
        |hand| {
            hand.carry("d4", "d3");
        },
        "d4d3",
    );
}

#[test]
fn the_pawn_adjusted_before_a_plain_step_is_not_en_passant() {
    black_plays(
        |hand| {
            hand.lift("e4").put("e4", 'P').carry("d4", "d3");
        },
        "d4d3",
    );
}

#[test]
fn a_pawn_that_is_taken_off_after_the_press() {
    for late in [100, 1500] {
        let mut hand = Hand::new(PASSANT);
        hand.moves("e2e4").carry("d4", "e3").press(Black).pace(late).lift("e4").pace(400).wait(1000).moves("d2e3");
        hand.report().expect("e2e4 d4e3 d2e3");
    }
}

#[test]
fn en_passant_without_the_right_to_it_is_illegal() {
    let mut hand = Hand::new("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
    hand.carry("d4", "e3").lift("e4").press(Black);
    hand.report_of_illegal_play().expect("d4e3").expect_findings("illegal-move");
}

/// A pawn that was taken before any reading showed it may have been on either square: nothing is completed as certain.
#[test]
fn a_pawn_that_was_taken_unseen_on_one_of_two_squares() {
    let mut hand = Hand::new("rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    hand.lift("f7").pace(400).press(Black).pace(300).lift("e5").put("f6", 'P').press(White);
    let report = hand.report();
    let pressed = report.first(|event| matches!(event.body, Body::Press { .. }).then_some(event.t.millis())).unwrap();
    let assumed = |event: &Event| match event.body {
        Body::MoveCompleted { ply: 1, assumed, .. } => Some((event.t.millis() - pressed, assumed)),
        _ => None,
    };
    assert_eq!(report.first(assumed), Some((10_000, true)), "{}", report.story());
    assert_eq!(report.completed().split(' ').nth(1), Some("e5f6"), "{}", report.story());
}

/// White's hand does this and presses; Black answers.
#[track_caller]
fn white_promotes(acts: impl Fn(&mut Hand), uci: &str) {
    for pace in [60, 150, 400, 1500] {
        let mut hand = Hand::new(PROMOTION);
        hand.pace(pace);
        acts(&mut hand);
        hand.press(White).pace(400).wait(1000).moves("e8e7");
        hand.report().expect(&format!("{uci} e8e7"));
    }
}

#[test]
fn promotion_by_removing_the_pawn() {
    white_promotes(
        |hand| {
            hand.lift("a7").put("a8", 'Q');
        },
        "a7a8q",
    );
}

#[test]
fn promotion_by_replacing_the_pawn_on_the_last_rank() {
    white_promotes(
        |hand| {
            hand.carry("a7", "a8").lift("a8").put("a8", 'Q');
        },
        "a7a8q",
    );
    white_promotes(
        |hand| {
            hand.carry("a7", "a8").put("a8", 'Q');
        },
        "a7a8q",
    );
}

#[test]
fn promotion_with_the_piece_put_down_first() {
    white_promotes(
        |hand| {
            hand.put("a8", 'Q').lift("a7");
        },
        "a7a8q",
    );
}

#[test]
fn underpromotion() {
    for (piece, uci) in [('N', "a7a8n"), ('B', "a7a8b"), ('R', "a7a8r")] {
        white_promotes(
            |hand| {
                hand.lift("a7").put("a8", piece);
            },
            uci,
        );
        white_promotes(
            |hand| {
                hand.carry("a7", "a8").lift("a8").put("a8", piece);
            },
            uci,
        );
        white_promotes(
            |hand| {
                hand.put("a8", piece).lift("a7");
            },
            uci,
        );
    }
}

#[test]
fn promotion_with_capture() {
    white_promotes(
        |hand| {
            hand.lift("b8").lift("a7").put("b8", 'Q');
        },
        "a7b8q",
    );
    white_promotes(
        |hand| {
            hand.lift("a7").lift("b8").put("b8", 'Q');
        },
        "a7b8q",
    );
    white_promotes(
        |hand| {
            hand.lift("a7").put("b8", 'Q');
        },
        "a7b8q",
    );
    white_promotes(
        |hand| {
            hand.lift("b8").carry("a7", "b8").lift("b8").put("b8", 'N');
        },
        "a7b8n",
    );
    white_promotes(
        |hand| {
            hand.carry("a7", "b8").put("b8", 'R');
        },
        "a7b8r",
    );
}

#[test]
fn black_promotes_by_capturing() {
    let mut hand = Hand::new(PROMOTION);
    hand.moves("b2b3").lift("h1").lift("g2").put("h1", 'q').press(Black).moves("e1e2");
    hand.report().expect("b2b3 g2h1q e1e2");
}

#[test]
fn another_piece_before_the_press_is_a_changed_mind() {
    let mut hand = Hand::new(PROMOTION);
    hand.lift("a7").put("a8", 'Q').wait(1000).lift("a8").put("a8", 'R').wait(1000).press(White);
    hand.report().expect("a7a8r").expect_made("a7a8q a7a8q>a7a8r");
}

#[test]
fn a_pawn_left_on_the_last_rank_is_no_queen() {
    let mut hand = Hand::new(PROMOTION);
    hand.carry("a7", "a8").press(White);
    hand.report_of_illegal_play().expect("a7a8").expect_findings("unpromoted-pawn");
}

#[test]
fn a_queen_that_comes_after_the_press_corrects_the_move() {
    let mut hand = Hand::new(PROMOTION);
    hand.carry("a7", "a8").press(White).wait(3000).put("a8", 'Q');
    hand.wait(1000).moves("e8e7");
    let report = hand.report_of_illegal_play();
    report.expect("a7a8 e8e7").expect_findings("unpromoted-pawn").expect_count("move-revised", 1);
}

#[test]
fn a_pawn_one_step_below_is_not_promoted() {
    let mut hand = Hand::new("4k3/8/P7/8/8/8/1P6/4K3 w - - 0 1");
    hand.moves("a6a7");
    let report = hand.report();
    report.expect("a6a7");
    assert_eq!(report.first(|e| if let Body::MoveMade { uci, .. } = &e.body { Some(uci.clone()) } else { None }).unwrap(), "a6a7");
}
