//! How a game ends, and how it goes on: design section 6.
use super::law;
use super::table::{Table, White};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";

/// A mate in four plies.
fn fools_mate(t: &mut Table) {
    t.play("f2f3 e7e5 g2g4").hand("d8h4").press().secs(2).stop().secs(5);
}

/// From the mated position back to the start, piece by piece.
fn pieces_back(t: &mut Table) {
    t.carry("h4", "d8").carry("g4", "g2").carry("e5", "e7").carry("f3", "f2").secs(3);
}

#[test]
fn games_are_numbered_and_an_old_result_touches_its_own_game_only() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start();
        fools_mate(t);
        pieces_back(t);
        t.set("303", "303", White).start().play("e2e4 c7c5").secs(2);
        t.enter(r#"{"do":"result","result":"1/2-1/2","reason":"agreed","game":1,"who":"A"}"#).play("g1f3 d7d6").secs(2);
        t.record_is("e2e4 c7c5 g1f3 d7d6");
        t.has(&[
            json!({"type": "move-completed", "game": 1, "uci": "d8h4"}),
            json!({"type": "result", "game": 1, "result": "0-1", "source": "position"}),
            json!({"type": "move-completed", "game": 2, "uci": "c7c5"}),
            json!({"type": "ruling", "game": 1, "do": "result", "result": "1/2-1/2", "who": "A"}),
            json!({"type": "result", "game": 1, "result": "1/2-1/2", "source": "operator", "reason": "agreed"}),
            json!({"type": "move-completed", "game": 2, "uci": "d7d6"}),
        ]);
        t.lacks(json!({"type": "result", "game": 2}));
    });
}

#[test]
fn there_is_no_result_of_a_game_that_has_not_begun() {
    law("fide-2023", &["6.2.1 -"], |t| {
        t.time("300+3").start().play("e2e4 c7c5").enter(r#"{"do":"result","result":"1-0","game":2}"#).is_refused();
        t.no_result();
    });
}
