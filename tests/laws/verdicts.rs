//! Rulings whose result hangs on whether the opponent can mate.
use super::law;
use super::table::{Black, White};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";

#[test]
fn a_second_offence_that_is_reported_has_its_result() {
    law(FIDE, &["7.5.4 two-hands"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").report_of("two-hands", White).secs(2).no_result();
        t.play("g1f3 b8c6").report_of("two-hands", White).secs(2);
        t.result("0-1", "ruling");
        let found = t.found("two-hands");
        found.status("confirmed").proposes(json!({"action": "declare-loss", "offence": 2, "result": "0-1"}));
        t.has(&[
            json!({"type": "finding", "key": "two-hands", "id": found.id()}),
            json!({"type": "ruling", "do": "report", "finding": found.id()}),
            json!({"type": "finding-update", "id": found.id(), "status": "confirmed"}),
            json!({"type": "result", "result": "0-1", "article": "7.5.5"}),
        ]);
    });
}

/// A bare king cannot mate by any series of legal moves.
#[test]
fn a_second_offence_reported_against_a_bare_king_is_a_draw() {
    law(FIDE, &["7.5.4 two-hands"], |t| {
        t.time("300+3").from("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1").start().play("e2e4 e8e7").report_of("two-hands", White).secs(1);
        t.play("a1a3 e7e8").report_of("two-hands", White).secs(1).result("1/2-1/2", "ruling");
    });
}

#[test]
fn a_second_illegal_move_that_is_reported_is_taken_back_and_then_lost() {
    law(FIDE, &["7.5.5 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").report_of("two-hands", White).secs(1);
        t.play("g1f3").report_of("illegal-move", White).secs(2);
        t.result("0-1", "ruling").record_is("e2e4 e7e5");
        t.has(&[
            json!({"type": "move-withdrawn", "ply": 3, "uci": "g1f3"}),
            json!({"type": "placement", "placement": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"}),
            json!({"type": "result", "result": "0-1"}),
        ]);
    });
}

#[test]
fn a_flag_that_is_reported_has_its_result() {
    law("fide-2018 fide-2023 fide-1997 russia-1.16", &["6.8 flag-fall"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3).report_of("flag-fall", Black).secs(2);
        t.result("1-0", "flag").one("flag-fall").status("confirmed");
    });
}

/// Dismissed by mistake, confirmed after all.
#[test]
fn ruled_anew_a_flag_has_its_result() {
    law(FIDE, &["6.8 flag-fall"], |t| {
        t.time("60+1").start().play("e2e4 e7e5").secs(70).dismiss("flag-fall").secs(2).no_result();
        t.confirm("flag-fall").secs(1).result("0-1", "flag");
    });
}

#[test]
fn what_is_decided_leaves_no_result_to_choose() {
    law(FIDE, &["6.8 flag-fall"], |t| {
        t.time("60+1").start().play("e2e4 e7e5").secs(70);
        let id = t.one("flag-fall").id();
        t.enter(&format!(r#"{{"do":"rule","finding":{id},"decision":"confirm","result":"1/2-1/2"}}"#)).secs(1).is_refused();
    });
}
