//! Irregularities that the players put right themselves, and restorations after more plies.
use super::law;
use super::table::{Black, Table, White};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
const QUIET: &str = "g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 b1d2 a7a6 a2a4 h7h6 h2h3 c5a7 e1g1 e8g8 f1e1 c8e6 c4e6 f7e6 d2f1 d8e8 \
    f1g3 e8g6 c1e3 a7e3 e1e3 a8d8 d1b3 d6d5 b3b7 d8b8 b7c7 b8b2 c7c6 b2b3 c6a6 b3c3 a6b5 f6d7";

/// White's Ra1 over its own pawn, pressed.
fn rook_jumps(t: &mut Table) {
    t.time("5400+5").start().play("e2e4 e7e5").hand("a1a3").press().secs(2);
}

#[track_caller]
fn offers_what_the_clock_shows(t: &mut Table) {
    let found = t.one("illegal-move");
    let shown = (t.device().shown(White), t.device().shown(Black));
    let all = found.now["proposal"]["alternatives"].as_array().cloned().unwrap_or_default();
    let unchanged = all.iter().find(|a| a["label"] == "unchanged").unwrap_or_else(|| panic!("{}", found.now));
    let offered = ["white_ms", "black_ms"].map(|side| unchanged["clock"][side].as_i64().unwrap() / 1000);
    assert!((offered[0] - shown.0).abs() <= 6 && (offered[1] - shown.1).abs() <= 6, "shown {shown:?}, offered {offered:?}");
    let clock = &found.now["proposal"]["clock"];
    // The increment of the illegal press and of the press back are taken back, the penalty is added.
    assert_eq!(clock["white_ms"].as_i64().unwrap() / 1000, offered[0] - 5, "{}", found.now);
    assert_eq!(clock["black_ms"].as_i64().unwrap() / 1000, offered[1] - 5 + 120, "{}", found.now);
}

#[test]
fn a_move_that_was_taken_back_by_hand_needs_only_its_times() {
    law(FIDE, &["7.5.1 illegal-move", "7.5.5 illegal-move"], |t| {
        rook_jumps(t);
        t.one("illegal-move").open().proposes(json!({"action": "restore-position"}));
        // White takes it back, Black restarts White's clock.
        t.carry("a3", "a1").secs(1).press().secs(2);
        let put_right = json!({"action": "continue", "restore_fen": null, "replacement": null, "offence": 1, "article": "7.5.5", "press_counter": {"white": -1, "black": -1}});
        t.one("illegal-move").open().proposes(put_right.clone()).is(json!({"facts": {"put_right": true}})).says(&["taken it back"]);
        offers_what_the_clock_shows(t);
        t.play(QUIET).secs(2);
        t.one("illegal-move").open().proposes(put_right);
        offers_what_the_clock_shows(t);
        t.record_is(&format!("e2e4 e7e5 {QUIET}"));
        let placements = t.count(&json!({"type": "placement"}));
        let taken_back = t.count(&json!({"type": "move-withdrawn"}));
        t.stop().secs(2).confirm("illegal-move").secs(1);
        assert_eq!(t.count(&json!({"type": "placement"})), placements, "nothing is put up");
        assert_eq!(t.count(&json!({"type": "move-withdrawn"})), taken_back);
        t.one("illegal-move").status("confirmed");
        t.record_is(&format!("e2e4 e7e5 {QUIET}"));
        // It counts all the same.
        t.start().hand("h3h5").press().secs(3);
        t.found("illegal-move").proposes(json!({"action": "declare-loss", "offence": 2, "result": "0-1"}));
    });
}

/// The reply was played on top of it; both put everything back.
#[test]
fn moves_on_top_are_taken_back_by_hand_with_it() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        rook_jumps(t);
        t.play("b8c6").secs(2).one("illegal-move").open().proposes(json!({"action": "restore-position"}));
        t.stop().secs(1).carry("c6", "b8").carry("a3", "a1").secs(3);
        t.one("illegal-move").open().proposes(json!({"action": "continue", "restore_fen": null}));
        t.has(&[json!({"type": "move-withdrawn", "ply": 4, "uci": "b8c6"}), json!({"type": "move-withdrawn", "ply": 3, "uci": "a1a3"})]);
        t.record_is("e2e4 e7e5").never("displaced-pieces").never("two-moves-in-a-row");
        t.set("5395", "5520", White).enter(r#"{"do":"restart"}"#).start().play("g1f3 b8c6").secs(2).record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn a_pawn_that_was_exchanged_by_hand_needs_only_its_times() {
    law(FIDE, &["7.5.2 unpromoted-pawn"], |t| {
        t.time("600+5").from("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1").start().secs(2).carry("e7", "e8").press().secs(2);
        t.one("unpromoted-pawn").open().proposes(json!({"action": "replace-with-queen"}));
        t.lift("e8").put("e8", 'Q').secs(2);
        t.one("unpromoted-pawn").open().proposes(json!({"action": "continue", "offence": 1}));
        let black = t.device().shown(Black);
        t.stop().secs(2).confirm("unpromoted-pawn").secs(1).record_is("e7e8q");
        let clock = t.one("unpromoted-pawn").now["proposal"]["clock"].clone();
        let given = clock["black_ms"].as_i64().unwrap() / 1000 - black;
        assert!((118..=120).contains(&given), "{black} {clock}");
    });
}

/// The same illegal move again is another one.
#[test]
fn what_was_put_right_and_is_played_again_counts_twice() {
    law(FIDE, &["7.5.5 illegal-move"], |t| {
        rook_jumps(t);
        t.carry("a3", "a1").secs(1).press().secs(2).confirm("illegal-move").secs(1);
        t.hand("a1a3").press().secs(3);
        t.found("illegal-move").proposes(json!({"action": "declare-loss", "offence": 2, "result": "0-1"}));
    });
}

#[test]
fn where_it_stands_once_answered_the_answer_to_the_replacement_ends_it() {
    law("russia-1.16", &["1.16.3 illegal-move"], |t| {
        rook_jumps(t);
        t.carry("a3", "a1").secs(1).press().secs(1).play("g1f3").secs(2);
        t.one("illegal-move").open().proposes(json!({"action": "continue", "offence": 1}));
        t.play("b8c6").secs(1);
        t.one("illegal-move").status("withdrawn");
    });
}
