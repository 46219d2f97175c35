//! Two games recorded from real boards, when they are at hand in `../shared/captures`: every move as it was played.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The recording's text and what was played, or a line that says why not.
fn recording(name: &str, moves: &str) -> Option<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/captures");
    let recording = folder.join(name);
    match std::fs::read_to_string(folder.join(moves)) {
        Ok(moves) if recording.exists() => Some((recording, moves)),
        _ => {
            println!("skipped: {} is not here", recording.display());
            None
        }
    }
}

/// The words of numbered movetext without numbers and result.
fn words(moves: &str) -> Vec<&str> {
    moves.split_whitespace().filter(|w| !w.ends_with('.') && !["*", "1-0", "0-1", "1/2-1/2"].contains(w)).collect()
}

/// As the recording says it, and as a capture with the header lines that are known about it.
fn events(recording: &Path, header: &[(&str, &str)]) -> Vec<serde_json::Value> {
    let folder = tempfile::tempdir().unwrap();
    let capture = flagfall_capture::inbytes::to_capture(&std::fs::read(recording).unwrap(), header).unwrap();
    let path = folder.path().join("game.cap");
    std::fs::write(&path, capture).unwrap();
    replay(&path)
}

fn replay(path: &Path) -> Vec<serde_json::Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall")).args(["replay", "--format", "events"]).arg(path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn of_type<'a>(events: &'a [serde_json::Value], kind: &str) -> Vec<&'a serde_json::Value> {
    events.iter().filter(|e| e["type"] == kind).collect()
}

/// Every move in order, each completed once by a press, none left over.
fn played_exactly(events: &[serde_json::Value], field: &str, expected: &[&str]) {
    let completed = of_type(events, "move-completed");
    let found: Vec<_> = completed.iter().map(|e| e[field].as_str().unwrap()).collect();
    assert_eq!(found, expected);
    for (i, event) in completed.iter().enumerate() {
        assert_eq!((&event["ply"], &event["how"], &event["legal"]), (&(i + 1).into(), &"press".into(), &true.into()), "{event}");
        assert!(event["clock"]["white_ms"].is_i64() && event["clock"]["black_ms"].is_i64(), "{event}");
    }
    let last_made = of_type(events, "move-made").iter().filter_map(|e| e["ply"].as_u64()).max();
    assert_eq!(last_made, Some(expected.len() as u64), "a move was made that nobody played");
}

#[test]
fn an_unfinished_blitz_game_comes_out_move_for_move() {
    let Some((recording, moves)) = recording("dgtdriver-1.inbytes", "dgtdriver-1.uci") else { return };
    let expected = words(&moves);
    assert_eq!(expected.len(), 57);
    let known = events(&recording, &[("time-control", "180+2"), ("clock-white", "left")]);
    played_exactly(&known, "uci", &expected);
    assert!(of_type(&known, "result").is_empty());
    // Without any hint, as the recording is read directly.
    played_exactly(&replay(&recording), "uci", &expected);
}

#[test]
fn a_game_that_ends_by_the_kings_comes_out_with_its_result_and_no_further_move() {
    let Some((recording, moves)) = recording("dgtdriver-johan.inbytes", "dgtdriver-johan.pgn") else { return };
    let expected = words(&moves);
    assert_eq!(expected.len(), 43);
    let known = events(&recording, &[("time-control", "300+5"), ("clock-white", "left")]);
    for events in [known, replay(&recording)] {
        played_exactly(&events, "san", &expected);
        let results: Vec<_> = of_type(&events, "result").iter().map(|e| (e["result"].clone(), e["source"].clone())).collect();
        assert_eq!(results, [("1-0".into(), "kings".into())]);
        assert!(of_type(&events, "clock").iter().any(|e| e["flag"] == "black"), "Black's flag fell");
    }
}

/// The recordings tell no times: whatever passes between two messages, the moves are the same.
#[test]
fn at_an_even_pace_of_any_length_the_games_come_out_move_for_move() {
    for (name, moves, field, control) in
        [("dgtdriver-1.inbytes", "dgtdriver-1.uci", "uci", "180+2"), ("dgtdriver-johan.inbytes", "dgtdriver-johan.pgn", "san", "300+5")]
    {
        let Some((recording, moves)) = recording(name, moves) else { return };
        let known = [("time-control", control), ("clock-white", "left")];
        let capture = flagfall_capture::inbytes::to_capture(&std::fs::read(&recording).unwrap(), &known).unwrap();
        for between in [60, 220, 900] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("game.cap");
            std::fs::write(&path, evenly(&capture, between)).unwrap();
            played_exactly(&replay(&path), field, &words(&moves));
        }
    }
}

/// The same lines, each so many milliseconds after the one before.
fn evenly(capture: &str, between: u64) -> String {
    let mut at = 0;
    let paced = capture.lines().map(|line| match line.split_once(' ').filter(|(first, _)| first.parse::<u64>().is_ok()) {
        Some((_, rest)) => {
            at += between;
            format!("{at} {rest}\n")
        }
        None => format!("{line}\n"),
    });
    paced.collect()
}

#[test]
fn the_games_come_out_as_pgn() {
    let Some((recording, _)) = recording("dgtdriver-johan.inbytes", "dgtdriver-johan.pgn") else { return };
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall")).args(["replay", "--format", "pgn"]).arg(&recording).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&format!("[Capture \"{}\"]", recording.display())), "{text}");
    assert!(text.contains("[Result \"1-0\"]") && text.trim_end().ends_with("1-0"), "{text}");
}
