//! `flagfall check`: what a configuration comes to.
use super::{file, run};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/flagfall.toml");

#[test]
fn what_check_prints_is_a_configuration_that_comes_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (code, first, complaints) = run(&["check", EXAMPLE]);
    assert_eq!((code, complaints.as_str()), (0, ""));
    let again = file(folder.path(), "again.toml", &first);
    let (code, second, _) = run(&["check", again.to_str().unwrap()]);
    assert_eq!(code, 0);
    let body = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(body(&first), body(&second));
    assert!(first.contains("time_control = \"40/5400+30:1800+30\""), "{first}");
}

#[test]
fn unwise_settings_are_told_and_are_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "f.toml", "play = \"blitz\"\ntime_control = \"5400+30\"\n");
    let (code, out, err) = run(&["check", path.to_str().unwrap()]);
    assert_eq!(code, 0);
    assert!(out.contains("play = \"blitz\""), "{out}");
    assert!(err.starts_with("unwise: ") && err.contains("standard by the Laws"), "{err}");
}

#[test]
fn every_mistake_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "f.toml", "rules = \"house\"\n\n[web]\nport = 80\n");
    let path = path.to_str().unwrap();
    let (code, out, err) = run(&["check", path]);
    assert_eq!((code, out.as_str()), (78, ""));
    assert!(err.contains(&format!("{path}:1: rules: expected fide-2023")), "{err}");
    assert!(err.contains(&format!("{path}:4: web.port: there is no such key")), "{err}");
}

#[test]
fn a_pairing_list_that_cannot_be_read_is_told_and_is_bad_data() {
    let folder = tempfile::tempdir().unwrap();
    file(folder.path(), "round-1.csv", "table,white\n1,Anand\n");
    let path = file(folder.path(), "f.toml", "[event]\npairings = \"round-1.csv\"\n");
    let (code, out, err) = run(&["check", path.to_str().unwrap()]);
    assert_eq!(code, 65, "{err}");
    assert!(out.contains("pairings = ") && err.contains("round-1.csv") && err.contains("not the list of pairings"), "{out}{err}");
}

/// The keys that may stand in this table, by the complaint about one that may not.
fn keys(table: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "f.toml", format!("{table}\ncolour = 1\n"));
    let (code, _, err) = run(&["check", path.to_str().unwrap()]);
    assert_eq!(code, 78);
    let (_, list) = err.split_once("there is no such key; expected one of ").unwrap_or_else(|| panic!("{table}: {err}"));
    list.lines().next().unwrap().split(", ").map(str::to_owned).collect()
}

#[test]
fn every_key_stands_in_the_example_with_its_meaning() {
    let example = std::fs::read_to_string(EXAMPLE).unwrap();
    let lines: Vec<_> = example.lines().map(|l| l.strip_prefix("#: ").or_else(|| l.strip_prefix("#or: ")).unwrap_or(l)).collect();
    let section = |line: &str| line.starts_with('[').then(|| line.trim_matches(['[', ']']).to_owned());
    let of = |wanted: &str| {
        let mut here = String::new();
        let mut found = Vec::new();
        for line in &lines {
            here = section(line).unwrap_or(here);
            if here == wanted
                && let Some((key, _)) = line.split_once(" = ")
            {
                found.push(key.to_owned());
            }
        }
        found
    };
    let (mut looked, mut missing) = (0, Vec::new());
    let top = keys("");
    for key in &top {
        let Some(table) = lines.iter().find(|l| section(l).is_some_and(|name| name == *key)) else {
            if !of("").contains(key) {
                missing.push(key.clone());
            }
            continue;
        };
        // What holds for every board is told at the top.
        for inner in keys(table).iter().filter(|inner| !(key == "board" && top.contains(inner))) {
            looked += 1;
            if !of(key).contains(inner) {
                missing.push(format!("{key}.{inner}"));
            }
        }
    }
    assert!(missing.is_empty(), "docs/flagfall.toml says nothing of {missing:?}");
    assert!(looked > 40, "{looked}");
}
