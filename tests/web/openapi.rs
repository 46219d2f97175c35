//! `docs/openapi.json` is what the code says, and the code has no route that it does not describe.
//!
//! After a change of the interface: `FLAGFALL_BLESS=1 cargo test --test web openapi`, and look at the difference.
#![allow(clippy::unwrap_used, reason = "a test may")]
use flagfall::config::accounts::Role;
use flagfall::feeds::nats::wire::OrderState;
use flagfall::feeds::sent::row::{Kind, Lamp};
use flagfall_events::{
    Action, AlarmState, ClaimRule, ClockSide, ClockSource, Colour, Decision, Flag, GameResult, Grade, How, Key, LinkState, Orientation,
    PromotedTo, PromotionState, ReceiptAfter, ResultSource, Rules, Run, Status,
};
use flagfall_score::clock_audit::AuditState;
use flagfall_score::clock_sheet::Occasion;
use flagfall_score::folded::Standing;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_committed_description_is_the_codes_own() {
    let path = Path::new(ROOT).join("docs/openapi.json");
    let made = flagfall::openapi::text();
    if std::env::var_os("FLAGFALL_BLESS").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == made, "docs/openapi.json is stale: FLAGFALL_BLESS=1 cargo test --test web openapi");
}

/// The text of every file of the code.
fn sources() -> Vec<String> {
    let (mut texts, mut folders) = (Vec::new(), vec![Path::new(ROOT).join("src")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else {
                // Not all files are text.
                texts.push(fs::read_to_string(entry).unwrap_or_default());
            }
        }
    }
    texts
}

#[test]
fn every_route_of_the_interface_is_described() {
    let document: Value = serde_json::from_str(&flagfall::openapi::text()).unwrap();
    let described: BTreeSet<String> = document["paths"].as_object().unwrap().keys().cloned().collect();
    let mut routes = BTreeSet::new();
    for text in sources() {
        let named = text.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next()).map(String::from);
        routes.extend(named.filter(|path| path.starts_with("/api/v1/") || path == "/metrics" || path == "/healthz"));
    }
    routes.remove("/api/v1/openapi.json");
    assert!(routes.len() > 26, "{routes:?}");
    assert_eq!(routes, described);
}

#[test]
fn every_reference_leads_somewhere_and_every_operation_has_a_name_of_its_own() {
    let document: Value = serde_json::from_str(&flagfall::openapi::text()).unwrap();
    let mut open = vec![&document];
    while let Some(value) = open.pop() {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
        }
        open.extend(value.as_object().into_iter().flat_map(|object| object.values()));
        open.extend(value.as_array().into_iter().flatten());
    }
    let paths = document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values());
    let names: Vec<_> = paths.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

/// Of two types with one name the description has one, in the place of both.
#[test]
fn no_two_described_types_have_one_name() {
    let mut names = Vec::new();
    for text in sources() {
        let mut lines = text.lines().map(str::trim);
        while lines.by_ref().any(|line| line.starts_with("#[") && line.contains("derive(") && line.contains("ToSchema")) {
            let mut name = None;
            let item = lines
                .by_ref()
                .inspect(|line| name = name.or_else(|| line.split_once("schema(as = ").map(|(_, rest)| rest)))
                .find(|line| ["pub", "struct ", "enum "].iter().any(|start| line.starts_with(start)));
            let declared = item.and_then(|line| line.split(' ').skip_while(|word| !matches!(*word, "struct" | "enum")).nth(1));
            let end = |c: char| !c.is_alphanumeric();
            names.push(name.or(declared).and_then(|name| name.split(end).next()).unwrap_or_else(|| panic!("{item:?}")).to_owned());
        }
    }
    names.sort_unstable();
    let twice: Vec<_> = names.windows(2).filter(|two| two[0] == two[1]).map(|two| &two[0]).collect();
    assert!(names.len() > 60, "{names:?}");
    assert!(twice.is_empty(), "{twice:?}: #[schema(as = …)] on one of them");
}

/// Every word that the schema has is one that the type reads and writes.
fn read_and_written<T: Serialize + DeserializeOwned>(words: &[Value]) -> bool {
    let back = |word: &Value| serde_json::from_value::<T>(word.clone()).ok().and_then(|read| serde_json::to_value(read).ok());
    words.iter().all(|word| back(word).as_ref() == Some(word))
}

/// Every word that the schema has is one of these, as they are written, and none is missing.
fn written<T: Serialize>(words: &[Value], all: &[T]) -> bool {
    let all: Vec<Value> = all.iter().map(|one| serde_json::to_value(one).unwrap()).collect();
    words.len() == all.len() && all.iter().all(|one| words.contains(one))
}

#[test]
fn every_word_of_every_enumeration_is_the_one_on_the_wire() {
    let document: Value = serde_json::from_str(&flagfall::openapi::text()).unwrap();
    let mut seen = BTreeMap::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let Some(words) = schema["enum"].as_array() else { continue };
        let right = match name.as_str() {
            "Action" => read_and_written::<Action>(words),
            "AlarmState" => read_and_written::<AlarmState>(words),
            "AuditState" => written(words, &[AuditState::Right, AuditState::Off, AuditState::Runs, AuditState::Unread]),
            "ClaimRule" => read_and_written::<ClaimRule>(words),
            "ClockSide" => read_and_written::<ClockSide>(words),
            "ClockSource" => read_and_written::<ClockSource>(words),
            "Colour" => read_and_written::<Colour>(words),
            "Decision" => read_and_written::<Decision>(words),
            "Flag" => read_and_written::<Flag>(words),
            "GameResult" => read_and_written::<GameResult>(words),
            "Grade" => read_and_written::<Grade>(words),
            "How" => read_and_written::<How>(words),
            "Key" => written(words, Key::ALL),
            "Lamp" => written(words, &[Lamp::Ok, Lamp::Idle, Lamp::Behind, Lamp::Differs, Lamp::Failing]),
            "LinkState" => read_and_written::<LinkState>(words),
            "Occasion" => written(words, &[Occasion::Start, Occasion::Press, Occasion::Change, Occasion::Set, Occasion::Now]),
            "Orientation" => read_and_written::<Orientation>(words),
            "OrderState" => read_and_written::<OrderState>(words),
            "OutletKind" => {
                written(words, &[Kind::Page, Kind::Livechess, Kind::Pgn, Kind::Cloud, Kind::Lichess, Kind::Upload, Kind::Alert, Kind::Nats])
            }
            "PromotedTo" => read_and_written::<PromotedTo>(words),
            "PromotionState" => read_and_written::<PromotionState>(words),
            "ReceiptAfter" => read_and_written::<ReceiptAfter>(words),
            "ResultSource" => read_and_written::<ResultSource>(words),
            "Role" => written(words, &[Role::Operator, Role::Arbiter]),
            "Rules" => read_and_written::<Rules>(words),
            "Run" => read_and_written::<Run>(words),
            "Standing" => {
                written(words, &[Standing::Open, Standing::Withdrawn, Standing::Confirmed, Standing::Dismissed, Standing::Amended])
            }
            "Status" => read_and_written::<Status>(words),
            other => panic!("{other} is a new enumeration: add it here"),
        };
        seen.insert(name.clone(), right);
    }
    let wrong: Vec<_> = seen.iter().filter(|(_, right)| !**right).map(|(name, _)| name).collect();
    assert!(wrong.is_empty() && seen.len() > 18, "not as on the wire: {wrong:?}");
}

#[test]
fn every_answer_says_what_it_means() {
    let document: Value = serde_json::from_str(&flagfall::openapi::text()).unwrap();
    let paths = document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values());
    for operation in paths {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            assert!(answer["description"].as_str().is_some_and(|text| !text.is_empty()), "{} {status}", operation["operationId"]);
        }
    }
}
