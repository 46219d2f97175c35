//! What hands do to pieces, and what of it is a move: illegal play that is gone on from, kings, turned boards, analysis, new games.
use super::table::{Lie, Table, White};
use super::{law, law_for};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn without_a_press_an_illegal_move_is_nothing_yet() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("a1a3").secs(20);
        t.never("illegal-move").lacks(json!({"type": "move-completed", "ply": 3}));
    });
}

#[test]
fn play_goes_on_from_a_position_that_is_not_legal_chess() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        // White leaves his king in check, Black does not notice.
        t.time("300+3").from("4r1k1/5ppp/8/8/8/8/3Q1PPP/R3K3 w - - 0 1").start().hand("a1a8").press().secs(2);
        t.one("illegal-move").says(&["check"]);
        t.play("g7g6 a8a1 g8g7").secs(2).record_is("a1a8 g7g6 a8a1 g8g7");
        t.has(&[
            json!({"type": "move-completed", "ply": 1, "legal": false}),
            json!({"type": "move-completed", "ply": 2, "uci": "g7g6"}),
            json!({"type": "move-completed", "ply": 3, "uci": "a8a1"}),
            json!({"type": "move-completed", "ply": 4, "uci": "g8g7"}),
        ]);
    });
}

/// Kings in the middle of an ending are pieces like others.
#[test]
fn a_king_walk_to_the_centre_is_no_result() {
    law(FIDE, &["5.1.2 -"], |t| {
        t.time("300+3").from("8/8/3k4/2p5/2P5/5K2/8/8 w - - 0 1").start().play("f3e4 d6e6").secs(9).play("e4f4 e6d6 f4e4 d6e6").secs(9);
        t.no_result().record_is("f3e4 d6e6 e4f4 e6d6 f4e4 d6e6");
    });
}

#[test]
fn one_king_in_the_centre_is_no_result() {
    law(FIDE, &["5.1.2 -"], |t| {
        t.time("300+3").start().play("e2e3 e7e6").secs(2).stop().carry("e1", "e4").secs(20).no_result().record_is("e2e3 e7e6");
    });
}

#[test]
fn both_kings_lifted_are_no_result() {
    law(FIDE, &["5.1.2 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(2).lift("e1").lift("e8").secs(4).put("e1", 'K').put("e8", 'k').secs(8);
        t.no_result().play("g1f3 b8c6").secs(1).record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn kings_that_pass_through_the_centre_show_nothing() {
    law(FIDE, &["5.1.2 -"], |t| {
        t.time("300+3")
            .start()
            .play("e2e3 e7e6")
            .secs(2)
            .stop()
            .carry("e1", "e4")
            .carry("e8", "d5")
            .secs(1)
            .carry("e4", "e1")
            .carry("d5", "e8")
            .secs(9);
        t.no_result();
    });
}

#[test]
fn kings_shown_while_the_rest_is_being_cleared() {
    law(FIDE, &["5.1.2 -"], |t| {
        t.time("300+3")
            .start()
            .play("e2e3 e7e6")
            .secs(2)
            .stop()
            .carry("e1", "e4")
            .carry("e8", "d5")
            .carry("a2", "a3")
            .secs(2)
            .lift("h7")
            .secs(7);
        t.result("1-0", "kings").record_is("e2e3 e7e6");
    });
}

#[test]
fn the_last_move_before_the_kings_is_kept() {
    law(FIDE, &["5.1.2 -"], |t| {
        t.time("300+3").start().play("e2e3 e7e6").hand("g1f3").secs(1).stop().carry("e1", "e4").carry("e8", "d5").secs(8);
        t.result("1-0", "kings");
        t.has(&[json!({"type": "move-made", "ply": 3, "uci": "g1f3"})]);
        t.lacks(json!({"type": "move-withdrawn", "ply": 3})).lacks(json!({"type": "move-completed", "uci": "e1e4"}));
    });
}

#[test]
fn a_turned_board_reads_the_same_game() {
    law_for(&[Lie::Usual, Lie::Half, Lie::Quarter], FIDE, &["7.2.2 board-turned"], |t, lie| {
        t.time("300+3").lies(*lie);
        t.device().white_is_left = *lie != Lie::Half;
        t.secs(2).start().play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f8c5").secs(2);
        t.record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f8c5").never("illegal-move");
    });
}

/// From the mated position back to the start, piece by piece.
fn pieces_back(t: &mut Table) {
    t.carry("h4", "d8").carry("g4", "g2").carry("e5", "e7").carry("f3", "f2");
}

#[test]
fn analysis_after_the_game_adds_nothing() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("f2f3 e7e5 g2g4").hand("d8h4").press().secs(2).stop().secs(5);
        t.result("0-1", "position").record_is("f2f3 e7e5 g2g4 d8h4");
        t.hand("h4d8").hand("g4g2").hand("b1c3").hand("d8h4").secs(6).hand("g2g3").secs(6);
        t.record_is("f2f3 e7e5 g2g4 d8h4");
        assert_eq!(t.count(&json!({"type": "game-start"})), 1);
        t.result("0-1", "position");
    });
}

#[test]
fn a_new_game_starts_from_the_start_position_once_the_old_has_a_result() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("f2f3 e7e5 g2g4").hand("d8h4").press().secs(2).stop().secs(5);
        pieces_back(t);
        t.secs(3);
        assert_eq!(t.count(&json!({"type": "game-start"})), 1);
        t.set("303", "303", White).start().play("e2e4 c7c5").secs(2).record_is("e2e4 c7c5").no_alarm();
        assert_eq!(t.count(&json!({"type": "game-start"})), 2);
    });
}

#[test]
fn without_a_result_the_start_position_is_no_new_game() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("g1f3 g8f6 f3g1 f6g8").secs(12);
        assert_eq!(t.count(&json!({"type": "game-start", "fen": format!("{START} w KQkq - 0 1")})), 1);
        t.play("e2e4").secs(1).record_is("g1f3 g8f6 f3g1 f6g8 e2e4");
    });
}

#[test]
fn a_slide_that_stops_on_the_way_is_one_move() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(2).carry("f1", "d3").wait(900).carry("d3", "c4").press().secs(2);
        t.record_is("e2e4 e7e5 f1c4").silence();
    });
}

#[test]
fn a_changed_mind_before_the_press_is_revised() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(2).carry("g1", "h3").secs(4).carry("h3", "f3").press().secs(2);
        t.record_is("e2e4 e7e5 g1f3").no_alarm();
    });
}

/// Upside down it reads as nothing; the game goes on around it.
#[test]
fn a_rook_that_is_not_read() {
    law(FIDE, &["7.6 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(2).lift("a1").secs(4).play("g1f3 b8c6 f1c4 g8f6 d2d3 f8c5").secs(4);
        t.no_alarm().record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5");
    });
}

#[test]
fn a_captured_piece_is_put_down_on_the_board_for_a_while() {
    law(FIDE, &["7.6 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 d7d5").secs(2).carry("d5", "h5").wait(300).carry("e4", "d5").press().secs(2).lift("h5").secs(2);
        t.play("g8f6").secs(2).no_alarm().record_is("e2e4 d7d5 e4d5 g8f6");
    });
}

#[test]
fn a_queen_is_fetched_from_beside_the_board() {
    law(FIDE, &["7.5.2 unpromoted-pawn"], |t| {
        t.time("300+3").from("7k/4P3/8/8/8/8/8/R3K3 w - - 0 1").start().secs(2).lift("e7").secs(6).put("e8", 'Q').wait(600).press().secs(2);
        t.silence().record_is("e7e8q");
    });
}
