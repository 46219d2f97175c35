//! Every `tests/captures/NAME.cap` gives the events in `NAME.events` beside it, byte for byte, and the moves that its header says were played.
//!
//! They come from `flagfall simulate --pgn src/simulator/games.pgn … --capture FILE`; the header says with which hands and seed.
//! To bless what the program says now, after looking at the difference: `FLAGFALL_BLESS=1 cargo test --test cli captures`.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::path::{Path, PathBuf};
use std::{env, fs, process::Command};

fn captures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures");
    let mut found: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "cap"))
        .collect();
    found.sort();
    found
}

fn events(capture: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall")).args(["replay", "--format", "events"]).arg(capture).output().unwrap();
    assert!(output.status.success(), "{}: {}", capture.display(), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_capture_gives_its_expected_events() {
    let bless = env::var_os("FLAGFALL_BLESS").is_some_and(|v| v == "1");
    let mut differing = Vec::new();
    for capture in captures() {
        let expected_in = capture.with_extension("events");
        let found = events(&capture);
        if bless {
            fs::write(&expected_in, &found).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&expected_in).unwrap_or_default();
        if found != expected {
            let line = found
                .lines()
                .zip(expected.lines())
                .position(|(f, e)| f != e)
                .unwrap_or_else(|| found.lines().count().min(expected.lines().count()));
            let at = |text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_owned();
            differing.push(format!("{}:{}\n  expected {}\n  found    {}", expected_in.display(), line + 1, at(&expected), at(&found)));
        }
    }
    assert!(differing.is_empty(), "{}\nIf that is right: FLAGFALL_BLESS=1 cargo test --test cli captures", differing.join("\n"));
}

#[test]
fn every_capture_gives_the_moves_that_were_played() {
    assert!(!captures().is_empty());
    for capture in captures() {
        let header = fs::read_to_string(&capture).unwrap();
        let Some(played) = header.lines().find_map(|l| l.strip_prefix("# played: ")) else { continue };
        let events = events(&capture);
        let events = events.lines().map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
        let mut completed: Vec<_> = events.filter(|e| e["type"] == "move-completed").collect();
        // A move that only its player's next one completes comes after the opponent's.
        completed.sort_by_key(|e| e["ply"].as_u64());
        let completed: Vec<_> = completed.iter().map(|e| e["uci"].as_str().unwrap()).collect();
        assert_eq!(completed, played.split_whitespace().collect::<Vec<_>>(), "{}", capture.display());
    }
}

#[test]
fn no_expectation_is_left_without_its_capture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures");
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        assert!(path.extension().is_none_or(|e| e != "events") || path.with_extension("cap").exists(), "{}", path.display());
    }
}
