//! Moves that end the game need no press (6.2.1.1), and nothing is recorded after them.
use super::rig::{Black, Hand, START, White};

/// White plays this without a press; it must end the game so.
#[track_caller]
fn ends(fen: &str, uci: &str, result: &str) {
    let mut hand = Hand::new(fen);
    hand.one(uci).wait(6000);
    hand.report().expect(uci).expect_how("1 game-end").expect_results(&[result]);
}

#[test]
fn mate() {
    let mut hand = Hand::new(START);
    hand.moves("f2f3 e7e5 g2g4").carry("d8", "h4");
    hand.report()
        .expect("f2f3 e7e5 g2g4 d8h4")
        .expect_how("1 press, 2 press, 3 press, 4 game-end")
        .expect_results(&["0-1 checkmate 5.1.1 position"]);
}

#[test]
fn check_is_not_mate() {
    let mut hand = Hand::new(START);
    hand.moves("e2e3 f7f6").carry("d1", "h5").wait(6000);
    hand.report().expect("e2e3 f7f6").expect_results(&[]);
}

#[test]
fn what_is_played_after_mate_adds_nothing() {
    let mut hand = Hand::new(START);
    hand.moves("f2f3 e7e5 g2g4").carry("d8", "h4").press(Black).wait(500).carry("e1", "f2").press(White).wait(500);
    hand.carry("h4", "h5").carry("e5", "e4").wait(5000);
    hand.report().expect("f2f3 e7e5 g2g4 d8h4").expect_count("move-made", 4).expect_count("result", 1);
}

#[test]
fn a_mate_on_the_way_to_another_mate_is_none() {
    for pace in [60, 100, 140] {
        let mut hand = Hand::new("k7/8/1K6/8/8/8/8/7R w - - 0 1");
        hand.moves("h1h7 a8b8 h7h1 b8a8").pace(pace).slide(&["h1", "f1"]).press(White).pace(400).moves("a8b8").carry("f1", "f8");
        hand.report().expect_results(&["1-0 checkmate 5.1.1 position"]).expect("h1h7 a8b8 h7h1 b8a8 h1f1 a8b8 f1f8");
    }
    for pace in [60, 100, 140] {
        let mut hand = Hand::new("k7/7Q/1K6/8/8/8/8/8 w - - 0 1");
        hand.pace(pace).slide(&["h7", "b7", "a7"]).wait(6000);
        hand.report().expect("h7a7").expect_results(&["1-0 checkmate 5.1.1 position"]);
    }
}

#[test]
fn stalemate() {
    ends("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", "1/2-1/2 stalemate 5.2.1 position");
}

#[test]
fn a_stalemate_on_the_way_to_mate_is_none() {
    for pace in [100, 600, 1500] {
        let mut hand = Hand::new("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1");
        hand.pace(pace).slide(&["c1", "c7", "c8"]).wait(6000);
        hand.report().expect("c1c8").expect_results(&["1-0 checkmate 5.1.1 position"]);
    }
}

#[test]
fn a_dead_position() {
    ends("8/8/8/4k3/8/8/3p4/4K3 w - - 0 1", "e1d2", "1/2-1/2 dead position 5.2.2 position");
}

#[test]
fn a_pawn_that_is_left_is_no_dead_position() {
    let mut hand = Hand::new("8/8/8/4k3/8/p7/3p4/4K3 w - - 0 1");
    hand.one("e1d2").wait(6000);
    hand.report().expect("").expect_results(&[]);
}

#[test]
fn the_fifth_time_and_not_the_fourth() {
    let mut hand = Hand::new(START);
    for _ in 0..3 {
        hand.moves("g1f3 g8f6 f3g1 f6g8");
    }
    hand.moves("g1f3 g8f6 f3g1");
    hand.report().expect_results(&[]);
    hand.one("f6g8").wait(1000);
    let report = hand.report();
    report.expect_results(&["1/2-1/2 fivefold repetition 9.6.1 position"]).expect_count("move-completed", 16);
    assert!(report.how().ends_with("15 press, 16 game-end"), "{}", report.how());
}

#[test]
fn seventy_five_moves_and_not_one_ply_less() {
    ends("4k3/8/8/8/8/8/4P3/4K2R w - - 149 100", "e1d1", "1/2-1/2 75 moves 9.6.2 position");
    let mut hand = Hand::new("4k3/8/8/8/8/8/4P3/4K2R w - - 148 100");
    hand.one("e1d1").wait(6000);
    hand.report().expect("").expect_results(&[]);
}

#[test]
fn mate_on_the_last_of_75_moves_is_mate() {
    ends("6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 100", "a1a8", "1-0 checkmate 5.1.1 position");
}

#[test]
fn the_move_before_a_mate_is_completed_too() {
    let mut hand = Hand::new(START);
    hand.moves("f2f3 e7e5").carry("g2", "g4").wait(500).carry("d8", "h4").wait(1000);
    hand.report().expect("f2f3 e7e5 g2g4 d8h4").expect_results(&["0-1 checkmate 5.1.1 position"]);
}

#[test]
fn a_result_that_is_entered_ends_it() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").enter(r#"{"do":"result","result":"1/2-1/2","reason":"agreed"}"#).wait(500).moves("g1f3 b8c6");
    hand.report().expect("e2e4 e7e5").expect_results(&["1/2-1/2 agreed - operator"]).expect_count("move-made", 2);
}
