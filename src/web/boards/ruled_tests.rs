use super::*;
use flagfall_events::{Decision, Mono};
use serde_json::json;

/// A board's events as they come, a second apart unless `at_once`.
#[derive(Default)]
struct Said {
    ruled: Ruled,
    seq: u64,
    t: u64,
}

impl Said {
    fn at_once(&mut self, body: Value) -> u64 {
        self.seq += 1;
        let body = serde_json::from_value(body).unwrap();
        let at = Wall::EPOCH.after(Mono::from_millis(self.t));
        self.ruled.take(&Event { seq: self.seq, t: Mono::from_millis(self.t), at, board: "1".into(), game: Some(1), body });
        self.seq
    }

    fn say(&mut self, body: Value) -> u64 {
        self.t += 1000;
        self.at_once(body)
    }

    fn found(&mut self, id: u64) -> u64 {
        self.say(json!({"type": "finding", "id": id, "key": "illegal-move", "article": "7.5.1", "rules": "fide-2023", "by": "white", "grade": "ruling",
            "summary": {"en": "a", "ru": "b"}, "facts": {}, "proposal": proposal(600, 480, "restore-position"), "evidence": [1, 2]}))
    }

    fn revised(&mut self, id: u64, proposal: Value) -> u64 {
        self.say(json!({"type": "finding-update", "id": id, "status": "revised", "proposal": proposal}))
    }

    fn confirmed(&mut self, id: u64, who: &str) -> u64 {
        let seq = self.say(json!({"type": "ruling", "do": "rule", "finding": id, "decision": "confirm", "who": who}));
        self.at_once(json!({"type": "finding-update", "id": id, "status": "confirmed"}));
        seq
    }

    /// What the author of this order is told who has seen everything up to `seen`.
    fn told(&self, order: Value, seen: u64) -> Vec<(u64, String, Option<String>)> {
        let entry = Entry { seen: Some(seen), ..serde_json::from_value(order).unwrap() };
        self.ruled.meanwhile(&entry).into_iter().map(|h| (h.seq, h.what, h.who)).collect()
    }
}

fn proposal(white_s: i64, black_s: i64, action: &str) -> Value {
    json!({"action": action, "clock": {"white_ms": white_s * 1000, "black_ms": black_s * 1000, "run": "white"}, "alternatives": []})
}

fn confirm(id: u64) -> Value {
    json!({"do": "rule", "finding": id, "decision": "confirm"})
}

fn one(seq: u64, what: &str, who: Option<&str>) -> Vec<(u64, String, Option<String>)> {
    vec![(seq, String::from(what), who.map(String::from))]
}

#[test]
fn the_second_arbiter_is_told_who_was_first() {
    let mut said = Said::default();
    let raised = said.found(1);
    assert_eq!(said.told(confirm(1), raised), []);
    let ruling = said.confirmed(1, "Anna");
    assert_eq!(said.told(json!({"do": "rule", "finding": 1, "decision": "dismiss"}), raised), one(ruling, "confirm", Some("Anna")));
    // Who has seen it may rule anew.
    assert_eq!(said.told(json!({"do": "rule", "finding": 1, "decision": "dismiss"}), ruling), []);
    let entry = Entry { seen: Some(raised), ..serde_json::from_value(confirm(1)).unwrap() };
    assert_eq!(sentence(&said.ruled.meanwhile(&entry)), format!("finding 1 was ruled on meanwhile: confirm by Anna (event {ruling})"));
    assert_eq!(said.told(confirm(2), raised), [], "another finding is another matter");
    let entry = Entry { seen: None, ..entry };
    assert_eq!(said.ruled.meanwhile(&entry), [], "who does not say what he has seen is not held up");
}

#[test]
fn times_count_from_more_than_a_second_on_however_slowly_they_change() {
    let mut said = Said::default();
    let raised = said.found(1);
    said.revised(1, proposal(600, 481, "restore-position"));
    assert_eq!(said.told(confirm(1), raised), []);
    let second = said.revised(1, proposal(600, 482, "restore-position"));
    assert_eq!(said.told(confirm(1), raised), one(second, "revised", None), "two seconds in two steps");
    said.revised(1, proposal(600, 481, "restore-position"));
    assert_eq!(said.told(confirm(1), second), []);
    let other = said.revised(1, proposal(600, 482, "continue"));
    assert_eq!(said.told(confirm(1), second), one(other, "revised", None), "nothing is restored any more");
    let gone = said.say(json!({"type": "finding-update", "id": 1, "status": "withdrawn"}));
    assert_eq!(said.told(confirm(1), other), one(gone, "withdrawn", None));
}

#[test]
fn a_ruling_that_waited_for_its_verdict_is_news_twice() {
    let mut said = Said::default();
    let raised = said.found(1);
    let ruling = said.say(json!({"type": "ruling", "do": "rule", "finding": 1, "decision": "confirm", "who": "Anna"}));
    let verdict = said.say(json!({"type": "finding-update", "id": 1, "status": "confirmed", "proposal": {"action": "declare-loss", "result": "0-1", "alternatives": []}}));
    let told = said.told(confirm(1), raised);
    assert_eq!(told.iter().map(|(seq, ..)| *seq).collect::<Vec<_>>(), [ruling, verdict]);
    assert_eq!(said.told(confirm(1), ruling), one(verdict, "confirmed", None));
}

#[test]
fn results_clocks_positions_reports_and_penalties_are_guarded_each_by_its_own() {
    let mut said = Said::default();
    let start = said.say(json!({"type": "game-start", "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}));
    let result = json!({"do": "result", "result": "1/2-1/2"});
    assert_eq!(said.told(result.clone(), start), []);
    let entered = said.say(json!({"type": "ruling", "do": "result", "result": "1-0", "who": "Boris"}));
    said.at_once(json!({"type": "result", "result": "1-0", "reason": "entered", "source": "operator"}));
    assert_eq!(said.told(result.clone(), start), one(entered, "result", Some("Boris")));
    assert_eq!(said.told(result, entered), []);
    let clock = json!({"do": "set-clock", "clock": {"white_ms": 1000, "black_ms": 1000, "run": "white"}});
    assert_eq!(said.told(clock.clone(), start), [], "a result sets no clock");
    let set = said.say(json!({"type": "ruling", "do": "penalty", "by": "white", "article": "12.9.3", "clock": {"white_ms": 1000, "black_ms": 1000, "run": "white"}, "who": "Anna"}));
    assert_eq!(said.told(clock.clone(), entered), one(set, "penalty", Some("Anna")));
    assert_eq!(said.told(json!({"do": "penalty", "by": "white", "article": "12.9.1"}), entered), one(set, "penalty", Some("Anna")));
    assert_eq!(said.told(json!({"do": "penalty", "by": "black", "article": "12.9.1"}), entered), []);
    let found = said.found(1);
    assert_eq!(
        said.told(json!({"do": "report", "key": "illegal-move", "by": "white"}), set),
        one(found, "raised", None),
        "the board has seen it too"
    );
    assert_eq!(said.told(json!({"do": "report", "key": "illegal-move", "by": "black"}), set), []);
    let ruling = said.confirmed(1, "Anna");
    assert_eq!(said.told(clock, set), one(ruling, "rule", Some("Anna")), "a ruling sets the times that it proposed");
    let placed = said.say(json!({"type": "ruling", "do": "set-position", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}));
    assert_eq!(said.told(json!({"do": "set-position", "fen": "x"}), ruling), vec![(placed, String::from("set-position"), None)]);
}

#[test]
fn mate_on_the_board_comes_before_a_result_that_did_not_know_it() {
    let mut said = Said::default();
    let start = said.say(json!({"type": "game-start", "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}));
    let mate = said.say(json!({"type": "result", "result": "0-1", "reason": "checkmate", "source": "position"}));
    assert_eq!(said.told(json!({"do": "result", "result": "1/2-1/2"}), start), one(mate, "ended", None));
}

#[test]
fn a_hall_that_does_not_say_what_it_has_seen_replaces_only_the_ruling_that_it_names() {
    let mut said = Said::default();
    said.found(3);
    let entry = |key: Option<&str>, after| Entry {
        order_key: key.map(String::from),
        after,
        ..Entry::new(Order::Rule { finding: 3, decision: Decision::Confirm, clock: None, result: None })
    };
    assert_eq!(said.ruled.meanwhile(&entry(Some("k"), None)), []);
    let ruling = said.say(json!({"type": "ruling", "do": "rule", "finding": 3, "decision": "dismiss", "who": "Anna"}));
    let happened = said.ruled.meanwhile(&entry(Some("k"), None));
    assert_eq!(sentence(&happened), format!("finding 3 was ruled on meanwhile: dismiss by Anna (event {ruling})"));
    assert!(!said.ruled.meanwhile(&entry(Some("k"), Some(ruling - 1))).is_empty());
    assert_eq!(said.ruled.meanwhile(&entry(Some("k"), Some(ruling))), []);
    assert_eq!(said.ruled.meanwhile(&Entry { seen: Some(ruling), ..entry(Some("k"), None) }), []);
    assert_eq!(said.ruled.meanwhile(&entry(None, None)), []);
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut said = Said::default();
    for id in 1..=2 * KEPT as u64 {
        said.found(id);
    }
    let newest = 2 * KEPT as u64;
    for _ in 0..3 * EACH {
        said.confirmed(newest, "Anna");
    }
    assert!(said.ruled.happened.len() <= KEPT && said.ruled.proposed.len() <= KEPT && said.ruled.last.len() <= KEPT);
    assert!(said.ruled.happened.values().all(|all| all.len() <= EACH));
    assert!(!said.told(confirm(newest), 1).is_empty());
}

#[test]
fn a_round_that_begins_ends_no_game_that_is_being_played() {
    let mut said = Said::default();
    let entry = |who: &str| Entry { who: Some(String::from(who)), ..Entry::new(Order::NewGame {}) };
    assert_eq!(said.ruled.refusal(&entry(PAIRINGS)), None);
    said.say(json!({"type": "move-made", "ply": 1, "by": "white", "uci": "e2e4", "legal": true, "placement": "x", "provisional": false}));
    assert!(said.ruled.refusal(&entry(PAIRINGS)).is_some(), "it came late");
    assert_eq!(said.ruled.refusal(&entry("Anna")), None, "who says so means it");
    said.say(json!({"type": "result", "result": "1-0", "reason": "x", "source": "operator"}));
    assert_eq!(said.ruled.refusal(&entry(PAIRINGS)), None);
}
