//! Links that drop, frames that are lost or damaged.
use super::rig::{Black, Hand, START, White};

/// Their order is the only one that leads there.
const MEANWHILE: [&str; 4] = ["d2d4", "d7d6", "c1g5", "c8g4"];

fn away_for(plies: usize) -> Hand {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5 g1f3 b8c6").unplug().wait(2000).moves(&MEANWHILE[..plies].join(" ")).wait(1000).plug().wait(1000);
    hand
}

#[test]
fn moves_made_and_pressed_while_the_link_was_down_are_recovered() {
    for plies in [0, 1, 2, 4] {
        let hand = away_for(plies);
        let report = hand.report();
        let wanted = ["e2e4 e7e5 g1f3 b8c6", &MEANWHILE[..plies].join(" ")].join(" ");
        let how: Vec<String> = (1..=4).map(|n| format!("{n} press")).chain((5..5 + plies).map(|n| format!("{n} recovered"))).collect();
        report.expect(wanted.trim()).expect_how(&how.join(", ")).expect_count("game-start", 1).expect_count("link", 3);
    }
}

#[test]
fn the_game_goes_on_after_the_link_came_back() {
    for (plies, next) in [(0, "f1b5 a7a6"), (1, "a7a6 f1b5"), (2, "f1c4 g8f6"), (4, "b1c3 a7a6")] {
        let mut hand = away_for(plies);
        hand.moves(next);
        let report = hand.report();
        let wanted = ["e2e4 e7e5 g1f3 b8c6", &MEANWHILE[..plies].join(" "), next].join(" ").replace("  ", " ");
        report.expect(&wanted);
        assert!(report.how().ends_with(&format!("{} press, {} press", plies + 5, plies + 6)), "{}", report.how());
    }
}

#[test]
fn a_move_that_was_not_pressed_meanwhile_waits_for_its_press() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").unplug().wait(1000).carry("g1", "f3").wait(1000).plug().wait(2000);
    hand.report().expect("e2e4 e7e5").expect_made("e2e4 e7e5 g1f3");
    hand.press(White).moves("b8c6");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6").expect_how("1 press, 2 press, 3 press, 4 press");
}

#[test]
fn a_move_made_before_and_pressed_while_the_link_was_down() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").carry("g1", "f3").wait(500).unplug().wait(1000).press(White).wait(1000).plug().wait(2000);
    hand.report().expect("e2e4 e7e5 g1f3").expect_how("1 press, 2 press, 3 recovered");
}

#[test]
fn a_link_that_drops_in_mid_move() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").lift("g1").unplug().wait(500).put("f3", 'N').press(White).wait(500).plug().wait(1000).moves("b8c6");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6");
}

#[test]
fn a_link_that_comes_back_in_mid_move() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").unplug().wait(500).lift("g1").plug().wait(500).put("f3", 'N').press(White).moves("b8c6");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6");
}

#[test]
fn a_link_that_drops_again_and_again() {
    let mut hand = Hand::new(START);
    for uci in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"] {
        hand.unplug().wait(300).moves(uci).plug().wait(600);
    }
    hand.report().expect("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6").expect_count("game-start", 1);
}

#[test]
fn a_damaged_frame_asks_for_a_dump_and_the_dump_repairs() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").lift("g1").cutting_it().put("f3", 'N').wait(2500).press(White).moves("b8c6");
    let report = hand.report();
    report.expect("e2e4 e7e5 g1f3 b8c6").expect_made("e2e4 e7e5 g1f3 b8c6");
    assert!(!report.asked.is_empty());
}

#[test]
fn an_undamaged_stream_asks_for_a_dump_once_a_move_and_once_more_at_the_first() {
    let mut hand = Hand::new(START);
    hand.pace(250).moves("e2e4 e7e5 g1f3 b8c6");
    let asked = hand.report().asked;
    // The first time it is not known yet that the board answers.
    assert!(asked.len() <= 5, "{asked:?}");
}

#[test]
fn a_message_that_never_came_is_found_by_a_dump_at_the_press() {
    for put_is_lost in [true, false] {
        let mut hand = Hand::new(START);
        hand.moves("e2e4 e7e5");
        if put_is_lost {
            hand.lift("g1").losing_it().put("f3", 'N');
        } else {
            hand.losing_it().lift("g1").put("f3", 'N');
        }
        hand.press(White).wait(2000).moves("b8c6");
        let report = hand.report();
        report.expect("e2e4 e7e5 g1f3 b8c6");
        assert!(!report.asked.is_empty());
    }
}

#[test]
fn a_board_that_gives_no_dump_does_not_stop_the_game() {
    let mut hand = Hand::new(START);
    hand.dumb().moves("e2e4 e7e5").losing_it().lift("g1").put("f3", 'N').press(White).wait(3000).moves("b8c6 f1b5");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6 f1b5");
}

#[test]
fn rubbish_between_frames_changes_nothing() {
    let mut hand = Hand::new(START);
    hand.noise(&[0x13, 0x37, 0x00]).moves("e2e4").noise(&[0xFF]).wait(2000).noise(&[0x8E, 0x00]).wait(2000).moves("e7e5");
    hand.report().expect("e2e4 e7e5").expect_made("e2e4 e7e5");
}

#[test]
fn a_frame_that_was_cut_before_a_press() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5").cutting_it().lift("g1").put("f3", 'N').press(White).wait(1500).lift("b8").cutting_it().put("c6", 'n');
    hand.press(Black).wait(1500).moves("f1b5");
    hand.report().expect("e2e4 e7e5 g1f3 b8c6 f1b5");
}

#[test]
fn a_piece_whose_arrival_was_lost_moves_on_while_the_opponent_replies_at_once() {
    let mut hand = Hand::new("5k2/pp6/8/8/1R6/8/P7/4K3 w - - 0 1");
    hand.lift("b4").losing_it().put("b1", 'R').pace(17).press(White).lift("f8").pace(365).put("g7", 'k').wait(3000);
    hand.press(Black).pace(400).carry("b1", "b3").press(White);
    hand.report().expect("b4b1 f8g7 b1b3");
}

#[test]
fn a_lost_arrival_and_the_opponents_piece_in_the_air_when_the_dump_comes() {
    let mut hand = Hand::new("n3k2n/2P5/P7/P7/8/8/4K2p/5N1q w - - 0 1");
    hand.lift("e2").losing_it().put("e3", 'K').pace(1200).press(White).pace(380).lift("h1").pace(1650).put("b7", 'q').wait(2000);
    hand.press(Black);
    let found = hand.report().completed();
    assert!(["e2e3 h1b7", "e2e3", ""].contains(&found.as_str()), "{found}");
}
