//! Illegal moves and what follows: Article 7.5.
use super::table::{Black, Table, White};
use super::{law, law_for};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
/// 44 plies of a game; White is to move.
const GAME: &str = "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6 c1g5 d5e4 c3e4 f8e7 g5f6 e7f6 g1f3 e8g8 d1d2 b7b6 e4f6 d8f6 f1d3 c8b7 f3g5 g7g6 e1c1 b8d7 h2h4 a8d8 h4h5 h7h6 g5h7 g8h7 h5g6 h7g8 h1h6 g8g7 h6h7 g7g8 g6g7 f8e8 d1h1 d7f8 g7f8q g8f8 h1h6 f6d4";

/// White's Ra1 goes over its own pawn after e4 e5 and is pressed.
fn rook_jumps(t: &mut Table) {
    t.start().play("e2e4 e7e5").hand("a1a3").press().secs(2);
}

#[test]
fn the_worked_ruling() {
    law("fide-2018", &["7.5.1 illegal-move", "7.5.5 illegal-move", "7.1 -"], |t| {
        t.time("5400+30").start();
        let moves: Vec<&str> = GAME.split(' ').collect();
        for pair in moves.chunks(2) {
            t.secs(150).play(pair[0]).secs(100).play(pair[1]);
        }
        // Both sides now spend what the ruling's clock says they spent.
        t.until(White, "42:14");
        (t.hand, t.think) = (100, 0);
        t.hand("d3f3").until(White, "42:10").press_at_once();
        let black = t.device().shown(Black);
        // Black's time at the press is whatever this game left him; the arbiter's is that less twenty seconds.
        t.secs(2);
        t.one("illegal-move").is(json!({"by": "white", "article": "7.5.1", "rules": "fide-2018", "grade": "ruling"}));
        t.secs(18).stop().secs(2);
        let stopped = t.device().shown(Black);
        assert!((19..=21).contains(&(black - stopped)), "{black} {stopped}");
        let found = t.one("illegal-move");
        found.open().proposes(json!({
            "action": "restore-position",
            "article": "7.5.5",
            "offence": 1,
            "press_counter": {"white": -1},
            "clock": {"white_ms": 2_530_000, "black_ms": (stopped + 120) * 1000, "run": "white"},
        }));
        let fen = "3rrk2/pbp2p1R/1p2p2R/8/3q4/3B4/PPPQ1PP1/2K5 w - - 0 23";
        let restored = found.now["proposal"]["restore_fen"].as_str().unwrap_or_default();
        assert_eq!(restored.split(' ').take(3).collect::<Vec<_>>(), fen.split(' ').take(3).collect::<Vec<_>>());
        let alternatives = found.now["proposal"]["alternatives"].as_array().cloned().unwrap_or_default();
        assert!(alternatives.len() >= 2, "{}", found.now);
        assert!(
            alternatives.iter().any(|a| a["clock"] == json!({"white_ms": 2_530_000, "black_ms": (black + 120) * 1000, "run": "white"})),
            "{}",
            found.now
        );
    });
}

/// The same with the numbers of the text, from a game set up on the clock as it stands there.
#[test]
fn the_worked_ruling_to_the_second() {
    law("fide-2018", &["7.5.1 illegal-move", "7.5.5 illegal-move", "7.1 -"], |t| {
        t.time("5400+30").start().play("e2e4 e7e5").stop().enter(r#"{"do":"stop"}"#);
        t.secs(5).enter(r#"{"do":"set-clock","clock":{"white_ms":2540000,"black_ms":3300000,"run":"white"}}"#);
        t.set("42:20", "55:00", White).enter(r#"{"do":"restart"}"#).start();
        t.hand = 100;
        t.secs(5).hand("a1a3").until(White, "42:10").press_at_once().secs(2);
        t.only("illegal-move").is(json!({"by": "white", "article": "7.5.1", "rules": "fide-2018", "grade": "ruling"}));
        t.until(Black, "54:40").stop().secs(2);
        t.one("illegal-move")
            .open()
            .revised()
            .times("42:10", "56:40", "white")
            .or_times("42:10", "57:00")
            .proposes(json!({"action": "restore-position", "article": "7.5.5", "offence": 1, "press_counter": {"white": -1}}));
        // As the arbiter confirmed it: position, times, then White tries the same again.
        t.confirm("illegal-move").wait(500);
        t.has(&[
            json!({"type": "ruling", "do": "rule", "decision": "confirm"}),
            json!({"type": "finding-update", "status": "confirmed"}),
            json!({"type": "move-withdrawn", "ply": 3, "uci": "a1a3"}),
            json!({"type": "placement", "placement": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"}),
        ]);
        t.carry("a3", "a1").set("42:10", "56:40", White).secs(2).start().hand("a1a4").press().secs(3);
        t.never("clock-setting");
        t.found("illegal-move").proposes(json!({"action": "declare-loss", "offence": 2, "result": "0-1", "article": "7.5.5"}));
        t.stop().secs(3).confirm("illegal-move").secs(1).result("0-1", "ruling");
    });
}

#[test]
fn a_second_illegal_move_is_no_loss_where_the_opponent_cannot_mate() {
    law(FIDE, &["7.5.5 illegal-move"], |t| {
        t.time("300+3").from("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1").start().play("e2e4 e8e7").hand("a1b3").press().secs(2).stop().secs(2);
        t.confirm("illegal-move").wait(300).carry("b3", "a1");
        let clock = t.found("illegal-move").now["proposal"]["clock"].clone();
        let shown = |side: &str| format!("{}", clock[side].as_i64().unwrap() / 1000);
        t.set(&shown("white_ms"), &shown("black_ms"), White).start().hand("a1b3").press().secs(4);
        t.found("illegal-move").proposes(json!({"action": "declare-draw", "offence": 2, "result": "1/2-1/2"}));
        t.confirm("illegal-move").secs(1).result("1/2-1/2", "ruling");
    });
}

#[test]
fn the_penalty_of_each_kind_of_play() {
    law_for(&["standard", "rapid", "blitz"], FIDE, &["7.5.5 illegal-move"], |t, play| {
        let minutes = if *play == "standard" || (*play == "rapid" && t.edition == "fide-2018") { 2 } else { 1 };
        rook_jumps(t.time("600+5").header(&format!("play: {play}")));
        let (white, black) = (t.device().shown(White), t.device().shown(Black));
        t.stop().secs(2);
        let clock = t.only("illegal-move").now["proposal"]["clock"].clone();
        let (w, b) = (clock["white_ms"].as_i64().unwrap() / 1000, clock["black_ms"].as_i64().unwrap() / 1000);
        assert!(w == white - 5 && b == black + minutes * 60, "{play}: {white} {black} but {clock}");
    });
}

/// Position, hand, and what the finding must speak of.
const REASONS: &[(&str, &str, &[&str])] = &[
    ("4k3/8/8/8/4P3/8/8/4R1K1 w - - 0 1", "e1e6", &["rook", "e4"]),
    ("4k3/8/8/8/8/8/4r3/4K2R w - - 0 1", "h1h7", &["check"]),
    ("4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1", "e2c4", &["check"]),
    ("4k3/8/8/8/8/6n1/8/4K2R w K - 0 1", "e1g1", &["castl"]),
    ("4k3/8/8/8/8/8/2b5/R3K3 w Q - 0 1", "e1c1", &["castl"]),
    ("4k3/4p3/8/8/8/8/8/4K2R w K - 0 1", "e7e6", &["opponent"]),
    ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "f1g3", &["rook"]),
    ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", "e2e5", &["pawn"]),
    ("4k3/8/8/8/8/5b2/8/3NK3 w - - 0 1", "d1d3", &["knight"]),
];

/// Position and hand; whatever is said of it, it is found.
const MORE: &[(&str, &str)] = &[
    // One's own pawn taken.
    ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "a1a2"),
    // A pawn that takes straight ahead, goes aside, or steps two from the third rank.
    ("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "e4e5"),
    ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5"),
    // Kings side by side, a king that goes two squares.
    ("8/8/8/4k3/8/4K3/8/R7 w - - 0 1", "e3e4"),
    ("4k3/8/8/8/8/4K3/8/R7 w - - 0 1", "e3e5"),
    // A bishop along a file, a queen like a knight.
    ("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "c1c4"),
    ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1e3"),
    // Castling with a rook that has moved, out of check, over a piece.
    ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1"),
    ("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1"),
    // A pinned piece.
    ("4k3/8/8/8/7b/6N1/8/4K3 w - - 0 1", "g3f5"),
    // Backwards.
    ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e3"),
];

#[test]
fn other_illegal_moves_are_found() {
    law_for(MORE, FIDE, &["7.5.1 illegal-move"], |t, (fen, uci)| {
        t.time("300+3").from(fen).start().hand(uci).press().secs(2);
        t.only("illegal-move")
            .is(json!({"by": "white", "article": "7.5.1"}))
            .proposes(json!({"action": "restore-position", "restore_fen": fen}));
        t.has(&[json!({"type": "move-completed", "ply": 1, "by": "white", "uci": uci, "legal": false, "how": "press"})]);
    });
}

#[test]
fn why_a_move_is_illegal_is_said_in_words() {
    law_for(REASONS, "fide-2018", &["7.5.1 illegal-move"], |t, (fen, uci, words)| {
        t.time("300+3").from(fen).start().hand(uci).press().secs(2);
        t.only("illegal-move").is(json!({"by": "white", "article": "7.5.1"})).says(words);
        t.has(&[json!({"type": "move-completed", "ply": 1, "by": "white", "uci": uci, "legal": false, "how": "press"})]);
    });
}

#[test]
fn a_king_taken_is_an_illegal_move() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("300+3").from("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1").start().hand("e8e7").press().secs(2);
        t.hand("e2e7").press().secs(2);
        t.has(&[json!({"type": "finding", "key": "illegal-move", "by": "black"})]);
        let story = t.story();
        let black = story.findings().into_iter().find(|f| f.raised["by"] == "black").unwrap();
        black.proposes(json!({"action": "restore-position"}));
        assert!(black.now["proposal"]["restore_fen"].as_str().is_some_and(|f| f.starts_with("4k3/8/8/8/8/8/4R3/4K3 b")), "{}", black.now);
    });
}

#[test]
fn the_touched_piece_must_move() {
    law(FIDE, &["7.5.1 illegal-move", "4.3 touched-piece"], |t| {
        t.time("300+3").from("4k3/8/8/8/4P3/8/8/4R1K1 w - - 0 1").start().hand("e1e6").press().secs(2);
        let found = t.only("illegal-move");
        let mut moves: Vec<&str> = found.now["proposal"]["replacement"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        moves.sort_unstable();
        assert_eq!(moves, ["e1a1", "e1b1", "e1c1", "e1d1", "e1e2", "e1e3", "e1f1"]);
        found.proposes(json!({"restore_fen": "4k3/8/8/8/4P3/8/8/4R1K1 w - - 0 1"}));
    });
}

/// Own piece and opponent's piece touched: it must be taken so, where that is legal.
#[test]
fn a_touched_opponents_piece_must_be_taken() {
    law(FIDE, &["7.5.1 illegal-move", "4.3 touched-piece"], |t| {
        t.time("300+3").from("4k3/8/8/3p4/2P1P3/8/8/R3K3 w - - 0 1").start();
        t.secs(2).lift("d5").wait(500).lift("a1").wait(500).put("d5", 'R').press().secs(2);
        let found = t.only("illegal-move");
        let moves: Vec<&str> = found.now["proposal"]["replacement"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        assert!(!moves.is_empty() && moves.iter().all(|m| m.ends_with("d5")), "{moves:?}");
    });
}

#[test]
fn traces_of_what_was_touched_are_with_an_illegal_move() {
    law(FIDE, &["4.3 touched-piece"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(2).lift("g1").wait(700).put("g1", 'N').hand("a1a3").press().secs(2);
        let found = t.only("illegal-move");
        let touched = found.now["facts"]["touched"].as_array().cloned().unwrap_or_default();
        assert!(touched.iter().any(|t| t["square"] == "g1" && t["piece"] == "N"), "{}", found.now);
    });
}

#[test]
fn found_late_the_position_before_it_is_still_known() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("600+5");
        rook_jumps(t);
        let then = (t.device().left[0] / 1000, t.device().left[1] / 1000 + 2);
        t.play("b8c6 g1f3 g8f6").secs(3);
        let found = t.only("illegal-move");
        found.open().proposes(json!({"action": "restore-position", "offence": 1}));
        assert!(found.now["proposal"]["restore_fen"].as_str().unwrap().starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"));
        // As shown at the irregular press, the increment taken back, the penalty added.
        let clock = &found.now["proposal"]["clock"];
        let (white, black) = (clock["white_ms"].as_i64().unwrap() / 1000, clock["black_ms"].as_i64().unwrap() / 1000);
        assert!((then.0 - 5..=then.0 - 4).contains(&white), "{then:?} {clock}");
        assert!((then.1 + 119..=then.1 + 121).contains(&black), "{then:?} {clock}");
        t.stop().secs(1).confirm("illegal-move").secs(1);
        t.has(&[
            json!({"type": "move-withdrawn", "ply": 6, "uci": "g8f6"}),
            json!({"type": "move-withdrawn", "ply": 5, "uci": "g1f3"}),
            json!({"type": "move-withdrawn", "ply": 4, "uci": "b8c6"}),
            json!({"type": "move-withdrawn", "ply": 3, "uci": "a1a3"}),
            json!({"type": "placement", "placement": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"}),
        ]);
        t.record_is("e2e4 e7e5");
    });
}

#[test]
fn moves_on_top_of_an_illegal_one_go_on_counting() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("600+5");
        rook_jumps(t);
        t.play("b8c6 a3d3 g8f6").secs(2);
        t.has(&[
            json!({"type": "move-completed", "ply": 3, "uci": "a1a3", "legal": false}),
            json!({"type": "move-completed", "ply": 4, "uci": "b8c6", "legal": true}),
            json!({"type": "move-completed", "ply": 5, "uci": "a3d3", "legal": true}),
            json!({"type": "move-completed", "ply": 6, "uci": "g8f6", "legal": true}),
        ]);
        t.only("illegal-move");
    });
}

#[test]
fn an_illegal_move_put_right_before_the_press_is_none() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("a1a3").secs(2).carry("a3", "a1").hand("g1f3").press().secs(2);
        t.no_alarm().record_is("e2e4 e7e5 g1f3").play("b8c6").secs(2).no_alarm();
    });
}

#[test]
fn dismissed_it_leaves_the_game_as_it_is() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("600+5");
        rook_jumps(t);
        t.dismiss("illegal-move").secs(1);
        t.one("illegal-move").status("dismissed");
        t.play("b8c6 g1f3").secs(2);
        t.record_is("e2e4 e7e5 a1a3 b8c6 g1f3");
        // It did not count: the next is the first.
        t.play("g8f6").hand("h1h3").press().secs(2);
        t.found("illegal-move").proposes(json!({"offence": 1}));
    });
}

#[test]
fn with_little_supervision_it_stands_once_the_opponent_moved() {
    law_for(&["rapid", "blitz"], FIDE, &["7.5.1 illegal-move", "A.5.2 illegal-move"], |t, play| {
        t.time("300+3").header(&format!("play: {play}")).header("supervision: partial");
        rook_jumps(t);
        t.one("illegal-move").open();
        t.hand("b8c6").secs(2);
        t.one("illegal-move").status("withdrawn");
        t.press().secs(1).play("a3d3 g8f6").secs(1);
        t.record_is("e2e4 e7e5 a1a3 b8c6 a3d3 g8f6").nothing_open();
        // It did not count.
        t.hand("h1h3").press().secs(2);
        t.found("illegal-move").proposes(json!({"offence": 1, "action": "restore-position"}));
    });
}

#[test]
fn with_full_supervision_it_does_not() {
    law_for(&["rapid", "blitz"], FIDE, &["7.5.1 illegal-move"], |t, play| {
        t.time("300+3").header(&format!("play: {play}"));
        rook_jumps(t);
        t.play("b8c6").secs(2);
        t.one("illegal-move").open();
    });
}

#[test]
fn offences_are_counted_for_each_player() {
    law(FIDE, &["7.5.5 illegal-move"], |t| {
        t.time("600+5");
        rook_jumps(t);
        t.stop().secs(2).confirm("illegal-move").carry("a3", "a1");
        let clock = t.found("illegal-move").now["proposal"]["clock"].clone();
        let shown = |side: &str| format!("{}", clock[side].as_i64().unwrap() / 1000);
        t.set(&shown("white_ms"), &shown("black_ms"), White).start().play("g1f3").hand("a8a6").press().secs(2);
        t.found("illegal-move")
            .is(json!({"by": "black"}))
            .proposes(json!({"offence": 1, "action": "restore-position", "press_counter": {"black": -1}}));
    });
}

#[test]
fn amended_the_arbiters_times_count() {
    law(FIDE, &["7.5.1 illegal-move", "7.1 -"], |t| {
        t.time("600+5");
        rook_jumps(t);
        t.stop().secs(2).amend("illegal-move", r#"{"white_ms":590000,"black_ms":700000,"run":"white"}"#).secs(1);
        t.one("illegal-move").status("amended");
        t.carry("a3", "a1").set("590", "700", White).secs(1).start().play("g1f3 b8c6").secs(1);
        t.never("clock-setting").record_is("e2e4 e7e5 g1f3 b8c6").nothing_open();
    });
}

#[test]
fn a_ruled_time_that_was_not_set_is_noted_once() {
    law(FIDE, &["7.1 clock-setting"], |t| {
        t.time("600+5");
        rook_jumps(t);
        t.stop().secs(2).confirm("illegal-move").secs(1);
        t.carry("a3", "a1").set("590", "600", White).secs(1).start().play("g1f3 b8c6 f1c4 g8f6").secs(1);
        t.one("clock-setting").is(json!({"grade": "note"}));
        t.nothing_open();
    });
}
