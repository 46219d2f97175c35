//! What `/metrics` shows, and what the dashboard asks for.
use crate::manager::{Manager, until};
use std::collections::BTreeSet;

/// Families by name, with their types.
fn families(text: &str) -> BTreeSet<(String, String)> {
    let families = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    families.map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect()
}

#[test]
fn the_figures_are_complete_and_the_dashboard_uses_none_that_is_missing() {
    let manager = Manager::new();
    let tree = manager.folder.path().join("tree");
    manager.configure(&format!("[[alert]]\nurl = \"http://127.0.0.1:1/\"\n[tree]\nfolder = \"{}\"\n", tree.display()));
    let service = manager.start(&mut manager.command(&[]));
    until("moves", || service.get("/api/v1/boards/1")["plies_completed"].as_u64() > Some(0));
    let text = service.text("/api/v1/operator/metrics");
    let families = families(&text);
    for (name, kind) in [
        ("flagfall_build_info", "gauge"),
        ("flagfall_boards", "gauge"),
        ("flagfall_boards_up", "gauge"),
        ("flagfall_games_on", "gauge"),
        ("flagfall_link_downs_total", "counter"),
        ("flagfall_events_total", "counter"),
        ("flagfall_journal_bytes_total", "counter"),
        ("flagfall_journal_syncs_total", "counter"),
        ("flagfall_journal_sync_seconds", "histogram"),
        ("flagfall_journal_queue_length", "gauge"),
        ("flagfall_queue_length", "gauge"),
        ("flagfall_alarms", "gauge"),
        ("flagfall_publisher_failures_total", "counter"),
        ("flagfall_publisher_last_success_timestamp_seconds", "gauge"),
        ("process_resident_memory_bytes", "gauge"),
        ("process_open_fds", "gauge"),
        ("process_written_bytes_total", "counter"),
    ] {
        assert!(families.contains(&(name.to_owned(), kind.to_owned())), "{name} ({kind}) is missing in\n{text}");
    }
    for (name, kind) in &families {
        assert!(name.starts_with("flagfall_") || name.starts_with("process_"), "{name}");
        assert_eq!(name.ends_with("_total"), kind == "counter", "{name} is a {kind}");
        assert!(text.contains(&format!("# HELP {name} ")), "{name} says not what it is");
    }
    assert!(text.lines().any(|line| line == "flagfall_boards_up 1") && text.contains("flagfall_link_downs_total{board=\"1\"} 0"), "{text}");

    let dashboard = include_str!("../../grafana/flagfall.json");
    let json: serde_json::Value = serde_json::from_str(dashboard).unwrap();
    let mut asked = BTreeSet::new();
    expressions(&json, &mut asked);
    assert!(asked.len() > 12, "{asked:?}");
    // A hall's own are looked for where one runs (`tests/nats/brokers.rs`).
    for name in asked.iter().filter(|name| !name.starts_with("flagfall_hall_")) {
        let of_histogram = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| name.strip_suffix(suffix));
        let known = |name: &str| families.iter().any(|(family, _)| family == name);
        assert!(known(name) || of_histogram.is_some_and(known), "the dashboard asks for {name}, which is not there");
    }
}

/// The shipped alert rules, tried by Prometheus' own tool where it is installed.
#[test]
fn the_alert_rules_fire_as_their_own_tests_say() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("grafana");
    let tool = std::env::var_os("FLAGFALL_PROMTOOL").unwrap_or_else(|| "promtool".into());
    match std::process::Command::new(tool).args(["test", "rules", "alerts.test.yml"]).current_dir(folder).output() {
        Ok(done) => assert!(done.status.success(), "{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr)),
        Err(_) => println!("skipped: promtool is not installed (apt-get install prometheus)"),
    }
}

/// Every name of ours in every `expr` of the dashboard.
fn expressions(json: &serde_json::Value, into: &mut BTreeSet<String>) {
    match json {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), value.as_str()) {
                    ("expr" | "query", Some(text)) => {
                        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                        into.extend(words.filter(|w| w.starts_with("flagfall_") || w.starts_with("process_")).map(String::from));
                    }
                    _ => expressions(value, into),
                }
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| expressions(item, into)),
        _ => {}
    }
}
