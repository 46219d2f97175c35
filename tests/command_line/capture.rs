//! `flagfall capture --share` and `flagfall replay --against`: what is sent in, and how well it is read.
use super::{file, run, short_game};
use serde_json::Value;
use std::path::Path;

/// The game with everything in it that must not be sent: names, a serial number in two portions and one that lost its beginning, a text for the clock.
fn personal() -> String {
    let game = short_game();
    let (header, lines) = game.split_once("0 = up\n").unwrap();
    let header = format!("{header}# white: Ann Example\n# recorded by: Somebody\n# link: rfcomm:00:06:66:12:34:56\n");
    let serial = "10 < 91 00 08 34 38\n11 < 33 31 37\n12 < a2 00 0d 33 2e 34 38 33 31 37 39 39 39\n13 < 34 38 33 31 37\n";
    let entry = "! {\"do\":\"result\",\"result\":\"1-0\",\"who\":\"Ann\",\"note\":\"Bob was late\",\"reason\":\"Bob left\"}";
    let sent = "0 > 40\n0 > 2b 0a 03 01 41 6e 6e 20 45 00\n";
    let (before, last) = lines.trim_end().rsplit_once('\n').unwrap();
    let last_at: u64 = last.split(' ').next().unwrap().parse().unwrap();
    format!("{header}{sent}0 = up\n{serial}{before}\n{} {entry}\n{last}\n", last_at - 1)
}

fn shared(path: &Path) -> String {
    let (code, out, err) = run(&["capture", "--share", path.to_str().unwrap(), "-o", "-"]);
    assert_eq!((code, err.as_str()), (0, ""));
    out
}

/// Events without what must differ: the board's name and time of day, its serial number and link, free words.
fn events(path: &Path) -> Vec<Value> {
    let (code, out, err) = run(&["replay", "--format", "events", path.to_str().unwrap()]);
    assert_eq!((code, err.as_str()), (0, ""));
    let bare = |line: &str| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        for key in ["at", "board", "serial", "link", "who", "note", "reason", "entry"] {
            event.as_object_mut().unwrap().remove(key);
        }
        event
    };
    out.lines().map(bare).collect()
}

#[test]
fn what_is_shared_replays_the_same_and_holds_nothing_personal() {
    let folder = tempfile::tempdir().unwrap();
    let original = file(folder.path(), "ann-vs-bob.cap", personal());
    let text = shared(&original);
    // Whoever reads it finds neither the words nor the bytes.
    for word in ["Ann", "Bob", "Somebody", "2026", "66:12", "34 38 33 31 37", "34 38\n", "33 31 37", "41 6e 6e", " > "] {
        assert!(!text.contains(word), "{word}:\n{text}");
    }
    assert!(text.contains("# moves: 1. e4 e5 2. Nf3\n# played:\n"), "{text}");
    assert!(text.contains("# link: rfcomm\n# "), "{text}");
    let copy = file(folder.path(), "copy.cap", &text);
    assert_eq!(events(&copy), events(&original));
    // Once more changes nothing but the form.
    assert_eq!(shared(&copy), text);
}

/// A folder gives a file each, whose names tell nothing; one that cannot be read does not keep the others from being made.
#[test]
fn a_folder_becomes_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let captures = folder.path().join("captures");
    file(&captures, "bad.cap", "nonsense");
    file(&captures, "hall-2.cap", personal());
    let to = folder.path().join("to-send");
    let (code, out, err) = run(&["capture", "--share", captures.to_str().unwrap(), "-o", to.to_str().unwrap()]);
    assert_eq!(code, 65, "{err}");
    assert!(err.contains("bad.cap:1: not a capture"), "{err}");
    assert!(out.contains("plies read: 3"), "{out}");
    let names: Vec<_> = std::fs::read_dir(&to).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names.len(), 1);
    assert!(names[0].starts_with("recording-") && !names[0].contains("hall"), "{names:?}");
}

/// Of a journal: no day, no key, no board; the moves are those of its own replay.
#[test]
fn a_journal_becomes_a_capture() {
    let journal = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals/three-lives-1.journal");
    let text = shared(&journal);
    for word in ["2026-", "signature", "recorded-at", "who"] {
        assert!(!text.lines().any(|line| line.contains(word)), "{word}");
    }
    let first = text.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(first.starts_with("0 "), "{first}");
    let folder = tempfile::tempdir().unwrap();
    let (_, pgn, _) = run(&["replay", "--format", "pgn", journal.to_str().unwrap()]);
    let pgn = file(folder.path(), "read.pgn", pgn);
    let copy = file(folder.path(), "copy.cap", text);
    let (code, out, err) = run(&["replay", copy.to_str().unwrap(), "--against", pgn.to_str().unwrap()]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
}

fn against(capture: &Path, moves: &Path) -> (i32, Value, String) {
    let (capture, moves) = (capture.to_str().unwrap(), moves.to_str().unwrap());
    let (code, out, err) = run(&["replay", capture, "--against", moves, "--format", "json"]);
    assert_eq!(out.lines().count(), 1, "{out}{err}");
    (code, serde_json::from_str(out.trim()).unwrap(), err)
}

#[test]
fn what_was_played_is_held_against_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let capture = file(folder.path(), "game.cap", short_game());
    let cases: [(&str, bool, [u64; 3], Value); 6] = [
        ("[Event \"?\"]\n\n1. e4 e5 2. Nf3 *\n", true, [0, 0, 0], Value::Null),
        ("e2e4 e7e5 g1f3\n", true, [0, 0, 0], Value::Null),
        ("e2e4 e7e5 g1h3\n", false, [1, 0, 0], serde_json::json!({"ply": 3, "read": "g1f3", "played": "g1h3"})),
        ("e2e4 e7e5 g1f3 b8c6\n", false, [0, 1, 0], serde_json::json!({"ply": 4, "read": null, "played": "b8c6"})),
        ("1. e4 e5 *\n", false, [0, 0, 1], serde_json::json!({"ply": 3, "read": "g1f3", "played": null})),
        ("e2e4 e7e6 e4e5 c7c5 g1f3\n", false, [1, 2, 0], serde_json::json!({"ply": 2, "read": "e7e5", "played": "e7e6"})),
    ];
    for (i, (moves, exact, counts, first)) in cases.into_iter().enumerate() {
        let moves_in = file(folder.path(), &format!("{i}.txt"), moves);
        let (code, row, err) = against(&capture, &moves_in);
        assert_eq!((code, row["exact"].as_bool()), (i32::from(!exact), Some(exact)), "{moves}: {row} {err}");
        assert_eq!(["completed_wrong", "missing", "surplus"].map(|key| row[key].as_u64().unwrap()), counts, "{moves}: {row}");
        assert_eq!(row["first_difference"], first, "{moves}");
        assert_eq!(row["findings"], serde_json::json!([]), "{moves}");
        assert_eq!(row["press_to_completed_ms"], serde_json::json!({"median": 0, "longest": 0}), "{moves}");
        assert!(exact || err.contains("1 of 1 game not read as played"), "{err}");
    }
}

#[test]
fn a_recording_says_itself_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let original = file(folder.path(), "original.cap", short_game());
    let text = shared(&original);
    let named = |name: &str, played: &str| file(folder.path(), name, text.replace("# played:", &format!("# played: {played}")));
    let played = |path: &Path| run(&["replay", path.to_str().unwrap(), "--against", "played"]);
    let (code, out, _) = played(&named("right.cap", "1. e4 e5 2. g1f3"));
    assert_eq!((code, out.contains("game 1: 3 plies, exact; findings: none")), (0, true), "{out}");
    let (code, out, err) = played(&named("other.cap", "e4 e5 Nh3"));
    assert_eq!((code, out.contains("not exact: ply 3 is read as g1f3, played was g1h3")), (1, true), "{out}{err}");
    for (name, moves, words) in [
        ("empty.cap", "", "game 1: nothing stands behind its `# played:`"),
        ("impossible.cap", "e4 Ke4", "ply 2: Ke4 is not legal there"),
        ("words.cap", "to follow", "\"to\" is no move"),
    ] {
        let (code, out, err) = played(&named(name, moves));
        assert_eq!((code, out.as_str()), (65, ""), "{name}");
        assert!(err.contains(words), "{err}");
    }
    let (code, _, err) = played(&original);
    assert!(code == 65 && err.contains("it does not say what was played"), "{err}");
}

#[test]
fn what_cannot_be_compared_is_a_wrong_command_line() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.cap", "b.cap"] {
        file(folder.path(), name, short_game());
    }
    let moves = file(folder.path(), "moves.txt", "e2e4 e7e5 g1f3\n");
    let (all, moves) = (folder.path().to_str().unwrap(), moves.to_str().unwrap());
    for args in [&["--format", "json"][..], &["--against", moves, "--format", "pgn"], &["--against", moves]] {
        let (code, out, _) = run(&[&["replay", all][..], args].concat());
        assert_eq!((code, out.as_str()), (64, ""), "{args:?}");
    }
    assert_eq!(run(&["replay", all, "--against", "nowhere.pgn"]).0, 66);
}
