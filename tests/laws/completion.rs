//! When a move is made and when it is completed: Article 6.2.
use super::law;
use super::table::White;
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";

#[test]
fn a_press_completes_the_move_made_on_the_board() {
    law("fide-2018 fide-2023 fide-1997 russia-1.16", &["6.2.1 -"], |t| {
        t.hand = 350;
        t.time("5400+30").start().secs(9).play("e2e4 e7e5").secs(2);
        t.has(&[
            json!({"type": "move-made", "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true}),
            json!({"type": "press", "by": "white"}),
            json!({"type": "move-completed", "ply": 1, "by": "white", "uci": "e2e4", "how": "press", "legal": true,
                "clock": {"white_ms": 5_447_000, "black_ms": 5_430_000}}),
            json!({"type": "move-completed", "ply": 2, "uci": "e7e5", "how": "press"}),
        ]);
        t.record_is("e2e4 e7e5").silence();
    });
}

#[test]
fn a_move_is_made_before_it_is_completed() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().hand("g1f3").secs(4);
        t.record_is("(g1f3)");
        t.press().secs(2).record_is("g1f3").silence();
    });
}

#[test]
fn mate_needs_no_press() {
    law("fide-2018 fide-2023 fide-1997 russia-1.16", &["6.2.1.1 -", "5.1.1 -", "5.1-5.3 -", "1.16 -"], |t| {
        t.time("300+3").start().play("f2f3 e7e5 g2g4").hand("d8h4").secs(3);
        t.has(&[json!({"type": "move-completed", "ply": 4, "uci": "d8h4", "how": "game-end"}), json!({"type": "result", "result": "0-1"})]);
        t.result("0-1", "position").stop().secs(20).silence();
        if t.edition.starts_with("fide-20") {
            t.has(&[json!({"type": "result", "article": "5.1.1"})]);
        }
    });
}

#[test]
fn stalemate_needs_no_press() {
    law(FIDE, &["6.2.1.1 -", "5.2.1 -"], |t| {
        t.time("300+3").from("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1").start().hand("g5g6").secs(3);
        t.has(&[json!({"type": "move-completed", "ply": 1, "how": "game-end"}), json!({"type": "result", "article": "5.2.1"})]);
        t.result("1/2-1/2", "position").silence();
    });
}

#[test]
fn a_dead_position_needs_no_press() {
    law(FIDE, &["6.2.1.1 -", "5.2.2 -"], |t| {
        t.time("300+3").from("8/8/3k4/8/4p3/4K3/8/8 w - - 0 1").start().hand("e3e4").secs(3);
        t.has(&[json!({"type": "move-completed", "ply": 1, "how": "game-end"}), json!({"type": "result", "article": "5.2.2"})]);
        t.result("1/2-1/2", "position").silence();
    });
}

/// The king must take the rook: two kings are left.
#[test]
fn a_position_is_dead_when_the_only_legal_move_makes_it_so() {
    law(FIDE, &["5.2.2 -"], |t| {
        t.time("300+3").from("8/8/8/8/8/8/7r/K1k5 b - - 0 1").start().hand("h2a2").secs(6);
        t.result("1/2-1/2", "position").silence();
    });
}

#[test]
fn the_next_move_completes_the_one_before() {
    law(FIDE, &["6.2.1.2 unpressed-move"], |t| {
        t.time("300+3").start().hand("e2e4").hand("e7e5").hand("g1f3").secs(3);
        t.has(&[
            json!({"type": "move-made", "ply": 3, "uci": "g1f3"}),
            json!({"type": "move-completed", "ply": 1, "uci": "e2e4", "how": "next-move"}),
        ]);
        t.found("unpressed-move").is(json!({"article": "6.2.1.2", "grade": "note", "by": "white"}));
        t.press().secs(2).play("b8c6").secs(2);
        t.record_is("e2e4 e7e5 g1f3 b8c6").no_alarm();
    });
}

#[test]
fn neither_presses_for_five_moves() {
    law(FIDE, &["6.2.1.2 unpressed-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5");
        for uci in "g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 e1g1 e8g8".split(' ') {
            t.hand(uci);
        }
        t.play("b1d2").play("a7a6 a2a3").secs(2);
        t.record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 e1g1 e8g8 b1d2 a7a6 a2a3").no_alarm();
        t.found("unpressed-move").is(json!({"grade": "note"}));
    });
}

/// Only the press completes; it completes all that wait for it.
#[test]
fn without_that_rule_the_press_completes_all_that_wait() {
    law("fide-1997 russia-1.16", &["6.7a -", "1.16.2 -"], |t| {
        t.time("300+3").start().hand("e2e4").hand("e7e5").hand("g1f3").secs(3);
        t.record_is("(e2e4) (e7e5) (g1f3)");
        t.press().secs(2);
        t.has(&[json!({"type": "move-completed", "ply": 1, "how": "press"}), json!({"type": "move-completed", "ply": 3, "how": "press"})]);
        t.record_is("e2e4 (e7e5) g1f3").no_alarm();
    });
}

#[test]
fn a_late_press_completes_the_earlier_move() {
    law("fide-2018 fide-2023 fide-1997 russia-1.16", &["6.2.2 late-press", "1.16.2 late-press"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("g1f3").hand("b8c6").secs(1).press().secs(1).press().secs(2);
        t.has(&[
            json!({"type": "move-made", "ply": 4, "uci": "b8c6"}),
            json!({"type": "move-completed", "ply": 3, "uci": "g1f3", "how": "press"}),
            json!({"type": "move-completed", "ply": 4, "uci": "b8c6", "how": "press"}),
        ]);
        let article = match t.edition.as_str() {
            "fide-1997" => "6.7a",
            "russia-1.16" => "1.16.2",
            _ => "6.2.2",
        };
        t.one("late-press").is(json!({"grade": "note", "by": "white", "article": article}));
        t.play("f1c4").secs(2).record_is("e2e4 e7e5 g1f3 b8c6 f1c4").no_alarm();
    });
}

#[test]
fn a_press_in_good_time_is_not_late() {
    law(FIDE, &["6.2.2 late-press"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("g1f3").secs(25).press().play("b8c6").secs(2);
        t.silence();
    });
}

#[test]
fn a_piece_in_the_air_at_the_press() {
    law(FIDE, &["6.2.4 press-before-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).lift("g1").press().wait(900).put("f3", 'N').secs(3);
        t.only("press-before-move").is(json!({"article": "6.2.4", "grade": "attention", "by": "white"}));
        t.play("b8c6").secs(2).record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

/// It came down before the press; the scanner comes to it later.
#[test]
fn a_piece_seen_a_scan_late_was_not_in_the_air() {
    law(FIDE, &["6.2.4 press-before-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).lift("g1").put("f3", 'N').press_at_once().secs(2).play("b8c6").secs(2);
        t.silence().record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

/// The text of 1997 does not forbid it.
#[test]
fn in_1997_pressing_first_was_allowed() {
    law("fide-1997", &["6.7c -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).lift("g1").press().wait(900).put("f3", 'N').secs(3);
        t.no_alarm().never("press-before-move").play("b8c6").secs(2).record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn adjusting_while_the_opponent_thinks() {
    law(FIDE, &["6.2.5 adjusted-out-of-turn"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).lift("d8").wait(800).put("d8", 'q').secs(4);
        t.one("adjusted-out-of-turn").is(json!({"article": "6.2.5", "grade": "note", "by": "black"}));
        t.play("g1f3 b8c6").secs(2).no_alarm().record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn adjusting_on_ones_own_time() {
    law(FIDE, &["6.2.5 adjusted-out-of-turn", "4.3 touched-piece"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).lift("b1").wait(800).put("b1", 'N').secs(2).play("g1f3").secs(2);
        t.silence();
        t.has(&[json!({"type": "touched-piece", "by": "white", "piece": "N", "square": "b1", "own": true})]);
        let story = t.story();
        let trace = story.events.iter().find(|e| e["type"] == "touched-piece").unwrap();
        if trace["lifted"].as_u64() >= trace["returned"].as_u64() {
            story.fail("lifted after it was returned");
        }
    });
}

/// The captured piece is off first, the capturer is still on its way.
#[test]
fn a_capture_is_no_adjusting() {
    law(FIDE, &["6.2.5 adjusted-out-of-turn"], |t| {
        t.time("300+3").start().play("e2e4 d7d5").secs(3).lift("d5").secs(3).carry("e4", "d5").press().secs(2);
        t.silence().record_is("e2e4 d7d5 e4d5");
    });
}

#[test]
fn an_opponents_piece_touched_with_an_own_one_is_a_trace() {
    law(FIDE, &["4.3 touched-piece"], |t| {
        t.time("300+3")
            .start()
            .play("e2e4 d7d5")
            .secs(3)
            .lift("d5")
            .wait(600)
            .lift("e4")
            .wait(600)
            .put("d5", 'p')
            .put("e4", 'P')
            .secs(2)
            .play("e4e5")
            .secs(2);
        t.has(&[json!({"type": "touched-piece", "by": "white", "piece": "p", "square": "d5", "own": false})]);
        t.no_alarm().record_is("e2e4 d7d5 e4e5");
    });
}

#[test]
fn an_assistant_presses_when_he_can() {
    law(FIDE, &["6.2.6 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").enter(r#"{"do":"assistant","by":"white"}"#);
        t.hand("g1f3").hand("b8c6").secs(1).press().secs(1).press().secs(2);
        t.hand("f1c4").hand("g8f6").hand("d2d3").press().secs(2);
        t.has(&[json!({"type": "ruling", "do": "assistant", "by": "white"})]);
        t.never("late-press").no_alarm();
        let story = t.story();
        if story.findings().iter().any(|f| f.raised["key"] == "unpressed-move" && f.raised["by"] == "white") {
            story.fail("the assisted side's missing press");
        }
        t.record_is("e2e4 e7e5 g1f3 b8c6 f1c4 (g8f6) d2d3");
    });
}

#[test]
fn whose_hand_pressed_is_entered() {
    law("fide-2018 fide-2023 russia-1.16", &["6.2.3 wrong-hand", "1.16.2 wrong-hand"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").report_of("wrong-hand", White).secs(2);
        let article = if t.edition == "russia-1.16" { "1.16.2" } else { "6.2.3" };
        t.only("wrong-hand").status("confirmed").is(json!({"by": "white", "grade": "attention", "article": article}));
        t.has(&[json!({"type": "finding", "key": "wrong-hand"}), json!({"type": "finding-update", "status": "confirmed"})]);
    });
}
