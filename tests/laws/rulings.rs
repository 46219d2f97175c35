//! How the stream behaves when the arbiter speaks.
use super::table::{Black, Table, White};
use super::{law, law_for};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
const ALL: &str = "fide-2018 fide-2023 fide-1997 russia-1.16";

fn rook_jumps(t: &mut Table) {
    t.time("600+5").start().play("e2e4 e7e5").hand("a1a3").press().secs(2);
}

#[test]
fn a_proposal_is_revised_when_the_clock_is_stopped_started_or_set() {
    law(FIDE, &["7.1 -"], |t| {
        rook_jumps(t);
        let revisions = |t: &mut Table| t.one("illegal-move").updates.len();
        let at_first = revisions(t);
        t.secs(20);
        assert_eq!(revisions(t), at_first, "a clock that merely runs revises nothing");
        t.stop().secs(1);
        let stopped = revisions(t);
        assert!(stopped > at_first, "stopped");
        t.set("500", "480", White).secs(1);
        assert!(revisions(t) > stopped, "set");
        t.one("illegal-move").open().proposes(json!({"action": "restore-position", "offence": 1}));
    });
}

#[test]
fn every_proposal_that_touches_a_clock_lists_others() {
    law(FIDE, &["7.1 -"], |t| {
        rook_jumps(t);
        t.stop().secs(2);
        let found = t.one("illegal-move");
        let (white, black) = (t.device().shown(White), t.device().shown(White.other()));
        // Unchanged is one of them; each has its label.
        found.or_times(&white.to_string(), &black.to_string());
        let all = found.now["proposal"]["alternatives"].as_array().cloned().unwrap_or_default();
        assert!(all.len() >= 2 && all.iter().all(|a| a["label"].as_str().is_some_and(|l| !l.is_empty())), "{all:?}");
    });
}

#[test]
fn a_report_is_confirmed_at_once() {
    law(FIDE, &["6.2.3 wrong-hand"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(1);
        t.enter(r#"{"do":"report","key":"wrong-hand","by":"black","who":"A. Biter","note":"twice warned"}"#).secs(1);
        t.has(&[json!({"type": "ruling", "do": "report", "key": "wrong-hand", "by": "black", "who": "A. Biter", "note": "twice warned"})]);
        t.has(&[json!({"type": "finding", "key": "wrong-hand", "by": "black"}), json!({"type": "finding-update", "status": "confirmed"})]);
    });
}

#[test]
fn a_reported_illegal_move_has_its_consequences() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").report_of("illegal-move", White).secs(1);
        t.one("illegal-move").status("confirmed").is(json!({"by": "white"})).proposes(json!({"offence": 1}));
    });
}

#[test]
fn a_finding_that_does_not_exist_is_refused() {
    law(FIDE, &["7.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").enter(r#"{"do":"rule","finding":99,"decision":"confirm"}"#).secs(1).is_refused();
    });
}

#[test]
fn a_key_that_does_not_exist_is_refused() {
    law(FIDE, &["7.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").enter(r#"{"do":"report","key":"sneezing","by":"white"}"#).secs(1).is_refused();
    });
}

#[test]
fn every_input_but_three_is_echoed() {
    law(ALL, &["12.9 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5");
        for entry in [
            r#"{"do":"stop"}"#,
            r#"{"do":"set-clock","clock":{"white_ms":290000,"black_ms":290000,"run":"white"}}"#,
            r#"{"do":"restart"}"#,
            r#"{"do":"arrived","by":"black"}"#,
            r#"{"do":"assistant","by":"black"}"#,
            r#"{"do":"penalty","by":"white","article":"12.9.1"}"#,
            r#"{"do":"result","result":"1/2-1/2"}"#,
            r#"{"do":"new-game"}"#,
        ] {
            t.enter(entry).wait(100);
        }
        for name in ["set-clock", "assistant", "penalty", "result", "new-game"] {
            t.has(&[json!({"type": "ruling", "do": name})]);
        }
        for name in ["stop", "restart", "arrived"] {
            t.lacks(json!({"type": "ruling", "do": name}));
        }
    });
}

#[test]
fn a_cancelled_game_keeps_its_moves_and_the_next_is_entered() {
    law(FIDE, &["7.3 colours-reversed"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").enter(r#"{"do":"report","key":"colours-reversed"}"#).secs(1);
        t.result("*", "ruling").record_is("e2e4 e7e5").lacks(json!({"type": "move-withdrawn"}));
        t.stop().carry("e4", "e2").carry("e5", "e7").secs(2);
        t.enter(r#"{"do":"new-game"}"#).set("303", "303", White).start().play("d2d4 d7d5").secs(1);
        t.record_is("d2d4 d7d5");
        assert_eq!(t.count(&json!({"type": "game-start"})), 2);
    });
}

#[test]
fn restored_the_game_goes_on_from_there() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        rook_jumps(t);
        t.stop().secs(2).confirm("illegal-move").secs(1).carry("a3", "a1");
        let clock = t.found("illegal-move").now["proposal"]["clock"].clone();
        let shown = |side: &str| format!("{}", clock[side].as_i64().unwrap() / 1000);
        t.set(&shown("white_ms"), &shown("black_ms"), White)
            .enter(r#"{"do":"restart"}"#)
            .start()
            .play("g1f3 b8c6 f1c4 g8f6 d2d3 f8c5")
            .secs(2);
        t.record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5").nothing_open();
        // The two minutes are an edit, the press taken back is known: the sum is right.
        t.never("clock-setting").never("clock-defect").never("press-without-move").never("displaced-pieces").never("clock-restarted");
        t.has(&[
            json!({"type": "move-withdrawn", "ply": 3}),
            json!({"type": "move-made", "ply": 3, "uci": "g1f3"}),
            json!({"type": "move-completed", "ply": 3, "uci": "g1f3"}),
        ]);
    });
}

#[test]
fn after_the_game_no_finding_is_raised() {
    law(ALL, &["6.11.2 clock-stopped"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").enter(r#"{"do":"result","result":"1-0"}"#).secs(1).stop().secs(2);
        let before = t.story().findings().len();
        t.carry("d1", "h5").carry("e8", "e7").carry("h5", "e5").secs(5).carry("a1", "a5").start().press().secs(5).press().secs(5);
        assert_eq!(t.story().findings().len(), before);
        t.record_is("e2e4 e7e5");
    });
}

#[test]
fn nothing_for_the_arbiter_is_in_the_public_record() {
    law(FIDE, &["6.12.1 -", "6.12.2 -"], |t| {
        rook_jumps(t);
        let (mut seen, mut public) = (0, 0);
        for event in &t.story().events {
            let event: flagfall_events::Event = serde_json::from_value(event.clone()).unwrap();
            let secret = matches!(event.body.kind(), "finding" | "finding-update" | "alarm" | "touched-piece" | "draw-claim" | "ruling");
            seen += usize::from(secret);
            public += usize::from(secret && event.body.is_public());
        }
        assert!(seen > 0 && public == 0, "{seen} {public}");
    });
}

/// The clock stands because the arbiter is at it.
#[test]
fn a_clock_that_stands_for_a_ruling_is_no_finding() {
    law_for(&[1, 5], FIDE, &["6.11.2 clock-stopped"], |t, seconds| {
        rook_jumps(t);
        t.stop().secs(*seconds).confirm("illegal-move").secs(15).carry("a3", "a1").secs(5);
        t.never("clock-stopped");
    });
}

/// Both players' offences are reported before anybody sets the clock: the second ruling goes on from the first one's times.
#[test]
fn a_second_ruling_goes_on_from_times_that_are_not_set_yet() {
    law("fide-2018 fide-2023", &["7.5.4 two-hands"], |t| {
        t.time("300").start().play("e2e4 e7e5").stop().secs(1).report_of("two-hands", White).secs(1).report_of("two-hands", Black).secs(1);
        let shown = |extra: i64| 296_000 + extra;
        t.has(&[
            json!({"type": "finding", "by": "white", "proposal": {"clock": {"white_ms": shown(0), "black_ms": shown(120_000)}}}),
            json!({"type": "finding", "by": "black", "proposal": {"clock": {"white_ms": shown(120_000), "black_ms": shown(120_000)}}}),
        ]);
    });
}
