//! `flagfall hall` between a real broker and Pis that a test plays: what is shown, what survives, what reaches a board and what does not.
#![cfg(feature = "nats")]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may, and says when it gives up waiting")]
mod behind;
mod broker;
#[path = "../free_port/mod.rs"]
mod free_port;
mod house;
mod pi;
#[path = "../signed_in/mod.rs"]
mod signed_in;

use broker::Broker;
use flagfall_events::Event;
use flagfall_events::Touches;
use flagfall_score::board::Ages;
use flagfall_score::board::BoardState;
use flagfall_score::public::PublicView;
use house::House;
use pi::Pi;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A recorded game's events.
fn game(name: &str) -> Vec<Event> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures").join(name).with_extension("events");
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What of the events is public.
fn public(events: &[Event]) -> Vec<Event> {
    let mut view = PublicView::new(Touches::Public, 0);
    events.iter().flat_map(|event| view.take(event)).collect()
}

/// The moves as a fold of the events has them.
fn moves(events: &[Event]) -> Value {
    let mut state = BoardState::new("x".into());
    public(events).iter().for_each(|event| _ = state.apply(event));
    serde_json::to_value(state.view(Ages::default(), true)).unwrap()["moves"].clone()
}

/// The number of the last public event.
fn last(events: &[Event]) -> u64 {
    public(events).last().unwrap().seq
}

#[test]
fn the_boards_of_two_machines_are_shown_as_their_events_say_and_the_tree_has_their_games() {
    let Some(broker) = Broker::start("two machines") else { return };
    let house = House::start(&broker, "a");
    let (mut one, mut two) = (Pi::new(&broker, "pi 1"), Pi::new(&broker, "pi 2"));
    let (mate, blitz) = (game("human-mate"), game("blitz-both-hands"));
    one.come(&["1", "Tisch 7"]);
    two.come(&["3"]);
    one.say("1", &mate);
    two.say("3", &blitz);
    one.say("Tisch 7", &blitz);
    for (board, events) in [("1", &mate), ("3", &blitz), ("Tisch%207", &blitz)] {
        house.until("the last event is shown", |house| house.board(board)["seq"] == last(events));
        assert_eq!(house.board(board)["moves"], moves(events));
        assert_eq!(house.board(board)["pi"]["away"], false);
    }
    assert_eq!((house.figure("flagfall_hall_events_missing_total"), house.figure("flagfall_hall_events_odd_total")), (0, 0));
    // What a stolen machine has the server say of another one's board is nobody's word.
    two.forge("1", &blitz);
    house.until("the forged events came", |house| house.figure("flagfall_hall_events_odd_total") == blitz.len() as u64);
    assert_eq!(house.board("1")["moves"], moves(&mate));
    house.until("it speaks", |house| house.hall()["speaks"] == true);
    house.until("the tree is written", |house| {
        fs::read_to_string(house.tree.join("round-1/games.pgn")).is_ok_and(|pgn| pgn.matches("[Event ").count() == 3)
    });
}

/// Board 1 says this, and hall `a`, killed then, had shown it.
fn shown_by_a_hall_that_is_killed(broker: &Broker, pi: &mut Pi, events: &[Event]) {
    let house = House::start(broker, "a");
    pi.come(&["1"]);
    pi.say("1", events);
    house.until("what was said is shown", |house| house.board("1")["seq"] == last(events));
    house.kill();
}

#[test]
fn a_hall_that_was_killed_goes_on_where_it_stopped_and_a_board_that_begins_anew_is_anew() {
    let Some(broker) = Broker::start("killed hall") else { return };
    let mut pi = Pi::new(&broker, "pi");
    let events = game("human-mate");
    let (first, rest) = events.split_at(events.len() / 2);
    shown_by_a_hall_that_is_killed(&broker, &mut pi, first);
    pi.say("1", rest);
    let house = House::start(&broker, "a");
    house.until("the whole game is shown", |house| house.board("1")["seq"] == last(&events));
    assert_eq!(house.board("1")["moves"], moves(&events));
    assert_eq!(house.figure("flagfall_hall_events_missing_total"), 0);
    assert_eq!(house.figure("flagfall_hall_events_total"), events.len() as u64);
    pi.begin_anew("1");
    let again = game("blitz-both-hands");
    pi.say("1", &again);
    house.until("the board is as its new numbering says", |house| {
        house.board("1")["seq"] == last(&again) && house.board("1")["moves"] == moves(&again)
    });
    // The same events once more are no news, whoever sends them.
    pi.say("1", &again[..20]);
    pi.say("2", &again);
    house.until("what came after them is shown", |house| house.board("2")["seq"] == last(&again));
    assert_eq!(house.board("1")["moves"], moves(&again));
}

#[test]
fn messages_that_were_deleted_are_counted_and_the_rest_is_taken() {
    let Some(broker) = Broker::start("deleted") else { return };
    let mut pi = Pi::new(&broker, "pi");
    let events = game("human-mate");
    let (first, rest) = events.split_at(events.len() / 2);
    shown_by_a_hall_that_is_killed(&broker, &mut pi, first);
    let (rest, end) = rest.split_at(rest.len() - 1);
    pi.say("1", rest);
    // One of those that are folded anew, one of those that are news, and the newest.
    let (folded, news, newest) = (first.len() as u64 - 3, first.len() as u64 + 4, events.len() as u64 - 1);
    pi.delete(&[folded, news, newest]);
    let there: Vec<Event> = events.iter().filter(|event| ![folded, news, newest].contains(&event.seq)).cloned().collect();
    let house = House::start(&broker, "a");
    house.until("all that is there is shown", |house| house.board("1")["seq"] == last(&there[..there.len() - 1]));
    assert_eq!(house.figure("flagfall_hall_events_missing_total"), 2);
    pi.say("1", end);
    house.until("what comes later, too", |house| house.board("1")["seq"] == last(&there));
    assert_eq!(house.figure("flagfall_hall_events_missing_total"), 3);
    assert_eq!(house.figure("flagfall_hall_events_total"), events.len() as u64 - 3);
}

#[test]
fn a_machine_that_is_away_is_shown_with_its_age_and_what_waits_for_it_arrives_once_unless_it_is_withdrawn() {
    let Some(broker) = Broker::start("away") else { return };
    let house = House::start(&broker, "a");
    let mut pi = Pi::new(&broker, "pi");
    let events = game("human-mate");
    // In the middle of the game a clock runs.
    let half = &events[..events.len() / 2];
    pi.come(&["1"]);
    pi.say("1", half);
    house.until("it is shown", |house| house.board("1")["seq"] == last(half));
    house.until("its clock runs", |house| !house.board("1")["clock"]["running"].is_null());
    pi.go();
    let (waits, order) = house.enter("1", &json!({"do": "stop", "who": "Anna"}));
    assert_eq!((waits, &order["state"]), (202, &json!("waiting")), "{order}");
    let (_, other) = house.enter("1", &json!({"do": "restart", "who": "Anna"}));
    let key = |order: &Value| String::from(order["order"].as_str().unwrap());
    assert_eq!(house.orders("1"), [(key(&order), String::from("waiting")), (key(&other), String::from("waiting"))]);
    let (done, _) = house.post(&format!("/api/v1/arbiter/boards/1/orders/{}/withdraw", key(&order)), &json!({}));
    assert_eq!(done, 200);
    assert_eq!(house.post("/api/v1/arbiter/boards/1/orders/unknown/withdraw", &json!({})).0, 404);
    house.until("the machine is away", |house| house.board("1")["pi"]["away"] == true);
    let board = house.board("1");
    assert_eq!((&board["link"], &board["clock"]["running"]), (&json!("down"), &Value::Null), "nobody knows that it runs");
    assert!(board["pi"]["silent_ms"].as_u64().unwrap() >= 9_000, "{board}");
    // Its board may have spoken after it last said that it is there.
    house.until("its clock is as old", |house| house.board("1")["clock"]["age_ms"].as_u64().unwrap() >= 9_000);
    assert_eq!(board["moves"], moves(half), "what was heard last");
    assert_eq!(house.hall()["pis_away"], 1);
    // A machine that starts says that it is there before it has found its boards.
    pi.come(&[]);
    house.until("it is heard", |house| house.hall()["pis_away"] == 0);
    assert_eq!(house.board("1")["pi"]["away"], true, "its board was not found yet");
    pi.go();
    pi.come(&["1"]);
    house.until("it is back", |house| house.board("1")["pi"]["away"] == false);
    house.until("what waited is journaled", |house| house.orders("1").contains(&(key(&other), String::from("journaled"))));
    std::thread::sleep(Duration::from_secs(3));
    let taken = pi.taken.lock().unwrap();
    assert_eq!(taken.orders.iter().map(|order| order.key.clone()).collect::<Vec<_>>(), [key(&other)], "the withdrawn one never came");
    assert_eq!(taken.came[&key(&other)], 1);
    assert_eq!(taken.orders[0].entry.who.as_deref(), Some("Anna"));
    drop(taken);
    assert_eq!(house.post(&format!("/api/v1/arbiter/boards/1/orders/{}/withdraw", key(&other)), &json!({})).0, 409);
}

#[test]
fn the_second_arbiter_learns_what_the_first_one_did_and_what_an_entry_would_do() {
    let Some(broker) = Broker::start("two arbiters") else { return };
    let (house, mut pi) = (House::start(&broker, "a"), Pi::new(&broker, "pi"));
    let events = game("human-mate");
    pi.say("1", &events);
    pi.come(&["1"]);
    house.until("it shows it", |house| house.board("1")["seq"] == last(&events) && house.board("1")["pi"]["away"] == false);
    let ruling = |who: &str, decision: &str| json!({"do": "rule", "finding": 7, "decision": decision, "who": who, "seen": 1_000});
    let (status, foreseen) = house.post("/api/v1/arbiter/boards/1/preview", &ruling("Anna", "confirm"));
    assert_eq!((status, &foreseen["seq"], &foreseen["waits"]), (200, &json!(77), &json!(true)), "{foreseen}");
    assert!(pi.taken.lock().unwrap().orders.is_empty() && house.orders("1").is_empty(), "nothing was ordered");
    assert_eq!(house.enter("1", &ruling("Anna", "confirm")).0, 200);
    let (status, refused) = house.enter("1", &ruling("Boris", "dismiss"));
    assert_eq!(
        (status, &refused["meanwhile"][0]["who"], &refused["meanwhile"][0]["what"]),
        (409, &json!("Anna"), &json!("confirm")),
        "{refused}"
    );
    assert!(refused["error"].as_str().unwrap().contains("confirm by Anna"), "{refused}");
    assert_eq!(pi.taken.lock().unwrap().orders[0].entry.seen, Some(1_000), "the board judges by what its arbiter had seen");
    // What waits for a machine that is away is judged when it is there again.
    pi.go();
    house.until("it is away", |house| house.board("1")["pi"]["away"] == true);
    let (status, waits) = house.enter("1", &ruling("Clara", "dismiss"));
    assert_eq!((status, &waits["state"]), (202, &json!("waiting")), "{waits}");
    assert_eq!(house.post("/api/v1/arbiter/boards/1/preview", &ruling("Clara", "dismiss")).0, 422, "nobody can say now what it would do");
    pi.come(&["1"]);
    let key = String::from(waits["order"].as_str().unwrap());
    house.until("it is refused", |house| house.orders("1").contains(&(key.clone(), String::from("refused"))));
    assert_eq!(pi.taken.lock().unwrap().came[&key], 1);
}

#[test]
fn of_two_halls_one_speaks_two_arbiters_see_one_outcome_and_what_a_dying_hall_sent_is_carried_out_once() {
    let Some(broker) = Broker::start("two halls") else { return };
    let (a, mut pi) = (House::start(&broker, "a"), Pi::new(&broker, "pi"));
    a.until("a speaks", |a| a.hall()["speaks"] == true);
    let b = House::start(&broker, "b");
    b.until("b knows", |b| b.hall()["speaker"] == "a");
    assert_eq!(b.hall()["speaks"], false);
    pi.slow = Duration::from_millis(1_500);
    let events = game("human-mate");
    pi.say("1", &events);
    pi.come(&["1"]);
    for house in [&a, &b] {
        house.until("both show it", |house| house.board("1")["seq"] == last(&events) && house.board("1")["pi"]["away"] == false);
    }
    let ruling = |who: &str, decision: &str| json!({"do": "rule", "finding": 7, "decision": decision, "who": who});
    let (of_a, of_b) = std::thread::scope(|scope| {
        let of_b = scope.spawn(|| b.enter("1", &ruling("Boris", "dismiss")));
        (a.enter("1", &ruling("Anna", "confirm")), of_b.join().unwrap())
    });
    let mut outcomes = [of_a.0, of_b.0];
    outcomes.sort_unstable();
    // One that stood behind the other in the queue waits its turn and is refused then.
    assert!(outcomes[0] == 200 && [202, 409].contains(&outcomes[1]), "{of_a:?} {of_b:?}");
    for house in [&a, &b] {
        house.until("one is journaled, one refused, on both", |house| {
            let mut states: Vec<String> = house.orders("1").into_iter().map(|(_, state)| state).collect();
            states.sort_unstable();
            states == ["journaled", "refused"]
        });
    }
    // The hall dies while an order is under way.
    let before = pi.taken.lock().unwrap().orders.len();
    let request = json!({"do": "stop", "who": "Anna", "order_key": "k-dying"});
    std::thread::scope(|scope| {
        scope.spawn(|| a.enter("1", &request));
        while pi.taken.lock().unwrap().orders.len() == before {
            std::thread::sleep(Duration::from_millis(10));
        }
        a.stop_at_once();
    });
    b.until("b speaks", |b| b.hall()["speaks"] == true);
    b.until("b hears the answer", |b| b.orders("1").contains(&(String::from("k-dying"), String::from("journaled"))));
    let taken = pi.taken.lock().unwrap();
    assert_eq!(taken.orders.iter().filter(|order| order.key == "k-dying").count(), 1, "carried out once");
    assert!(taken.came["k-dying"] >= 2, "b asked again");
    drop(taken);
    let (again, answer) = b.enter("1", &request);
    assert_eq!(again, 200, "the arbiter's own repeat is harmless: {answer}");
    assert_eq!(pi.taken.lock().unwrap().orders.len(), before + 1);
}
