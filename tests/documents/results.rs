//! Results that come late, or were wrong: each reaches its own game in every document, and no other.
use super::hall::Hall;
use super::reading::{Read, game};
use flagfall::config::event::About;
use flagfall::feeds::event_info::Tournament;
use flagfall::feeds::event_info::chronicle::Chronicle;
use flagfall::feeds::pgn::broadcast::{self, Style};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const LIST: &str = "round,board,white,black\n1,1,\"Carlsen, Magnus\",\"Caruana, Fabiano\"\n1,2,\"Ding, Liren\",\"Giri, Anish\"\n\
                    2,1,\"Giri, Anish\",\"Carlsen, Magnus\"\n2,2,\"Caruana, Fabiano\",\"Ding, Liren\"\n";

/// Game `number` of a board begins and has these moves.
fn plays(hall: &mut Hall, board: &str, number: u32, moves: &[&str]) {
    hall.event(board, json!({"type": "game-start", "game": number, "fen": START, "rules": "fide-2023", "play": "rapid", "time_control": "900+10", "chess960": false}));
    goes_on(hall, board, number, 1, moves);
}

/// These plies follow, the first of them with this number.
fn goes_on(hall: &mut Hall, board: &str, number: u32, first: usize, moves: &[&str]) {
    for (ply, uci) in (first..).zip(moves) {
        let by = if ply % 2 == 1 { "white" } else { "black" };
        let clock = json!({"white_ms": 900_000, "black_ms": 900_000});
        hall.event(board, json!({"type": "move-completed", "game": number, "ply": ply, "by": by, "uci": uci, "legal": true, "how": "press", "clock": clock, "spent_ms": 2000}));
    }
}

fn ends(hall: &mut Hall, board: &str, number: u32, result: &str, reason: &str, source: &str) {
    hall.event(board, json!({"type": "result", "game": number, "result": result, "reason": reason, "source": source}));
}

/// Nobody showed the result, and the pieces are set up again.
fn unread(hall: &mut Hall, board: &str, number: u32) {
    ends(hall, board, number, "*", "unread", "setup");
}

/// A game of the tree, which every other document agrees with.
fn read(hall: &Hall, round: u32, board: u32) -> Read {
    let pgn = game(&hall.tree(&format!("round-{round}/game-{board}.pgn")));
    let cloud = hall.cloud(&format!("round-{round}/game-{board}.json"));
    let word = match pgn.result.as_str() {
        "1-0" => json!("WHITEWIN"),
        "0-1" => json!("BLACKWIN"),
        "1/2-1/2" => json!("DRAW"),
        _ => Value::Null,
    };
    assert_eq!((&cloud["result"], cloud["moves"].as_array().unwrap().len()), (&word, pgn.moves.len()), "{cloud}");
    let place = board as usize - 1;
    for index in
        [hall.cloud(&format!("round-{round}/index.json")), serde_json::from_str(&hall.tree(&format!("round-{round}/index.json"))).unwrap()]
    {
        assert_eq!(
            (&index["pairings"][place]["result"], &index["pairings"][place]["live"]),
            (&json!(pgn.result), &cloud["live"]),
            "{index}"
        );
    }
    let event = hall.event_now();
    let push = broadcast::game(&event, event.round(round).unwrap(), &hall.pairing(round, place + 1), Style::PUSH, false);
    assert_eq!((game(&push).result, game(&push).moves), (pgn.result.clone(), pgn.moves.clone()), "what is pushed to Lichess");
    pgn
}

fn missing(event: &Tournament, board: &str) -> Vec<u32> {
    event.unread(board).into_iter().collect()
}

#[test]
fn a_result_that_comes_late_reaches_its_own_round_and_not_the_next_game() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.list(LIST);
    plays(&mut hall, "1", 1, &["e2e4", "e7e5"]);
    plays(&mut hall, "2", 1, &["d2d4", "d7d5"]);
    ends(&mut hall, "2", 1, "1/2-1/2", "kings", "kings");
    assert_eq!(hall.event_now().current, 1);
    unread(&mut hall, "1", 1);
    // The board is lost for nothing: the next round begins, and the next game in it.
    assert_eq!((hall.event_now().current, missing(&hall.event_now(), "1")), (2, vec![1]));
    plays(&mut hall, "1", 2, &["c2c4", "c7c5", "g1f3"]);
    assert_eq!((read(&hall, 1, 1).result, read(&hall, 1, 1).moves.len(), read(&hall, 2, 1).moves.len()), (String::from("*"), 2, 3));
    // Corrected, and corrected once more.
    for result in ["1-0", "0-1"] {
        ends(&mut hall, "1", 1, result, "entered", "operator");
        assert_eq!((read(&hall, 1, 1).result.as_str(), missing(&hall.event_now(), "1")), (result, vec![]));
        let next = read(&hall, 2, 1);
        assert_eq!((next.result.as_str(), next.moves.len(), hall.pairing(2, 1).live), ("*", 3, true));
    }
    goes_on(&mut hall, "1", 2, 4, &["b8c6"]);
    assert_eq!((read(&hall, 2, 1).moves.len(), read(&hall, 1, 1).moves.len()), (4, 2));
}

#[test]
fn of_a_board_without_pairings_every_earlier_game_is_kept_with_its_result() {
    let mut hall = Hall::new(&["1"]);
    for number in 1..=3 {
        plays(&mut hall, "1", number, &["e2e4", "e7e5"]);
        unread(&mut hall, "1", number);
    }
    assert_eq!(missing(&hall.event_now(), "1"), [1, 2, 3]);
    ends(&mut hall, "1", 2, "1-0", "entered", "operator");
    // No result is an answer, too.
    ends(&mut hall, "1", 1, "*", "entered", "operator");
    assert_eq!(missing(&hall.event_now(), "1"), [3]);
    plays(&mut hall, "1", 4, &["d2d4"]);
    let event = hall.event_now();
    let results: Vec<_> = (1..=4).map(|number| event.game("1", number).unwrap().game.result.as_str()).collect();
    assert_eq!((results, event.game("1", 5)), (vec!["*", "1-0", "*", "*"], None));
    assert_eq!(read(&hall, 1, 1).moves, ["d4"], "the game that is played is the one that is shown");
}

#[test]
fn a_result_that_was_wrong_is_taken_back_and_costs_no_ply() {
    let mut hall = Hall::new(&["1"]);
    plays(&mut hall, "1", 1, &["e2e4", "e7e5"]);
    ends(&mut hall, "1", 1, "0-1", "entered", "operator");
    assert_eq!((read(&hall, 1, 1).result.as_str(), hall.pairing(1, 1).live), ("0-1", false));
    ends(&mut hall, "1", 1, "*", "reopened", "operator");
    assert_eq!((read(&hall, 1, 1).result.as_str(), hall.pairing(1, 1).live), ("*", true));
    goes_on(&mut hall, "1", 1, 3, &["g1f3"]);
    assert_eq!(read(&hall, 1, 1).moves, ["e4", "e5", "Nf3"]);
    // A flag-fall that was confirmed and then dismissed.
    ends(&mut hall, "1", 1, "1-0", "time forfeit", "flag");
    ends(&mut hall, "1", 1, "*", "reopened", "flag");
    goes_on(&mut hall, "1", 1, 4, &["b8c6"]);
    assert_eq!((read(&hall, 1, 1).moves.len(), hall.pairing(1, 1).live, missing(&hall.event_now(), "1")), (4, true, vec![]));
}

#[test]
fn a_restart_in_between_loses_neither_the_game_nor_that_its_result_is_missing() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.list(LIST);
    plays(&mut hall, "1", 1, &["e2e4", "e7e5"]);
    plays(&mut hall, "2", 1, &["d2d4"]);
    ends(&mut hall, "2", 1, "0-1", "kings", "kings");
    unread(&mut hall, "1", 1);
    let kept = serde_json::to_string(hall.chronicle.kept()).unwrap();
    // Nothing of the boards comes back but the game that begins then.
    let about = About { name: Some("Test Open".into()), city: Some("Bergen".into()), country: Some("NO".into()), ..About::default() };
    hall.chronicle = Chronicle::new(about, Some(serde_json::from_str(&kept).unwrap()));
    hall.chronicle.boards(&["1", "2"].map(Arc::from), |_| None);
    hall.settle();
    assert_eq!(missing(&hall.event_now(), "1"), [1]);
    plays(&mut hall, "1", 2, &["c2c4"]);
    ends(&mut hall, "1", 1, "1-0", "entered", "operator");
    assert_eq!((read(&hall, 1, 1).result.as_str(), read(&hall, 2, 1).result.as_str()), ("1-0", "*"));
    assert_eq!(hall.event_now().unread("1"), BTreeSet::new());
}
