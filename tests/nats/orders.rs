//! Orders from halls: once, whatever is repeated, journaled before they are answered, and one outcome where two arbiters rule.
use super::server::Broker;
use super::table::{Room, until};
use flagfall::feeds::nats::wire::Answer;
use serde_json::{Value, json};

fn rulings(room: &Room, key: &str) -> usize {
    let events = super::compare::journaled(&room.data("pi-1"), "1");
    let has = |text: &str| {
        let event: Value = serde_json::from_str(text).unwrap();
        event["type"] == "ruling" && event["order_key"] == key
    };
    events.iter().filter(|(_, text)| has(text)).count()
}

#[test]
fn an_order_is_carried_out_once_also_after_a_restart_and_two_arbiters_see_one_outcome() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"])]) else { return };
    let mut room = Room::new();
    let hall = room.hall(&broker);
    room.boards(&["1"], 2.0);
    let daemon = room.daemon(&broker, "pi-1", &["1"]);
    until("a game", || daemon.get("/api/v1/boards/1")?["plies_made"].as_u64().filter(|plies| *plies > 0));
    let flag = json!({"do": "flag", "by": "white", "who": "Anna"});
    let taken = room.order(&hall, "1", "k1", &flag);
    assert!(matches!(taken, Answer::Taken { .. }), "{taken:?}");
    assert_eq!(room.order(&hall, "1", "k1", &flag), taken, "a repeat gets the first answer");
    assert_eq!(rulings(&room, "k1"), 1);
    daemon.kill();
    let daemon = room.daemon(&broker, "pi-1", &["1"]);
    assert_eq!(room.order(&hall, "1", "k1", &flag), taken, "also after a restart");
    assert_eq!(rulings(&room, "k1"), 1);

    // A finding stands; two arbiters rule on it.
    let finding = until("a finding", || {
        let board = daemon.get("/api/v1/arbiter/boards/1")?;
        board["findings"].as_array()?.iter().find(|f| f["key"] == "flag-fall")?["id"].as_u64()
    });
    let rule = |decision: &str, who: &str| json!({"do": "rule", "finding": finding, "decision": decision, "who": who});
    let Answer::Taken { seq, .. } = room.order(&hall, "1", "anna", &rule("dismiss", "Anna")) else { panic!("not taken") };
    let Answer::Refused { reason, .. } = room.order(&hall, "1", "boris", &rule("confirm", "Boris")) else { panic!("not refused") };
    assert!(reason.contains("ruled on meanwhile: dismiss by Anna"), "{reason}");
    // What its author had seen last is what counts: a finding as it was raised is an old one now.
    let events = super::compare::journaled(&room.data("pi-1"), "1");
    let raised = events.iter().find_map(|(seq, text)| {
        let event: Value = serde_json::from_str(text).unwrap();
        (event["type"] == "finding" && event["id"] == finding).then_some(*seq)
    });
    let mut blind = rule("confirm", "Clara");
    blind["seen"] = json!(raised.unwrap());
    let Answer::Refused { meanwhile, .. } = room.order(&hall, "1", "clara", &blind) else { panic!("not refused") };
    assert!(meanwhile.iter().any(|it| it.what == "dismiss" && it.who.as_deref() == Some("Anna")), "{meanwhile:?}");
    assert_eq!(rulings(&room, "clara"), 0, "what was refused is not journaled");
    let previewed = |entry: &Value| until("an answer", || room.ask(&hall, "1", &json!({ "preview": entry })));
    let Answer::Refused { meanwhile, .. } = previewed(&blind) else { panic!("not refused") };
    assert!(!meanwhile.is_empty());
    let Answer::Previewed(preview) = previewed(&json!({"do": "result", "result": "1-0"})) else { panic!("not previewed") };
    assert_eq!(serde_json::to_value(preview.result).unwrap(), "1-0");
    let result = |text: &str| text.contains("\"type\":\"result\"");
    assert!(!super::compare::journaled(&room.data("pi-1"), "1").iter().any(|(_, text)| result(text)), "nothing was changed");
    // Who has seen that ruling may replace it.
    let number = super::compare::journaled(&room.data("pi-1"), "1").into_iter().find_map(|(seq, text)| {
        let event: Value = serde_json::from_str(&text).unwrap();
        (event["order_key"] == "anna").then_some(seq)
    });
    let number = number.unwrap();
    assert!(number <= seq);
    let mut informed = rule("confirm", "Boris");
    informed["after"] = json!(number);
    let taken = room.order(&hall, "1", "boris-2", &informed);
    assert!(matches!(taken, Answer::Taken { .. }), "{taken:?}");

    for (key, entry, word) in [
        ("x1", json!({"do": "rule", "finding": 999_999, "decision": "confirm"}), "finding"),
        ("x2", json!({"do": "dance"}), "not understood"),
        ("a key", json!({"do": "stop"}), "no key"),
    ] {
        let Answer::Refused { reason, hint, .. } = room.order(&hall, "1", key, &entry) else { panic!("{key} was not refused") };
        assert!(reason.contains(word) && !hint.is_empty(), "{reason}");
    }
    // Rebuilt from the journal, an order without events of its own as well.
    let stop = json!({"do": "stop", "who": "Anna"});
    let stopped = room.order(&hall, "1", "stop", &stop);
    assert!(matches!(stopped, Answer::Taken { .. }), "{stopped:?}");
    daemon.end();
    let _daemon = room.daemon(&broker, "pi-1", &["1"]);
    let again = room.order(&hall, "1", "stop", &stop);
    assert!(matches!(again, Answer::Taken { .. }), "{again:?}");
    let journals = flagfall::journal::store::journals(&room.data("pi-1"), "1").unwrap();
    let entries: usize = journals.iter().map(|path| std::fs::read_to_string(path).unwrap().matches("\"do\":\"stop\"").count()).sum();
    assert_eq!(entries, 1, "once in the journal");
}
