//! A whole record that is entered: on a machine that came back with an empty card, in a game with a hole, in one that was read wrong.
#![allow(clippy::unwrap_used, reason = "a test may")]

use crate::rig::Rig;
use flagfall_events::{Body, ClockPair, Entry, Event, Finding, GameResult, Grade, How, Key, Mono, Wall};
use flagfall_game::board::Board;
use flagfall_score::board::BoardState;
use flagfall_score::pgn::pgn;
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::Options;
use serde_json::{Value, json};

const GAME: &[u8] = b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7 11.c4 c6 12.cxb5 axb5 \
13.Nc3 Bb7 14.Bg5 b4 15.Nb1 h6 16.Bh4 c5 17.dxe5 Nxe4 18.Bxe7 Qxe7 19.exd6 Qf6 20.Nbd2 Nxd6 *";

fn entry(order: Value) -> Entry {
    serde_json::from_value(order).unwrap()
}

fn moves(pgn: &str) -> Entry {
    entry(json!({"do": "moves", "pgn": pgn}))
}

fn until(rig: &mut Rig, t: Mono) {
    while rig.now < t && rig.step() {}
}

/// The record as PGN has it.
fn written(events: &[Event]) -> String {
    let mut board = BoardState::new("1".into());
    (1..).zip(events).for_each(|(seq, event)| _ = board.apply(&Event { seq, ..event.clone() }));
    pgn(&board, &[])
}

fn a_game() -> PgnGame {
    read_games(GAME).unwrap().remove(0)
}

#[test]
fn a_machine_that_came_back_with_an_empty_card_goes_on_with_the_game() {
    let game = a_game();
    for (behind, turned) in [(0, false), (1, true), (3, false), (4, true)] {
        let options = Options { turned, ..Options::new(Kind::Human, behind) };
        let mut rig = Rig::of(&game, &options);
        rig.until_played(0, 20);
        rig.device.unplug(rig.now);
        let fresh = Board::new("1", Wall::EPOCH, options.settings(&game)).games_after(4);
        rig.replace(fresh);
        rig.device.replug(rig.now);
        let later = rig.now + 2_000;
        until(&mut rig, later);
        assert!(!rig.events.iter().any(|event| matches!(event.body, Body::GameStart { .. })), "nothing is known of a game");
        // The record is what was published last, some plies behind the board.
        let known = rig.played(0) - usize::try_from(behind).unwrap();
        let restored = moves(&game.uci()[..known].join(" "));
        assert_eq!(rig.board.refusal(&restored), None);
        rig.enter(restored);
        rig.run();
        assert_eq!(rig.completed(), game.uci(), "{behind} behind, turned {turned}");
        assert!(rig.events.iter().filter(|event| event.body.is_of_a_game()).all(|event| event.game == Some(5)));
        let how = |ply: usize| {
            let of = |event: &Event| matches!(&event.body, Body::MoveCompleted { ply: known, .. } if *known as usize == ply);
            let completed = rig.events.iter().find(|event| of(event));
            completed.and_then(|event| if let Body::MoveCompleted { how, .. } = event.body { Some(how) } else { None })
        };
        assert_eq!((how(1), how(known)), (Some(How::Ruling), Some(How::Ruling)));
        assert!((known + 1..known + usize::try_from(behind).unwrap()).all(|ply| how(ply) == Some(How::Recovered)), "{behind}");
        assert_eq!(how(40), Some(How::Press), "the game went on");
        // At the end the players stop the clock; a note disturbs nobody.
        let disturbs = |finding: &Finding| finding.key != Key::ClockStopped && finding.grade != Grade::Note;
        let findings: Vec<&Event> =
            rig.events.iter().filter(|event| matches!(&event.body, Body::Finding(finding) if disturbs(finding))).collect();
        assert!(findings.is_empty(), "nobody is disturbed: {findings:?}");
    }
}

#[test]
fn a_record_with_a_hole_is_whole_again_and_plies_that_differ_are_taken_back() {
    let game = a_game();
    let options = Options::new(Kind::Clean, 1);
    let mut rig = Rig::of(&game, &options);
    rig.until_played(0, 12);
    // Somebody sets what stands nowhere in the game, and it goes on from there.
    rig.enter(entry(json!({"do": "set-position", "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"})));
    let alarm = |rig: &Rig| {
        rig.events.iter().rev().find_map(|event| match &event.body {
            Body::Alarm { key, state, .. } if key.as_str() == "record-broken" => Some(format!("{state:?}")),
            _ => None,
        })
    };
    assert_eq!(alarm(&rig).as_deref(), Some("Raised"));
    let said = rig.events.len();
    rig.enter(moves(&game.uci()[..12].join(" ")));
    assert_eq!(alarm(&rig).as_deref(), Some("Cleared"));
    let withdrawn: Vec<u32> = rig.events[said..]
        .iter()
        .filter_map(|event| if let Body::MoveWithdrawn { ply, .. } = event.body { Some(ply) } else { None })
        .collect();
    assert_eq!(withdrawn, [11], "the ply before the hole goes with it; nothing was read as play so far from what was set");
    rig.run();
    assert_eq!(rig.completed(), game.uci());
    let pgn = written(&rig.events);
    assert!(pgn.contains("12. cxb5") && pgn.contains("Nxd6") && !pgn.contains("FEN"), "{pgn}");
}

#[test]
fn clocks_come_from_the_pgn_and_an_undo_takes_all_of_it_back() {
    let game = read_games(b"1.e4 e5 2.Nf3 Nc6 *").unwrap().remove(0);
    let options = Options::new(Kind::Clean, 1);
    let mut rig = Rig::of(&game, &options);
    rig.run();
    let (before, said) = (written(&rig.events), rig.events.len());
    let text = "1. e4 {[%clk 1:29:00]} c5 {[%clk 1:28:30]} 2. Nf3 {[%clk 1:27:01]} *";
    rig.enter(moves(text));
    let completed: Vec<(u32, &str, Option<ClockPair>)> = rig.events[said..]
        .iter()
        .filter_map(
            |event| if let Body::MoveCompleted { ply, uci, clock, .. } = &event.body { Some((*ply, uci.as_str(), *clock)) } else { None },
        )
        .collect();
    let pair = |white_ms, black_ms| Some(ClockPair { white_ms, black_ms });
    // The other player's display is what he had left when he pressed.
    assert_eq!(completed, [(2, "c7c5", pair(5_340_000, 5_310_000)), (3, "g1f3", pair(5_221_000, 5_310_000))]);
    let ruling = rig.events[said..].iter().find(|event| matches!(event.body, Body::Ruling(_))).unwrap().seq;
    let undo = entry(json!({"do": "undo", "ruling": ruling}));
    assert_eq!(rig.board.refusal(&undo), None);
    rig.enter(undo);
    assert_eq!(rig.completed(), game.uci());
    assert_eq!(written(&rig.events), before);
}

#[test]
fn a_game_that_is_over_keeps_its_result_and_what_cannot_be_restored_is_refused() {
    let game = read_games(b"1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7# 1-0").unwrap().remove(0);
    let mut rig = Rig::of(&game, &Options::new(Kind::Clean, 1));
    rig.run();
    let results =
        |rig: &Rig| rig.events.iter().filter(|event| matches!(event.body, Body::Result { result: GameResult::WhiteWins, .. })).count();
    assert_eq!(results(&rig), 1);
    let refused = |rig: &Rig, pgn: &str| rig.board.refusal(&moves(pgn)).unwrap_or_default();
    assert!(refused(&rig, "1. e4 e5 2. Ke3").contains("2. Ke3 is no legal move after e7e5"));
    assert!(refused(&rig, "").contains("no move"));
    assert!(refused(&rig, "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n1. Ra8+").contains("began in another position"));
    rig.enter(moves("1. e4 e5 2. Qh5 d6 3. Bc4 Nf6 4. Qxf7+"));
    assert_eq!((results(&rig), rig.completed()[3].as_str()), (1, "d7d6"));
    assert!(written(&rig.events).contains("[Result \"1-0\"]"));
}
