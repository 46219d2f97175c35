//! What the editions of 1997 and Russia's 1.16 say differently.
use super::table::{Black, Table, White};
use super::{law, law_for};
use serde_json::json;

/// A rook over its own pawn, pressed.
fn rook_jumps(t: &mut Table) {
    t.time("300+3").start().play("e2e4 e7e5").hand("a1a3").press().secs(2);
}

/// Both times as shown, the offender's clock to run.
fn as_shown(t: &mut Table, key: &str, run: &str) {
    t.stop().secs(2);
    let [white, black] = [t.device().shown(White), t.device().shown(Black)].map(|s| s * 1000);
    t.found(key).proposes(json!({"clock": {"white_ms": white, "black_ms": black, "run": run}}));
}

#[test]
fn an_illegal_move_in_1997_has_no_fixed_penalty() {
    law("fide-1997", &["6.13 illegal-move"], |t| {
        rook_jumps(t);
        let found = t.only("illegal-move");
        found.open().is(json!({"by": "white", "article": "6.13", "grade": "ruling"})).proposes(json!({"action": "restore-position"}));
        let fen = found.now["proposal"]["restore_fen"].as_str().unwrap().to_owned();
        assert!(fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"), "{fen}");
        t.stop().secs(2);
        let black = t.device().shown(Black);
        let proposed = t.found("illegal-move").now["proposal"]["clock"]["black_ms"].as_i64().unwrap();
        assert!(proposed <= (black + 5) * 1000, "no two minutes: {proposed}");
        t.confirm("illegal-move").secs(1).record_is("e2e4 e7e5");
    });
}

#[test]
fn a_third_illegal_move_in_1997_loses_nothing() {
    law("fide-1997", &["6.13 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5");
        for _ in 0..3 {
            t.hand("a1a3").press().secs(2).stop().secs(1).confirm("illegal-move").carry("a3", "a1");
            let clock = t.found("illegal-move").now["proposal"]["clock"].clone();
            let shown = |side: &str| format!("{}", clock[side].as_i64().unwrap() / 1000);
            t.found("illegal-move").proposes(json!({"action": "restore-position", "result": null}));
            t.set(&shown("white_ms"), &shown("black_ms"), White).start();
        }
        t.no_result();
    });
}

#[test]
fn a_press_without_a_move_in_1997_is_no_finding() {
    law("fide-1997", &["6.7a press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).press().secs(4).press().secs(2).play("g1f3 b8c6").secs(2);
        t.never("press-without-move").never("illegal-move").record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn a_pawn_left_on_the_last_rank_in_1997_is_restored() {
    law("fide-1997", &["6.13 unpromoted-pawn"], |t| {
        t.time("300+3").from("7k/4P3/8/8/8/8/8/R3K3 w - - 0 1").start().hand("e7e8").press().secs(4);
        t.only("unpromoted-pawn")
            .is(json!({"by": "white", "article": "6.13"}))
            .proposes(json!({"action": "restore-position", "restore_fen": "7k/4P3/8/8/8/8/8/R3K3 w - - 0 1"}));
    });
}

#[test]
fn in_russia_he_corrects_it_in_his_own_time() {
    law("russia-1.16", &["1.16.3 illegal-move"], |t| {
        rook_jumps(t);
        t.only("illegal-move")
            .open()
            .is(json!({"by": "white", "article": "1.16.3"}))
            .proposes(json!({"action": "restore-position", "offence": 1}));
        as_shown(t, "illegal-move", "white");
        t.confirm("illegal-move").secs(1).has(&[json!({"type": "move-withdrawn", "ply": 3, "uci": "a1a3"})]);
    });
}

#[test]
fn in_russia_a_press_without_a_move_is_an_error_too() {
    law("russia-1.16", &["1.16.3 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).press().secs(4);
        t.one("press-without-move")
            .open()
            .is(json!({"by": "white", "article": "1.16.3"}))
            .proposes(json!({"action": "warn", "offence": 1}));
        as_shown(t, "press-without-move", "white");
    });
}

#[test]
fn in_russia_the_third_violation_of_any_kind_loses() {
    law("russia-1.16", &["1.16.4 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5");
        t.hand("a1a3").press().secs(2).confirm("illegal-move").stop();
        let again = |t: &mut Table| {
            let [white, black] = [t.device().shown(White).to_string(), t.device().shown(Black).to_string()];
            t.set(&white, &black, White).start();
        };
        t.carry("a3", "a1");
        again(t);
        t.secs(4).press().secs(4);
        t.found("press-without-move").proposes(json!({"action": "warn", "offence": 2}));
        t.confirm("press-without-move").stop();
        again(t);
        t.hand("a1a3").press().secs(3);
        t.found("illegal-move").proposes(json!({"action": "declare-loss", "offence": 3, "result": "0-1"}));
        t.no_result().confirm("illegal-move").secs(1).result("0-1", "ruling");
    });
}

#[test]
fn in_russia_an_illegal_move_that_nobody_noticed_stands() {
    law("russia-1.16", &["1.16.3 illegal-move"], |t| {
        rook_jumps(t);
        t.hand("b8c6").secs(2);
        t.one("illegal-move").status("withdrawn");
        t.press().play("a3d3 g8f6").secs(2).record_is("e2e4 e7e5 a1a3 b8c6 a3d3 g8f6").nothing_open();
        t.hand("h1h3").press().secs(2);
        t.found("illegal-move").proposes(json!({"offence": 1}));
    });
}

#[test]
fn the_opponents_clock_does_not_run() {
    law("russia-1.16", &["1.16.4 lever-check"], |t| {
        // White presses, his lever sticks half-way: the clock stands; Black's button and back starts it.
        t.time("300+3").start().play("e2e4 e7e5").hand("g1f3").press();
        t.device().running = false;
        t.shows().secs(2).press_at_once().wait(700);
        t.device().running = true;
        t.press_at_once().secs(2).play("b8c6").secs(2);
        t.never("press-without-move").one("lever-check").is(json!({"grade": "note", "article": "1.16.4"}));
        t.record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn a_move_before_the_own_clock_runs() {
    law("russia-1.16", &["1.16.2 moved-before-clock"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("g1f3").hand("b8c6").secs(1).press().secs(1).press().secs(2);
        t.found("moved-before-clock").is(json!({"by": "black", "grade": "note", "article": "1.16.2"}));
        t.no_alarm().record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn moves_before_the_own_clock_runs_where_nobody_presses_at_all() {
    law("russia-1.16", &["1.16.2 moved-before-clock"], |t| {
        t.time("300+3").start().hand("e2e4").hand("e7e5").hand("g1f3").hand("b8c6").hand("f1c4").secs(3);
        let story = t.story();
        let noted: Vec<_> = story.findings().into_iter().filter(|f| f.raised["key"] == "moved-before-clock").collect();
        let of: Vec<_> = noted.iter().map(|f| (f.raised["by"].clone(), f.raised["facts"]["ply"].clone())).collect();
        assert_eq!(of, [(json!("black"), json!(2)), (json!("black"), json!(4))], "{}", story.told());
        // The press that comes after all tells how long before, and is no second note.
        t.press().secs(2).never("lever-check").no_alarm();
        assert_eq!(t.count(&json!({"type": "finding", "key": "moved-before-clock"})), 2);
    });
}

/// 1.16.3: the opponent presses back, which starts the offender's clock; he corrects in his own time.
#[test]
fn in_russia_the_opponent_presses_back() {
    law_for(&[900_u64, 1600, 3000], "russia-1.16", &["1.16.3 illegal-move", "1.16.4 lever-check"], |t, back| {
        t.time("300+3").start().play("e2e4 e7e5").hand("a1a3").press().wait(*back).press_at_once().wait(1500);
        let [white, black] = [t.device().shown(White), t.device().shown(Black)].map(|s| s * 1000);
        let found = t.only("illegal-move");
        found.open().proposes(json!({"action": "restore-position", "offence": 1, "clock": {"black_ms": black, "run": "white"}}));
        // The times offered are those of the press back, not those before it.
        let offered = found.now["proposal"]["clock"]["white_ms"].as_i64().unwrap();
        assert!((white..=white + 2000).contains(&offered), "{offered} offered, {white} shown");
        t.secs(4).confirm("illegal-move").wait(700);
        // Nothing is to be set: the clock runs on, and what is published is what it shows.
        t.lacks(json!({"type": "clock", "source": "arbiter"}));
        t.carry("a3", "a1").hand("g1f3").press().play("b8c6 f1c4").secs(2);
        t.never("lever-check").never("clock-defect").never("clock-setting").never("press-without-move").nothing_open();
        t.record_is("e2e4 e7e5 g1f3 b8c6 f1c4");
    });
}

/// Corrected at once, several times: neither a trial of the lever nor a defect of the clock.
#[test]
fn in_russia_corrections_are_no_lever_checks() {
    law("russia-1.16", &["1.16.4 lever-check", "1.16.4 clock-defect"], |t| {
        t.time("300+3").start().play("e2e4 e7e5");
        (t.think, t.hand) = (300, 120);
        for (wrong, right, reply) in [("a1a3", "g1f3", "b8c6"), ("h1h3", "f1c4", "g8f6")] {
            t.secs(2).hand(wrong).press().wait(800).press_at_once();
            t.carry(&wrong[2..], &wrong[..2]).hand(right).press().secs(2).hand(reply).press();
        }
        t.secs(2).never("lever-check").never("clock-defect");
    });
}

#[test]
fn in_russia_late_presses_are_no_lever_checks() {
    law("russia-1.16", &["1.16.4 lever-check", "1.16.4 clock-defect"], |t| {
        t.time("300+3").start().play("e2e4 e7e5");
        (t.think, t.hand) = (300, 120);
        for [first, reply, second] in [["g1f3", "b8c6", "f1c4"], ["e1g1", "f6e4", "d2d4"]] {
            if reply == "f6e4" {
                t.play("g8f6");
            }
            t.hand(first).hand(reply).hand(second).press().wait(300).press_at_once().wait(300).press_at_once().secs(2);
        }
        t.never("lever-check").never("clock-defect");
    });
}

/// However often it is needed, it is allowed.
#[test]
fn in_russia_no_number_of_lever_checks_is_a_defect() {
    law("russia-1.16", &["1.16.4 lever-check", "1.16.4 clock-defect"], |t| {
        t.time("300+3").start().play("e2e4 e7e5");
        for (move_, reply) in [("g1f3", "b8c6"), ("f1c4", "g8f6"), ("d2d3", "f8c5"), ("c2c3", "d7d6")] {
            t.hand(move_).press().wait(400).press_at_once().wait(700).press_at_once().secs(3).play(reply).secs(2);
        }
        t.never("clock-defect").never("press-without-move");
        assert_eq!(t.count(&json!({"type": "finding", "key": "lever-check"})), 4);
        t.record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6");
    });
}

#[test]
fn a_move_while_the_own_clock_runs() {
    law("russia-1.16", &["1.16.2 moved-before-clock"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6").secs(2).silence();
    });
}

#[test]
fn five_moves_before_the_judge() {
    law("russia-1.16", &["1.16.7 five-moves"], |t| {
        t.time("300+3").from("4k3/8/8/8/8/4K3/4P3/7R b - - 0 1").start().play("e8e7").enter(r#"{"do":"count","by":"white"}"#).secs(1);
        t.has(&[json!({"type": "ruling", "do": "count", "by": "white"})]);
        t.one("five-moves").open().is(json!({"grade": "attention", "article": "1.16.7"}));
        t.play("h1h2 e7e6 h2h3 e6e7 h3h4 e7e6 h4h5 e6e7").secs(1).no_result();
        t.one("five-moves").open();
        t.play("h5h6").secs(1);
        t.one("five-moves").revised().proposes(json!({"action": "declare-draw", "result": "1/2-1/2"}));
        t.confirm("five-moves").secs(1).result("1/2-1/2", "ruling");
    });
}

#[test]
fn a_draw_by_offer_with_stopped_clocks_is_entered() {
    law("russia-1.16", &["1.16.8 -"], |t| {
        t.time("300+3")
            .start()
            .play("e2e4 e7e5")
            .enter(r#"{"do":"stop"}"#)
            .stop()
            .enter(r#"{"do":"result","result":"1/2-1/2","reason":"1.16.8"}"#)
            .secs(1);
        t.result("1/2-1/2", "operator").no_alarm();
    });
}
