//! Pieces where they should not be: 7.4, 7.6. Nothing of it is a move.
use super::law;
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
const ALL: &str = "fide-2018 fide-2023 fide-1997 russia-1.16";

#[test]
fn pieces_that_a_sleeve_knocked_over() {
    law("fide-2018 fide-2023 fide-1997", &["7.4.1 displaced-pieces", "6.13 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3);
        t.hand = 30;
        t.lift("f7").lift("g7").lift("h7").lift("g8");
        t.secs(4);
        let article = if t.edition == "fide-1997" { "6.13" } else { "7.4.1" };
        t.only("displaced-pieces").open().is(json!({"grade": "attention", "article": article})).says(&["f7", "g7", "h7", "g8"]);
        t.hand = 900;
        t.put("f7", 'p').put("g7", 'p').secs(1);
        let left = t.one("displaced-pieces");
        left.open().revised();
        t.put("h7", 'p').put("g8", 'n').secs(2);
        t.one("displaced-pieces").open().proposes(json!({"action": "continue", "restore_fen": null, "clock": null}));
        t.hand = 350;
        t.record_is("e2e4 e7e5").lacks(json!({"type": "move-withdrawn"}));
        t.play("g1f3 b8c6").secs(2).record_is("e2e4 e7e5 g1f3 b8c6").only("displaced-pieces").open();
        // Until the arbiter says that nothing follows.
        t.dismiss("displaced-pieces").secs(1).nothing_open();
    });
}

#[test]
fn no_move_is_recorded_while_pieces_lie_about() {
    law(FIDE, &["7.4.1 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6").secs(3);
        t.hand = 60;
        t.lift("c7").lift("c6").lift("d8").put("c7", 'n').put("d6", 'p').put("e7", 'q');
        t.secs(5);
        t.only("displaced-pieces");
        t.lift("c7").lift("d6").lift("e7").put("c6", 'n').put("c7", 'p').put("d8", 'q').secs(3);
        t.hand = 350;
        t.one("displaced-pieces").open().proposes(json!({"action": "continue"}));
        t.record_is("e2e4 e7e5 g1f3 b8c6").play("f1c4 g8f6").secs(2).record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
    });
}

#[test]
fn a_stop_is_expected_there() {
    law(FIDE, &["7.4.2 displaced-pieces", "7.4.3 displaced-pieces", "6.11.2 clock-stopped"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3);
        t.hand = 30;
        t.lift("f7").lift("g7").lift("h7").lift("g8").secs(3).stop().secs(6);
        t.never("clock-stopped").only("displaced-pieces");
    });
}

/// 7.4.3: the player may be penalised although all is right again, and the card that says so stays for the game.
#[test]
fn a_penalty_closes_what_was_put_right() {
    law(ALL, &["7.4.3 displaced-pieces", "1.16.3 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3);
        t.hand = 30;
        t.lift("f7").lift("g7").lift("h7").lift("g8").secs(4);
        t.put("f7", 'p').put("g7", 'p').put("h7", 'p').put("g8", 'n').secs(3);
        t.hand = 350;
        let found = t.one("displaced-pieces");
        found.open().is(json!({"facts": {"squares": [], "put_right": true}}));
        let penalties = found.now["facts"]["penalties"].as_array().unwrap();
        assert!(penalties.len() >= 3 && penalties.iter().all(|p| p["article"] != "" && p["ru"] != ""), "{}", found.now);
        t.play("g1f3 b8c6").enter(r#"{"do":"penalty","by":"black","article":"12.9.1"}"#).secs(1);
        t.one("displaced-pieces").status("confirmed");
        t.record_is("e2e4 e7e5 g1f3 b8c6").nothing_open();
    });
}

/// It keeps nothing else from happening: another finding, a stop, the result that the kings show.
#[test]
fn what_was_put_right_stands_in_nobodys_way() {
    law(FIDE, &["7.4.3 displaced-pieces", "6.11.2 clock-stopped", "5.1.2 -"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3);
        t.hand = 30;
        t.lift("f7").lift("g7").lift("h7").lift("g8").secs(4);
        t.put("f7", 'p').put("g7", 'p').put("h7", 'p').put("g8", 'n').secs(12);
        t.hand = 350;
        t.hand("a1a3").press().secs(3).one("illegal-move").open();
        t.dismiss("illegal-move").secs(1).stop().secs(8).one("clock-stopped").open();
        t.dismiss("clock-stopped").carry("e1", "e4").carry("e8", "d5").secs(8).result("1-0", "kings");
        t.one("displaced-pieces").open();
    });
}

/// Counted down as they are put right, but not more than once a second, and never without news.
#[test]
fn the_count_is_told_once_a_second() {
    law(FIDE, &["7.4.1 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3);
        t.hand = 30;
        let squares = ["a7", "b7", "c7", "d7", "f7", "g7", "h7", "g8"];
        for square in squares {
            t.lift(square);
        }
        t.secs(4);
        t.hand = 150;
        for square in squares {
            t.put(square, if square == "g8" { 'n' } else { 'p' });
        }
        t.secs(10);
        let story = t.story();
        let times: Vec<u64> = story.events.iter().filter(|e| e["type"] == "finding-update").map(|e| e["t"].as_u64().unwrap()).collect();
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= 1000) && (2..=4).contains(&times.len()), "{times:?}");
        let said: Vec<usize> = t.one("displaced-pieces").updates.iter().map(|u| u["facts"]["squares"].as_array().unwrap().len()).collect();
        assert!(said.windows(2).all(|pair| pair[1] < pair[0]) && said.last() == Some(&0), "{said:?}");
    });
}

/// Hands go on among the pieces and nothing is put right: that is told when they rest, not lift by lift.
#[test]
fn what_else_is_moved_meanwhile_is_told_when_hands_rest() {
    law(FIDE, &["7.4.1 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3);
        t.hand = 30;
        t.lift("f7").lift("g7").lift("h7").lift("g8").secs(4);
        t.hand = 600;
        for _ in 0..5 {
            t.lift("a2").put("a3", 'P').lift("a3").put("a2", 'P');
        }
        assert_eq!(t.one("displaced-pieces").updates.len(), 0, "{:?}", t.one("displaced-pieces").updates);
        t.lift("a2").put("a3", 'P').secs(12);
        let found = t.one("displaced-pieces");
        assert_eq!(found.updates.len(), 1, "{:?}", found.updates);
        found.open().says(&["a2", "a3", "f7", "g8"]);
    });
}

#[test]
fn castling_and_captures_on_their_way_are_no_displacement() {
    law(ALL, &["7.4.1 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 d7d5").secs(2).lift("d5").secs(5).lift("e4").secs(5).put("d5", 'P').press();
        t.play("g8f6 g1f3 c7c6 f1c4 b7b5")
            .secs(2)
            .lift("e1")
            .secs(4)
            .lift("h1")
            .secs(4)
            .put("f1", 'R')
            .secs(3)
            .put("g1", 'K')
            .press()
            .secs(2);
        t.no_alarm().record_is("e2e4 d7d5 e4d5 g8f6 g1f3 c7c6 f1c4 b7b5 e1g1");
    });
}

#[test]
fn a_piece_missing_for_a_whole_think_is_not_displaced() {
    law(FIDE, &["7.6 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3).lift("g1").secs(60).put("f3", 'N').press().secs(2);
        t.no_alarm().record_is("e2e4 e7e5 g1f3");
    });
}

#[test]
fn a_piece_that_stands_elsewhere_and_was_not_moved() {
    law("fide-2018 fide-2023 fide-1997", &["7.6 displaced-pieces", "6.13 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3").secs(4);
        // During Black's time a white rook comes to stand on a4.
        t.carry("a1", "a4").secs(30);
        let found = t.only("displaced-pieces");
        found.open().is(json!({"grade": "attention"})).says(&["a4"]);
        let article = found.now["article"].as_str().unwrap();
        assert!(["7.6", "7.4.1", "6.13"].contains(&article), "{article}");
        t.carry("a4", "a1").secs(3).one("displaced-pieces").open().proposes(json!({"action": "continue"}));
        t.play("b8c6").secs(1).record_is("e2e4 e7e5 g1f3 b8c6");
    });
}

#[test]
fn the_position_before_it_is_proposed() {
    law(FIDE, &["7.6 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3);
        t.hand = 30;
        t.lift("f7").lift("g7").lift("h7").lift("g8").secs(4);
        let found = t.only("displaced-pieces");
        let fen = found.now["proposal"]["restore_fen"].as_str().unwrap_or_default().to_owned();
        assert!(fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"), "{}", found.now);
    });
}

#[test]
fn the_arbiter_sets_up_a_position() {
    law(ALL, &["7.6 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(2).enter(r#"{"do":"stop"}"#).stop().secs(2);
        t.lift("e4")
            .put("e3", 'P')
            .enter(r#"{"do":"set-position","fen":"rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}"#)
            .secs(2);
        t.has(&[
            json!({"type": "ruling", "do": "set-position"}),
            json!({"type": "placement", "placement": "rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR"}),
        ]);
        t.lacks(json!({"type": "move-withdrawn"}));
        t.enter(r#"{"do":"restart"}"#).start().play("g1f3").secs(2);
        t.has(&[json!({"type": "move-completed", "ply": 3, "uci": "g1f3", "by": "white"})]);
        t.nothing_open();
        assert_eq!(t.device().presses[0], 2);
    });
}

/// Entered first; the pieces follow, and one step of it looks like a move.
#[test]
fn a_position_is_set_up_after_it_was_entered() {
    law(ALL, &["7.6 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6").secs(2).enter(r#"{"do":"stop"}"#).stop().secs(2);
        t.enter(r#"{"do":"set-position","fen":"rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}"#).secs(1);
        t.hand = 1500;
        t.carry("f3", "g1").carry("e4", "e3").carry("c6", "b8").secs(4);
        t.hand = 350;
        t.lacks(json!({"type": "move-made", "ply": 5})).lacks(json!({"type": "move-withdrawn"})).never("displaced-pieces");
        t.enter(r#"{"do":"restart"}"#).start().play("f1c4").secs(2);
        t.has(&[json!({"type": "move-completed", "ply": 5, "uci": "f1c4", "by": "white"})]);
        t.nothing_open();
    });
}
