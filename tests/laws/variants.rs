//! The same for the other player, without a stated time control, across a gap, and with hands that are quicker than the arbiter's tap.
use super::law;
use super::table::{Black, Table, White};
use serde_json::json;

const FIDE: &str = "fide-2018 fide-2023";
const ALL: &str = "fide-2018 fide-2023 fide-1997 russia-1.16";

/// What the last finding with this key wants set, as `"seconds"`.
fn proposed(t: &mut Table, key: &str) -> [String; 2] {
    let clock = t.found(key).now["proposal"]["clock"].clone();
    ["white_ms", "black_ms"].map(|side| format!("{}", clock[side].as_i64().unwrap() / 1000))
}

#[test]
fn black_presses_without_a_move() {
    law(FIDE, &["7.5.3 press-without-move"], |t| {
        t.time("300+3").start().play("e2e4").secs(5).press().secs(3).stop().secs(2);
        let white = t.device().shown(White);
        let found = t.one("press-without-move");
        found
            .is(json!({"by": "black"}))
            .proposes(json!({"offence": 1, "press_counter": {"black": -1}, "clock": {"white_ms": (white + 120) * 1000, "run": "black"}}));
    });
}

#[test]
fn blacks_illegal_move() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3").hand("a8a6").press();
        let black = t.device().shown(Black);
        t.secs(5).stop().secs(2);
        let white = t.device().shown(White);
        t.only("illegal-move").is(json!({"by": "black", "article": "7.5.1"})).proposes(json!({
            "action": "restore-position",
            "restore_fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            "clock": {"white_ms": (white + 120) * 1000, "black_ms": (black - 3) * 1000, "run": "black"},
            "press_counter": {"black": -1},
        }));
    });
}

#[test]
fn blacks_pawn_left_on_the_first_rank() {
    law(FIDE, &["7.5.2 unpromoted-pawn"], |t| {
        t.time("300+3").from("4k2r/8/8/8/8/8/6p1/K7 b - - 0 1").start().hand("g2g1").press().secs(4).stop().secs(2);
        let (white, black) = (t.device().shown(White), t.device().shown(Black));
        t.only("unpromoted-pawn")
            .is(json!({"by": "black"}))
            .proposes(json!({"clock": {"white_ms": (white + 120) * 1000, "black_ms": black * 1000, "run": "white"}}));
        t.confirm("unpromoted-pawn").wait(500).has(&[json!({"type": "move-revised", "ply": 1, "uci": "g2g1q"})]);
    });
}

#[test]
fn a_second_pawn_left_loses() {
    law(FIDE, &["7.5.5 unpromoted-pawn"], |t| {
        t.time("300+3")
            .from("4k3/P6P/8/8/8/8/r7/4K3 w - - 0 1")
            .start()
            .hand("a7a8")
            .press()
            .secs(3)
            .stop()
            .secs(1)
            .confirm("unpromoted-pawn")
            .put("a8", 'Q');
        let [white, black] = proposed(t, "unpromoted-pawn");
        t.set(&white, &black, Black).start().play("e8e7").hand("h7h8").press().secs(4);
        t.found("unpromoted-pawn").proposes(json!({"action": "declare-loss", "offence": 2, "result": "0-1"}));
    });
}

#[test]
fn black_does_not_press() {
    law(FIDE, &["6.2.1.2 unpressed-move"], |t| {
        t.time("300+3").start().play("e2e4").hand("e7e5").hand("g1f3").hand("b8c6").secs(2);
        t.has(&[json!({"type": "move-completed", "ply": 2, "uci": "e7e5", "how": "next-move"})]);
        t.found("unpressed-move").is(json!({"by": "black", "grade": "note"}));
        t.no_alarm();
    });
}

#[test]
fn black_presses_late() {
    law(ALL, &["6.2.2 late-press"], |t| {
        t.time("300+3").start().play("e2e4").hand("e7e5").hand("g1f3").secs(1).press().secs(1).press().secs(2);
        t.one("late-press").is(json!({"by": "black"}));
        t.record_is("e2e4 e7e5 g1f3").never("press-without-move").no_alarm();
    });
}

/// What a press earned is what the display went up by.
#[test]
fn without_a_stated_time_control_the_increment_is_seen() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.start().play("e2e4 e7e5").hand("a1a3").press();
        let white = t.device().shown(White);
        t.secs(5).stop().secs(2);
        let black = t.device().shown(Black);
        t.only("illegal-move").times(&(white - 3).to_string(), &(black + 120).to_string(), "white");
    });
}

#[test]
fn without_a_stated_time_control_a_flag_is_a_flag() {
    law(ALL, &["6.8 flag-fall"], |t| {
        t.device().left = [20_000; 2];
        t.start().play("e2e4 e7e5").secs(30);
        t.only("flag-fall").is(json!({"by": "white"}));
    });
}

#[test]
fn without_a_stated_time_control_nothing_is_set_wrong() {
    law(ALL, &["6.10.2 clock-setting"], |t| {
        t.start().play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5").secs(20).silence();
    });
}

#[test]
fn time_that_ran_while_the_link_was_down_is_no_jump() {
    law(ALL, &["6.10.1 clock-defect", "6.10.2 clock-setting"], |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3 b8c6").secs(3).unplug().secs(70).plug().secs(3).play("f1c4 g8f6 d2d3 f8c5").secs(2);
        t.no_alarm().record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5");
    });
}

#[test]
fn moves_and_presses_in_a_gap_are_no_faults() {
    law(ALL, &["6.10.1 clock-defect", "6.10.2 clock-setting", "7.6 displaced-pieces"], |t| {
        t.time("300+3")
            .start()
            .play("e2e4 e7e5 g1f3 b8c6")
            .secs(3)
            .unplug()
            .play("f1c4 g8f6")
            .secs(2)
            .plug()
            .secs(3)
            .play("d2d3 f8c5 c2c3 d7d6")
            .secs(2);
        t.no_alarm().record_is("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6");
        t.has(&[json!({"type": "move-completed", "ply": 5, "uci": "f1c4", "how": "recovered"})]);
    });
}

/// Pieces back and clock set before the arbiter taps.
#[test]
fn hands_are_quicker_than_the_tap() {
    law(FIDE, &["7.5.1 illegal-move"], |t| {
        t.time("600+5").start().play("e2e4 e7e5").hand("a1a3").press().secs(4).enter(r#"{"do":"stop"}"#).stop().secs(2);
        let [white, black] = proposed(t, "illegal-move");
        t.carry("a3", "a1").secs(2);
        t.one("illegal-move").open();
        t.never("displaced-pieces").never("adjusted-out-of-turn");
        t.confirm("illegal-move").set(&white, &black, White).enter(r#"{"do":"restart"}"#).start().secs(1).play("g1f3 b8c6").secs(2);
        t.record_is("e2e4 e7e5 g1f3 b8c6").nothing_open();
        t.never("clock-setting").never("displaced-pieces");
    });
}

/// Confirmed first; the pieces follow one by one.
#[test]
fn restoring_is_no_displacement_and_no_move() {
    law(FIDE, &["7.5.1 illegal-move", "7.4.1 displaced-pieces"], |t| {
        t.time("600+5")
            .start()
            .play("e2e4 d7d5")
            .hand("e4e6")
            .press()
            .secs(1)
            .play("d8d6 g1f3 d6h2")
            .secs(2)
            .enter(r#"{"do":"stop"}"#)
            .stop()
            .secs(1)
            .confirm("illegal-move");
        let [white, black] = proposed(t, "illegal-move");
        t.hand = 1200;
        t.lift("h2").put("d8", 'q').put("h2", 'P').carry("f3", "g1").carry("e6", "e4").secs(3);
        t.hand = 350;
        t.set(&white, &black, White).enter(r#"{"do":"restart"}"#).start().play("e4d5 d8d5").secs(2);
        t.record_is("e2e4 d7d5 e4d5 d8d5").nothing_open();
        t.never("displaced-pieces").never("adjusted-out-of-turn").never("press-without-move").never("clock-setting");
    });
}

#[test]
fn the_line_that_proves_a_loss_mates() {
    law(FIDE, &["6.9 flag-fall"], |t| {
        use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};
        let fen = "4k3/8/8/8/8/8/1p6/R3K3 w Q - 0 1";
        t.time("60+1").from(fen).start().secs(70);
        let found = t.only("flag-fall");
        found.proposes(json!({"action": "declare-loss", "result": "0-1"}));
        let mut position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        for uci in found.now["proposal"]["mate"].as_array().expect("a mating line") {
            let uci: UciMove = uci.as_str().unwrap().parse().unwrap();
            position = position.clone().play(uci.to_move(&position).unwrap()).unwrap();
        }
        assert!(position.is_checkmate() && position.turn() == shakmaty::Color::White, "{}", found.now);
    });
}

/// A lone knight mates nobody who has only a king; against a pawn it may.
#[test]
fn whether_a_knight_can_mate_depends_on_what_stands_in_the_way() {
    law(FIDE, &["6.9 flag-fall"], |t| {
        t.time("60+1").from("4k1n1/8/8/8/8/8/P7/K7 w - - 0 1").start().secs(70);
        t.only("flag-fall").proposes(json!({"action": "declare-loss", "result": "0-1"}));
    });
}

#[test]
fn a_bishop_alone_cannot_mate_a_queen() {
    law("fide-2018 fide-2023 fide-1997", &["6.9 flag-fall"], |t| {
        t.time("60+1").from("4kb2/8/8/8/8/8/8/K2Q4 w - - 0 1").start().secs(70);
        t.only("flag-fall").proposes(json!({"action": "declare-draw", "result": "1/2-1/2"}));
    });
}
