use super::*;
use crate::board::BoardState;
use pgn_reader::{RawComment, Reader, SanPlus as ReadSan, Visitor};
use serde_json::{Value, json};
use std::ops::ControlFlow;

/// What another program reads in it: moves and comments.
#[derive(Default)]
struct Read {
    moves: Vec<String>,
    comments: Vec<String>,
}

impl Visitor for Read {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: ReadSan) -> ControlFlow<()> {
        self.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.comments.push(String::from_utf8_lossy(comment.as_bytes()).replace('\n', " "));
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

fn read(pgn: &str) -> Read {
    let mut found = Read::default();
    Reader::new(pgn.as_bytes()).read_game(&mut found).unwrap().unwrap();
    found
}

fn state(bodies: &[Value]) -> BoardState {
    let mut state = BoardState::new("1".into());
    for (i, body) in bodies.iter().enumerate() {
        let mut event = json!({ "seq": i + 1, "t": 0, "at": "2026-01-02T03:04:05Z", "board": "1" });
        event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        state.apply(&serde_json::from_value(event).unwrap());
    }
    state
}

fn start(fen: &str) -> Value {
    json!({"type": "game-start", "fen": fen, "rules": "fide-2023", "play": "standard", "time_control": "5400+30", "chess960": false})
}

fn completed(ply: u32, uci: &str, legal: bool, clock: Option<[i64; 2]>) -> Value {
    let by = if ply % 2 == 1 { "white" } else { "black" };
    let mut body = json!({"type": "move-completed", "ply": ply, "by": by, "uci": uci, "legal": legal, "how": "press"});
    if let Some([white_ms, black_ms]) = clock {
        body["clock"] = json!({"white_ms": white_ms, "black_ms": black_ms});
    }
    body
}

#[test]
fn a_game_with_clocks() {
    let state = state(&[
        start(USUAL_START),
        completed(1, "e2e4", true, Some([5_397_000, 5_400_000])),
        completed(2, "e7e5", true, Some([5_397_000, 3_601_000])),
        completed(3, "e1e2", true, None),
        json!({"type": "move-made", "ply": 4, "by": "black", "uci": "e8e7", "san": "Ke7", "legal": true, "placement": "8/8/8/8/8/8/8/8", "provisional": true}),
        json!({"type": "result", "result": "1/2-1/2", "reason": "agreed", "source": "operator"}),
    ]);
    let text = pgn(&state, &[("Event", "Club \"Night\""), ("Board", "1")]);
    assert_eq!(
        text,
        "[Event \"Club \\\"Night\\\"\"]\n[Site \"?\"]\n[Date \"2026.01.02\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\
         [TimeControl \"5400+30\"]\n[Board \"1\"]\n\n\
         1. e4 {[%clk 1:29:57]} 1... e5 {[%clk 1:00:01]} 2. Ke2 {made, not completed:\nKe7} 1/2-1/2\n"
    );
    assert_eq!(read(&text).moves, ["e4", "e5", "Ke2"]);
}

#[test]
fn an_illegal_move_ends_the_moves_and_is_named_in_a_comment() {
    let state =
        state(&[start(USUAL_START), completed(1, "e2e4", true, None), completed(2, "e8e6", false, None), completed(3, "d2d4", true, None)]);
    let found = read(&pgn(&state, &[]));
    assert_eq!(found.moves, ["e4"]);
    assert_eq!(found.comments, ["illegal move: e8e6 d2d4"]);
}

#[test]
fn another_start_position_is_in_the_tags_and_black_may_begin() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 31";
    let text = pgn(&state(&[start(fen), completed(1, "e8e7", true, None), completed(2, "e2e4", true, None)]), &[]);
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 31\"]"), "{text}");
    assert!(text.ends_with("31... Ke7 32. e4 *\n"), "{text}");
}

#[test]
fn nothing_in_names_or_moves_can_break_out_of_its_place() {
    let mut state = state(&[start("no position"), completed(1, "}{ 1-0", false, None)]);
    state.set_players(Some(String::from("a\"]\n[Result \"1-0")), None);
    let text = pgn(&state, &[]);
    assert!(text.contains("[White \"a\\\"] [Result \\\"1-0\"]"), "{text}");
    let found = read(&text);
    assert!(found.moves.is_empty());
    assert_eq!(found.comments.len(), 1);
}

#[test]
fn lines_are_at_most_eighty_wide() {
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut bodies = vec![start(USUAL_START)];
    bodies.extend((1..=60).map(|ply| completed(ply, knights[(ply as usize - 1) % 4], true, Some([3_600_000, 3_600_000]))));
    let text = pgn(&state(&bodies), &[]);
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    assert_eq!(read(&text).moves.len(), 60);
}
