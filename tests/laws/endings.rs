//! How a game ends, and how it goes on.
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

/// A game that was mated; the pieces and the clock are set for the next one.
fn the_next_game_stands(t: &mut Table) -> &mut Table {
    t.time("300+3").start();
    fools_mate(t);
    pieces_back(t);
    t.set("303", "303", White)
}

#[test]
fn games_are_numbered_and_an_old_result_touches_its_own_game_only() {
    law(FIDE, &["6.2.1 -"], |t| {
        the_next_game_stands(t).start().play("e2e4 c7c5").secs(2);
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

/// From this position back to the start: what stands wrong is taken away, what is missing is put down.
fn set_up_from(t: &mut Table, fen: &str) {
    let squares = |fen: &str| {
        let row =
            |rank: &str| rank.chars().flat_map(|c| c.to_digit(10).map_or_else(|| vec![c], |n| vec!['.'; n as usize])).collect::<Vec<_>>();
        fen.split(' ').next().unwrap().split('/').rev().flat_map(row).collect::<Vec<char>>()
    };
    let name = |i: usize| format!("{}{}", char::from(b'a' + (i % 8) as u8), i / 8 + 1);
    let (is, should) = (squares(fen), squares("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
    for i in (0..64).filter(|&i| is[i] != should[i] && is[i] != '.') {
        t.lift(&name(i));
    }
    for i in (0..64).filter(|&i| is[i] != should[i] && should[i] != '.') {
        t.put(&name(i), should[i]);
    }
}

const FOUR_PLIES: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";

#[test]
fn a_game_without_a_result_frees_its_board_when_the_pieces_are_set_up() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6").secs(2).stop().secs(5);
        set_up_from(t, FOUR_PLIES);
        t.secs(4).has(&[json!({"type": "result", "game": 1, "result": "*", "reason": "unread", "source": "setup"})]);
        t.set("303", "303", White).start().play("d2d4 d7d5 c2c4").secs(2).record_is("d2d4 d7d5 c2c4");
        t.enter(r#"{"do":"result","game":1,"result":"1-0"}"#).play("e7e6").secs(2).record_is("d2d4 d7d5 c2c4 e7e6");
        t.has(&[
            json!({"type": "game-start", "game": 2}),
            json!({"type": "move-completed", "game": 2, "ply": 1, "uci": "d2d4"}),
            json!({"type": "ruling", "game": 1, "do": "result"}),
            json!({"type": "result", "game": 1, "result": "1-0", "source": "operator"}),
            json!({"type": "move-completed", "game": 2, "ply": 4, "uci": "e7e6"}),
        ]);
        t.never("illegal-move").never("clock-defect").never("displaced-pieces").lacks(json!({"type": "result", "game": 2}));
    });
}

#[test]
fn a_start_position_that_stands_less_than_three_seconds_ends_nothing() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6").secs(2).stop().secs(5);
        set_up_from(t, FOUR_PLIES);
        t.secs(2).no_result();
    });
}

#[test]
fn set_up_and_started_at_once_is_the_next_game() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6").secs(2).stop().secs(5).set("303", "303", White);
        set_up_from(t, FOUR_PLIES);
        t.wait(900).start().wait(600).play("d2d4 d7d5").secs(2).record_is("d2d4 d7d5");
    });
}

#[test]
fn moves_from_the_start_position_are_analysis_until_the_clock_runs() {
    law(FIDE, &["6.2.1 -"], |t| {
        the_next_game_stands(t);
        for uci in ["d2d4", "d7d5", "c2c4"] {
            t.hand(uci).secs(4);
        }
        assert_eq!(t.count(&json!({"type": "game-start"})), 1);
        t.lacks(json!({"type": "move-made", "uci": "d2d4"}));
        // The pieces are put back, and a real game begins.
        t.carry("c4", "c2").carry("d5", "d7").carry("d4", "d2").secs(3).start().play("e2e4 c7c5").secs(2).record_is("e2e4 c7c5");
        t.never("displaced-pieces").never("illegal-move");
    });
}

#[test]
fn what_was_moved_before_the_clock_ran_is_adopted_when_it_runs() {
    law(FIDE, &["6.2.1 -"], |t| {
        the_next_game_stands(t).hand("d2d4").secs(1);
        t.lacks(json!({"type": "move-made", "game": 2}));
        t.start().secs(1).press().play("d7d5 c2c4").secs(2).record_is("d2d4 d7d5 c2c4");
        t.has(&[
            json!({"type": "game-start", "game": 2}),
            json!({"type": "move-made", "game": 2, "ply": 1, "uci": "d2d4"}),
            json!({"type": "move-completed", "game": 2, "ply": 1, "how": "press"}),
        ]);
        t.never("press-without-move");
    });
}

#[test]
fn new_game_adopts_what_was_moved() {
    law(FIDE, &["6.2.1 -"], |t| {
        the_next_game_stands(t);
        for uci in ["d2d4", "d7d5", "c2c4"] {
            t.hand(uci).secs(2);
        }
        t.enter(r#"{"do":"new-game"}"#).secs(1).record_is("d2d4 d7d5 (c2c4)");
        t.has(&[json!({"type": "game-start", "game": 2}), json!({"type": "move-made", "game": 2, "ply": 3, "uci": "c2c4"})]);
    });
}

#[test]
fn without_a_clock_the_next_game_begins_with_its_first_move() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.play("e2e4 e7e5 g1f3 b8c6").secs(4);
        set_up_from(t, FOUR_PLIES);
        t.secs(4).has(&[json!({"type": "result", "game": 1, "result": "*", "reason": "unread"})]);
        assert_eq!(t.count(&json!({"type": "game-start"})), 1);
        t.play("d2d4 d7d5").secs(5).record_is("d2d4 d7d5");
        t.has(&[json!({"type": "game-start", "game": 2}), json!({"type": "move-completed", "game": 2, "ply": 1})]);
    });
}

#[test]
fn kings_that_were_seen_before_the_pieces_are_set_up_are_the_result() {
    law(FIDE, &["5.1.2 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6").secs(2).stop().secs(2);
        // The e pawns make room.
        t.lift("e4").carry("e1", "e4").carry("e8", "d5").wait(1200);
        t.lift("e4").lift("d5").put("e1", 'K').put("e8", 'k');
        set_up_from(t, "r1bqkbnr/pppp1ppp/2n5/4p3/8/5N2/PPPP1PPP/RNBQKB1R");
        t.secs(4).result("1-0", "kings").record_is("e2e4 e7e5 g1f3 b8c6");
        t.lacks(json!({"type": "result", "reason": "unread"}));
    });
}

#[test]
fn a_king_that_steps_beside_the_other_and_is_pressed_is_no_result() {
    law("fide-2018 fide-2023", &["7.5.1 illegal-move"], |t| {
        t.from("8/8/8/3k4/8/4K3/7P/8 w - - 0 1").time("300+3").start().play("e3e4").secs(9);
        t.one("illegal-move").open();
        t.no_result().enter(r#"{"do":"stop","who":"A"}"#).stop().secs(9).no_result();
        t.confirm("illegal-move").carry("e4", "e3").set("299", "418", White).start().secs(1).play("h2h4 d5e5").secs(2);
        t.no_result().record_is("h2h4 d5e5");
    });
}

/// The hand comes to the clock only when the kings have stood for a while.
#[test]
fn nor_where_the_press_comes_late() {
    law("fide-2023", &["7.5.1 illegal-move"], |t| {
        t.from("8/8/8/3k4/8/4K3/7P/8 w - - 0 1").time("300+3").start().hand("e3e4").secs(4).press().secs(4);
        t.one("illegal-move").open();
        t.has(&[json!({"type": "result", "result": "*", "reason": "reopened"}), json!({"type": "finding", "key": "illegal-move"})]);
    });
}

#[test]
fn a_gesture_that_agrees_with_a_proposal_is_shown_with_it() {
    law("fide-2023", &["7.5.5 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").play("e1e3").secs(3);
        t.stop().confirm("illegal-move").carry("e3", "e1").set("298", "422", White).start().play("g1f3 b8c6").play("e1e3").secs(3).stop();
        t.carry("e3", "d4").lift("e5").carry("e8", "e5").secs(5).no_result();
        t.has(&[json!({"type": "finding-update", "facts": {"kings": "0-1"}})]);
    });
}

#[test]
fn a_result_on_the_wrong_board_costs_one_correction_and_no_ply() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(1).enter(r#"{"do":"result","result":"1-0","who":"A"}"#);
        t.play("g1f3 b8c6 f1c4").secs(2).enter(r#"{"do":"result","result":"*","who":"A"}"#).play("g8f6").secs(2);
        t.record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
        t.has(&[
            json!({"type": "result", "game": 1, "result": "1-0", "source": "operator"}),
            json!({"type": "result", "game": 1, "result": "*", "reason": "reopened"}),
            json!({"type": "move-made", "game": 1, "ply": 3, "uci": "g1f3"}),
            json!({"type": "move-completed", "game": 1, "ply": 5, "uci": "f1c4", "how": "recovered"}),
            json!({"type": "move-completed", "game": 1, "ply": 6, "uci": "g8f6", "how": "press"}),
        ]);
        t.never("displaced-pieces").never("clock-defect").never("clock-setting");
    });
}

#[test]
fn without_a_clock_what_is_legal_play_is_recovered() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.play("e2e4 e7e5").secs(4).enter(r#"{"do":"result","result":"1-0"}"#).play("g1f3 b8c6").secs(4);
        t.enter(r#"{"do":"result","result":"*"}"#).play("f1c4").secs(5).record_is("e2e4 e7e5 g1f3 b8c6 f1c4");
    });
}

#[test]
fn a_dismissed_flag_fall_opens_the_game_again() {
    law("fide-2018 fide-2023 russia-1.16", &["6.9 flag-fall"], |t| {
        t.time("5").start().play("e2e4 e7e5").secs(6);
        t.confirm("flag-fall").secs(1).result("0-1", "flag").dismiss("flag-fall").secs(1);
        t.has(&[json!({"type": "result", "game": 1, "result": "*", "reason": "reopened", "source": "flag"})]);
        t.set("60", "60", White).start().play("g1f3 b8c6").secs(2).record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn a_flag_of_the_game_before_is_ruled_on_when_the_next_one_is_on() {
    law("fide-2023", &["6.9 flag-fall"], |t| {
        t.time("5+3").start().play("e2e4 e7e5 g1f3 b8c6").secs(12).stop().secs(2);
        set_up_from(t, FOUR_PLIES);
        t.secs(4).set("303", "303", White).start().play("d2d4 d7d5").secs(2);
        let id = t.one("flag-fall").id();
        t.enter(&format!(r#"{{"do":"rule","finding":{id},"decision":"confirm"}}"#)).play("c2c4").secs(2).record_is("d2d4 d7d5 c2c4");
        t.has(&[
            json!({"type": "finding-update", "game": 1, "status": "confirmed"}),
            json!({"type": "result", "game": 1, "result": "0-1", "source": "flag"}),
        ]);
        t.lacks(json!({"type": "result", "game": 2}));
    });
}

#[test]
fn set_position_begins_no_game_and_recovers_where_it_can() {
    law(FIDE, &["7.6 -"], |t| {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        t.time("300+3").start().play("e2e4 e7e5").secs(2).stop();
        t.enter(&format!(r#"{{"do":"set-position","fen":"{fen}"}}"#)).carry("g1", "f3").carry("b8", "c6").secs(3);
        t.start().play("f1c4").secs(2).record_is("e2e4 e7e5 g1f3 b8c6 f1c4");
        assert_eq!(t.count(&json!({"type": "game-start"})), 1);
        t.lacks(json!({"type": "alarm", "key": "record-broken"}));
        t.has(&[json!({"type": "move-completed", "ply": 4, "uci": "b8c6", "how": "recovered"})]);
    });
}

#[test]
fn set_position_breaks_the_record_where_no_play_leads_there() {
    law(FIDE, &["7.6 -"], |t| {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQK3 w Qkq - 0 3";
        t.time("300+3").start().play("e2e4 e7e5").secs(2).stop();
        t.enter(&format!(r#"{{"do":"set-position","fen":"{fen}"}}"#)).lift("f1").lift("g1").lift("h1").secs(3);
        t.start().play("b1c3").secs(2);
        t.has(&[
            json!({"type": "alarm", "key": "record-broken", "state": "raised"}),
            json!({"type": "move-completed", "ply": 3, "uci": "b1c3"}),
        ]);
        t.lacks(json!({"type": "move-withdrawn"}));
    });
}

#[test]
fn set_position_wants_two_kings() {
    law("fide-2023", &["7.6 -"], |t| {
        t.time("300+3").start().play("e2e4").enter(r#"{"do":"set-position","fen":"8/8/8/8/8/8/8/K7 w - - 0 1"}"#).is_refused();
    });
}

#[test]
fn five_times_the_start_position_ends_the_game_and_begins_none() {
    law(FIDE, &["9.6.1 -"], |t| {
        t.time("300+3").start();
        for _ in 0..4 {
            t.play("g1f3 g8f6 f3g1 f6g8");
        }
        t.secs(2).result("1/2-1/2", "position").stop().secs(9);
        assert_eq!(t.count(&json!({"type": "game-start"})), 1);
        t.set("303", "303", White).start().secs(2);
        assert_eq!(t.count(&json!({"type": "game-start"})), 1);
        t.play("e2e4 e7e5").secs(2).record_is("e2e4 e7e5");
        assert_eq!(t.count(&json!({"type": "game-start", "game": 2})), 1);
    });
}

/// Who forgot to let the clock go on still plays.
#[test]
fn moves_pressed_on_a_clock_that_stands_are_moves() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(1).stop().secs(2);
        t.play("g1f3 b8c6 f1c4 g8f6 d2d3 f8c5").secs(2).start().play("e1g1 e8g8").secs(2);
        t.record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 e1g1 e8g8").no_result();
    });
}

/// Entered while the pieces of the next game stand already, but not for three seconds.
#[test]
fn a_result_that_comes_when_the_pieces_are_set_up_leaves_them_set_up() {
    law(FIDE, &["6.2.1 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6").secs(2).stop().secs(5).set("303", "303", White);
        set_up_from(t, FOUR_PLIES);
        t.secs(2).enter(r#"{"do":"result","result":"1-0"}"#).secs(2).start().wait(400).play("d2d4 d7d5").secs(2);
        t.record_is("d2d4 d7d5").never("wrong-initial-position");
        t.has(&[json!({"type": "result", "game": 1, "result": "1-0"}), json!({"type": "move-completed", "game": 2, "uci": "d2d4"})]);
    });
}

/// The scheduled start was that of the first game.
#[test]
fn the_next_game_is_not_late() {
    law(FIDE, &["6.6 late-start"], |t| {
        t.time("300+3").header("recorded-at: 2026-11-21T10:00:00Z").header("start-at: 2026-11-21T10:00:30Z");
        t.secs(30).start();
        fools_mate(t);
        pieces_back(t);
        t.set("303", "303", White).secs(200);
        t.never("late-start");
    });
}
