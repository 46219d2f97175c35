//! What anybody hears of a board, at the broker and in a hall: public events with numbers of their own, whatever is found, ruled, touched or restarted.
use super::compare;
use super::server::Broker;
use super::table::{Daemon, Room, until};
use flagfall::feeds::nats::wire;
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::Options;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::sync::{Arc, Mutex};

/// A game that is over soon, again and again.
const SHORT: &[u8] = b"[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
const PUBLIC: [&str; 13] = [
    "sides",
    "link",
    "identity",
    "placement",
    "clock",
    "press",
    "game-start",
    "move-made",
    "move-revised",
    "move-withdrawn",
    "move-completed",
    "result",
    "receipt",
];

/// What somebody hears, as it comes.
type Heard = Arc<Mutex<Vec<Value>>>;

/// Follows the board's public subject.
fn reader(room: &Room, broker: &Broker) -> Heard {
    let (client, heard) = (room.client(broker, "public"), Heard::default());
    let kept = heard.clone();
    let subscribed = room.runtime.block_on(client.subscribe(super::table::names().subject("1", wire::Kind::Public)));
    let mut messages = subscribed.unwrap();
    room.runtime.block_on(client.flush()).unwrap();
    room.runtime.spawn(async move {
        let _client = client;
        while let Some(message) = messages.next().await {
            let headers = message.headers.unwrap_or_default();
            let names: BTreeSet<String> = headers.iter().map(|(name, _)| name.to_string()).collect();
            let known = [wire::EPOCH, wire::SENT, wire::AGE].map(String::from).into();
            assert_eq!(names, known, "nothing else goes with it");
            kept.lock().unwrap().push(serde_json::from_slice(&message.payload).unwrap());
        }
    });
    heard
}

/// Follows a board's public stream in a hall, with what went before it.
fn listener(address: &str) -> Heard {
    let heard = Heard::default();
    let (kept, url) = (heard.clone(), format!("http://{address}/api/v1/boards/1/events"));
    std::thread::spawn(move || {
        let answer = ureq::get(url).call().unwrap();
        let mut kind = String::new();
        for line in BufReader::new(answer.into_body().into_reader()).lines().map_while(Result::ok) {
            if let Some(event) = line.strip_prefix("event: ") {
                kind = String::from(event);
            } else if let Some(data) = line.strip_prefix("data: ").filter(|_| kind != "snapshot") {
                kept.lock().unwrap().push(serde_json::from_str(data).unwrap());
            }
        }
    });
    heard
}

/// Numbers without a gap, what comes twice being the same, and nothing that is not public; how many events.
fn hears_no_more_than_everybody(heard: &Heard, who: &str) -> u64 {
    let heard = heard.lock().unwrap().clone();
    let mut by_number: BTreeMap<u64, Value> = BTreeMap::new();
    let mut stood: BTreeSet<String> = BTreeSet::new();
    for event in &heard {
        let (number, kind) = (event["seq"].as_u64().unwrap(), event["type"].as_str().unwrap());
        assert!(PUBLIC.contains(&kind), "{who}: {event}");
        let next = by_number.last_key_value().map_or(number, |(last, _)| last + 1);
        assert!(number <= next, "{who}: {number} comes after {}: {event}", next - 1);
        if let Some(before) = by_number.insert(number, event.clone()) {
            assert_eq!(before, *event, "{who}: the same number, the same event");
        }
        match kind {
            "game-start" => _ = stood.insert(String::from(event["fen"].as_str().unwrap().split(' ').next().unwrap())),
            "move-made" => _ = stood.insert(String::from(event["placement"].as_str().unwrap())),
            // Before the first game nobody's touches are told either.
            "placement" => assert!(stood.contains(event["placement"].as_str().unwrap()), "{who}: a hand over the board: {event}"),
            _ => {}
        }
    }
    *by_number.last_key_value().unwrap().0
}

#[test]
fn a_reader_of_public_subjects_sees_neither_a_gap_nor_an_arbiters_number_nor_a_touch() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"])]) else { return };
    let mut room = Room::new();
    let hall = room.hall(&broker);
    let public = reader(&room, &broker);
    let house = room.house(&broker);
    let hands = Options { speed: 30.0, show_result: true, ..Options::new(Kind::Blitz, 0) };
    room.games_by("1", hands, games::read_games(SHORT).unwrap());
    let file = room.home.path().join("pi-1.toml");
    fs::write(&file, format!("touches = \"arbiter\"\n{}", room.configuration(&broker, "pi-1", &["1"]))).unwrap();
    let start = || Daemon::start(room.home.path(), "pi-1", "run", &file, Some(&room.data("pi-1")));
    let data = room.data("pi-1");
    let count = |kind: &str| {
        let events = compare::journaled(&data, "1");
        events.iter().filter(|(_, text)| serde_json::from_str::<Value>(text).unwrap()["type"] == kind).count()
    };
    let mut daemon = start();
    until("board in the hall", || house.get("/api/v1/boards/1"));
    let in_hall = listener(house.address());
    // In every game somebody reports something; twice the machine falls, in a game and between two.
    for game in 1..=4 {
        until("move", || (count("result") + 1 >= game && count("move-made") > 4 * (game - 1)).then_some(()));
        let report = json!({"do": "report", "key": "wrong-hand", "by": "white", "who": "Anna"});
        room.order(&hall, "1", &format!("k{game}"), &report);
        if game == 2 {
            daemon.kill();
            daemon = start();
        }
        until("end of the game", || (count("result") >= game).then_some(()));
        if game == 3 {
            daemon.kill();
            daemon = start();
        }
    }
    room.quiet();
    daemon.settled();
    let (findings, all) = (count("finding"), compare::journaled(&data, "1").len() as u64);
    assert!(findings >= 4, "{findings}");
    let own = |daemon: &Daemon| daemon.get("/api/v1/boards/1").unwrap()["seq"].as_u64().unwrap();
    until("the last public event", || (public.lock().unwrap().last()?["seq"].as_u64()? >= own(&daemon)).then_some(()));
    let last = hears_no_more_than_everybody(&public, "the broker's public subject");
    assert_eq!(last, own(&daemon), "the same numbers as on the machine's own page");
    assert!(last + findings as u64 <= all, "{last} public events of {all}");
    until("the hall", || (in_hall.lock().unwrap().last()?["seq"].as_u64()? >= own(&house)).then_some(()));
    hears_no_more_than_everybody(&in_hall, "the hall's public stream");
}
