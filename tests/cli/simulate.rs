//! `flagfall simulate` from outside: exit codes, captures that are the same for the same seed and read by `flagfall replay`; and games in a row
//! on one board, by players with habits, through the simulator and the game.
use assert_cmd::Command;
use std::fs;
use std::path::Path;

const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 1-0\n";

fn flagfall() -> Command {
    Command::cargo_bin("flagfall").expect("the program is built")
}

fn simulate(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = flagfall().current_dir(folder).arg("simulate").args(arguments).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("game.pgn"), GAME).expect("written");
    folder
}

#[test]
fn the_same_seed_writes_the_same_capture_and_another_one_another() {
    let folder = folder();
    let capture = |seed: &str| simulate(folder.path(), &["--pgn", "game.pgn", "--hands", "human", "--seed", seed, "--capture", "-"]).1;
    assert!(capture("7").starts_with("# flagfall-capture 1\n"));
    assert_eq!(capture("7"), capture("7"));
    assert_ne!(capture("7"), capture("8"));
}

#[test]
fn a_simulated_capture_replays_to_its_moves() {
    let folder = folder();
    let (code, said, _) = simulate(folder.path(), &["--pgn", "game.pgn", "--hands", "clean", "--capture", "game.cap"]);
    assert!(code == 0 && said.contains("A - B, 10 plies"), "{said}");
    let output = flagfall().current_dir(folder.path()).args(["replay", "game.cap", "--format", "pgn"]).output().expect("runs");
    let pgn = String::from_utf8_lossy(&output.stdout).into_owned();
    // Lines break where they are full.
    let pgn = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(output.status.success() && pgn.contains("5. O-O") && pgn.contains("Be7"), "{pgn}");
}

#[test]
fn many_people_tell_what_they_did() {
    let folder = folder();
    let played = |seed: &str| {
        let arguments = ["--pgn", "game.pgn", "--people", "blitz", "--seed", seed, "--capture", "game.cap", "--truth", "truth.json"];
        let (code, said, error) = simulate(folder.path(), &arguments);
        assert!(code == 0 && said.contains("many people's blitz hands"), "{said}{error}");
        let read = |name| fs::read_to_string(folder.path().join(name)).expect("written");
        (read("game.cap"), read("truth.json"))
    };
    let (capture, truth) = played("3");
    assert_eq!((capture.clone(), truth.clone()), played("3"));
    assert!(truth != played("5").1 && capture.contains("# play: blitz"));
    let truth: serde_json::Value = serde_json::from_str(truth.trim()).expect("one JSON line");
    assert_eq!((&truth["people"], &truth["clock_white"], &truth["time_control"]), (&"blitz".into(), &"left".into(), &"180+2".into()));
    assert_eq!((truth["moves"].as_array().map(Vec::len), truth["plies"].as_array().map(Vec::len)), (Some(10), Some(10)));
    let castled = &truth["plies"][8];
    assert!(castled["castled"].is_string() && castled["touches"].as_array().is_some_and(|touches| touches.len() >= 4), "{castled}");
    assert!(castled["lifted"].as_u64() < castled["dropped"].as_u64() && castled["dropped"].as_u64() < castled["press"].as_u64());
    let (code, _, error) = simulate(folder.path(), &["--pgn", "game.pgn", "--people", "blitz", "--hands", "human", "--capture", "-"]);
    assert!(code == 64 && error.contains("--people"), "{error}");
}

#[test]
fn bad_input_is_one_line_with_the_remedy_and_its_exit_code() {
    let folder = folder();
    fs::write(folder.path().join("bad.pgn"), "1.e4 e5 2.Ke3 *\n").expect("written");
    fs::write(folder.path().join("letter.txt"), "Dear Sir\n").expect("written");
    let cases: [(&[&str], i32, &str); 8] = [
        (&["--pgn", "none.pgn"], 66, "no such file"),
        (&["--pgn", "bad.pgn"], 65, "2. Ke3 is not legal"),
        (&["--pgn", "letter.txt"], 65, "no game"),
        (&["--pgn", "game.pgn", "--game", "2"], 64, "from 1 to 1"),
        (&["--pgn", "game.pgn", "--incident", "kings@11"], 64, "10 plies"),
        (&["--pgn", "game.pgn", "--speed", "0"], 64, "above 0"),
        (&["--pgn", "game.pgn", "--link", "letter.txt"], 64, "another path"),
        (&["--pgn", "game.pgn", "--capture", "none/game.cap"], 74, "create it first"),
    ];
    for (arguments, code, text) in cases {
        let (got, said, error) = simulate(folder.path(), arguments);
        assert_eq!((got, error.lines().count()), (code, 1), "{arguments:?}: {error}");
        assert!(error.contains(text) && said.is_empty(), "{arguments:?}: {error}");
    }
}

#[test]
fn an_unknown_incident_is_answered_with_the_names() {
    let (code, _, error) = simulate(folder().path(), &["--pgn", "game.pgn", "--incident", "sneeze@3"]);
    assert!(code == 64 && error.contains("knock-over"), "{error}");
}

#[test]
fn games_in_a_row_are_one_capture_with_what_was_played_in_each() {
    let folder = folder();
    let row = ["--pgn", "game.pgn", "--games", "3", "--habits", "people", "--seed", "4", "--capture", "-"];
    let (code, capture, _) = simulate(folder.path(), &row);
    let played = |n: &str| capture.lines().any(|line| line.starts_with(&format!("# played{n}: e2e4 e7e5")));
    assert!(code == 0 && played("") && played(" in game 2") && played(" in game 3"), "{capture}");
    assert_eq!(simulate(folder.path(), &row).1, capture);
}
