//! Before and at the start: 6.5 to 6.7, 7.2, 7.3.
use super::law;
use super::table::{Black, Lie, White, ms};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
const ALL: &str = "fide-2018 fide-2023 fide-1997 russia-1.16";

#[test]
fn the_clock_stands_on_the_other_side_than_set() {
    law("fide-2018 fide-2023 fide-1997", &["6.5 clock-side", "6.4 clock-side"], |t| {
        t.time("300+3").header("clock-white: left");
        t.device().white_is_left = false;
        t.start().play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6").secs(2);
        let article = if t.edition == "fide-1997" { "6.4" } else { "6.5" };
        t.one("clock-side").is(json!({"grade": "attention", "article": article}));
        // The record goes on as the board shows it.
        t.record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
        t.has(&[
            json!({"type": "move-completed", "uci": "f1c4", "how": "press"}),
            json!({"type": "press", "by": "black"}),
            json!({"type": "move-completed", "uci": "g8f6", "how": "press"}),
        ]);
        t.never("press-without-move").never("illegal-move").never("two-moves-in-a-row");
    });
}

#[test]
fn a_clock_on_either_side_is_found_by_itself() {
    law(FIDE, &["6.5 clock-side"], |t| {
        t.time("300+3");
        t.device().white_is_left = false;
        t.start().play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6").secs(2);
        t.no_alarm().record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
    });
}

#[test]
fn the_clock_where_it_was_set_to_be() {
    law(ALL, &["6.5 clock-side"], |t| {
        t.time("300+3").header("clock-white: right");
        t.device().white_is_left = false;
        t.start().play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6").secs(2);
        t.silence();
    });
}

#[test]
fn blacks_clock_is_started_first() {
    law("fide-2018 fide-2023 fide-1997", &["6.6 wrong-side-started", "6.5 wrong-side-started"], |t| {
        t.time("300+3").header("clock-white: left");
        t.device().up = Black;
        t.start().secs(8);
        let article = if t.edition == "fide-1997" { "6.5" } else { "6.6" };
        t.only("wrong-side-started").is(json!({"grade": "attention", "article": article}));
    });
}

#[test]
fn whites_clock_is_started_first() {
    law(ALL, &["6.6 wrong-side-started"], |t| {
        t.time("300+3").header("clock-white: left").start().secs(20).play("e2e4 e7e5").secs(1);
        t.silence();
    });
}

#[test]
fn a_game_that_starts_late() {
    law(FIDE, &["6.6 late-start"], |t| {
        t.time("5400+30").header("recorded-at: 2026-11-21T10:00:00Z").header("start-at: 2026-11-21T10:00:30Z");
        t.secs(60).silence().secs(60);
        let found = t.only("late-start");
        found.open().is(json!({"grade": "attention", "article": "6.6", "by": null}));
        t.wait(210_000 - t.now()).start().secs(2);
        let found = t.one("late-start");
        found.revised().proposes(json!({"action": "continue"})).or_times("5250", "5430");
        let alternative = found.now["proposal"]["alternatives"].as_array().unwrap().iter().find(|a| a["clock"]["white_ms"] == ms("5250"));
        assert!(alternative.unwrap()["label"].as_str().unwrap().contains('3'), "{}", found.now);
    });
}

/// 6.7.2: the twelve minutes are ruled when White comes; nothing takes them again, and the clock sum starts from what was ruled.
#[test]
fn time_lost_by_a_late_start_is_taken_once() {
    law(FIDE, &["6.7.2 default-time", "6.6 late-start"], |t| {
        t.time("5400+30").header("default-time: 30m");
        t.header("recorded-at: 2026-11-21T10:00:00Z").header("start-at: 2026-11-21T10:00:30Z");
        t.secs(1);
        t.wait(30_000 + 12 * 60_000 - t.now()).enter(r#"{"do":"arrived","by":"white"}"#).secs(1);
        t.confirm("default-time").set("4710", "5430", White).start().secs(3);
        let found = t.one("late-start");
        found.revised().proposes(json!({"action": "continue", "clock": null}));
        let alternatives = found.now["proposal"]["alternatives"].as_array().cloned().unwrap_or_default();
        assert!(alternatives.iter().all(|a| a["clock"]["white_ms"].as_i64().unwrap() >= ms("4705")), "{}", found.now);
        t.play("e2e4 e7e5 g1f3 b8c6").secs(2).never("clock-setting").never("clock-defect").record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn times_that_were_entered_before_the_first_move_are_no_wrong_setting() {
    law(ALL, &["6.10.2 clock-setting", "6.7.2 default-time"], |t| {
        t.time("300+3").secs(2);
        t.enter(r#"{"do":"set-clock","clock":{"white_ms":180000,"black_ms":303000,"run":"white"}}"#).set("180", "303", White);
        t.start().play("e2e4 e7e5 g1f3 b8c6").secs(2).never("clock-setting").never("clock-defect").no_alarm();
    });
}

/// Other times than were entered are noted once; what is wrong later is reckoned from what was entered.
#[test]
fn times_that_were_entered_before_the_first_move_and_not_set() {
    law(FIDE, &["7.1 clock-setting"], |t| {
        t.time("300+3").secs(2);
        t.enter(r#"{"do":"set-clock","clock":{"white_ms":180000,"black_ms":303000,"run":"white"}}"#).secs(3);
        t.start().play("e2e4 e7e5 g1f3 b8c6").secs(2).one("clock-setting").is(json!({"grade": "note"}));
        t.no_alarm();
    });
}

#[test]
fn a_game_that_starts_in_time() {
    law(FIDE, &["6.6 late-start"], |t| {
        t.time("5400+30").header("recorded-at: 2026-11-21T10:00:00Z").header("start-at: 2026-11-21T10:00:30Z");
        t.secs(80).start().secs(120).play("e2e4").secs(1).silence();
    });
}

#[test]
fn a_player_who_may_be_absent() {
    law("fide-2018 fide-2023", &["6.7.1 default-time"], |t| {
        t.time("5400+30").header("default-time: 15m").start().play("e2e4").secs(14 * 60).silence().secs(80);
        let found = t.only("default-time");
        found
            .open()
            .is(json!({"by": "black", "grade": "attention", "article": "6.7.1"}))
            .proposes(json!({"action": "none", "result": null}));
    });
}

/// He may be thinking; only what the arbiter has seen is a proposal, and only his ruling a result.
#[test]
fn a_player_whose_absence_is_entered() {
    law(FIDE, &["6.7.1 default-time"], |t| {
        t.time("5400+30").header("default-time: 15m").start().play("e2e4").secs(15 * 60 + 20);
        t.report_of("default-time", Black).secs(1);
        let found = t.only("default-time");
        found.open().revised().is(json!({"by": "black", "article": "6.7.1"})).proposes(json!({"action": "declare-loss", "result": "1-0"}));
        t.has(&[json!({"type": "ruling", "do": "report", "key": "default-time"}), json!({"type": "finding-update", "status": "revised"})]);
        t.no_result().confirm("default-time").secs(1).result("1-0", "ruling");
    });
}

/// With a default time of zero there is no hint; absence is the arbiter's to enter.
#[test]
fn an_absence_that_is_entered_without_a_hint() {
    law(FIDE, &["6.7.1 default-time"], |t| {
        t.time("5400+30").start().play("e2e4").secs(600).silence().report_of("default-time", Black).secs(1);
        t.only("default-time").open().is(json!({"by": "black"})).proposes(json!({"action": "declare-loss", "result": "1-0"}));
        t.dismiss("default-time").play("e7e5").secs(1).no_result().nothing_open();
    });
}

#[test]
fn white_who_may_be_absent() {
    law(FIDE, &["6.7.1 default-time"], |t| {
        t.time("5400+30").header("default-time: 15m").start().secs(15 * 60 + 20);
        t.only("default-time").open().is(json!({"by": "white", "article": "6.7.1"}));
    });
}

/// More than one hour after the scheduled start of the session.
#[test]
fn one_hour_is_the_default_of_1997() {
    law("fide-1997", &["6.6 default-time"], |t| {
        t.time("5400+30").header("recorded-at: 2026-11-21T10:00:00Z").header("start-at: 2026-11-21T10:00:30Z");
        t.secs(29).start().play("e2e4").secs(59 * 60).silence().secs(100);
        t.only("default-time").is(json!({"by": "black", "article": "6.6"}));
    });
}

#[test]
fn a_player_who_has_arrived_is_not_absent() {
    law(FIDE, &["6.7.1 default-time"], |t| {
        t.time("5400+30")
            .header("default-time: 15m")
            .start()
            .play("e2e4")
            .secs(10 * 60)
            .enter(r#"{"do":"arrived","by":"black"}"#)
            .secs(8 * 60);
        t.silence().lacks(json!({"type": "ruling"}));
    });
}

#[test]
fn a_player_who_moved_is_not_absent() {
    law(FIDE, &["6.7.1 default-time"], |t| {
        t.time("5400+30").header("default-time: 15m").start().play("e2e4 e7e5").secs(20 * 60);
        t.silence();
    });
}

#[test]
fn without_a_default_time_there_is_no_hint() {
    law(FIDE, &["6.7.1 default-time"], |t| {
        t.time("5400+30").start().play("e2e4").secs(40 * 60).silence();
    });
}

#[test]
fn white_loses_the_time_until_he_arrives() {
    law(FIDE, &["6.7.2 default-time"], |t| {
        t.time("5400+30").header("default-time: 30m");
        t.header("recorded-at: 2026-11-21T10:00:00Z").header("start-at: 2026-11-21T10:00:30Z");
        t.secs(1);
        t.wait(30_000 + 12 * 60_000 - t.now()).enter(r#"{"do":"arrived","by":"white"}"#).secs(1);
        let found = t.found("default-time");
        found
            .open()
            .is(json!({"by": "white", "article": "6.7.2"}))
            .proposes(json!({"clock": {"white_ms": ms("4710"), "black_ms": ms("5430")}}));
    });
}

const SWAPPED: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR w KQkq - 0 1";

#[test]
fn pieces_that_stand_wrong_at_the_start() {
    law(FIDE, &["7.2.1 wrong-initial-position"], |t| {
        t.time("300+3").stands(SWAPPED).secs(25);
        let found = t.only("wrong-initial-position");
        found.open().is(json!({"grade": "ruling", "article": "7.2.1"})).says(&["b1", "c1"]).proposes(json!({"action": "restore-position"}));
        assert!(
            found.now["proposal"]["restore_fen"].as_str().is_some_and(|f| f.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")),
            "{}",
            found.now
        );
        // Put right before the first move: nothing is left of it.
        t.lift("b1").lift("c1").put("b1", 'N').put("c1", 'B').secs(3);
        t.one("wrong-initial-position").status("withdrawn");
        t.start().play("e2e4 e7e5").secs(1).record_is("e2e4 e7e5").nothing_open();
    });
}

#[test]
fn found_during_the_game_it_cancels_it() {
    law(FIDE, &["7.2.1 wrong-initial-position"], |t| {
        t.time("300+3").stands(SWAPPED).secs(5).start().play("e2e4 e7e5 g1f3 b8c6").secs(3);
        t.one("wrong-initial-position").open().proposes(json!({"action": "cancel-game"}));
        t.stop().secs(1).confirm("wrong-initial-position").secs(1).result("*", "ruling");
        t.record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn put_right_before_the_first_move_though_the_clock_runs() {
    law(FIDE, &["7.2.1 wrong-initial-position"], |t| {
        t.time("300+3").stands(SWAPPED).secs(2).start().secs(3);
        t.one("wrong-initial-position").open().proposes(json!({"action": "restore-position"}));
        t.lift("b1").lift("c1").put("b1", 'N').put("c1", 'B').secs(3);
        t.one("wrong-initial-position").status("withdrawn");
        t.play("e2e4 e7e5").secs(1).record_is("e2e4 e7e5").nothing_open();
    });
}

#[test]
fn found_after_the_game_the_result_stands() {
    law(FIDE, &["7.2.1 wrong-initial-position"], |t| {
        t.time("300+3").stands(SWAPPED).secs(2).start().play("e2e4 e7e5").enter(r#"{"do":"result","result":"1-0"}"#).secs(1);
        let action = t.one("wrong-initial-position").now["proposal"]["action"].clone();
        assert!(action == "none" || action == "continue", "{action}");
        t.result("1-0", "operator");
    });
}

/// The first picture shows moves that nobody saw.
#[test]
fn a_game_that_is_on_already_has_no_wrong_start() {
    law(FIDE, &["7.2.1 wrong-initial-position"], |t| {
        t.time("300+3").stands("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR").start().secs(20);
        t.never("wrong-initial-position");
    });
}

#[test]
fn a_start_of_chess960_is_not_wrong() {
    law(FIDE, &["7.2.1 wrong-initial-position"], |t| {
        t.time("300+3").stands("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN").secs(20).start().play("e2e4 e7e5").secs(1);
        t.silence().record_is("e2e4 e7e5").has(&[json!({"type": "game-start", "chess960": true})]);
    });
}

#[test]
fn pieces_still_being_set_up_are_not_wrong() {
    law(FIDE, &["7.2.1 wrong-initial-position"], |t| {
        t.time("300+3").stands("rnbqkbnr/pppppppp/8/8/8/8/PPPPPP2/RNB5 w - - 0 1").secs(2);
        for (square, piece) in [("g2", 'P'), ("h2", 'P'), ("d1", 'Q'), ("e1", 'K'), ("f1", 'B'), ("g1", 'N'), ("h1", 'R')] {
            t.wait(900).put(square, piece);
        }
        t.secs(3).start().play("e2e4 e7e5").secs(1).silence().record_is("e2e4 e7e5");
    });
}

#[test]
fn a_board_turned_by_a_quarter() {
    law(FIDE, &["7.2.2 board-turned"], |t| {
        t.time("300+3").lies(Lie::Quarter).secs(2).start().play("e2e4 e7e5 g1f3").secs(3);
        t.only("board-turned").is(json!({"grade": "attention", "article": "7.2.2"})).proposes(json!({"action": "continue"}));
        t.record_is("e2e4 e7e5 g1f3");
        t.has(&[json!({"type": "move-made", "uci": "g1f3", "placement": "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"})]);
    });
}

#[test]
fn a_cable_on_the_other_side_is_no_turned_board() {
    law(FIDE, &["7.2.2 board-turned"], |t| {
        t.time("300+3").lies(Lie::Half);
        t.device().white_is_left = false;
        t.secs(2).start().play("e2e4 e7e5 g1f3 b8c6").secs(3);
        t.silence().record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

/// Twenty plies, and two to be on top of them.
const TWENTY: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5";

#[test]
fn colours_reversed_before_ten_moves_each() {
    law(FIDE, &["7.3 colours-reversed"], |t| {
        let moves: Vec<&str> = TWENTY.split(' ').collect();
        t.time("300+3").start().play(&moves[..19].join(" ")).secs(1).enter(r#"{"do":"report","key":"colours-reversed"}"#).secs(1);
        t.only("colours-reversed")
            .status("confirmed")
            .is(json!({"article": "7.3", "grade": "ruling", "by": null}))
            .proposes(json!({"action": "cancel-game"}));
        t.result("*", "ruling");
    });
}

#[test]
fn colours_reversed_after_ten_moves_each() {
    law(FIDE, &["7.3 colours-reversed"], |t| {
        t.time("300+3").start().play(TWENTY).secs(1).enter(r#"{"do":"report","key":"colours-reversed"}"#).secs(1);
        t.only("colours-reversed").proposes(json!({"action": "continue"}));
        t.no_result().play("d2d4 d8c7").secs(1).record_is(&format!("{TWENTY} d2d4 d8c7"));
    });
}

#[test]
fn a_game_started_with_the_right_colours() {
    law(FIDE, &["7.3 colours-reversed"], |t| {
        t.time("300+3").start().play(TWENTY).secs(1).silence();
        assert_eq!(t.device().presses, [10, 10]);
    });
}
