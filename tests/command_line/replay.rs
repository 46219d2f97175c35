//! `flagfall replay`: order, determinism, and what a bad file costs.
use super::{file, run, short_game};
use std::path::Path;

fn replay(format: &str, jobs: &str, paths: &[&Path]) -> (i32, String, String) {
    let mut args = vec!["replay", "--format", format, "--jobs", jobs];
    args.extend(paths.iter().map(|p| p.to_str().unwrap()));
    run(&args)
}

/// `board` of every event, in order, without repetitions.
fn boards(events: &str) -> Vec<String> {
    let mut boards: Vec<_> =
        events.lines().map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["board"].as_str().unwrap().to_owned()).collect();
    boards.dedup();
    boards
}

#[test]
fn output_is_the_same_whatever_jobs_is() {
    let folder = tempfile::tempdir().unwrap();
    for i in 0..12 {
        // Longer ones first, so that threads finish out of order.
        let repeats = if i % 2 == 0 { "# padding\n".repeat(50_000) } else { String::new() };
        file(folder.path(), &format!("{i:02}.cap"), short_game() + &repeats);
    }
    for format in ["events", "pgn", "text"] {
        let one = replay(format, "1", &[folder.path()]);
        let four = replay(format, "4", &[folder.path()]);
        assert_eq!(one, four, "{format}");
        assert_eq!((one.0, one.2.as_str()), (0, ""), "{format}");
    }
}

#[test]
fn folders_are_read_in_path_order_and_arguments_in_theirs() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b/2.cap", "b/1.cap", "a/9.cap", "c.cap", "b/notes.txt"] {
        file(folder.path(), name, short_game());
    }
    let (code, out, err) = replay("events", "2", &[&folder.path().join("c.cap"), folder.path()]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(boards(&out), ["c", "9", "1", "2", "c"]);
}

#[test]
fn events_are_numbered_from_one_and_carry_the_captures_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "one.cap", short_game());
    let (_, out, _) = replay("events", "1", &[&path]);
    assert!(!out.is_empty());
    let mut last = 0;
    for (i, line) in out.lines().enumerate() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(event["seq"], i + 1);
        let t = event["t"].as_u64().unwrap();
        assert!(t >= last && t <= 15_000, "{line}");
        assert_eq!(event["at"], format!("2026-11-21T15:00:{:02}{}Z", t / 1000, fraction(t)), "{line}");
        last = t;
    }
}

/// `.25` for 250 ms: zeros at the end are not printed.
fn fraction(t: u64) -> String {
    match t % 1000 {
        0 => String::new(),
        ms => format!(".{ms:03}").trim_end_matches('0').to_owned(),
    }
}

#[test]
fn what_stands_before_a_malformed_line_is_replayed_and_nothing_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let whole = short_game();
    let cut = whole.lines().position(|l| l.starts_with("5500 ")).unwrap();
    let broken: String =
        whole.lines().enumerate().map(|(i, l)| if i == cut { "5500 < 8e 0x\n".into() } else { format!("{l}\n") }).collect();
    let before: String = whole.lines().take(cut).map(|l| format!("{l}\n")).collect();
    let bad = file(folder.path(), "x/game.cap", broken);
    let good = file(folder.path(), "y/game.cap", before);
    let (code, out, err) = replay("events", "1", &[&bad]);
    assert_eq!(code, 65);
    assert!(err.contains(&format!("{}:{}: ", bad.display(), cut + 1)) && err.contains("not hex"), "{err}");
    assert_eq!(out, replay("events", "1", &[&good]).1);
    assert!(out.contains("\"e2e4\""), "{out}");
    assert!(!out.contains("\"g1f3\""), "{out}");
}

#[test]
fn one_bad_file_among_many_costs_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    for i in 0..9 {
        file(folder.path(), &format!("{i}.cap"), if i == 4 { String::from("rubbish\n") } else { short_game() });
    }
    let (code, out, err) = replay("events", "3", &[folder.path()]);
    assert_eq!(code, 65);
    assert_eq!(boards(&out), ["0", "1", "2", "3", "5", "6", "7", "8"]);
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.contains("4.cap:1: "), "{err}");
}

#[test]
fn the_timeline_has_a_line_for_each_move_made_and_completed() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "one.cap", short_game());
    let (code, out, _) = run(&["replay", path.to_str().unwrap()]);
    assert_eq!(code, 0);
    for word in ["made       1. e4", "completed  1. e4", "completed  1… e5", "completed  2. Nf3", "the board is lost"] {
        assert!(out.contains(word), "{word}: {out}");
    }
}
