//! The clock's setting and its defects, stops and restarts: 6.1, 6.3, 6.10, 6.11.
use super::device::Bonus;
use super::table::{Black, Table, White, ms};
use super::{law, law_for};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
const ALL: &str = "fide-2018 fide-2023 fide-1997 russia-1.16";
const SIX: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6";

fn defect(t: &Table) -> &'static str {
    if t.edition == "fide-1997" { "6.10" } else { "6.10.1" }
}

#[test]
fn a_right_clock_gives_no_finding() {
    law_for(
        &["300+3", "300", "300+d5", "300+b5", "3/60+2:120+2", "40/5400+30:1800+30"],
        ALL,
        &["6.3.2 clock-setting", "6.10.2 clock-setting"],
        |t, control| {
            t.time(control).start().secs(2).play(SIX).secs(9).play("d2d3 f8c5 c2c3 d7d6").secs(3);
            t.silence();
        },
    );
}

/// A move inside the fixed time and one beyond it, each way of giving time.
#[test]
fn delays_are_modelled() {
    law_for(&["60+d5", "60+b5"], FIDE, &["6.3.2 clock-setting"], |t, control| {
        t.time(control).start().play("e2e4 e7e5").secs(12).play("g1f3").secs(11).play("b8c6").secs(30).play("f1c4").secs(2);
        t.silence();
    });
}

#[test]
fn an_increment_that_was_not_set() {
    law(FIDE, &["6.10.2 clock-setting"], |t| {
        t.time("300+3");
        t.device().bonus = Bonus::Fischer(0);
        t.device().left = [300_000; 2];
        t.start().play(SIX).secs(2);
        let found = t.only("clock-setting");
        found.open().is(json!({"grade": "attention", "article": "6.10.2"})).proposes(json!({"action": "set-clock"}));
        // Once stopped: what each should show now.
        t.stop().secs(2);
        let [white, black] = [t.device().shown(White), t.device().shown(Black)].map(|s| (s + 12) * 1000);
        t.found("clock-setting").proposes(json!({"clock": {"white_ms": white, "black_ms": black}}));
    });
}

#[test]
fn a_base_that_is_a_minute_off() {
    law(FIDE, &["6.10.2 clock-setting"], |t| {
        t.time("300+3");
        t.device().left = [363_000; 2];
        t.start().play(SIX).secs(2).stop().secs(2);
        let [white, black] = [t.device().shown(White), t.device().shown(Black)].map(|s| (s - 60) * 1000);
        t.only("clock-setting")
            .is(json!({"article": "6.10.2"}))
            .proposes(json!({"action": "set-clock", "clock": {"white_ms": white, "black_ms": black, "run": "white"}}));
    });
}

#[test]
fn a_delay_set_for_an_increment() {
    law(FIDE, &["6.10.2 clock-setting"], |t| {
        t.time("300+5");
        t.device().bonus = Bonus::Delay(5000);
        t.device().left = [300_000; 2];
        t.start();
        for uci in SIX.split(' ') {
            t.secs(6).play(uci);
        }
        t.secs(2).only("clock-setting").is(json!({"article": "6.10.2", "grade": "attention"}));
        t.never("clock-defect");
    });
}

/// Rapid and blitz without full supervision: ten moves completed by each, and the setting stands.
#[test]
fn without_supervision_a_setting_stands_after_ten_moves_each() {
    law_for(&["rapid", "blitz"], FIDE, &["A.5.1 clock-setting"], |t, play| {
        t.time("300+3").header(&format!("play: {play}")).header("supervision: partial");
        t.device().bonus = Bonus::Fischer(0);
        t.device().left = [300_000; 2];
        t.start().play(SIX).secs(2).only("clock-setting").open().proposes(json!({"action": "set-clock"}));
        t.play("d2d3 f8c5 c2c3 d7d6 e1g1 e8g8 h2h3 h7h6 f1e1 a7a6 b1d2 b7b5 c4b3 c8b7").secs(2).stop().secs(2);
        t.only("clock-setting").open().proposes(json!({"action": "continue", "clock": null}));
    });
}

#[test]
fn a_period_whose_time_does_not_come() {
    law(FIDE, &["6.10.2 clock-setting"], |t| {
        t.time("3/300+2:300+2");
        t.device().period = None;
        t.start().play(SIX).play("d2d3 f8c5 c2c3 d7d6 e1g1 e8g8").secs(2);
        t.only("clock-setting").is(json!({"article": "6.10.2"}));
        t.never("clock-defect");
    });
}

#[test]
fn an_arbiters_edit_is_no_fault() {
    law(ALL, &["6.10.2 clock-setting"], |t| {
        t.time("300+3").start().play(SIX).enter(r#"{"do":"stop"}"#).stop().secs(2);
        t.enter(r#"{"do":"set-clock","clock":{"white_ms":400000,"black_ms":200000,"run":"white"}}"#).set("400", "200", White);
        t.enter(r#"{"do":"restart"}"#).start().play("d2d3 f8c5 c2c3 d7d6 e1g1 e8g8").secs(2);
        t.silence();
        t.has(&[json!({"type": "ruling", "do": "set-clock"})]);
    });
}

#[test]
fn presses_that_were_missed_are_no_wrong_setting() {
    law(FIDE, &["6.10.2 clock-setting"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("g1f3").hand("b8c6").hand("f1c4").press().play("g8f6 d2d3 f8c5 c2c3 d7d6").secs(2);
        t.never("clock-setting").never("clock-defect").no_alarm();
    });
}

#[test]
fn a_jump_is_a_defect() {
    law("fide-2018 fide-2023 fide-1997", &["6.10.1 clock-defect", "6.10 clock-defect"], |t| {
        t.time("300+3").start().play(SIX).secs(4);
        let black = t.device().shown(Black);
        let white = t.device().shown(White);
        t.device().left[0] -= 100_000;
        t.shows().secs(5).stop().secs(1);
        let article = defect(t);
        let found = t.only("clock-defect");
        found.open().is(json!({"grade": "attention", "article": article, "by": null})).proposes(json!({"action": "set-clock"}));
        let clock = &found.now["proposal"]["clock"];
        let shown = clock["white_ms"].as_i64().unwrap() / 1000;
        assert!((white - 6..=white - 4).contains(&shown) && clock["black_ms"] == black * 1000, "{white} {black} {clock}");
    });
}

#[test]
fn a_display_that_stands_while_it_runs() {
    law(FIDE, &["6.10.1 clock-defect"], |t| {
        t.time("300+3").start().play(SIX).secs(3);
        let white = t.device().shown(White);
        t.device().frozen = true;
        t.secs(8);
        t.has(&[json!({"type": "alarm", "key": "clock-stale", "state": "raised"})]);
        t.secs(32);
        let found = t.only("clock-defect");
        found.is(json!({"article": "6.10.1", "grade": "attention"}));
        let shown = found.now["proposal"]["clock"]["white_ms"].as_i64().unwrap() / 1000;
        assert!((white - 41..=white - 25).contains(&shown), "{white} {shown}");
    });
}

#[test]
fn a_display_that_stands_in_its_delay() {
    law(FIDE, &["6.10.1 clock-defect", "6.3.2 clock-setting"], |t| {
        t.time("300+d15").start().secs(14).play("e2e4").secs(15).play("e7e5").secs(20).play("g1f3").secs(2);
        t.silence().lacks(json!({"type": "alarm", "key": "clock-stale"}));
    });
}

/// Five seconds longer than the time control explains: the alarm; at the next report the defect.
#[test]
fn a_display_that_still_stands_at_the_next_report() {
    law_for(&[("300+3", 5), ("300+d6", 11)], FIDE, &["6.10.1 clock-defect"], |t, (control, seconds)| {
        t.time(control).start().play("e2e4 e7e5 g1f3 b8c6");
        t.device().frozen = true;
        t.wait(seconds * 1000 - 200).lacks(json!({"type": "alarm", "key": "clock-stale"}));
        t.wait(400).has(&[json!({"type": "alarm", "key": "clock-stale", "state": "raised"})]);
        t.never("clock-defect").shows().wait(100);
        t.only("clock-defect").open().is(json!({"facts": {"defect": "frozen"}})).proposes(json!({"action": "set-clock"}));
    });
}

/// What was never set cannot have run out.
#[test]
fn a_clock_that_was_never_set() {
    law("fide-2018 fide-2023 russia-1.16", &["6.4 flag-fall", "III.3.1 both-flags", "6.10.2 clock-setting", "1.16.1 clock-setting"], |t| {
        t.time("300+3");
        t.device().left = [0, 0];
        t.play("e2e4 e7e5 g1f3 b8c6").secs(4);
        t.never("both-flags").never("flag-fall").lacks(json!({"type": "clock", "flag": "both"}));
        let found = t.only("clock-setting");
        found.open().is(json!({"grade": "attention", "by": null, "facts": {"wrong": "unset"}})).times("303", "303", "white");
        // Set at last.
        t.set("303", "303", White).start().play("f1c4 g8f6").secs(2).one("clock-setting").status("withdrawn");
        t.never("clock-defect").never("flag-fall").nothing_open().record_is(SIX);
    });
}

/// The same on a clock that says that it runs, with its flags down or without any.
#[test]
fn a_clock_that_was_never_set_and_says_that_it_runs() {
    law_for(&[false, true], "fide-2018 fide-2023 russia-1.16", &["6.4 flag-fall", "III.3.1 both-flags"], |t, flags| {
        t.time("300+3");
        t.device().left = [0, 0];
        if *flags {
            t.device().drop_flag(White);
            t.device().drop_flag(Black);
        }
        t.start().play("e2e4 e7e5 g1f3 b8c6").secs(10);
        t.never("both-flags").never("flag-fall").lacks(json!({"type": "clock", "flag": "both"}));
        t.only("clock-setting").open().is(json!({"facts": {"wrong": "unset"}}));
    });
}

#[test]
fn a_clock_that_drops_off_is_an_alarm_of_operations() {
    law(FIDE, &["6.2.4 -", "6.10.1 clock-defect"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(2).no_clock_for(6).secs(2);
        t.has(&[
            json!({"type": "alarm", "key": "clock-lost", "state": "raised"}),
            json!({"type": "alarm", "key": "clock-lost", "state": "cleared"}),
        ]);
        t.play("g1f3 b8c6").secs(2).record_is("e2e4 e7e5 g1f3 b8c6").never("press-without-move").never("illegal-move");
    });
}

#[test]
fn both_displays_count_at_once() {
    law("fide-2018 fide-2023 fide-1997", &["6.1 clock-defect"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(2);
        t.device().both_count = true;
        t.secs(8);
        let story = t.story();
        if !story.findings().iter().any(|f| f.raised["key"] == "clock-defect") {
            story.fail("no finding clock-defect");
        }
    });
}

#[test]
fn a_clock_that_runs_two_in_a_hundred_fast() {
    law(FIDE, &["6.10.1 clock-defect"], |t| {
        t.time("5400+30");
        t.device().rate = 1020;
        t.start();
        for uci in SIX.split(' ') {
            t.secs(150).play(uci);
        }
        t.secs(2).only("clock-defect").is(json!({"grade": "attention"}));
    });
}

#[test]
fn both_stopped_in_the_middle_of_a_game() {
    law("fide-2018 fide-2023 fide-1997", &["6.11.2 clock-stopped", "6.12b clock-stopped"], |t| {
        t.time("300+3").start().play(SIX).secs(3).stop().secs(6);
        let article = if t.edition == "fide-1997" { "6.12b" } else { "6.11.2" };
        let found = t.only("clock-stopped");
        found.open().is(json!({"grade": "attention"}));
        let cited = found.now["article"].as_str().unwrap().replace(['(', ')'], "");
        assert_eq!(cited, article);
        t.start().secs(2);
        t.one("clock-restarted").is(json!({"grade": "note"}));
    });
}

#[test]
fn a_queen_is_missing() {
    law(FIDE, &["6.11.2 clock-stopped"], |t| {
        t.time("300+3").from("7k/4P3/8/8/8/8/8/R3K3 w - - 0 1").start().play("e1e2 h8g7").hand("e7e8").secs(1).stop().secs(6);
        t.only("clock-stopped").says(&["pawn"]);
        t.lift("e8").put("e8", 'Q').secs(1).start().press().secs(2).record_is("e1e2 h8g7 e7e8q").never("unpromoted-pawn");
    });
}

#[test]
fn the_arbiter_stops_and_starts_it() {
    law(ALL, &["6.11.1 -", "6.11.3 clock-restarted", "6.11.2 clock-stopped"], |t| {
        t.time("300+3").start().play(SIX).secs(3).enter(r#"{"do":"stop"}"#).wait(700).stop().secs(60);
        t.enter(r#"{"do":"restart"}"#).wait(700).start().play("d2d3 f8c5").secs(2);
        t.silence().lacks(json!({"type": "ruling"}));
        t.record_is(&format!("{SIX} d2d3 f8c5"));
    });
}

#[test]
fn the_end_of_a_game_is_no_stop() {
    law(ALL, &["6.11.2 clock-stopped"], |t| {
        t.time("300+3").start().play(SIX).enter(r#"{"do":"result","result":"1/2-1/2"}"#).secs(1).stop().secs(20).silence();
    });
}

#[test]
fn no_valid_reason_is_for_the_arbiter() {
    law(FIDE, &["6.11.4 clock-stopped", "12.9 -"], |t| {
        t.time("300+3").start().play(SIX).secs(3).stop().secs(4);
        let (white, black) = (t.device().shown(White), t.device().shown(Black));
        let entry = format!(
            r#"{{"do":"penalty","by":"white","article":"12.9.3","clock":{{"white_ms":{},"black_ms":{},"run":"white"}}}}"#,
            white * 1000,
            (black + 120) * 1000
        );
        t.enter(&entry).secs(1).has(&[
            json!({"type": "ruling", "do": "penalty", "by": "white", "article": "12.9.3", "clock": {"black_ms": (black + 120) * 1000}}),
        ]);
        t.set(&white.to_string(), &(black + 120).to_string(), White)
            .enter(r#"{"do":"restart"}"#)
            .start()
            .play("d2d3 f8c5 c2c3 d7d6")
            .secs(2);
        t.never("clock-setting").never("clock-defect").never("clock-restarted");
    });
}

#[test]
fn two_that_run_are_never_published() {
    law(ALL, &["6.1 clock-defect"], |t| {
        t.time("300+3").start().play(SIX).secs(2).silence();
        t.has(&[
            json!({"type": "clock", "running": "white", "source": "device", "white_ms": ms("303"), "black_ms": ms("303")}),
            json!({"type": "clock", "running": "black"}),
        ]);
    });
}

#[test]
fn the_arbiters_times_are_published_as_his() {
    law(FIDE, &["6.11.1 -"], |t| {
        t.time("300+3").start().play(SIX).enter(r#"{"do":"stop"}"#).stop().secs(1);
        t.enter(r#"{"do":"set-clock","clock":{"white_ms":250000,"black_ms":240000,"run":"stopped"}}"#).secs(1);
        t.has(&[json!({"type": "clock", "white_ms": 250_000, "black_ms": 240_000, "source": "arbiter"})]);
    });
}

#[test]
fn a_player_stops_and_the_arbiter_restarts() {
    law(FIDE, &["6.11.2 clock-stopped", "6.11.3 clock-restarted"], |t| {
        t.time("300+3").start().play(SIX).secs(3).stop().secs(8);
        t.one("clock-stopped").open();
        t.enter(r#"{"do":"restart"}"#).secs(1).start().secs(1).one("clock-stopped").status("withdrawn");
        t.never("clock-restarted").play("d2d3 f8c5").secs(2).nothing_open();
    });
}

#[test]
fn times_that_were_entered_and_not_set_are_noted() {
    law(FIDE, &["7.1 clock-setting"], |t| {
        t.time("300+3").start().play(SIX).enter(r#"{"do":"stop"}"#).stop().secs(2);
        t.enter(r#"{"do":"set-clock","clock":{"white_ms":250000,"black_ms":240000,"run":"white"}}"#).secs(4);
        t.never("clock-setting").enter(r#"{"do":"restart"}"#).start().secs(2).play("d2d3 f8c5 c2c3 d7d6").secs(1);
        t.one("clock-setting").is(json!({"grade": "note"}));
        t.no_alarm();
    });
}

/// Another clock, set as the arbiter says.
#[test]
fn a_clock_that_was_replaced() {
    law(FIDE, &["6.10.1 clock-defect", "6.10.2 clock-setting"], |t| {
        t.time("300+3").start().play(SIX).enter(r#"{"do":"stop"}"#).stop().secs(2).no_clock_for(40).secs(2);
        t.enter(r#"{"do":"set-clock","clock":{"white_ms":280000,"black_ms":290000,"run":"white"}}"#).set("280", "290", White);
        t.enter(r#"{"do":"restart"}"#).start().play("d2d3 f8c5 c2c3 d7d6 e1g1 e8g8").secs(2);
        t.no_alarm().never("clock-setting").record_is(&format!("{SIX} d2d3 f8c5 c2c3 d7d6 e1g1 e8g8"));
    });
}

/// 6.2.4, 6.10.1: the lever is pressed again because the first press did not take.
#[test]
fn a_press_that_had_to_be_repeated_is_a_late_one_at_most() {
    law(FIDE, &["6.10.1 clock-defect", "6.2.2 late-press"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("g1f3").secs(6).press().play("b8c6 f1c4").hand("g8f6").secs(8).press().secs(2);
        t.silence().record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
    });
}
