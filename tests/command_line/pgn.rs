//! `flagfall pgn check`.
use super::{file, run};
use serde_json::Value;

const WHOLE: &str = "[White \"Ada\"]\n[Black \"Bob\"]\n[Round \"1.1\"]\n[TimeControl \"180+2\"]\n\n\
                     1. e4 {[%clk 0:03:00] [%emt 0:00:04]} e5 {[%clk 0:03:01] [%emt 0:00:03]} 2. Nf3 {[%clk 0:02:52] [%emt 0:00:10]} *\n";
const HOLES: &str = "[White \"Eve\"]\n[Black \"Dan\"]\n[Round \"1.2\"]\n[TimeControl \"180+2\"]\n\n\
                     1. e4 {[%clk 0:03:00] [%emt 0:00:04]} e5 2. Nf3 {[%clk 0:02:52] [%emt 0:00:20]} Nc6 {[%clk 0:02:59]} *\n";

#[test]
fn holes_and_contradictions_are_counted_and_named_game_by_game() {
    let folder = tempfile::tempdir().unwrap();
    let whole = file(folder.path(), "whole.pgn", WHOLE);
    let (code, out, err) = run(&["pgn", "check", whole.to_str().unwrap()]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let path = file(folder.path(), "round/games.pgn", format!("{WHOLE}\n{HOLES}\n1. d4 d5 *\n"));
    let (code, out, _) = run(&["pgn", "check", folder.path().to_str().unwrap()]);
    let name = path.display();
    assert_eq!(
        out,
        format!(
            "{name}:2 Eve - Dan (1.2): 4 plies; 1 without %clk (1... e5); 2 without %emt (1... e5, 2... Nc6); \
             2. Nf3: %emt 0:20, but by %clk it was 0:10\n\
             1 of 4 games in 2 files in trouble: 10 plies, 1 without %clk (10.0 %), 2 without %emt (20.0 %), 1 contradiction; \
             1 game without any clock\n"
        )
    );
    assert_eq!(code, 1);
    let (code, out, _) = run(&["pgn", "check", "--within", "10", "--format", "json", path.to_str().unwrap()]);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &told["sum"]["contradictions"], &told["sum"]["games"]), (1, &Value::from(0), &Value::from(3)));
    assert_eq!(told["games"][1]["without_clk"], serde_json::json!([{ "ply": 2, "move": "1... e5" }]));
}

#[test]
fn what_is_no_pgn_is_told_and_the_other_files_are_still_checked() {
    let folder = tempfile::tempdir().unwrap();
    let empty = file(folder.path(), "empty.pgn", "");
    let cut = file(folder.path(), "cut.pgn", "1. e4 {[%clk 0:03:00] and no end");
    let other = file(folder.path(), "other.pgn", [0xFF, 0x00, 0x80, b'\n', b'1', b'.', b' ', b'e', b'4']);
    let whole = file(folder.path(), "whole.pgn", WHOLE);
    let paths = [&empty, &cut, &other, &whole].map(|path| path.to_str().unwrap());
    let (code, out, err) = run(&[&["pgn", "check"], paths.as_slice()].concat());
    assert!(code == 65 && err.contains("cut.pgn: game 1 cannot be read: unterminated comment"), "{code} {err}");
    assert!(out.starts_with("0 of 2 games in 4 files in trouble: 3 plies, "), "{out}");
    let text = file(folder.path(), "text.pgn", "This is\nno game.\n");
    let (code, out, err) = run(&["pgn", "check", text.to_str().unwrap(), paths[3]]);
    assert!(code == 65 && err.contains("text.pgn: ") && err.contains("this is no PGN"), "{code} {err}");
    assert!(out.contains("of 1 game "), "the other one is checked: {out}");
    let (code, _, err) = run(&["pgn", "check", "/nowhere.pgn", paths[3]]);
    assert_eq!(code, 66, "{err}");
    assert!(err.contains("/nowhere.pgn: there is no such file"), "{err}");
    assert_eq!(run(&["pgn", "check"]).0, 64);
}
