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
