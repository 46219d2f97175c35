//! Pairings and names from the broker, and who is there.
use super::server::Broker;
use super::table::{Room, names, until};
use flagfall::feeds::nats::wire::Presence;
use serde_json::json;

#[test]
fn pairings_and_names_come_through_the_broker_and_a_pi_says_that_it_is_there() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"])]) else { return };
    let mut room = Room::new();
    let hall = room.hall(&broker);
    room.boards(&["1"], 4.0);
    let daemon = room.daemon(&broker, "pi-1", &["1"]);
    let put = |key: &str, text: &str| {
        let setting = json!({"who": "Anna", "at": "2026-11-21T15:00:00Z", "text": text});
        let store = room.runtime.block_on(hall.get_key_value(names().settings())).unwrap();
        room.runtime.block_on(store.put(key, setting.to_string().into())).unwrap();
    };
    put("pairings.1", "board,white,black\n1,Nobody,Noone\n");
    put("pairings.1", "board,white,black\n1,\"Adams, Mary\",Clark\n");
    put("event", "name = \"Bergen Open\"\ncity = \"Bergen\"\n");
    until("names", || daemon.get("/api/v1/boards/1")?["game"]["white"].as_str().filter(|name| *name == "Adams, Mary").map(|_| ()));
    until("the event", || (daemon.get("/api/v1/operator/event")?["name"] == "Bergen Open").then_some(()));
    let given = daemon.nats()["settings"].clone();
    assert_eq!((&given[0]["key"], &given[0]["who"]), (&json!("event"), &json!("Anna")), "{given}");
    // A list that cannot be read changes nothing, and the operator is told.
    put("pairings.1", "board,white,black\n1,Nobody\n1,Else,Where\n");
    until("alarm", || {
        let alarms = daemon.get("/api/v1/operator/alarms")?;
        alarms
            .as_array()?
            .iter()
            .any(|a| a["key"] == "pairings-failing" && a["about"].as_str().is_some_and(|about| about.contains("Anna")))
            .then_some(())
    });
    assert_eq!(daemon.get("/api/v1/boards/1").unwrap()["game"]["white"], "Adams, Mary");

    let presence = || -> Option<Presence> {
        let store = room.runtime.block_on(hall.get_key_value(names().presence())).unwrap();
        let bytes = room.runtime.block_on(store.get("pi-1")).unwrap()?;
        Some(serde_json::from_slice(&bytes).unwrap())
    };
    let there =
        until("presence", || presence().filter(|there| there.boards.first().is_some_and(|board| board.seq > 0 && board.sent_seq > 0)));
    assert_eq!((there.pi.as_str(), there.boards[0].board.as_str()), ("pi-1", "1"));
    assert_eq!(there.boards[0].epoch.len(), 16);
    // The pairings survive without the broker.
    daemon.end();
    drop(broker);
    let file = room.home.path().join("pi-1.toml");
    let daemon = super::table::Daemon::start(room.home.path(), "pi-1", "run", &file, Some(&room.data("pi-1")));
    until("names", || daemon.get("/api/v1/boards/1")?["game"]["white"].as_str().filter(|name| *name == "Adams, Mary").map(|_| ()));
}
