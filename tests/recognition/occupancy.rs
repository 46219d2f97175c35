//! Boards that know only whether a square is occupied: legality and order decide.
use super::rig::{Black, Hand, Lie, START, White};
use flagfall_events::{BoardKind, Body, Event};

fn blind(fen: &str) -> Hand {
    let mut hand = Hand::new(fen);
    hand.settings.kind = BoardKind::Occupancy;
    hand
}

#[test]
fn an_opening_with_captures() {
    let opening = "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 g8f6 g1f3 c7c6 f1c4 c8f5";
    let mut hand = blind(START);
    hand.moves(opening);
    hand.report().expect(opening);
}

#[test]
fn castling_in_three_orders() {
    for order in 0..3 {
        let mut hand = blind("r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 0 1");
        match order {
            0 => hand.castle(["e1", "g1"], ["h1", "f1"]),
            1 => hand.castle(["h1", "f1"], ["e1", "g1"]),
            _ => hand.lift("e1").lift("h1").put("f1", 'R').put("g1", 'K'),
        };
        hand.press(White).castle(["e8", "c8"], ["a8", "d8"]).press(Black);
        hand.report().expect("e1g1 e8c8");
    }
}

#[test]
fn en_passant_and_the_step_beside_it() {
    let fen = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
    let mut hand = blind(fen);
    hand.moves("e2e4").carry("d4", "e3").lift("e4").press(Black).moves("d2e3");
    hand.report().expect("e2e4 d4e3 d2e3");
    let mut hand = blind(fen);
    hand.moves("e2e4").carry("d4", "d3").press(Black).moves("c2d3");
    hand.report().expect("e2e4 d4d3 c2d3");
}

#[test]
fn a_promotion_is_told_by_what_the_piece_does_next() {
    for (next, piece) in [("a8d5 g7f6 d5d6", 'q'), ("a8b6", 'n')] {
        let mut hand = blind("6k1/P7/8/8/8/8/7p/4K3 w - - 0 1");
        hand.lift("a7").put("a8", 'Q').press(White).moves("g8g7").moves(next);
        hand.report().expect(&format!("a7a8{piece} g8g7 {next}"));
    }
}

#[test]
fn a_promotion_that_is_pressed_late_waits_without_waking() {
    let mut hand = blind("6k1/P7/8/8/8/8/7p/4K3 w - - 0 1");
    hand.lift("a7").put("a8", 'Q').wait(4_000).press(White).moves("g8g7").moves("a8d5 g7f6 d5d6");
    hand.report().expect("a7a8q g8g7 a8d5 g7f6 d5d6");
}

#[test]
fn a_capture_of_the_one_or_the_other_is_told_by_what_was_lifted() {
    for (taken, uci) in [("c5", "d4c5"), ("e5", "d4e5")] {
        let mut hand = blind("4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1");
        hand.lift(taken).carry("d4", taken).press(White).moves("e8e7");
        hand.report().expect(&format!("{uci} e8e7"));
    }
}

#[test]
fn a_promotion_in_doubt_is_to_a_queen_when_the_game_is_over() {
    let mut hand = blind("6k1/P7/8/8/8/8/7p/4K3 w - - 0 1");
    hand.lift("a7").put("a8", 'Q').press(White).moves("g8g7");
    hand.report().expect("").expect_made("a7a8q g8g7");
    hand.enter(r#"{"do":"result","result":"1-0"}"#);
    hand.report().expect("a7a8q g8g7");
}

/// White's knight on d4 may have taken on c6 or on e6: the squares never read empty.
fn one_of_two_captures() -> Hand {
    let mut hand = blind("4k3/p7/2p1p3/8/3N4/8/8/4K3 w - - 0 1");
    hand.lift("d4").press(White);
    hand
}

#[test]
fn a_capture_that_left_no_trace_is_told_by_what_is_played_later() {
    for (later, taken) in [("e6e5", "d4c6"), ("c6c5", "d4e6")] {
        let mut hand = one_of_two_captures();
        hand.moves(later);
        let report = hand.report();
        report.expect(&format!("{taken} {later}"));
        let spent = |event: &Event| match event.body {
            Body::MoveCompleted { ply: 1, spent_ms, .. } => spent_ms,
            _ => None,
        };
        let press = report.first(|e| matches!(e.body, Body::Press { by: White }).then(|| e.t.millis()));
        assert!(report.completed_at(1) > press, "it is completed late");
        assert!(report.first(spent).is_some_and(|ms| ms < 2_000), "with the think time of its own press");
    }
}

#[test]
fn what_nothing_tells_is_assumed_and_asked() {
    let mut hand = one_of_two_captures();
    hand.moves("e8f7 e1f1 f7g6");
    let report = hand.report();
    assert_eq!(report.assumed(), [(1, true), (2, false), (3, false), (4, false)], "what follows was seen");
    assert!(report.is_unsure());
}

#[test]
fn what_nothing_tells_for_ten_seconds_is_assumed() {
    let mut hand = one_of_two_captures();
    hand.wait(12_000);
    let report = hand.report();
    assert_eq!(report.assumed(), [(1, true)]);
    let pressed = report.first(|e| matches!(e.body, Body::Press { by: White }).then(|| e.t.millis()));
    assert_eq!(report.completed_at(1).zip(pressed).map(|(completed, pressed)| completed - pressed), Some(10_000));
    assert!(report.is_unsure());
}

#[test]
fn what_nothing_tells_is_chosen_by_whoever_saw_it() {
    for (chosen, last) in [("d4c6", "f7g6"), ("d4e6", "d4c6>d4e6")] {
        let mut hand = one_of_two_captures();
        hand.moves("e8f7 e1f1 f7g6");
        let readings = hand.report().first(|event| match &event.body {
            Body::Alarm { ply: Some(1), readings, .. } => Some(readings.clone()),
            _ => None,
        });
        let readings = readings.expect("the alarm names what it may have been");
        let firsts: Vec<&str> = readings.iter().map(|reading| reading.line[0].as_str()).collect();
        assert!(firsts.contains(&"d4c6") && firsts.contains(&"d4e6"), "{firsts:?}");
        let all: u32 = readings.iter().map(|reading| u32::from(reading.share.0)).sum();
        assert!((9_990..=10_000).contains(&all), "{all}");
        hand.enter(&format!(r#"{{"do":"choose","ply":1,"uci":"{chosen}"}}"#));
        // A ply that others stand on is changed here, which no legal play does by itself.
        let report = hand.report_of_illegal_play();
        assert!(report.made().ends_with(last), "{}", report.story());
        assert!(!report.is_unsure(), "{chosen} was chosen");
    }
}

#[test]
fn what_cannot_have_been_played_is_not_chosen() {
    let mut hand = one_of_two_captures();
    hand.moves("e8f7 e1f1 f7g6");
    let refused = |json: &str| hand.refusal(json).unwrap_or_default();
    let open = refused(r#"{"do":"choose","ply":1,"uci":"d4b5"}"#);
    assert!(["d4c6 or d4e6", "d4e6 or d4c6"].iter().any(|both| open.starts_with(&format!("ply 1 may have been {both};"))), "{open}");
    let told = refused(r#"{"do":"choose","ply":2,"uci":"e8e7"}"#);
    assert!(told.starts_with("what was played at ply 2 is not open;"), "{told}");
}

#[test]
fn what_was_assumed_is_corrected_by_what_is_played_later() {
    for (later, taken) in [("e6e5", "d4c6"), ("c6c5", "d4e6")] {
        let mut hand = one_of_two_captures();
        hand.wait(12_000).moves(later);
        let report = hand.report_of_illegal_play();
        assert!(report.made().contains(taken), "{}", report.story());
        assert_eq!(report.assumed()[0], (1, true));
        assert!(!report.is_unsure(), "it is known now");
    }
}

#[test]
fn the_first_move_tells_which_way_the_board_stands_and_the_first_press_where_the_clock() {
    let opening = "e2e4 e7e5 g1f3 b8c6 f1c4";
    for lie in [Lie::Usual, Lie::Half] {
        for white_is_left in [true, false] {
            let mut hand = Hand::table(START, lie, Some(white_is_left));
            hand.settings.kind = BoardKind::Occupancy;
            hand.start_clock();
            hand.moves(opening);
            hand.report().expect(opening);
        }
    }
}

#[test]
fn without_a_clock_the_answer_completes_a_move() {
    let opening = "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5";
    let mut hand = Hand::without_clock(START);
    hand.settings.kind = BoardKind::Occupancy;
    hand.moves(opening);
    hand.report().expect(opening);
}

#[test]
fn an_opening_that_reads_both_ways_round_is_shown_at_once() {
    let mut hand = Hand::without_clock(START);
    hand.settings.kind = BoardKind::Occupancy;
    hand.moves("e2e4 e7e5").wait(2_000);
    hand.report().expect_made("e2e4 e7e5");
}

#[test]
fn pieces_that_are_set_up_again_after_the_clock_was_stopped_are_no_moves() {
    let mut hand = blind(START);
    hand.moves("e2e4 e7e5 g1f3");
    hand.stop_clock();
    hand.wait(2_000);
    hand.carry("f3", "g1").carry("e4", "e2").carry("e5", "e7").carry("g8", "f6").carry("f6", "g8");
    hand.report().expect("e2e4 e7e5 g1f3");
}
