//! Both hands at once, presses that come late and presses that never come.
use super::rig::{Black, Hand, START, White};
use flagfall_events::{Body, Rules};

#[test]
fn both_hands_move_at_once() {
    let mut hand = Hand::new(START);
    hand.pace(120).lift("e2").lift("e7").put("e4", 'P').put("e5", 'p').press(White).press(Black).pace(400).wait(1000).moves("g1f3");
    hand.report().expect("e2e4 e7e5 g1f3").expect_how("1 press, 2 press, 3 press");
}

#[test]
fn a_reply_is_begun_while_the_other_hand_goes_to_the_clock() {
    for pace in [60, 150, 400] {
        let mut hand = Hand::new(START);
        hand.pace(pace).carry("e2", "e4").lift("e7").press(White).put("e5", 'p').press(Black).pace(400).wait(1000).moves("g1f3");
        hand.report().expect("e2e4 e7e5 g1f3").expect_how("1 press, 2 press, 3 press");
    }
}

#[test]
fn a_reply_is_made_before_the_press() {
    for pace in [60, 150, 400] {
        let mut hand = Hand::new(START);
        hand.pace(pace).carry("e2", "e4").carry("e7", "e5").press(White).press(Black).pace(400).wait(1000).moves("g1f3");
        hand.report().expect("e2e4 e7e5 g1f3").expect_how("1 press, 2 press, 3 press");
    }
}

#[test]
fn a_reply_while_the_other_hand_still_castles() {
    let mut hand = Hand::new("r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 0 1");
    hand.carry("e1", "g1").lift("h1").lift("a7").put("f1", 'R').press(White).put("a6", 'p').press(Black).wait(1000).moves("f1e1");
    hand.report().expect("e1g1 a7a6 f1e1");
}

#[test]
fn a_piece_lifted_by_the_opponent_and_put_back_is_no_reply() {
    let mut hand = Hand::new(START);
    hand.carry("e2", "e4").lift("e7").press(White).put("e7", 'p').wait(1000).carry("d7", "d5").press(Black);
    hand.report().expect("e2e4 d7d5").expect_made("e2e4 d7d5");
}

#[test]
fn a_late_press_completes_the_earlier_move() {
    let mut hand = Hand::new(START);
    hand.carry("e2", "e4").wait(2000).carry("e7", "e5").wait(2000).press(White).wait(500).press(Black).moves("g1f3");
    hand.report().expect("e2e4 e7e5 g1f3").expect_how("1 press, 2 press, 3 press");
}

#[test]
fn a_press_in_time_is_not_late() {
    let mut hand = Hand::new(START);
    hand.carry("e2", "e4").wait(6000).press(White).carry("e7", "e5").press(Black);
    hand.report().expect("e2e4 e7e5").expect_how("1 press, 2 press");
}

fn without_the_first_presses(rules: Rules) -> Hand {
    let mut hand = Hand::new(START);
    hand.settings.rules = rules;
    hand.carry("e2", "e4").wait(1000).carry("e7", "e5").wait(1000).carry("g1", "f3").wait(1000);
    hand
}

#[test]
fn a_forgotten_press_is_made_good_by_the_players_next_move() {
    for rules in [Rules::Fide2018, Rules::Fide2023] {
        let mut hand = without_the_first_presses(rules);
        hand.report().expect("e2e4").expect_how("1 next-move");
        hand.press(White);
        let report = hand.report();
        let made = report.first(|e| matches!(e.body, Body::MoveMade { ply: 3, .. }).then(|| e.t.millis()));
        assert_eq!(report.completed_at(1), made, "{}", report.capture);
        report.expect_how("1 next-move, 3 press");
    }
}

#[test]
fn the_opponents_move_does_not_make_a_forgotten_press_good() {
    let mut hand = Hand::new(START);
    hand.carry("e2", "e4").wait(2000).carry("e7", "e5").wait(2000);
    hand.report().expect("").expect_made("e2e4 e7e5");
}

#[test]
fn one_press_completes_all_that_wait_under_the_older_rules() {
    for rules in [Rules::Fide1997, Rules::Russia116] {
        let mut hand = without_the_first_presses(rules);
        hand.report().expect("").expect_made("e2e4 e7e5 g1f3");
        hand.press(White).wait(500);
        hand.report().expect_how("1 press, 3 press");
        hand.moves("b8c6");
        hand.report().expect("e2e4 e7e5 g1f3 b8c6").expect_how("1 press, 3 press, 2 press, 4 press");
    }
}

#[test]
fn a_press_without_a_move_completes_nothing() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4").press(Black).wait(2000);
    hand.report().expect("e2e4");
}

#[test]
fn three_quick_moves_in_a_row() {
    let mut hand = Hand::new(START);
    hand.pace(90).moves("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6").pace(400).wait(1000).moves("b1c3");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 b1c3");
}

#[test]
fn a_piece_that_was_taken_before_it_was_seen_is_followed_through_quick_moves() {
    let mut hand = Hand::new("rn1q1rk1/pbp1ppbp/1p3np1/3pN3/3P1B2/2N1P3/PPP1BPPP/R2QK2R w KQ - 0 8");
    hand.dumb().pace(10).wait(2000).lift("h2").wait(155).put("h4", 'P').wait(20).press(White);
    hand.wait(115).lift("f6").wait(175).put("d7", 'n').wait(5).press(Black);
    hand.wait(70).lift("h4").wait(80).press(White).wait(20).lift("d7").wait(60).put("h5", 'P');
    // The knight takes on e5, and the bishop takes it there before the sensors have passed over it.
    hand.wait(750).press(Black).wait(95).lift("e5").wait(20).lift("f4").wait(165).press(White).put("e5", 'B');
    hand.wait(380).lift("g7").wait(40).lift("e5").wait(150).press(Black).wait(50).put("e5", 'b');
    hand.wait(430)
        .lift("e5")
        .wait(210)
        .put("e5", 'P')
        .press(White)
        .lift("d4")
        .wait(130)
        .lift("e7")
        .wait(200)
        .press(Black)
        .wait(30)
        .put("e6", 'p');
    hand.pace(400).wait(3000).moves("a2a3");
    hand.report().expect("h2h4 f6d7 h4h5 d7e5 f4e5 g7e5 d4e5 e7e6 a2a3");
}

#[test]
fn the_press_carries_the_clock_and_the_time_spent() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4").wait(10_000).moves("e7e5");
    let report = hand.report();
    let told = |wanted: u32| {
        report.first(|e| match &e.body {
            Body::MoveCompleted { ply, clock: Some(clock), spent_ms: Some(spent), .. } if *ply == wanted => Some((*clock, *spent)),
            _ => None,
        })
    };
    let (white, black) = (told(1).unwrap(), told(2).unwrap());
    // Started, lift, put, press: 1.2 s of White's; ten seconds more of Black's.
    assert_eq!((white.1, black.1), (1200, 11_200));
    assert_eq!((white.0.white_ms, white.0.black_ms), (303_000, 302_000));
    assert_eq!((black.0.white_ms, black.0.black_ms), (303_000, 293_000));
}

#[test]
fn nobody_presses_at_all() {
    let mut hand = Hand::new(START);
    for (from, to) in [("e2", "e4"), ("e7", "e5"), ("g1", "f3"), ("b8", "c6"), ("b1", "c3"), ("g8", "f6")] {
        hand.carry(from, to).wait(1500);
    }
    hand.report().expect("e2e4 e7e5 g1f3 b8c6").expect_how("1 next-move, 2 next-move, 3 next-move, 4 next-move");
    hand.press(White);
    hand.report().expect_how("1 next-move, 2 next-move, 3 next-move, 4 next-move, 5 press");
}

#[test]
fn nobody_presses_at_all_under_the_older_rules() {
    for rules in [Rules::Fide1997, Rules::Russia116] {
        let mut hand = Hand::new(START);
        hand.settings.rules = rules;
        for (from, to) in [("e2", "e4"), ("e7", "e5"), ("g1", "f3"), ("b8", "c6"), ("b1", "c3")] {
            hand.carry(from, to).wait(1500);
        }
        hand.report().expect("");
        hand.press(White).wait(500).press(Black);
        hand.report().expect_how("1 press, 3 press, 5 press, 2 press, 4 press");
    }
}

#[test]
fn a_press_while_the_opponent_is_to_move_and_nothing_waits() {
    let mut hand = Hand::new(START);
    // White presses without a move, Black presses back, and the game goes on.
    hand.wait(1000).press(White).wait(1500).press(Black).wait(1500).moves("e2e4 e7e5");
    hand.report().expect("e2e4 e7e5").expect_how("1 press, 2 press");
}

#[test]
fn a_piece_knocked_over_is_put_back_and_nothing_is_recorded() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").lift("d1").lift("e1").lift("f1").wait(2000).put("e1", 'Q').put("d1", 'K').put("f1", 'B').wait(1500);
    hand.lift("e1").lift("d1").put("e1", 'K').put("d1", 'Q').wait(1000).moves("g1f3 b8c6");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6").expect_made("e2e4 e7e5 g1f3 b8c6");
}

#[test]
fn a_piece_put_beside_its_square_is_set_right() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").carry("d2", "c3").wait(1500).carry("c3", "d2").wait(1000).moves("g1f3 b8c6");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6").expect_made("e2e4 e7e5 g1f3 b8c6");
}

#[test]
fn both_players_forget_their_first_press() {
    let mut hand = without_the_first_presses(Rules::Fide2023);
    hand.press(White).wait(500).carry("b8", "c6").wait(1000);
    hand.report().expect("e2e4 e7e5 g1f3").expect_how("1 next-move, 3 press, 2 next-move");
    hand.press(Black).wait(500);
    hand.report().expect("e2e4 e7e5 g1f3 b8c6").expect_how("1 next-move, 3 press, 2 next-move, 4 press");
}
