//! Presses without a move, promotions left undone, two hands: 7.5.2 to 7.5.4.
use super::table::{Black, White};
use super::{law, law_for};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";

#[test]
fn a_press_without_a_move_is_as_an_illegal_move() {
    law(FIDE, &["7.5.3 press-without-move", "7.5.5 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4);
        let white = t.device().left[0] / 1000;
        t.press().secs(3).stop().secs(2);
        let black = t.device().shown(Black);
        let found = t.one("press-without-move");
        found.open().is(json!({"by": "white", "article": "7.5.3", "grade": "ruling"}));
        found.proposes(json!({"offence": 1, "press_counter": {"white": -1}, "article": "7.5.5", "clock": {"black_ms": (black + 120) * 1000, "run": "white"}}));
        let shown = found.now["proposal"]["clock"]["white_ms"].as_i64().unwrap() / 1000;
        assert!((white - 1..=white + 1).contains(&shown), "{white} {shown}");
        t.never("illegal-move").record_is("e2e4 e7e5");
    });
}

#[test]
fn the_second_loses_whatever_the_first_was() {
    law(FIDE, &["7.5.5 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(1).press().secs(3).stop().secs(1).confirm("press-without-move");
        let clock = t.found("press-without-move").now["proposal"]["clock"].clone();
        let shown = |side: &str| format!("{}", clock[side].as_i64().unwrap() / 1000);
        t.set(&shown("white_ms"), &shown("black_ms"), White).start().hand("a1a3").press().secs(3);
        t.found("illegal-move").proposes(json!({"action": "declare-loss", "offence": 2, "result": "0-1"}));
    });
}

#[test]
fn a_press_as_the_first_act_is_one_too() {
    law(FIDE, &["7.5.3 press-without-move"], |t| {
        t.time("300+3").start().secs(6).press().secs(3);
        t.one("press-without-move").is(json!({"by": "white"}));
    });
}

#[test]
fn a_late_press_is_no_press_without_a_move() {
    law("fide-2018 fide-2023 fide-1997 russia-1.16", &["7.5.3 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("g1f3").hand("b8c6").secs(2).press().secs(2).press().secs(3);
        t.never("press-without-move").no_alarm();
    });
}

#[test]
fn a_lever_that_bounces_is_none() {
    law(FIDE, &["7.5.3 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).press_at_once().wait(350).press_at_once().secs(3);
        t.never("press-without-move").play("g1f3 b8c6").secs(2).no_alarm().record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn a_press_that_answers_one_under_a_finding_is_none() {
    law(FIDE, &["7.5.3 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).press().secs(4).press().secs(3);
        t.one("press-without-move").is(json!({"by": "white"}));
    });
}

#[test]
fn a_press_that_answers_an_illegal_move_is_none() {
    law(FIDE, &["7.5.3 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("a1a3").press().secs(5).press().secs(3);
        t.one("illegal-move").is(json!({"by": "white"}));
        t.never("press-without-move");
    });
}

#[test]
fn the_lever_put_over_by_the_arbiter_is_none() {
    law(FIDE, &["7.5.3 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).enter(r#"{"do":"stop"}"#).stop().secs(5);
        t.device().up = Black;
        t.shows().secs(2);
        t.device().up = White;
        t.shows().secs(2).enter(r#"{"do":"restart"}"#).start().secs(2).play("g1f3 b8c6").secs(2);
        t.silence().record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn a_move_seen_after_the_press_is_no_press_without_one() {
    law(FIDE, &["7.5.3 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5");
        t.hand = 40;
        t.hand("g1f3").press_at_once().wait(40);
        t.hand = 350;
        t.secs(2).play("b8c6").secs(1).silence().record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn a_pawn_left_on_the_last_rank_is_a_queen() {
    law(FIDE, &["7.5.2 unpromoted-pawn", "7.5.5 unpromoted-pawn"], |t| {
        t.time("300+3").from("7k/4P3/8/8/8/8/8/R3K3 w - - 0 1").start().hand("e7e8").press();
        let white = t.device().shown(White);
        t.secs(4).stop().secs(2);
        let black = t.device().shown(Black);
        let found = t.only("unpromoted-pawn");
        found.open().is(json!({"by": "white", "article": "7.5.2", "grade": "ruling"}));
        // No restoration: the increment and the press stay.
        found.proposes(json!({"action": "replace-with-queen", "offence": 1, "article": "7.5.5",
            "clock": {"white_ms": white * 1000, "black_ms": (black + 120) * 1000, "run": "black"}}));
        let corrected = found.now["proposal"]["press_counter"]["white"].as_i64().unwrap_or(0);
        assert_eq!(corrected, 0, "{}", found.now);
        t.confirm("unpromoted-pawn").put("e8", 'Q').wait(500);
        t.has(&[json!({"type": "finding-update", "status": "confirmed"}), json!({"type": "move-revised", "ply": 1, "uci": "e7e8q"})]);
        t.set(&white.to_string(), &(black + 120).to_string(), Black).start().play("h8g7").secs(1).record_is("e7e8q h8g7").nothing_open();
    });
}

#[test]
fn a_promotion_square_left_empty_or_unreadable() {
    law_for(&['.', '?'], FIDE, &["7.5.2 unpromoted-pawn"], |t, left| {
        t.time("300+3").from("7k/4P3/8/8/8/8/8/R3K3 w - - 0 1").start().secs(2).lift("e7").put("e8", *left).press().secs(4);
        t.only("unpromoted-pawn").is(json!({"by": "white", "article": "7.5.2"})).proposes(json!({"action": "replace-with-queen"}));
    });
}

#[test]
fn a_pawn_exchanged_before_the_press_is_in_order() {
    law(FIDE, &["7.5.2 unpromoted-pawn"], |t| {
        t.time("300+3")
            .from("7k/4P3/8/8/8/8/8/R3K3 w - - 0 1")
            .start()
            .hand("e7e8")
            .secs(2)
            .lift("e8")
            .secs(3)
            .put("e8", 'Q')
            .press()
            .secs(3);
        t.silence().record_is("e7e8q");
    });
}

#[test]
fn an_underpromotion_is_in_order() {
    law(FIDE, &["7.5.2 unpromoted-pawn"], |t| {
        t.time("300+3").from("7k/4P3/8/8/8/8/8/R3K3 w - - 0 1").start().hand("e7e8n").press().secs(3);
        t.silence().record_is("e7e8n");
    });
}

#[test]
fn two_hands_are_ruled_when_the_arbiter_saw_them() {
    law(FIDE, &["7.5.4 two-hands", "7.5.5 two-hands"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").hand("e1g1").press();
        let white = t.device().shown(White);
        t.secs(2).stop().secs(2).report_of("two-hands", White).secs(1);
        let black = t.device().shown(Black);
        let story = t.story();
        let found = story.findings().into_iter().rev().find(|f| f.raised["key"] == "two-hands" && f.raised["grade"] == "ruling").unwrap();
        found.status("confirmed").is(json!({"by": "white", "article": "7.5.4"}));
        // The move stands; only the opponent's time is added.
        found.proposes(json!({"offence": 1, "article": "7.5.5", "clock": {"white_ms": white * 1000, "black_ms": (black + 120) * 1000, "run": "black"}}));
        t.lacks(json!({"type": "move-withdrawn"})).record_is("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
        t.has(&[json!({"type": "ruling", "do": "report", "key": "two-hands"})]);
        t.set(&white.to_string(), &(black + 120).to_string(), Black).start().hand("g8e7").press().hand("a1a3").press().secs(3);
        t.found("illegal-move").proposes(json!({"offence": 2, "action": "declare-loss", "result": "0-1"}));
    });
}

#[test]
fn two_own_pieces_in_the_air_are_a_hint() {
    law(FIDE, &["7.5.4 two-hands"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").secs(2);
        t.hand = 60;
        t.lift("e1").lift("h1").wait(300).put("g1", 'K').put("f1", 'R').press().secs(2);
        t.hand = 350;
        t.one("two-hands").is(json!({"grade": "note", "article": "7.5.4", "by": "white"}));
        t.no_alarm().record_is("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
    });
}

#[test]
fn castling_with_one_hand_is_no_hint() {
    law(FIDE, &["7.5.4 two-hands", "4.4 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6").secs(2);
        t.silence();
    });
}

#[test]
fn two_faults_in_one_move_count_once() {
    law(FIDE, &["7.5.5 illegal-move", "7.5.4 two-hands"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("a1a3").press().secs(3).stop().secs(1).report_of("two-hands", White).secs(1);
        t.found("illegal-move").proposes(json!({"offence": 1, "action": "restore-position"}));
        t.confirm("illegal-move").secs(1);
        t.no_result().found("two-hands").proposes(json!({"offence": 1}));
    });
}

/// Which of the two it is, the arbiter establishes; it is never silently a move.
#[test]
fn a_king_moved_two_squares_without_its_rook() {
    law(FIDE, &["4.4 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").secs(3).carry("e1", "g1").press().secs(4);
        let story = t.story();
        if !story.findings().iter().any(|f| f.raised["grade"] != "note") {
            story.fail("nothing is raised");
        }
    });
}

/// A rook that comes late, before its player pressed again, was castling.
#[test]
fn castling_rook_first_is_castling() {
    law(FIDE, &["4.4 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").secs(3).carry("h1", "f1").wait(800).carry("e1", "g1").press().secs(3);
        t.no_alarm().record_is("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
    });
}

#[test]
fn a_players_second_move_without_the_opponents() {
    law(FIDE, &["12.9 two-moves-in-a-row"], |t| {
        t.time("300+3").start().play("e2e4").secs(3).hand("d2d4").secs(8);
        t.only("two-moves-in-a-row").open().is(json!({"by": "white", "grade": "attention", "article": "12.9"}));
        // Taken back, nothing is left of it.
        t.carry("d4", "d2").secs(2).one("two-moves-in-a-row").status("withdrawn");
        t.play("e7e5 g1f3").secs(1).record_is("e2e4 e7e5 g1f3").nothing_open();
    });
}

#[test]
fn quick_answers_are_not_two_moves_of_one() {
    law(FIDE, &["12.9 two-moves-in-a-row"], |t| {
        t.time("300+3").start().play("e2e4");
        (t.think, t.hand) = (200, 120);
        t.hand("e7e5").hand("g1f3").press().press().hand("b8c6").press();
        t.secs(4).never("two-moves-in-a-row").no_alarm().record_is("e2e4 e7e5 g1f3 b8c6");
    });
}
