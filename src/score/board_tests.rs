use super::*;
use serde_json::{Value, json};

/// A board fed with event bodies, numbered as they come.
struct Fed {
    state: BoardState,
}

impl Fed {
    fn new() -> Self {
        Self { state: BoardState::new("1".into()) }
    }

    fn feed(mut self, bodies: &[Value]) -> Self {
        for body in bodies {
            let seq = self.state.seq() + 1;
            let mut event = json!({ "seq": seq, "t": seq * 100, "at": "2026-01-02T03:04:05Z", "board": "1" });
            event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
            self.state.apply(&serde_json::from_value(event).unwrap());
        }
        self
    }

    fn object(&self) -> Value {
        serde_json::to_value(self.state.view(Ages { clock: Some(7), ..Ages::default() }, true)).unwrap()
    }
}

fn start() -> Value {
    start_at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
}

fn start_at(fen: &str) -> Value {
    json!({"type": "game-start", "fen": fen, "rules": "fide-2023", "play": "blitz", "time_control": "180+2", "chess960": false})
}

fn made(ply: u32, uci: &str, san: Option<&str>) -> Value {
    let by = if ply % 2 == 1 { "white" } else { "black" };
    json!({"type": "move-made", "ply": ply, "by": by, "uci": uci, "san": san, "legal": san.is_some(), "placement": "8/8/8/8/8/8/8/8", "provisional": true})
}

fn completed(ply: u32, uci: &str, san: Option<&str>) -> Value {
    let by = if ply % 2 == 1 { "white" } else { "black" };
    json!({"type": "move-completed", "ply": ply, "by": by, "uci": uci, "san": san, "legal": san.is_some(), "how": "press",
        "clock": {"white_ms": 180_000, "black_ms": 179_000}, "spent_ms": 1500})
}

#[test]
fn a_board_that_said_nothing_has_every_field_the_contract_promises() {
    let object = Fed::new().object();
    assert_eq!(object["board"], "1");
    assert_eq!(object["link"], "down");
    assert_eq!(object["game"]["result"], "*");
    assert_eq!(object["game"]["white"], Value::Null);
    assert_eq!((&object["plies_made"], &object["plies_completed"], &object["seq"]), (&json!(0), &json!(0), &json!(0)));
    assert!(object.as_object().unwrap().contains_key("placement"));
    for absent in ["fen", "last", "clock"] {
        assert!(object.get(absent).is_none(), "{absent}");
    }
}

#[test]
fn made_and_completed_moves_are_told_apart() {
    let fed = Fed::new().feed(&[start(), made(1, "e2e4", Some("e4")), completed(1, "e2e4", Some("e4")), made(2, "e7e5", Some("e5"))]);
    let object = fed.object();
    assert_eq!((&object["plies_made"], &object["plies_completed"]), (&json!(2), &json!(1)));
    assert_eq!(object["last"], json!({"ply": 2, "uci": "e7e5", "san": "e5", "completed": false}));
    let moves = object["moves"].as_array().unwrap();
    assert_eq!(moves[0]["how"], "press");
    assert_eq!(moves[0]["clock"]["black_ms"], 179_000);
    assert_eq!(moves[0]["spent_ms"], 1500);
    assert!(moves[1].get("how").is_none());
    assert_eq!(object["fen"], "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
}

#[test]
fn a_revised_move_replaces_the_earlier_one_in_record_and_position() {
    let fed = Fed::new().feed(&[
        start(),
        made(1, "e2e3", Some("e3")),
        json!({"type": "move-revised", "ply": 1, "uci": "e2e4", "san": "e4", "was": "e2e3"}),
    ]);
    let object = fed.object();
    assert_eq!(object["plies_made"], 1);
    assert_eq!(object["last"]["uci"], "e2e4");
    assert!(object["fen"].as_str().unwrap().starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"));
}

#[test]
fn withdrawn_moves_leave_the_record_and_the_position_goes_back() {
    let fed = Fed::new().feed(&[
        start(),
        completed(1, "e2e4", Some("e4")),
        completed(2, "e7e5", Some("e5")),
        json!({"type": "move-withdrawn", "ply": 2, "uci": "e7e5"}),
    ]);
    let object = fed.object();
    assert_eq!(object["plies_made"], 1);
    assert!(object["fen"].as_str().unwrap().contains(" b "));
}

#[test]
fn after_an_illegal_move_there_is_no_position_until_it_is_withdrawn() {
    let fed = Fed::new().feed(&[start(), completed(1, "e2e4", Some("e4")), completed(2, "e8e6", None)]);
    assert!(fed.object().get("fen").is_none());
    assert_eq!(fed.object()["moves"][1]["legal"], false);
    let fed = fed.feed(&[made(3, "d2d4", Some("d4"))]);
    assert!(fed.object().get("fen").is_none(), "moves on top of an illegal one have no position either");
    let withdrawn = |ply: u32, uci: &str| json!({"type": "move-withdrawn", "ply": ply, "uci": uci});
    let fed = fed.feed(&[withdrawn(3, "d2d4"), withdrawn(2, "e8e6")]);
    assert!(fed.object()["fen"].as_str().unwrap().contains("4P3"));
}

#[test]
fn castling_in_chess960_is_read_by_king_and_rook() {
    let mut begin = start_at("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    begin["chess960"] = json!(true);
    let fed = Fed::new().feed(&[begin, made(1, "f1g1", Some("O-O"))]);
    assert!(fed.object()["fen"].as_str().unwrap().starts_with("4k3/8/8/8/8/8/8/5RK1 b"));
}

#[test]
fn a_new_game_clears_the_record_and_the_result_and_keeps_the_clock() {
    let clock = json!({"type": "clock", "white_ms": 1000, "black_ms": 2000, "running": "white", "flag": null, "source": "device", "uncertainty_ms": 20});
    let fed = Fed::new().feed(&[
        start(),
        clock,
        completed(1, "e2e4", Some("e4")),
        json!({"type": "result", "result": "0-1", "reason": "resigned", "source": "operator"}),
    ]);
    assert_eq!(fed.object()["game"]["result"], "0-1");
    let object = fed.feed(&[start()]).object();
    assert_eq!(object["game"]["result"], "*");
    assert_eq!(object["moves"], json!([]));
    assert_eq!(object["clock"]["white_ms"], 1000);
}

#[test]
fn the_clock_says_when_it_was_read() {
    let fed = Fed::new().feed(&[
        json!({"type": "clock", "white_ms": 1000, "black_ms": null, "running": null, "flag": null, "source": "estimate", "uncertainty_ms": 20}),
    ]);
    let expected = json!({"white_ms": 1000, "black_ms": null, "running": null, "flag": null, "source": "estimate", "uncertainty_ms": 20,
        "t": 100, "at": "2026-01-02T03:04:05Z", "age_ms": 7});
    assert_eq!(fed.object()["clock"], expected);
}

#[test]
fn an_event_that_was_seen_changes_nothing() {
    let mut fed = Fed::new().feed(&[start(), made(1, "e2e4", Some("e4"))]);
    let before = fed.object();
    let again = json!({"seq": 1, "t": 0, "at": "2026-01-02T03:04:05Z", "board": "1", "type": "link", "state": "up"});
    fed.state.apply(&serde_json::from_value(again).unwrap());
    assert_eq!(fed.object(), before);
}

#[test]
fn odd_plies_and_unreadable_moves_do_no_harm() {
    let fed = Fed::new().feed(&[
        start_at("this is no position"),
        made(4_000_000_000, "zz", Some("e4")),
        completed(7, "", None),
        json!({"type": "move-revised", "ply": 99, "uci": "e2e4", "was": "e2e3"}),
        json!({"type": "move-withdrawn", "ply": 0, "uci": "e7e5"}),
    ]);
    assert_eq!(fed.object()["plies_made"], 0);
}

/// The same of game `number`.
fn of(number: u32, mut body: Value) -> Value {
    body["game"] = number.into();
    body
}

fn result(result: &str, reason: &str) -> Value {
    json!({"type": "result", "result": result, "reason": reason, "source": "operator"})
}

#[test]
fn a_result_of_another_game_changes_nothing_and_one_that_is_reopened_goes_on() {
    let fed = Fed::new().feed(&[of(2, start()), of(2, completed(1, "e2e4", Some("e4"))), of(1, result("1-0", "entered"))]);
    let object = fed.object();
    assert_eq!((&object["game"]["number"], &object["game"]["result"], &object["game"]["reason"]), (&json!(2), &json!("*"), &Value::Null));
    assert_eq!((&object["seq"], fed.state.is_playing()), (&json!(3), true), "it was heard");
    let fed = fed.feed(&[of(2, result("0-1", "entered"))]);
    assert_eq!((&fed.object()["game"]["result"], fed.state.is_playing()), (&json!("0-1"), false));
    let fed = fed.feed(&[of(2, result("*", "reopened")), of(2, completed(2, "e7e5", Some("e5")))]);
    let object = fed.object();
    assert_eq!((&object["game"]["result"], &object["game"]["reason"], &object["plies_completed"]), (&json!("*"), &Value::Null, &json!(2)));
    assert!(fed.state.is_playing());
    let fed = fed.feed(&[of(2, result("*", "unread"))]);
    assert!(fed.state.is_over() && !fed.state.is_playing());
}

#[test]
fn the_start_position_that_is_set_leaves_of_a_game_what_was_played() {
    let set = json!({"type": "ruling", "do": "set-position", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"});
    let stands = json!({"type": "placement", "placement": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "settled": true});
    let game = [start(), completed(1, "e2e4", Some("e4")), completed(2, "e7e5", Some("e5"))];
    // After its end it is the next game that is set up, before it somebody's mistake.
    for before in [Some(result("1-0", "entered")), None] {
        let over = before.is_some();
        let bodies: Vec<Value> = game.iter().cloned().chain(before).chain([set.clone(), stands.clone()]).collect();
        let fed = Fed::new().feed(&bodies);
        let pgn = crate::pgn::pgn(&fed.state, &[]);
        assert!(pgn.contains("1. e4") && pgn.contains("e5"), "{pgn}");
        assert_eq!(fed.object()["fen"].as_str().unwrap().starts_with("rnbqkbnr/pppppppp/8/8/8/8"), !over);
    }
}

#[test]
fn the_games_of_a_recording_have_the_results_that_were_entered_for_them() {
    let mut games = Games::new("1".into());
    let bodies = [
        of(1, start()),
        of(1, completed(1, "e2e4", Some("e4"))),
        of(1, result("*", "unread")),
        of(2, start()),
        of(2, completed(1, "d2d4", Some("d4"))),
        of(1, result("1-0", "entered")),
        of(2, result("0-1", "kings")),
    ];
    for (seq, body) in (1..).zip(bodies) {
        let mut event = json!({ "seq": seq, "t": seq * 100, "at": "2026-01-02T03:04:05Z", "board": "1" });
        event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        games.take(&serde_json::from_value(event).unwrap());
    }
    let played: Vec<_> = games.played().map(|game| (game.moves()[0].uci.as_str(), game.game().result.as_str())).collect();
    assert_eq!(played, [("e2e4", "1-0"), ("d2d4", "0-1")]);
}
