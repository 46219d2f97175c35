//! Games whose first moves nobody saw: the link was down, or flagfall was started later.
use super::rig::{Black, Hand, Lie, START, White};
use flagfall_events::Body;

fn after_mate(hand: &mut Hand) -> &mut Hand {
    hand.moves("f2f3 e7e5 g2g4").carry("d8", "h4").wait(3000).stop_clock()
}

/// The next game begins while the cable is off.
fn next_game(hand: &mut Hand) -> &mut Hand {
    hand.wait(500).unplug().set_up(START).reset_clock(White).start_clock()
}

#[test]
fn a_game_that_began_while_the_link_was_down_is_recorded_from_its_start() {
    for (unseen, seen) in [("d2d4", "d7d5 c2c4"), ("d2d4 d7d5", "c2c4 e7e6"), ("d2d4 d7d6 c1g5 c8g4", "b1c3 a7a6")] {
        for lie in [Lie::Usual, Lie::Half] {
            let mut hand = Hand::table(START, lie, Some(true));
            hand.start_clock();
            next_game(after_mate(&mut hand)).moves(unseen).plug().wait(3000).moves(seen);
            let report = hand.report();
            report.expect(&format!("{unseen} {seen}")).expect_count("game-start", 2).expect_count("result", 1).expect_findings("");
        }
    }
}

#[test]
fn it_is_recorded_where_the_pairings_called_for_it_and_the_clock_stands() {
    let mut hand = Hand::new(START);
    next_game(after_mate(&mut hand)).moves("d2d4 d7d5").enter(r#"{"do":"new-game"}"#).stop_clock().plug().wait(3000);
    hand.start_clock().moves("c2c4 e7e6");
    hand.report().expect("d2d4 d7d5 c2c4 e7e6").expect_count("game-start", 2);
}

#[test]
fn the_call_may_come_when_the_link_is_back() {
    let mut hand = Hand::new(START);
    next_game(after_mate(&mut hand)).moves("d2d4 d7d5").stop_clock().plug().wait(3000);
    hand.report().expect_count("game-start", 1);
    hand.enter(r#"{"do":"new-game"}"#).wait(1000).start_clock().moves("c2c4 e7e6");
    hand.report().expect("d2d4 d7d5 c2c4 e7e6").expect_count("game-start", 2);
}

#[test]
fn a_move_that_waits_for_its_press_is_made_and_not_completed() {
    let mut hand = Hand::new(START);
    next_game(after_mate(&mut hand)).moves("d2d4").one("d7d5").plug().wait(3000);
    hand.report().expect("d2d4").expect_made("f2f3 e7e5 g2g4 d8h4 d2d4 d7d5");
    hand.press(Black).moves("c2c4");
    let report = hand.report();
    report.expect("d2d4 d7d5 c2c4");
    assert!(report.how().ends_with("1 recovered, 2 press, 3 press"), "{}", report.how());
}

#[test]
fn what_was_moved_while_the_clock_stood_is_analysis() {
    let mut hand = Hand::new(START);
    after_mate(&mut hand).wait(500).unplug().set_up(START).one("d2d4").one("d7d5").plug().wait(5000);
    hand.report().expect_count("game-start", 1);
}

#[test]
fn flagfall_that_is_started_some_plies_late_has_the_whole_game() {
    let mut hand = Hand::before(START);
    hand.unplug().start_clock().moves("e2e4 e7e5").plug().wait(2000).moves("g1f3 b8c6 f1b5");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6 f1b5").expect_count("game-start", 1);
}

#[test]
fn plies_that_may_have_come_in_another_order_are_recorded_and_said_to_be_unsure() {
    let mut hand = Hand::before(START);
    hand.unplug().start_clock().moves("e2e4 e7e5 g1f3 b8c6").plug().wait(20_000).moves("f1b5 a7a6");
    hand.report().expect_made("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6").expect_count("alarm", 2).expect_findings("");
}

#[test]
fn a_game_that_nobody_saw_end_is_over_where_its_pieces_are_back() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5").wait(500).unplug().set_up(START).reset_clock(White).start_clock();
    hand.moves("d2d4 d7d5").plug().wait(5000).moves("c2c4 e7e6");
    let report = hand.report();
    report.expect("d2d4 d7d5 c2c4 e7e6").expect_count("game-start", 2).expect_results(&["* unread - setup"]);
}

#[test]
fn a_middlegame_that_nothing_explains_begins_nothing() {
    let mut hand = Hand::new(START);
    next_game(after_mate(&mut hand)).moves("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 d2d3 f8e7 c2c3 d7d6").plug().wait(60_000).moves("b1d2");
    hand.report().expect_count("game-start", 1);
    // The next one that is set up begins as ever.
    hand.stop_clock().set_up(START).wait(5000).reset_clock(White).start_clock().moves("d2d4 d7d5");
    hand.report().expect("d2d4 d7d5").expect_count("game-start", 2);
}

#[test]
fn a_game_whose_gap_was_explained_is_the_last_one_until_the_pieces_are_set_up() {
    let mut hand = Hand::new(START);
    hand.moves("f2f3 e7e5").unplug().wait(500).moves("g2g4 a7a6").plug().wait(2000).moves("a2a3").carry("d8", "h4").press(Black).wait(3000);
    let report = hand.report();
    report.expect("f2f3 e7e5 g2g4 a7a6 a2a3 d8h4").expect_count("game-start", 1);
    let clock = report.events.iter().rev().find_map(|e| if let Body::Clock(state) = &e.body { Some(state.white_ms) } else { None });
    assert!(clock.flatten().is_some(), "the clock is still that of this game");
}

#[test]
fn the_last_moves_of_a_game_are_found_though_the_kings_show_its_result_already() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").wait(500).unplug().moves("g1f3 b8c6").stop_clock().carry("e1", "d4").carry("e8", "d5").plug().wait(4000);
    hand.report().expect("e2e4 e7e5 g1f3 b8c6").expect_results(&["1/2-1/2 kings in the centre 5.2.3 kings"]);
    // The clock is read before they stand there, and says no more.
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").wait(500).unplug().moves("g1f3 b8c6").stop_clock().lift("e1").plug().wait(300).put("d4", 'K').carry("e8", "d5");
    hand.wait(4000).report().expect("e2e4 e7e5 g1f3 b8c6").expect_results(&["1/2-1/2 kings in the centre 5.2.3 kings"]);
}

/// A king stands where the last piece was taken, or on the piece that took it; another one castled before it showed the result.
#[test]
fn what_stands_under_the_kings_and_where_they_castled_is_found() {
    let taken = "e2e4 e7e5 g1f3 b8c6 f3e5 c6e5";
    let castled = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1";
    for (seen, unseen, kings, all, result) in [
        (4, "f3e5 c6e5", ["e1e4", "e8e5"], taken, "1/2-1/2"),
        (5, "c6e5", ["e1e4", "e8e5"], taken, "1/2-1/2"),
        (6, "e1g1", ["g1e4", "e8d5"], castled, "1-0"),
        (5, "f8c5 e1g1", ["g1e4", "e8d5"], castled, "1-0"),
    ] {
        let first = all.split(' ').take(seen).collect::<Vec<_>>().join(" ");
        let mut hand = Hand::new(START);
        hand.moves(&first).wait(500).unplug().moves(unseen).stop_clock();
        if unseen.ends_with("e1g1") {
            hand.carry("h1", "f1");
        }
        for king in kings {
            let (from, to) = king.split_at(2);
            hand.carry(from, to);
        }
        hand.plug().wait(25_000);
        let article = if result == "1/2-1/2" { "5.2.3" } else { "5.1.2" };
        hand.report().expect_made(all).expect_results(&[&format!("{result} kings in the centre {article} kings")]);
    }
}

#[test]
fn what_the_picture_told_is_the_end_of_a_game_whose_result_comes_before_the_board_s_log() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").wait(500).unplug().moves("d2d4 e5d4 d1d4 b8c6").stop_clock().plug().wait(300);
    hand.report().expect("e2e4 e7e5");
    hand.enter(r#"{"do":"result","result":"1/2-1/2"}"#).wait(20_000);
    hand.report().expect("e2e4 e7e5 d2d4 e5d4 d1d4 b8c6").expect_count("result", 1).expect_findings("");
}

#[test]
fn its_last_ply_is_completed_where_it_was_pressed_and_the_clock_is_put_back_already() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").wait(500).unplug().moves("d2d4 e5d4").one("d1d4").plug().wait(300);
    hand.press(White).wait(100).stop_clock().reset_clock(White).wait(500).enter(r#"{"do":"result","result":"1/2-1/2"}"#).wait(20_000);
    hand.report().expect("e2e4 e7e5 d2d4 e5d4 d1d4").expect_count("result", 1);
}

#[test]
fn the_last_ply_counts_where_the_game_ends_before_or_after_the_clock_is_heard_again() {
    let unseen = [("g1f3", "1/2-1/2"), ("g1f3 b8c6", "1-0"), ("d2d4 e5d4 d1d4", "1/2-1/2"), ("f2f4 e5f4", "0-1")];
    for ((unseen, result), heard) in unseen.into_iter().flat_map(|one| [(one, false), (one, true)]) {
        let mut hand = Hand::new(START);
        hand.moves("e2e4 e7e5").wait(500).unplug().moves(unseen);
        if heard { hand.plug() } else { hand.plug_before_the_clock() }.wait(700);
        hand.enter(&format!(r#"{{"do":"result","result":"{result}"}}"#)).wait(20_000);
        hand.report().expect(&format!("e2e4 e7e5 {unseen}")).expect_count("result", 1).expect_findings("");
    }
}

#[test]
fn of_two_orders_the_likelier_one_counts_where_the_game_ends_before_anything_tells() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").wait(500).unplug().moves("g1f3 b8c6 d2d4 g8f6").stop_clock().plug().wait(300);
    hand.enter(r#"{"do":"result","result":"1/2-1/2"}"#).wait(20_000);
    let report = hand.report();
    assert_eq!(report.completed().split(' ').count(), 6, "{}", report.completed());
    report.expect_findings("");
}

#[test]
fn a_piece_may_have_gone_on_from_a_square_that_shows_nothing_of_it() {
    for (unseen, all) in [
        // The knight was on f3, and the pawn was taken on f4.
        ("g1f3 b8c6 f3e5", "e2e4 e7e5 g1f3 b8c6 f3e5"),
        ("f2f4 e5f4 d2d3 d8h4", "e2e4 e7e5 f2f4 e5f4 d2d3 d8h4"),
    ] {
        let mut hand = Hand::new(START);
        hand.moves("e2e4 e7e5").wait(500).unplug().moves(unseen).stop_clock().plug().wait(300);
        hand.report().expect("e2e4 e7e5");
        hand.enter(r#"{"do":"result","result":"1/2-1/2"}"#).wait(20_000);
        hand.report().expect(all).expect_count("result", 1).expect_findings("");
    }
}

#[test]
fn a_game_begins_when_its_clock_is_started_though_nothing_stood_still_before() {
    let mut hand = Hand::new(START);
    after_mate(&mut hand).wait(500).pace(5).set_up(START).reset_clock(White).start_clock().moves("e2e4 e7e5").pace(400).moves("g1f3");
    hand.report().expect("e2e4 e7e5 g1f3").expect_count("game-start", 2);
}

#[test]
fn the_first_piece_may_be_in_the_hand_when_the_board_is_seen_again() {
    for clock_runs_on in [false, true] {
        let mut hand = Hand::new(START);
        hand.moves("f2f3 e7e5 g2g4").carry("d8", "h4").wait(3000);
        if !clock_runs_on {
            hand.stop_clock();
        }
        next_game(&mut hand).lift("g1").plug().wait(300).put("f3", 'N').press(White).moves("d7d5 d2d4");
        hand.report().expect("g1f3 d7d5 d2d4").expect_count("game-start", 2).expect_findings("");
    }
}

#[test]
fn a_game_that_is_called_while_the_first_piece_is_in_the_hand_begins_with_it() {
    let mut hand = Hand::new(START);
    next_game(after_mate(&mut hand)).carry("c2", "a3").plug().wait(1000).lift("a3").wait(300).enter(r#"{"do":"new-game"}"#);
    hand.put("c4", 'P').press(White).moves("e7e5 b1c3");
    hand.report().expect("c2c4 e7e5 b1c3").expect_count("game-start", 2).expect_findings("");
}

#[test]
fn a_record_that_another_machine_has_is_the_one_of_the_game_that_stands() {
    let mut hand = Hand::before(START);
    hand.unplug().start_clock().moves("e2e4 e7e5 g1f3 b8c6").plug().wait(1500);
    hand.enter(r#"{"do":"take-over","game":3,"began":"2026-11-21T15:00:00Z","pgn":"e2e4 e7e5"}"#).wait(25_000).moves("f1b5 a7a6");
    let report = hand.report();
    report.expect_made("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6").expect_count("result", 0);
}

#[test]
fn a_piece_in_the_hand_is_not_taken_for_one_that_was_captured_where_nobody_saw_it() {
    let mut hand = Hand::new(START);
    hand.moves("g1f3 d7d5 f3e5 b8d7 e5f3").unplug().wait(500).moves("d7f6 f3e5").lift("f6").plug().wait(1000).put("d7", 'n').press(Black);
    let report = hand.wait(20_000).report();
    assert!(!report.made().contains("d7e5"), "{}", report.made());
}

#[test]
fn a_game_that_was_found_on_the_board_follows_the_one_that_another_machine_brought_to_its_end() {
    let mut hand = Hand::new(START);
    next_game(after_mate(&mut hand)).moves("d2d4 d7d5").plug().wait(1500);
    hand.enter(r#"{"do":"take-over","game":7,"began":"2026-11-21T15:00:00Z","pgn":"e2e4 e7e5","ended":{"result":"1-0","reason":"resigns","source":"operator"}}"#);
    hand.wait(1000).moves("c2c4 e7e6");
    let report = hand.report();
    report.expect("d2d4 d7d5 c2c4 e7e6");
    assert_eq!(report.events.iter().rev().find_map(|e| e.body.is_of_a_game().then_some(e.game)), Some(Some(8)));
}

#[test]
fn what_is_left_of_a_short_game_is_not_the_next_one() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5 g1f3 b8c6")
        .stop_clock()
        .enter(r#"{"do":"result","result":"1-0"}"#)
        .wait(500)
        .unplug()
        .wait(1000)
        .plug()
        .wait(1000);
    hand.enter(r#"{"do":"new-game"}"#).wait(1000).start_clock().wait(3000);
    hand.report().expect_count("game-start", 1);
    hand.stop_clock().set_up(START).wait(2000).reset_clock(White).start_clock().moves("d2d4 d7d5");
    hand.report().expect("d2d4 d7d5").expect_count("game-start", 2);
}
