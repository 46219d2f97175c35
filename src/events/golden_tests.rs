//! Every type as it is written: `golden.jsonl` has a line for each variant, and each is read and written again byte for byte. A line is never
//! changed: recordings of years ago are read by it.
use crate::{Body, Event, Key, Period, TimeControl};
use std::collections::BTreeSet;

const GOLDEN: &str = include_str!("golden.jsonl");

fn events() -> Vec<Event> {
    GOLDEN.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[test]
fn every_line_is_written_as_it_was_read() {
    for (event, line) in events().iter().zip(GOLDEN.lines()) {
        assert_eq!(serde_json::to_string(event).unwrap(), line);
    }
}

#[test]
fn every_kind_and_every_key_has_a_line() {
    let events = events();
    let kinds: BTreeSet<_> = events.iter().map(|event| event.body.kind()).collect();
    assert_eq!(kinds.len(), 20, "{kinds:?}");
    let found = |key: &Key| events.iter().any(|event| matches!(&event.body, Body::Finding(finding) if finding.key == *key));
    assert!(Key::ALL.iter().all(found));
    let known = events.iter().filter(|event| matches!(&event.body, Body::Ruling(ruling) if ruling.entry().is_some())).count();
    assert_eq!(known, 19, "one ruling is of another version");
}

#[test]
fn a_ruling_keeps_every_field_that_a_later_version_may_add() {
    for line in GOLDEN.lines().filter(|line| line.contains(r#""type":"ruling""#)) {
        let later = line.strip_suffix('}').unwrap().to_string() + r#","zz":{"new":[1,2]}}"#;
        let event: Event = serde_json::from_str(&later).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), later);
    }
}

#[test]
fn time_controls_of_game_starts_are_read() {
    let controls = events().into_iter().filter_map(|event| match event.body {
        Body::GameStart { time_control, .. } => time_control,
        _ => None,
    });
    let periods: Vec<Vec<Period>> = controls.map(|text| text.parse::<TimeControl>().unwrap().periods().to_vec()).collect();
    assert_eq!(periods.iter().map(Vec::len).collect::<Vec<_>>(), [2]);
}
