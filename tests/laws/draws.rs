//! Repetition and fifty moves: 9.2, 9.3, 9.6. Only the arbiter hears of it.
use super::{law, law_for};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
const ALL: &str = "fide-2018 fide-2023 fide-1997 russia-1.16";
/// Knights out and back: the position before it stands again.
const BACK: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn a_position_that_stands_for_the_third_time() {
    law(ALL, &["9.2 draw-claim", "1.16.7 draw-claim"], |t| {
        t.time("300+3").start().play(BACK).secs(1).lacks(json!({"type": "draw-claim"}));
        t.play("g1f3 g8f6 f3g1").lacks(json!({"type": "draw-claim", "ply": 7})).hand("f6g8").secs(2);
        t.has(&[
            json!({"type": "move-made", "ply": 8}),
            json!({"type": "draw-claim", "rule": "threefold", "ply": 8, "by": "white", "earlier": [0, 4]}),
        ]);
        t.press().secs(2).no_result().no_alarm();
    });
}

#[test]
fn positions_with_other_castling_rights_are_not_the_same() {
    law(FIDE, &["9.2 draw-claim"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8").secs(2);
        // With the white king on e2 Black could castle at first: of those positions only the two later ones are the same.
        t.lacks(json!({"type": "draw-claim"})).play("e1e2").secs(1).lacks(json!({"type": "draw-claim"})).play("e8e7").secs(1);
        t.has(&[json!({"type": "draw-claim", "rule": "threefold", "ply": 12, "earlier": [4, 8]})]);
    });
}

/// The pawn on e4 could take en passant when d4 was played, and never again; the one on h4 never could.
#[test]
fn en_passant_counts_only_where_it_is_legal() {
    law_for(&[("4p3", false), ("7p", true)], FIDE, &["9.2 draw-claim"], |t, (rank, same)| {
        t.time("300+3").from(&format!("4k3/8/8/8/{rank}/8/3P4/4K3 w - - 0 1")).start();
        t.play("d2d4 e8e7 e1e2 e7e8 e2e1 e8e7 e1e2 e7e8 e2e1").secs(2);
        if *same {
            t.has(&[json!({"type": "draw-claim", "rule": "threefold", "ply": 9, "by": "black", "earlier": [1, 5]})]);
        } else {
            t.lacks(json!({"type": "draw-claim", "ply": 9}));
        }
    });
}

#[test]
fn the_fifth_time_ends_the_game() {
    law(FIDE, &["9.6.1 -", "6.2.1.1 -"], |t| {
        t.time("300+3").start().play(&[BACK; 3].join(" ")).play("g1f3 g8f6 f3g1").secs(1).no_result().hand("f6g8").secs(3);
        t.result("1/2-1/2", "position");
        t.has(&[json!({"type": "move-completed", "ply": 16, "how": "game-end"}), json!({"type": "result", "article": "9.6.1"})]);
    });
}

#[test]
fn in_other_editions_the_fifth_time_ends_nothing() {
    law("fide-1997 russia-1.16", &["9.6.1 -"], |t| {
        t.time("300+3").start().play(&[BACK; 4].join(" ")).play("e2e4 e7e5").secs(2).no_result();
        t.record_is(&format!("{0} {0} {0} {0} e2e4 e7e5", BACK));
    });
}

#[test]
fn fifty_moves_may_be_claimed() {
    law(ALL, &["9.3 draw-claim", "1.16 draw-claim"], |t| {
        t.time("300+3").from("4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80").start().play("a1a2").secs(1).lacks(json!({"type": "draw-claim"}));
        t.play("e8e7").secs(1).has(&[json!({"type": "draw-claim", "rule": "fifty", "ply": 2, "by": "white", "earlier": []})]);
        t.no_result();
    });
}

#[test]
fn a_pawn_move_begins_the_fifty_anew() {
    law(FIDE, &["9.3 draw-claim"], |t| {
        t.time("300+3").from("4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80").start().play("e2e4 e8e7 e1e2").secs(1);
        t.lacks(json!({"type": "draw-claim"})).silence();
    });
}

#[test]
fn seventy_five_moves_end_the_game() {
    law(FIDE, &["9.6.2 -"], |t| {
        t.time("300+3").from("4k3/8/8/8/8/8/4P3/R3K3 w - - 149 110").start().hand("a1a2").secs(6);
        t.result("1/2-1/2", "position").has(&[json!({"type": "result", "article": "9.6.2"})]);
    });
}

#[test]
fn mate_on_the_seventy_fifth_move_is_mate() {
    law(FIDE, &["9.6.2 -"], |t| {
        t.time("300+3").from("4k3/8/4K3/8/8/8/4P3/R7 w - - 149 110").start().hand("a1a8").secs(3).result("1-0", "position");
    });
}

#[test]
fn in_other_editions_seventy_five_moves_end_nothing() {
    law("fide-1997 russia-1.16", &["9.6.2 -"], |t| {
        t.time("300+3").from("4k3/8/8/8/8/8/4P3/R3K3 w - - 149 110").start().play("a1a2 e8e7").secs(2).no_result();
    });
}
