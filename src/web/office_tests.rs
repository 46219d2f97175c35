use super::*;
use flagfall_score::office::{MOST, MOST_FINDINGS};
use serde_json::{Value, json};

const WHOLE: Detail = Detail { whole: true, operator: false };

fn board() -> OfficeBoard {
    <OfficeBoard as Audience>::new("1".into())
}

fn take(board: &mut OfficeBoard, body: Value) {
    let seq = Audience::seq(board) + 1;
    let mut event = json!({ "seq": seq, "t": seq * 1000, "at": "2026-01-02T03:04:05Z", "board": "1" });
    event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    Audience::apply(board, &serde_json::from_value(event).unwrap());
}

fn start() -> Value {
    json!({"type": "game-start", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rules": "fide-2023", "play": "blitz", "time_control": "180+2", "chess960": false})
}

fn made(ply: u32, uci: &str) -> Value {
    json!({"type": "move-made", "ply": ply, "by": "white", "uci": uci, "legal": true, "placement": "8/8/8/8/4P3/8/8/8", "provisional": true})
}

fn finding(id: u64, grade: &str) -> Value {
    json!({"type": "finding", "id": id, "key": "press-without-move", "article": "7.5.3", "rules": "fide-2023", "by": "white", "grade": grade,
        "summary": {"en": "a", "ru": "b"}, "facts": {"left": 3}, "proposal": {"action": "set-clock", "alternatives": []}, "evidence": [1, 2]})
}

fn whole(board: &OfficeBoard) -> Value {
    serde_json::from_slice(&board.object(Ages::default(), WHOLE)).unwrap()
}

#[test]
fn a_finding_keeps_what_stood_when_it_was_raised_and_is_revised_until_it_is_ruled() {
    let mut board = board();
    take(&mut board, start());
    take(
        &mut board,
        json!({"type": "clock", "white_ms": 1000, "black_ms": 2000, "running": "white", "flag": null, "source": "device", "uncertainty_ms": 0}),
    );
    take(&mut board, made(1, "e2e4"));
    take(&mut board, finding(1, "ruling"));
    take(
        &mut board,
        json!({"type": "clock", "white_ms": 0, "black_ms": 2000, "running": null, "flag": null, "source": "device", "uncertainty_ms": 0}),
    );
    take(
        &mut board,
        json!({"type": "finding-update", "id": 1, "status": "revised", "facts": {"left": 1}, "proposal": {"action": "warn", "alternatives": []}}),
    );
    let seen = &whole(&board)["findings"][0];
    assert_eq!((&seen["status"], &seen["urgent"], &seen["revisions"]), (&json!("open"), &json!(true), &json!(1)));
    assert_eq!((&seen["facts"]["left"], &seen["proposal"]["action"]), (&json!(1), &json!("warn")));
    assert_eq!((&seen["found"]["clock"]["white_ms"], &seen["found"]["clock_age_ms"]), (&json!(1000), &json!(2000)));
    assert_eq!((&seen["found"]["placement"], &seen["found"]["plies_made"]), (&json!("8/8/8/8/4P3/8/8/8"), &json!(1)));
    take(&mut board, json!({"type": "ruling", "do": "rule", "finding": 1, "decision": "amend", "who": "Olga", "note": "seen"}));
    take(&mut board, json!({"type": "finding-update", "id": 1, "status": "amended"}));
    let seen = &whole(&board)["findings"][0];
    assert_eq!((&seen["status"], &seen["urgent"]), (&json!("amended"), &json!(false)));
    assert_eq!(
        (&seen["ruled"]["who"], &seen["ruled"]["decision"], &seen["ruled"]["note"]),
        (&json!("Olga"), &json!("amend"), &json!("seen"))
    );
    assert_eq!(whole(&board)["rulings"][0]["do"], "rule");
}

#[test]
fn notes_are_never_urgent() {
    let mut board = board();
    take(&mut board, start());
    take(&mut board, finding(1, "note"));
    take(&mut board, json!({"type": "finding-update", "id": 1, "status": "revised"}));
    assert_eq!(whole(&board)["findings"][0]["urgent"], false);
}

#[test]
fn alarms_stand_until_they_are_cleared() {
    let mut board = board();
    for (key, state) in [("clock-lost", "raised"), ("clock-lost", "raised"), ("unsure", "raised"), ("clock-lost", "cleared")] {
        take(&mut board, json!({"type": "alarm", "key": key, "state": state}));
    }
    let alarms = &whole(&board)["alarms"];
    assert_eq!((alarms.as_array().unwrap().len(), &alarms[0]["key"]), (1, &json!("unsure")));
}

#[test]
fn a_claim_stands_until_the_next_move() {
    let mut board = board();
    take(&mut board, start());
    take(&mut board, made(1, "e2e4"));
    take(&mut board, json!({"type": "draw-claim", "rule": "fifty", "ply": 1, "by": "black", "earlier": []}));
    assert_eq!(whole(&board)["claims"][0]["stands"], true);
    take(&mut board, made(2, "e7e5"));
    assert_eq!(whole(&board)["claims"][0]["stands"], false);
    take(&mut board, json!({"type": "move-withdrawn", "ply": 2, "uci": "e7e5"}));
    assert_eq!(whole(&board)["claims"][0]["stands"], true);
}

#[test]
fn a_new_game_begins_a_new_sheet_and_keeps_what_is_still_open() {
    let mut board = board();
    take(&mut board, start());
    take(&mut board, finding(1, "ruling"));
    take(&mut board, finding(2, "note"));
    take(&mut board, json!({"type": "touched-piece", "by": "white", "piece": "P", "square": "e2", "own": true, "lifted": 5}));
    assert_eq!(whole(&board)["touched"][0]["square"], "e2");
    take(&mut board, start());
    let (whole, list): (Value, Value) = (whole(&board), serde_json::from_slice(&board.object(Ages::default(), Detail::default())).unwrap());
    assert_eq!((&whole["game_number"], whole["findings"].as_array().unwrap().len()), (&json!(2), 2));
    assert_eq!((list["findings"].as_array().unwrap().len(), &list["findings"][0]["id"]), (1, &json!(1)));
    assert_eq!((&whole["touched"], list.get("touched")), (&json!([]), None));
}

#[test]
fn findings_before_the_first_move_belong_to_the_game_that_will_begin() {
    let of = |game: u32, mut body: Value| {
        body["game"] = game.into();
        body
    };
    let mut board = board();
    take(&mut board, of(7, start()));
    take(&mut board, of(7, made(1, "e2e4")));
    take(&mut board, of(7, finding(1, "note")));
    take(&mut board, of(7, json!({"type": "result", "result": "*", "reason": "unread", "source": "setup"})));
    take(&mut board, of(8, finding(2, "note")));
    let listed = |board: &OfficeBoard| -> Vec<Value> {
        let list: Value = serde_json::from_slice(&board.object(Ages::default(), Detail::default())).unwrap();
        list["findings"].as_array().unwrap().iter().map(|f| json!([f["id"], f["game_number"], f["found"]["plies_made"]])).collect()
    };
    assert_eq!(listed(&board), [json!([1, 7, 1]), json!([2, 8, 0])], "the game that is seen, and the next one's");
    take(&mut board, of(8, start()));
    assert_eq!((listed(&board), &whole(&board)["game_number"]), (vec![json!([2, 8, 0])], &json!(8)));
    // The earlier game's may still be ruled on.
    take(&mut board, of(7, json!({"type": "finding-update", "id": 1, "status": "dismissed"})));
    assert_eq!(whole(&board)["findings"][0]["status"], "dismissed");
}

#[test]
fn the_sheet_of_a_game_begins_with_the_clock_as_it_was_started_before_the_first_move() {
    let clock = |running: &str| {
        let running = Some(running).filter(|side| !side.is_empty());
        json!({"type": "clock", "white_ms": 182_000, "black_ms": 182_000, "running": running, "flag": null, "source": "device", "uncertainty_ms": 0})
    };
    let sheet = |running: &str| {
        let mut board = board();
        take(&mut board, clock(running));
        take(&mut board, start());
        take(&mut board, made(1, "e2e4"));
        let rows = whole(&board)["clock_sheet"].clone();
        rows.as_array().unwrap().iter().map(|row| (row["occasion"].clone(), row["t"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(sheet("white"), [(json!("start"), json!(1000))]);
    assert_eq!(sheet(""), [], "what the last game left on it says nothing");
}

#[test]
fn what_is_kept_is_bounded_and_open_findings_go_last() {
    let mut board = board();
    take(&mut board, start());
    take(&mut board, finding(1, "ruling"));
    for id in 2..=MOST_FINDINGS as u64 + 20 {
        take(&mut board, finding(id, "note"));
    }
    for _ in 0..MOST + 20 {
        take(&mut board, json!({"type": "touched-piece", "by": "white", "piece": "P", "square": "e2", "own": true, "lifted": 5}));
        take(&mut board, json!({"type": "ruling", "do": "stop"}));
    }
    assert_eq!((board.state.findings().len(), board.state.findings()[0].finding.id), (MOST_FINDINGS, 1));
    assert_eq!((board.state.touched().len(), board.state.rulings().len()), (MOST, MOST));
}

#[test]
fn what_a_ruling_restores_is_not_sensed() {
    let mut board = board();
    take(&mut board, start());
    take(&mut board, json!({"type": "placement", "placement": "a", "settled": true}));
    take(&mut board, json!({"type": "ruling", "do": "rule", "finding": 1, "decision": "confirm"}));
    let t = json!({"t": 3000});
    let mut restored = json!({"type": "placement", "placement": "b", "settled": true});
    restored.as_object_mut().unwrap().extend(t.as_object().unwrap().clone());
    take(&mut board, restored);
    assert_eq!((&whole(&board)["placement"], &whole(&board)["sensed"]), (&json!("b"), &json!("a")));
    take(&mut board, json!({"type": "placement", "placement": "c", "settled": true}));
    assert_eq!(whole(&board)["sensed"], "c");
}

#[test]
fn an_operator_sees_alarms_and_nothing_else_that_is_not_public() {
    let mut board = board();
    take(&mut board, start());
    take(&mut board, finding(1, "ruling"));
    take(&mut board, json!({"type": "alarm", "key": "unsure", "state": "raised"}));
    board.trouble("board-lost", Some(String::from("look at the cable")));
    let seen: Value = serde_json::from_slice(&board.object(Ages::default(), Detail { whole: true, operator: true })).unwrap();
    let keys: Vec<_> = seen["alarms"].as_array().unwrap().iter().map(|alarm| alarm["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["unsure", "board-lost"]);
    for hidden in ["findings", "claims", "rulings", "touched", "clock_sheet", "sensed"] {
        assert!(seen.get(hidden).is_none(), "{hidden}");
    }
    board.trouble("board-lost", None);
    take(&mut board, json!({"type": "alarm", "key": "board-lost", "state": "cleared"}));
    assert_eq!(whole(&board)["alarms"].as_array().unwrap().len(), 1);
}
