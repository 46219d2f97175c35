//! When a game begins, and when it does not.
use super::rig::{Black, Hand, START, White};
use flagfall_events::Body;

#[test]
fn the_start_position_begins_a_game() {
    let hand = Hand::before(START);
    let report = hand.report();
    report.expect_count("game-start", 1).expect("");
    let start = report.first(|e| match &e.body {
        Body::GameStart { fen, rules, chess960, .. } => Some((fen.clone(), rules.to_string(), *chess960)),
        _ => None,
    });
    assert_eq!(start, Some((String::from(START), String::from("fide-2023"), false)));
}

#[test]
fn pieces_set_up_one_by_one_begin_a_game_when_all_stand() {
    let mut hand = Hand::before("8/8/8/8/8/8/8/8 w - - 0 1").unannounced();
    hand.pace(150).set_up(START).pace(400).reset_clock(White).start_clock().moves("e2e4 e7e5");
    hand.report().expect("e2e4 e7e5").expect_count("game-start", 1);
}

fn after_mate() -> Hand {
    let mut hand = Hand::new(START);
    hand.moves("f2f3 e7e5 g2g4").carry("d8", "h4").wait(3000).stop_clock();
    hand
}

#[test]
fn set_up_anew_after_a_result_a_new_game_begins() {
    let mut hand = after_mate();
    hand.set_up(START).wait(2000).reset_clock(White).start_clock().moves("d2d4 d7d5");
    let report = hand.report();
    report.expect("d2d4 d7d5").expect_count("game-start", 2).expect_count("result", 1);
    let ply = report.events.iter().rev().find_map(|e| match e.body {
        Body::MoveCompleted { ply, .. } => Some(ply),
        _ => None,
    });
    assert_eq!(ply, Some(2));
}

#[test]
fn a_game_begins_anew_only_when_every_piece_stands() {
    let mut hand = after_mate();
    hand.carry("h4", "d8").carry("g4", "g2").carry("e5", "e7").wait(3000);
    hand.report().expect_count("game-start", 1);
    hand.carry("f3", "f2").wait(1000);
    hand.report().expect_count("game-start", 1);
    hand.reset_clock(White).start_clock().moves("e2e4");
    hand.report().expect("e2e4").expect_count("game-start", 2);
}

#[test]
fn set_up_anew_without_a_result_no_game_begins() {
    let mut hand = Hand::new(START);
    hand.moves("d2d4 d7d5 g1f3").set_up(START).wait(5000);
    hand.report().expect("d2d4 d7d5 g1f3").expect_count("game-start", 1);
}

#[test]
fn an_operator_begins_the_next_game() {
    let mut hand = Hand::new(START);
    hand.moves("d2d4 d7d5").stop_clock().set_up(START).wait(2000).enter(r#"{"do":"new-game"}"#).wait(500);
    hand.reset_clock(White).start_clock().moves("e2e4 e7e5");
    hand.report().expect("e2e4 e7e5").expect_count("game-start", 2);
}

#[test]
fn a_board_first_seen_in_mid_game_shows_placements_and_no_moves() {
    let mut hand = Hand::new("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4").unannounced();
    hand.carry("f1", "b5").press(White).wait(1000).carry("a7", "a6").press(Black);
    let report = hand.report();
    report.expect("").expect_made("").expect_count("game-start", 0).expect_count("press", 2);
    assert!(report.count("placement") >= 5, "{}", report.story());
}

#[test]
fn a_game_from_a_given_position() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";
    let mut hand = Hand::new(fen);
    hand.moves("f1b5 a7a6");
    let report = hand.report();
    report.expect("f1b5 a7a6").expect_count("game-start", 1);
    assert_eq!(report.first(|e| if let Body::GameStart { fen, .. } = &e.body { Some(fen.clone()) } else { None }).unwrap(), fen);
}

#[test]
fn a_given_position_in_which_black_moves_first() {
    let mut hand = Hand::new("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    hand.moves("e7e5 g1f3");
    let report = hand.report();
    report.expect("e7e5 g1f3");
    assert_eq!(report.first(|e| if let Body::MoveMade { by, ply, .. } = e.body { Some((by, ply)) } else { None }), Some((Black, 1)));
}

#[test]
fn another_position_than_the_given_one_begins_nothing() {
    let mut hand = Hand::new(START);
    hand.settings.start_fen = Some(String::from("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4"));
    hand.moves("e2e4 e7e5");
    hand.report().expect("").expect_count("game-start", 0);
}

#[test]
fn a_position_set_by_the_arbiter_goes_on_with_the_next_ply() {
    let mut hand = Hand::new(START);
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2";
    hand.moves("e2e4 e7e5").carry("d2", "d4").wait(1000);
    hand.enter(&format!(r#"{{"do":"set-position","fen":"{fen}"}}"#)).press(White).wait(1000).moves("b8c6");
    let report = hand.report();
    let last = report.events.iter().rev().find_map(|e| match &e.body {
        Body::MoveMade { ply, uci, .. } => Some((*ply, uci.clone())),
        _ => None,
    });
    // The move that had been made stays in the record; the next has the next ply.
    assert_eq!(last, Some((4, String::from("b8c6"))), "{}", report.story());
}

#[test]
fn a_position_set_where_no_game_was_begins_one() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";
    let mut hand = Hand::new(fen).unannounced();
    hand.wait(1000).enter(&format!(r#"{{"do":"set-position","fen":"{fen}"}}"#)).wait(1000).moves("f1b5 a7a6");
    hand.report().expect("f1b5 a7a6").expect_count("game-start", 1);
}
