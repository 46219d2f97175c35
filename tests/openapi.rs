//! `docs/openapi.json` is what the code says, and the code has no route that it does not describe.
//!
//! After a change of the interface: `FLAGFALL_BLESS=1 cargo test --test openapi`, and look at the difference.
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_committed_description_is_the_codes_own() {
    let path = Path::new(ROOT).join("docs/openapi.json");
    let made = flagfall::arbiter::openapi::text();
    if std::env::var_os("FLAGFALL_BLESS").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == made, "docs/openapi.json is stale: FLAGFALL_BLESS=1 cargo test --test openapi");
}

#[test]
fn every_route_of_the_interface_is_described() {
    let document: Value = serde_json::from_str(&flagfall::arbiter::openapi::text()).unwrap();
    let described: BTreeSet<String> = document["paths"].as_object().unwrap().keys().cloned().collect();
    let mut routes = BTreeSet::new();
    let mut folders = vec![Path::new(ROOT).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            // Not all files are text.
            let text = fs::read_to_string(entry).unwrap_or_default();
            let named = text.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next()).map(String::from);
            routes.extend(named.filter(|path| path.starts_with("/api/v1/") || path == "/metrics" || path == "/healthz"));
        }
    }
    routes.remove("/api/v1/openapi.json");
    assert!(routes.len() > 26, "{routes:?}");
    assert_eq!(routes, described);
}

#[test]
fn every_reference_leads_somewhere_and_every_operation_has_a_name_of_its_own() {
    let document: Value = serde_json::from_str(&flagfall::arbiter::openapi::text()).unwrap();
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
