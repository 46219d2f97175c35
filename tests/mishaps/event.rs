//! Pairings and rounds, with games in progress.
use super::Walk;
use super::tables::{ONE, TWO, Tables, alarms};
use crate::started::{Started, until};
use serde_json::Value;

const RIGHT: &str = "board,white,black\n1,\"Adams, Mary\",Clark\n2,Baker,Davis\n";
const WRONG: &str = "board,white,black\n1,Baker,Davis\n2,\"Adams, Mary\",Clark\n";
const NEXT: &str = "board,white,black\n1,Davis,\"Adams, Mary\"\n2,Clark,Baker\n";

/// What the page does when a list is dropped (`dry`), and when it is taken.
fn list(daemon: &Started, list: &str, dry: bool, over_games: bool) -> Value {
    let path = format!("/api/v1/operator/event/pairings?dry_run={dry}&over_games={over_games}");
    let (status, answer) = daemon.post(&path, list);
    assert_eq!(status, 200, "{answer}");
    serde_json::from_str(&answer).unwrap()
}

fn names(daemon: &Started, board: usize) -> String {
    let game = daemon.json(&format!("/api/v1/boards/{board}"))["game"].clone();
    format!("{} - {}", game["white"].as_str().unwrap_or_default(), game["black"].as_str().unwrap_or_default())
}

#[test]
fn a_wrong_pairing_is_put_right_while_the_games_go_on() {
    let mut walk = Walk::of("A wrong pairing");
    let tables = Tables::new(&[ONE, TWO]);
    let daemon = tables.daemon();
    list(&daemon, WRONG, false, false);
    tables.begin(&daemon, &[1, 2]);
    let told = walk.step("drop the right list. Where a game concerned has begun, tick *Also where games have begun*", || {
        list(&daemon, RIGHT, true, true)
    });
    assert_eq!((told["taken"].clone(), told["held"].as_array().unwrap().len()), (Value::Bool(false), 0), "{told}");
    assert!(told["changes"][0].as_str().unwrap().contains("boards 1 and 2 change places"), "{told}");
    let taken = walk.step("*Take it*", || list(&daemon, RIGHT, false, true));
    assert_eq!(taken["taken"], true, "{taken}");
    tables.go_on(&[1, 2]);
    until("right names", || (names(&daemon, 1) == "Adams, Mary - Clark").then_some(()));
    let read = [1, 2].map(|n| tables.whole(&daemon, n, n, 0, 1).players);
    assert_eq!(read, [["Adams, Mary", "Clark"], ["Baker", "Davis"]]);
    assert!(!alarms(&daemon).iter().any(|alarm| alarm.starts_with("pairings-doubtful")), "{:?}", alarms(&daemon));
    walk.done("nothing");
}

#[test]
fn the_next_round_begins_with_its_games() {
    let mut walk = Walk::of("The next round");
    let short = "1.e4 e5 2.Nf3 Nc6 1-0\n\n";
    let tables = Tables::new(&[&format!("{short}{ONE}"), &format!("{short}{TWO}")]);
    let daemon = tables.daemon();
    list(&daemon, RIGHT, false, false);
    tables.go_on(&[1, 2]);
    for n in 1..=2 {
        until("end of the first game", || (tables.truths(n).len() == 2).then_some(()));
    }
    walk.step("drop the list", || list(&daemon, NEXT, true, false));
    let taken = walk.step("*Take it*", || list(&daemon, NEXT, false, false));
    assert_eq!(taken["taken"], true, "{taken}");
    let players = |round: usize| [1, 2].map(|n| tables.whole(&daemon, n, n, round - 1, round).players);
    assert_eq!(players(2), [["Davis", "Adams, Mary"], ["Clark", "Baker"]]);
    assert_eq!(players(1), [["Adams, Mary", "Clark"], ["Baker", "Davis"]]);
    assert_eq!(alarms(&daemon), Vec::<String>::new());
    walk.done("nothing");
}
