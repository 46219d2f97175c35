//! Real boards, daemons, server and hall together: what is shown and written, and what arbiters in the hall enter.
use super::compare::journaled;
use super::server::Broker;
use super::table::{Daemon, Room, until};
use serde_json::{Value, json};
use std::fs;

/// How often an order stands in the journals of board `board`.
fn journaled_orders(room: &Room, pi: &str, board: &str, key: &str) -> usize {
    let has = |text: &str| serde_json::from_str::<Value>(text).unwrap()["order_key"] == key;
    journaled(&room.data(pi), board).iter().filter(|(_, text)| has(text)).count()
}

/// What an arbiter of the hall sees of an order.
fn state(hall: &Daemon, board: &str, key: &str) -> Option<String> {
    let seen = hall.get(&format!("/api/v1/arbiter/boards/{board}"))?;
    let orders = seen["orders"].as_array()?;
    orders.iter().find(|order| order["key"] == key)?["state"].as_str().map(String::from)
}

/// The moves of a game in PGN, without tags, numbers, comments and result.
fn moves(pgn: &str) -> Vec<String> {
    let text: String = pgn.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ");
    let outside = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    let words = outside.collect::<String>();
    words.split_whitespace().filter(|word| !word.starts_with(|c: char| c.is_ascii_digit() || c == '*')).map(String::from).collect()
}

fn san(played: &Value) -> String {
    played["san"].as_str().unwrap().to_owned()
}

#[test]
fn games_are_equal_on_board_page_and_tree_and_rulings_of_the_hall_reach_their_boards_once_also_later() {
    let Some(broker) = Broker::one(&[("pi-1", &["1", "2"]), ("pi-2", &["3"])]) else { return };
    let mut room = Room::new();
    let hall = room.house(&broker);
    room.boards(&["1", "2", "3"], 2.0);
    let one = room.daemon(&broker, "pi-1", &["1", "2"]);
    let two = room.daemon(&broker, "pi-2", &["3"]);
    for (board, pi) in [("1", &one), ("2", &one), ("3", &two)] {
        let path = format!("/api/v1/boards/{board}");
        until("moves in the hall", || hall.get(&path)?["plies_completed"].as_u64().filter(|plies| *plies >= 3));
        assert!(pi.get(&path).unwrap()["plies_completed"].as_u64().unwrap() >= 3);
    }
    room.quiet();
    for (board, pi) in [("1", &one), ("2", &one), ("3", &two)] {
        let path = format!("/api/v1/boards/{board}");
        until("the board's last event in the hall", || (hall.get(&path)?["seq"] == pi.get(&path)?["seq"]).then_some(()));
        let (shown, played) = (hall.get(&path).unwrap(), pi.get(&path).unwrap());
        assert_eq!((&shown["moves"], &shown["game"]), (&played["moves"], &played["game"]), "board {board}");
        let pgn = moves(&pi.text(&format!("{path}/pgn")));
        assert_eq!(moves(&hall.text(&format!("{path}/pgn"))), pgn);
        // A broadcast has completed moves only; a board that was left in the middle of a move may still complete it.
        let completed = |played: &Value| -> Vec<String> {
            played["moves"].as_array().unwrap().iter().filter(|m| m["completed"] == true).map(san).collect()
        };
        assert!(completed(&played).len() >= 3 && pgn.starts_with(&completed(&played)), "{pgn:?}");
        until("the game in the tree", || {
            let tree = fs::read_to_string(room.home.path().join(format!("tree/round-1/game-{board}.pgn"))).ok()?;
            (moves(&tree) == completed(&pi.get(&path)?)).then_some(())
        });
    }

    let report = |key: &str| json!({"do": "report", "key": "two-hands", "by": "white", "who": "Anna", "order_key": key});
    let (status, answer) = hall.post("/api/v1/arbiter/boards/1/entries", &report("now"));
    assert!(status == 200 && answer["seq"].is_u64(), "{status} {answer}");
    assert_eq!(journaled_orders(&room, "pi-1", "1", "now"), 1);
    assert_eq!(state(&hall, "1", "now").as_deref(), Some("journaled"));
    // While its machine is away an order waits; it is carried out when the machine is back, once.
    one.kill();
    until("an order that waits", || {
        let (status, _) = hall.post("/api/v1/arbiter/boards/1/entries", &report("later"));
        (status == 202).then_some(())
    });
    let one = room.daemon(&broker, "pi-1", &["1", "2"]);
    until("the order in the journal", || (state(&hall, "1", "later")? == "journaled").then_some(()));
    assert_eq!(hall.post("/api/v1/arbiter/boards/1/entries", &report("later")).0, 200, "a repeat is harmless");
    assert_eq!((journaled_orders(&room, "pi-1", "1", "later"), journaled_orders(&room, "pi-1", "1", "now")), (1, 1));
    one.end();
    two.end();
}
