//! Flags: 6.4, 6.8, 6.9, both flags, and who can mate whom.
use super::device::AtZero;
use super::table::{Black, Table, White};
use super::{law, law_for};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
const ALL: &str = "fide-2018 fide-2023 fide-1997 russia-1.16";

fn article(t: &Table) -> &'static str {
    if t.edition == "russia-1.16" { "1.16.8" } else { "6.9" }
}

#[test]
fn a_flag_that_falls_is_for_the_arbiter() {
    law(ALL, &["6.8 flag-fall", "6.9 flag-fall", "6.4 flag-fall", "1.16.8 flag-fall"], |t| {
        t.time("60+1").start().play("e2e4 e7e5").secs(70);
        let article = article(t);
        let found = t.only("flag-fall");
        found
            .open()
            .is(json!({"by": "white", "grade": "ruling", "article": article}))
            .proposes(json!({"action": "declare-loss", "result": "0-1"}));
        t.no_result().has(&[json!({"type": "clock", "flag": "white"})]);
        t.confirm("flag-fall").secs(1).result("0-1", "flag");
        t.has(&[json!({"type": "result", "article": article})]);
        t.one("flag-fall").status("confirmed");
    });
}

#[test]
fn a_helpmate_proves_the_loss() {
    law(FIDE, &["6.9 flag-fall"], |t| {
        t.time("60+1").from("4k3/8/8/8/8/8/8/RN2K2q w Q - 0 1").start().secs(70);
        let found = t.only("flag-fall");
        found.proposes(json!({"action": "declare-loss", "result": "0-1"}));
        assert!(found.now["proposal"]["mate"].as_array().is_some_and(|mate| !mate.is_empty()), "{}", found.now);
    });
}

#[test]
fn a_flag_against_a_bare_king_is_a_draw() {
    law("fide-2018 fide-2023 fide-1997", &["6.9 flag-fall"], |t| {
        t.time("60+1").from("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1").start().secs(70);
        t.only("flag-fall").is(json!({"by": "white", "article": "6.9"})).proposes(json!({"action": "declare-draw", "result": "1/2-1/2"}));
        t.confirm("flag-fall").secs(1).result("1/2-1/2", "flag");
    });
}

/// Pawns locked all over the board, a bishop that attacks none of them: nobody can ever mate.
#[test]
fn a_locked_position_is_dead() {
    law(FIDE, &["5.2.2 -"], |t| {
        t.time("60+1").from("5b2/5k2/1p1p1p1p/1P1P1P1P/8/4K3/8/8 b - - 0 1").start().hand("f8e7").secs(6);
        t.result("1/2-1/2", "position").has(&[json!({"type": "result", "article": "5.2.2"})]);
        t.secs(70).never("flag-fall");
    });
}

#[test]
fn in_russia_time_lost_is_the_game_lost() {
    law("russia-1.16", &["1.16.8 flag-fall"], |t| {
        t.time("60+1").from("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1").start().secs(70);
        t.only("flag-fall").is(json!({"by": "white", "article": "1.16.8"})).proposes(json!({"action": "declare-loss", "result": "0-1"}));
    });
}

#[test]
fn zero_without_a_flag_bit_is_a_flag() {
    law(FIDE, &["6.8 flag-fall"], |t| {
        t.time("60").at_zero(AtZero::Nothing).start().secs(65);
        t.only("flag-fall").is(json!({"by": "white"}));
    });
}

#[test]
fn mate_before_the_flag_stands() {
    law(FIDE, &["6.9 flag-fall", "6.8 flag-fall"], |t| {
        t.time("60+1").start().play("f2f3 e7e5 g2g4").secs(50).hand("d8h4").secs(30);
        t.result("0-1", "position").never("flag-fall");
    });
}

/// The flag has fallen when it is confirmed; the mate on the board came first.
#[test]
fn mate_before_the_flag_is_confirmed_stands() {
    law(FIDE, &["6.8 flag-fall"], |t| {
        t.time("60").start().play("f2f3 e7e5 g2g4").secs(70);
        t.one("flag-fall").is(json!({"by": "black"}));
        t.hand("d8h4").secs(3);
        t.result("0-1", "position").one("flag-fall").status("withdrawn");
    });
}

#[test]
fn a_period_completed_in_time_is_no_flag_fall() {
    law("fide-2018 fide-2023 fide-1997", &["6.4 flag-fall"], |t| {
        t.time("3/60:300").start().at_zero(AtZero::Adds(300_000));
        t.device().period = None;
        t.play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").secs(55);
        t.never("flag-fall").play("d2d3 g8f6").secs(1).never("flag-fall");
    });
}

#[test]
fn a_period_not_completed_is_a_flag_fall() {
    law("fide-2018 fide-2023 fide-1997", &["6.4 flag-fall", "6.3.1 -"], |t| {
        t.time("5/60:300").start().at_zero(AtZero::Adds(300_000));
        t.device().period = None;
        t.play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").secs(60);
        t.one("flag-fall").open().is(json!({"by": "white"}));
    });
}

#[test]
fn the_arbiter_sees_a_flag() {
    law(ALL, &["6.8 flag-fall"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(4).enter(r#"{"do":"flag","by":"black"}"#).secs(1);
        let article = article(t);
        t.only("flag-fall")
            .open()
            .is(json!({"by": "black", "article": article}))
            .proposes(json!({"action": "declare-loss", "result": "1-0"}));
        t.no_result().has(&[json!({"type": "ruling", "do": "flag", "by": "black"})]);
        t.confirm("flag-fall").secs(1).result("1-0", "flag");
    });
}

#[test]
fn dismissed_the_game_goes_on() {
    law(FIDE, &["6.8 flag-fall"], |t| {
        t.time("300+3")
            .start()
            .play("e2e4 e7e5")
            .enter(r#"{"do":"flag","by":"black"}"#)
            .secs(1)
            .dismiss("flag-fall")
            .play("g1f3 b8c6")
            .secs(1);
        t.no_result().record_is("e2e4 e7e5 g1f3 b8c6").nothing_open();
    });
}

/// The flag stays down on the clock; it was ruled on.
#[test]
fn a_flag_is_found_once() {
    law(FIDE, &["6.8 flag-fall"], |t| {
        t.time("60").start().play("e2e4 e7e5").secs(70).dismiss("flag-fall").secs(5).play("g1f3 b8c6 f1c4").secs(3);
        t.one("flag-fall").status("dismissed").is(json!({"by": "white"}));
        t.no_result().never("clock-defect");
    });
}

/// White's flag, then Black's, both seen to fall.
fn both_in_order(t: &mut Table, control: &str) {
    t.time(control).start().play("e2e4 e7e5").hand("g1f3").secs(70);
    t.has(&[json!({"type": "clock", "flag": "white"})]);
    t.press().secs(70);
    t.has(&[json!({"type": "clock", "flag": "both"})]);
}

#[test]
fn the_flag_that_fell_first_counts() {
    law(FIDE, &["6.8 flag-fall"], |t| {
        both_in_order(t, "60");
        t.one("flag-fall").is(json!({"by": "white"})).open().proposes(json!({"result": "0-1"}));
        t.never("both-flags").never("clock-defect");
    });
}

#[test]
fn in_russia_both_flags_are_a_draw_in_any_order() {
    law("russia-1.16", &["1.16.7 both-flags"], |t| {
        both_in_order(t, "60");
        t.one("flag-fall").status("withdrawn");
        t.one("both-flags")
            .open()
            .is(json!({"article": "1.16.7", "grade": "ruling", "by": null}))
            .proposes(json!({"action": "declare-draw", "result": "1/2-1/2"}));
        t.confirm("both-flags").secs(1).result("1/2-1/2", "flag");
    });
}

/// The link was down while both fell.
fn both_unseen(t: &mut Table, control: &str) {
    t.time(control).start().play("e2e4 e7e5").secs(5).unplug().secs(2);
    t.device().drop_flag(White);
    t.device().drop_flag(Black);
    t.secs(60).plug().secs(4);
}

#[test]
fn both_flags_in_unknown_order() {
    law(FIDE, &["III.3.1 both-flags"], |t| {
        both_unseen(t, "60");
        t.one("both-flags")
            .open()
            .is(json!({"article": "III.3.1", "grade": "ruling", "by": null}))
            .proposes(json!({"action": "declare-draw", "result": "1/2-1/2"}));
        t.never("flag-fall").confirm("both-flags").secs(1).result("1/2-1/2", "flag");
    });
}

#[test]
fn both_flags_before_the_last_period_the_game_goes_on() {
    law(FIDE, &["III.3.1 both-flags"], |t| {
        both_unseen(t, "40/60:300");
        t.one("both-flags").is(json!({"article": "III.3.1"})).proposes(json!({"action": "continue"}));
    });
}

#[test]
fn both_flags_in_1997_the_game_goes_on() {
    law("fide-1997", &["6.11 both-flags"], |t| {
        both_unseen(t, "60");
        t.one("both-flags").is(json!({"article": "6.11", "grade": "ruling"})).proposes(json!({"action": "continue"}));
        t.confirm("both-flags").secs(1).no_result();
    });
}

#[test]
fn both_flags_unseen_in_russia() {
    law("russia-1.16", &["1.16.7 both-flags"], |t| {
        both_unseen(t, "60");
        t.one("both-flags").is(json!({"article": "1.16.7"})).proposes(json!({"action": "declare-draw"}));
    });
}

#[test]
fn low_on_time_is_no_flag() {
    law(ALL, &["6.8 flag-fall"], |t| {
        t.time("20+3").start();
        t.until(White, "1").hand = 20;
        t.think = 0;
        t.play("e2e4");
        t.hand = 350;
        t.secs(2).play("e7e5").secs(1).silence().record_is("e2e4 e7e5");
    });
}

/// Resigning, or shown with the kings: both on light squares White, both on dark Black, one of each a draw.
#[test]
fn a_result_shown_with_the_kings() {
    let cases = [(["e4", "d5"], "1-0"), (["d4", "e5"], "0-1"), (["d4", "d5"], "1/2-1/2")];
    law_for(&cases, ALL, &["5.1.2 -", "5.2.3 -"], |t, ([white, black], result)| {
        t.time("300+3").start().play("d2d3 e7e6 g1f3 b8c6").secs(3).stop().secs(1).carry("e1", white).carry("e8", black).secs(8);
        t.result(result, "kings").record_is("d2d3 e7e6 g1f3 b8c6");
    });
}

#[test]
fn a_result_that_is_entered() {
    law(ALL, &["5.1.2 -", "5.2.3 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").enter(r#"{"do":"result","result":"1-0","reason":"resigned","who":"A. Biter"}"#).secs(1);
        t.result("1-0", "operator");
        t.has(&[
            json!({"type": "ruling", "do": "result", "result": "1-0", "who": "A. Biter"}),
            json!({"type": "result", "reason": "resigned"}),
        ]);
        t.stop().secs(30).no_alarm();
    });
}

/// 5.1.2 of 2023: who resigns where the opponent cannot mate has drawn. The arbiter is told and corrects the result.
#[test]
fn a_resignation_to_a_bare_king_is_a_draw_only_in_2023() {
    law(ALL, &["5.1.2 -"], |t| {
        t.time("300+3").from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").start().play("e2e4").secs(2);
        t.enter(r#"{"do":"result","result":"0-1","reason":"White resigns"}"#).secs(1).result("0-1", "operator");
        let alarm = |state: &str| json!({"type": "alarm", "key": "resignation-unwinnable", "state": state});
        if t.edition == "fide-2023" {
            t.has(&[alarm("raised")]).enter(r#"{"do":"result","result":"1/2-1/2"}"#).secs(1);
            t.has(&[json!({"type": "result", "result": "1/2-1/2"}), alarm("cleared")]);
        } else {
            t.lacks(alarm("raised"));
        }
    });
}

#[test]
fn a_resignation_to_one_who_can_mate_stands() {
    law(ALL, &["5.1.2 -"], |t| {
        t.time("300+3").start().play("e2e4").secs(2).enter(r#"{"do":"result","result":"0-1","reason":"resignation"}"#).secs(1);
        t.result("0-1", "operator").lacks(json!({"type": "alarm"}));
    });
}
