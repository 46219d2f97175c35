//! What is written about the program is true of it.
use super::{file, run, short_game};
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn text(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

#[test]
fn the_readme_names_every_command_and_no_other() {
    let help = run(&["--help"]).1;
    let commands = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    let mut commands: Vec<_> =
        commands.filter(|l| l.starts_with("  ") && !l.starts_with("   ")).filter_map(|l| l.split_whitespace().next()).collect();
    commands.retain(|c| *c != "help");
    assert!(commands.len() >= 7, "{help}");
    let readme = text("README.md");
    let table: Vec<_> = readme
        .lines()
        .skip_while(|l| !l.starts_with("| command |"))
        .skip(2)
        .take_while(|l| l.starts_with('|'))
        .filter_map(|l| l.split('`').nth(1))
        .collect();
    assert_eq!(table, commands);
}

#[test]
fn every_event_and_field_that_comes_out_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let mut capture = short_game();
    for (i, entry) in [r#"{"do":"stop"}"#, r#"{"do":"result","result":"1-0","reason":"resigned","who":"arbiter"}"#].iter().enumerate() {
        capture += &format!("{} ! {entry}\n", 30_000 + i);
    }
    let path = file(folder.path(), "a.cap", capture);
    let (_, out, _) = run(&["replay", "--format", "events", path.to_str().unwrap()]);
    let described = text("docs/events.md");
    // What any event may have is in the table before the types.
    let every: Vec<&str> = described
        .lines()
        .skip_while(|l| !l.starts_with("## Every event"))
        .take_while(|l| !l.starts_with("## Types"))
        .filter_map(|l| l.strip_prefix("| `")?.split('`').next())
        .collect();
    let mut types = std::collections::BTreeSet::new();
    for line in out.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        let kind = event["type"].as_str().unwrap();
        types.insert(kind.to_owned());
        let row = described
            .lines()
            .find(|l| l.starts_with(&format!("| `{kind}` |")))
            .unwrap_or_else(|| panic!("docs/events.md has no row for {kind}"));
        for field in event.as_object().unwrap().keys().filter(|f| !every.contains(&f.as_str())) {
            assert!(row.contains(&format!("`{field}`")) || kind == "ruling", "docs/events.md does not say that {kind} has {field}");
        }
    }
    assert!(types.len() >= 7, "{types:?}");
}

#[test]
fn the_map_of_captures_describes_every_header_line() {
    let described = text("docs/events.md");
    for key in [
        "rules",
        "play",
        "supervision",
        "time-control",
        "default-time",
        "clock-white",
        "start-fen",
        "board",
        "recorded-at",
        "start-at",
        "lang",
    ] {
        assert!(described.contains(&format!("| `{key}` |")), "{key}");
    }
}
