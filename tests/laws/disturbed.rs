//! A move that is pressed while other squares are disturbed: nudged, knocked over, exchanged (4.4, 7.4, 7.6). And whose press it was (7.5.1).
use super::table::{Black, Table, White};
use super::{law, law_for};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";

/// Two pieces change places, one after the other lifted.
fn exchange(t: &mut Table, a: &str, b: &str, on_a: char, on_b: char) {
    t.hand = 400;
    t.lift(a).lift(b).put(a, on_b).put(b, on_a);
    t.hand = 350;
}

/// The move, what the hand disturbs on its way (square and what reads there then), and the squares that are to be put right.
type Disturbed = (&'static str, &'static [(&'static str, char)], &'static [&'static str]);

const DISTURBED: &[Disturbed] = &[
    // A pawn pushed sideways, forwards, backwards.
    ("g1f3", &[("h2", '.'), ("g3", 'P')], &["h2", "g3"]),
    ("g1f3", &[("h2", '.'), ("h3", 'P')], &["h2", "h3"]),
    ("f1c4", &[("e4", '.'), ("e3", 'P')], &["e4", "e3"]),
    // The opponent's pawn.
    ("d1h5", &[("h7", '.'), ("g6", 'p')], &["h7", "g6"]),
    // One knocked over and one pushed aside.
    ("d1g4", &[("g2", '.'), ("h2", '.'), ("h3", 'P')], &["g2", "h2", "h3"]),
    // Several.
    ("b1c3", &[("a2", '.'), ("a3", 'P'), ("c1", '.'), ("c1", '?'), ("b2", '.'), ("b3", 'P')], &["a2", "a3", "b2", "b3", "c1"]),
    // Two of his exchanged.
    ("g1f3", &[("d1", '.'), ("e1", '.'), ("d1", 'K'), ("e1", 'Q')], &["d1", "e1"]),
];

#[test]
fn a_pressed_move_is_completed_whatever_else_was_disturbed() {
    law_for(DISTURBED, FIDE, &["7.4.1 displaced-pieces"], |t, (uci, squares, wrong)| {
        t.time("300+3").start().play("e2e4 e7e5").hand(uci);
        t.hand = 120;
        for (square, reads) in *squares {
            t.put(square, *reads);
        }
        t.hand = 350;
        t.press().secs(2).record_is(&format!("e2e4 e7e5 {uci}"));
        t.has(&[json!({"type": "move-completed", "ply": 3, "uci": uci, "how": "press", "legal": true})]);
        let found = t.only("displaced-pieces");
        found.open().is(json!({"by": null, "grade": "attention"})).says(wrong);
        assert_eq!(found.now["facts"]["squares"].as_array().unwrap().len(), wrong.len(), "{}", found.now);
        // The position to put up has the move in it.
        let fen = found.now["proposal"]["restore_fen"].as_str().unwrap_or_default();
        assert!(fen.contains(" b "), "{fen}");
    });
}

/// The opponent's piece stands where it could have gone: his move, until he makes another one.
#[test]
fn an_opponents_piece_nudged_to_where_it_may_go() {
    law(FIDE, &["7.4.1 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("f1b5");
        t.hand = 120;
        t.carry("c7", "c6");
        t.hand = 350;
        t.press().secs(2).record_is("e2e4 e7e5 f1b5 (c7c6)");
        t.play("g8f6").secs(2).record_is("e2e4 e7e5 f1b5 g8f6").only("displaced-pieces").open().says(&["c6", "c7"]);
        t.play("g1f3 b8a6").secs(2).record_is("e2e4 e7e5 f1b5 g8f6 g1f3 b8a6");
    });
}

/// Nobody minds, and the game goes on: nothing of it is lost.
#[test]
fn play_goes_on_beside_disturbed_pieces() {
    let rest = "a7a6 a2a4 h7h5 d2d3 g7g5 c1g5 f7f6 g5f6 d8f6 d1f3 f6f3";
    for (think, hand) in [(3000, 350), (500, 100)] {
        law_for(&DISTURBED[..3], FIDE, &["7.4.1 displaced-pieces"], |t, (uci, squares, _)| {
            t.time("300+3").start().play("e2e4 e7e5").hand(uci);
            t.hand = 120;
            for (square, reads) in *squares {
                t.put(square, *reads);
            }
            t.hand = 350;
            t.press().secs(2);
            (t.think, t.hand) = (think, hand);
            let rest = if *uci == "g1f3" { "a7a6 a2a4 h7h5 d2d3 g7g5 c1g5 f7f6 g5f6 d8f6 b1c3 b8c6 c3d5 f6f3" } else { rest };
            t.play(rest);
            (t.think, t.hand) = (3000, 350);
            t.secs(4).record_is(&format!("e2e4 e7e5 {uci} {rest}"));
            t.only("displaced-pieces").open();
        });
    }
}

#[test]
fn two_exchanged_pieces_stand_for_ten_seconds() {
    // The mover's, the other player's, one of each; the position agrees in everything else.
    let cases = [("b1", "c1", 'N', 'B'), ("f8", "g8", 'b', 'n'), ("a1", "a8", 'R', 'r'), ("e1", "d1", 'K', 'Q')];
    law_for(&cases, "fide-2018 fide-2023 fide-1997", &["7.6 displaced-pieces", "6.13 displaced-pieces"], |t, (a, b, on_a, on_b)| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3);
        exchange(t, a, b, *on_a, *on_b);
        t.secs(7).silence();
        t.secs(5);
        let article = if t.edition == "fide-1997" { "6.13" } else { "7.6" };
        t.only("displaced-pieces").open().is(json!({"article": article, "by": null})).says(&[a, b]);
        // Play goes on with what stands; it costs no ply.
        t.play("g1f3 b8c6 d2d4 e5d4").secs(2).record_is("e2e4 e7e5 g1f3 b8c6 d2d4 e5d4").only("displaced-pieces").open();
    });
}

#[test]
fn two_exchanged_pieces_at_a_press() {
    law(FIDE, &["7.6 displaced-pieces"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3);
        exchange(t, "b1", "c1", 'N', 'B');
        t.press().secs(2);
        t.only("displaced-pieces").open().says(&["b1", "c1"]);
        t.record_is("e2e4 e7e5");
        // Put right; the opponent presses back; the game goes on.
        t.carry("b1", "h3").carry("c1", "b1").carry("h3", "c1").secs(1).press().secs(2);
        t.play("g1f3 b8c6").secs(3).record_is("e2e4 e7e5 g1f3 b8c6").only("displaced-pieces").open();
    });
}

#[test]
fn a_rook_that_comes_after_the_press() {
    for (late, found) in [(30, None), (700, Some("press-before-move")), (1800, Some("press-before-move"))] {
        let cases = [(White, ["e1", "g1", "h1", "f1"]), (Black, ["e8", "g8", "h8", "f8"])];
        law_for(&cases, FIDE, &["4.4 -", "6.2.4 press-before-move"], |t, (by, [king, to, rook, over])| {
            t.time("300+3").start().play("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5");
            if *by == Black {
                t.play("a2a3");
            }
            t.secs(2).carry(king, to).press();
            t.hand = 30;
            t.wait(late - 30).lift(rook).wait(100).put(over, if *by == White { 'R' } else { 'r' });
            t.hand = 350;
            t.secs(4).record_is(&format!("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5{} {king}{to}", if *by == Black { " a2a3" } else { "" }));
            match found {
                None => {
                    t.silence();
                }
                Some(key) => {
                    t.only(key).open().is(json!({"by": by.word(), "article": "6.2.4"}));
                }
            }
        });
    }
}

#[test]
fn a_rook_that_comes_too_late_or_never() {
    law_for(&[Some(3000), None], FIDE, &["4.4 -", "7.5.1 illegal-move"], |t, late| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").secs(3).carry("e1", "g1").press();
        if let Some(late) = late {
            t.wait(*late).carry("h1", "f1");
        }
        t.secs(4).only("illegal-move").is(json!({"by": "white"}));
        t.never("press-before-move");
    });
}

/// The rook late, and the reply and its press before it.
#[test]
fn a_rook_that_comes_after_the_answer() {
    law(FIDE, &["4.4 -", "6.2.4 press-before-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5").secs(3).carry("e1", "g1").press();
        t.hand = 100;
        t.wait(300).carry("h7", "h6").press();
        t.wait(300).carry("h1", "f1");
        t.hand = 350;
        t.secs(4).record_is("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 h7h6").only("press-before-move").is(json!({"by": "white"}));
    });
}

#[test]
fn who_presses_with_an_opponents_piece_moved_is_the_offender() {
    // At once, or when the second move stood long enough to be told.
    let cases = [("a7a6", 1), ("a7a6", 6), ("b8c6", 1), ("d8h4", 6)];
    law_for(&cases, FIDE, &["7.5.1 illegal-move", "12.9 two-moves-in-a-row"], |t, (uci, stands)| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3).hand(uci).secs(*stands).press().secs(3);
        let found = t.one("illegal-move");
        found.open().is(json!({"by": "white", "article": "7.5.1", "grade": "ruling", "facts": {"uci": uci, "moves": ["e7e5", uci]}}));
        found.says(&["opponent's", "or black moved twice in a row", "или чёрные сделали два хода подряд"]);
        found.proposes(json!({"action": "restore-position", "offence": 1, "restore_fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}));
        let story = t.story();
        for other in story.findings().iter().filter(|f| f.raised["key"] == "two-moves-in-a-row") {
            other.status("withdrawn");
        }
        t.has(&[json!({"type": "move-completed", "ply": 3, "by": "white", "uci": uci, "legal": false, "how": "press"})]);
    });
}

/// Brought back to where it stood, it is no move of its owner's; the game goes on.
#[test]
fn an_opponents_piece_is_brought_back() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3).hand("d8h4").secs(1).press().secs(3).press().secs(1);
        t.carry("h4", "d8").secs(2).record_is("e2e4 e7e5");
        t.play("g1f3 b8c6").secs(2).record_is("e2e4 e7e5 g1f3 b8c6").one("illegal-move").is(json!({"by": "white"}));
    });
    // The offender has his next piece in the hand meanwhile.
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(3).hand("d8h4").secs(1).press().secs(3).press().secs(1);
        t.lift("g1").carry("h4", "d8").put("f3", 'N').press().play("b8c6").secs(2);
        t.record_is("e2e4 e7e5 g1f3 b8c6").one("illegal-move").is(json!({"by": "white"}));
    });
}

/// Castling, en passant and promotion of the other side, pressed, are no moves of the presser's either.
#[test]
fn every_kind_of_the_opponents_moves_is_his() {
    let cases = [
        ("r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "e8c8", "e8c8"),
        ("4k3/8/8/8/8/8/p7/4K3 w - - 0 1", "a2a1q", "a2a1q"),
        ("4k3/8/8/8/8/8/p7/1N2K3 w - - 0 1", "a2b1q", "a2b1q"),
    ];
    law_for(&cases, FIDE, &["7.5.1 illegal-move"], |t, (fen, hand, uci)| {
        t.time("300+3").from(fen).start().hand(hand).press().secs(3);
        t.only("illegal-move").is(json!({"by": "white"})).says(&["opponent"]).proposes(json!({"restore_fen": fen}));
        t.has(&[json!({"type": "move-completed", "ply": 1, "by": "white", "uci": uci, "legal": false})]);
    });
}
