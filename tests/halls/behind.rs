//! A hall that shows everything later: arbiters have it live, a restart tells nothing early and takes nothing back, and its Pis show nothing.
use super::broker::Broker;
use super::house::House;
use super::pi::Pi;
use super::{game, last, moves};
use serde_json::Value;
use std::fs;

#[test]
fn a_hall_with_a_delay_shows_what_is_due_and_a_restart_changes_nothing_of_it() {
    let Some(broker) = Broker::start("behind") else { return };
    let events = game("human-mate");
    let (first, rest) = events.split_at(events.len() / 2);
    let mut pi = Pi::new(&broker, "pi");
    let arbiters = |house: &House| house.get("/api/v1/arbiter/boards/1").unwrap_or_default()["moves"].as_array().map_or(0, Vec::len);
    let played = |events| moves(events).as_array().unwrap().len();

    let house = House::with(&broker, "a", "delay = \"4s\"\n");
    pi.come(&["1"]);
    pi.say("1", first);
    house.until("arbiters have it", |house| arbiters(house) == played(first));
    house.until("it is due", |house| house.board("1")["seq"] == last(first));
    assert_eq!((&house.board("1")["moves"], house.board("1")["delay_ms"].as_u64()), (&moves(first), Some(4_000)));
    // Of its Pis nobody is told before everybody else.
    house.until("the Pis are told", |_| pi.setting("public").is_some_and(|text| text == "nothing"));
    let kept = broker.folder.path().join("a/data/shown-hall.json");
    let shown = |kept: &std::path::Path| {
        let kept: Value = serde_json::from_str(&fs::read_to_string(kept).unwrap_or_default()).unwrap_or_default();
        kept["shown"].as_u64().unwrap_or(0)
    };
    house.until("it is kept how far the world was told", |_| shown(&kept) == first.len() as u64);
    house.kill();

    let house = House::with(&broker, "a", "delay = \"1h\"\n");
    house.until("what was public is public", |house| house.board("1")["seq"] == last(first));
    pi.say("1", rest);
    house.until("arbiters have the whole game", |house| arbiters(house) == played(&events));
    assert_eq!((&house.board("1")["seq"], &house.board("1")["moves"]), (&last(first).into(), &moves(first)), "an hour too early");
    let health = house.get("/healthz").unwrap();
    assert!(health["hall"].get("pis_away").is_none() && house.hall()["pis_away"] == 0, "{health}");
}
