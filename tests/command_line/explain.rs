//! `flagfall replay --explain`: why a ply was completed as it was.
use super::{file, run, short_game};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures").join(name)
}

fn explain(path: &Path, ply: u32, more: &[&str]) -> (i32, String, String) {
    run(&[&["replay", path.to_str().unwrap(), "--explain", &ply.to_string()], more].concat())
}

fn json(path: &Path, ply: u32, more: &[&str]) -> Value {
    let (code, out, err) = explain(path, ply, &[&["--format", "json"], more].concat());
    assert_eq!((code, err.as_str(), out.lines().count()), (0, "", 1), "ply {ply}: {out}");
    serde_json::from_str(&out).unwrap()
}

/// The events of a recording with this type, of this ply.
fn events(path: &Path, kind: &str, ply: u32) -> Vec<Value> {
    let (_, out, _) = run(&["replay", "--format", "events", path.to_str().unwrap()]);
    let all = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|event| event["type"] == kind && event["ply"] == ply).collect()
}

fn sum(parts: &Value) -> f64 {
    parts.as_object().unwrap().values().map(|part| part.as_f64().unwrap()).sum()
}

#[test]
fn every_ply_of_a_game_is_explained_by_its_own_events_and_prices_that_add_up() {
    let capture = kept("human-mate.cap");
    for ply in 1..=24 {
        let told = json(&capture, ply, &[]);
        let completed = &events(&capture, "move-completed", ply)[0];
        for key in ["by", "uci", "san", "legal", "game"] {
            assert_eq!(told[key], completed[key], "ply {ply}: {key}");
        }
        for key in ["t", "seq", "how"] {
            assert_eq!(told["completed"][key], completed[key], "ply {ply}: {key}");
        }
        assert!(told["pressed"]["seq"].as_u64() < completed["seq"].as_u64(), "ply {ply}: {told}");
        let names: Vec<_> =
            told["moments"].as_array().unwrap().iter().flat_map(|moment| moment["of"].as_array().unwrap().clone()).collect();
        assert_eq!(names, ["press", "decision"], "ply {ply}");
        for moment in told["moments"].as_array().unwrap() {
            let estimate = &moment["estimate"];
            let readings = estimate["readings"].as_array().unwrap();
            assert!((1..=10).contains(&readings.len()) && readings[0]["dearer"] == 0.0, "ply {ply}: {readings:?}");
            assert!(estimate["same_up_to"].as_u64().unwrap() < u64::from(ply), "ply {ply}");
            for one in readings {
                // Every number is a whole multiple of 1/1024: the sums are exact.
                assert_eq!(sum(&one["cost_by_part"]), one["cost"].as_f64().unwrap(), "ply {ply}: {one}");
                assert_eq!(sum(&one["dearer_by_part"]), one["dearer"].as_f64().unwrap(), "ply {ply}: {one}");
            }
            let rival = readings.iter().find(|one| one["rival"] == true);
            let lead = estimate["leads"].as_array().unwrap().iter().find(|lead| lead["ply"] == ply);
            if let (Some(rival), Some(lead)) = (rival, lead) {
                assert_eq!(rival["dearer"], lead["lead"], "ply {ply}");
            }
        }
        let last = told["moments"].as_array().unwrap().last().unwrap();
        if told["decided_by"] == "estimate" {
            let best = &last["estimate"]["readings"][0]["plies"];
            assert!(best.as_array().unwrap().iter().any(|one| one["ply"] == ply && one["uci"] == told["uci"]), "ply {ply}: {best}");
        }
    }
}

#[test]
fn the_text_is_a_page_that_names_what_decided() {
    let capture = kept("human-mate.cap");
    for ply in [3, 10, 19] {
        let (code, out, err) = explain(&capture, ply, &[]);
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.lines().all(|line| line.chars().count() <= 100 || line.starts_with(capture.to_str().unwrap())), "{out}");
        let told = json(&capture, ply, &[]);
        let flat = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(told["why"].as_str().unwrap()), "{flat}");
        assert!(flat.contains("A nat is a factor of 2.7 in likelihood"), "{flat}");
        assert!(
            out.contains(&format!("  completed  {:>11}  (event {}), by its press", stamp(&told["completed"]), told["completed"]["seq"])),
            "{out}"
        );
        assert!(
            out.lines().any(|line| line.starts_with("     dearer")) && out.lines().any(|line| line.starts_with("  1     0.0")),
            "{out}"
        );
    }
}

/// `0:00:13.798`.
fn stamp(at: &Value) -> String {
    let ms = at["t"].as_u64().unwrap();
    format!("{}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

/// The estimate of a game that is over is what it was when it ended.
#[test]
fn a_mate_needs_no_press() {
    let told = json(&kept("human-mate.cap"), 25, &[]);
    assert_eq!((&told["decided_by"], &told["pressed"], &told["completed"]["how"]), (&"game-end".into(), &Value::Null, &"game-end".into()));
    assert!(told["why"].as_str().unwrap().starts_with("Nf7# was completed without a press: it ended the game."), "{told}");
    let best = &told["moments"][0]["estimate"]["readings"][0]["plies"];
    assert_eq!(best.as_array().unwrap().last().unwrap()["san"], "Nf7#", "{best}");
}

#[test]
fn a_board_that_does_not_know_its_pieces_is_explained_too() {
    let (code, out, _) = explain(&kept("occupancy.cap"), 3, &[]);
    assert_eq!(code, 0);
    assert!(out.contains("a piece") && !out.contains("white pawn"), "{out}");
    let told = json(&kept("occupancy.cap"), 3, &[]);
    assert_eq!(told["decided_by"], "estimate");
    assert!(told["moments"][0]["estimate"]["readings"].as_array().is_some_and(|readings| readings.len() > 1), "{told}");
    let settled = json(&kept("turned-without-clock.cap"), 5, &[]);
    assert_eq!((&settled["decided_by"], settled["moments"][0]["of"][0].as_str()), (&"settled".into(), Some("decision")));
}

#[test]
fn a_ply_that_is_made_and_never_completed_is_explained_as_it_was_made() {
    let folder = tempfile::tempdir().unwrap();
    // The last press is left out.
    let mut lines: Vec<String> = short_game().lines().map(String::from).collect();
    let press = lines.iter().rposition(|line| line.contains("< 8d")).unwrap();
    lines.remove(press);
    let capture = file(folder.path(), "open.cap", lines.join("\n") + "\n");
    let told = json(&capture, 3, &[]);
    assert_eq!(
        (&told["decided_by"], &told["completed"], told["moments"][0]["of"][0].as_str()),
        (&"nothing".into(), &Value::Null, Some("made"))
    );
    assert!(told["why"].as_str().unwrap().starts_with("Nf3 was made and not completed. When it was made, "), "{told}");
    assert!(explain(&capture, 3, &[]).1.contains("When it was made, 0:00:"), "{told}");
}

#[test]
fn an_illegal_move_is_decided_by_what_stands() {
    let folder = tempfile::tempdir().unwrap();
    // The knight goes to g3, and a dump agrees.
    let mut text = short_game().replace("8e 00 05 2d 03", "8e 00 05 2e 03");
    let end = text.trim_end().rfind('\n').unwrap() + 1;
    let pawns = |gap: usize, piece: &str| (0..8).map(|file| if file == gap { "00" } else { piece }).collect::<Vec<_>>().join(" ");
    let dump = format!(
        "10500 < 86 00 43 08 09 0a 0c 0b 0a 09 08 {}{} 00 00 00 00 07 00 00 00 00 00 00 00 01 00 00 00{} 03 00 {} 02 03 04 06 05 04 00 02\n",
        pawns(4, "07"),
        " 00".repeat(8),
        " 00".repeat(6),
        pawns(4, "01"),
    );
    text.insert_str(end, &dump);
    let told = json(&file(folder.path(), "illegal.cap", text), 3, &[]);
    assert_eq!((&told["legal"], &told["decided_by"], &told["san"]), (&false.into(), &"what-stands".into(), &Value::Null), "{told}");
    assert!(told["why"].as_str().unwrap().contains("by what stands: no legal move explains it"), "{told}");
}

/// Two games: one of three plies, one of one.
#[test]
fn the_last_game_that_has_the_ply_is_meant_unless_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let game = short_game();
    let (header, first) = game.split_once("0 = up\n").unwrap();
    let first: Vec<&str> = first.lines().filter(|line| !line.ends_with("= down")).collect();
    let again = first.iter().take(5).map(|line| {
        let (t, rest) = line.split_once(' ').unwrap();
        format!("{} {rest}", t.parse::<u64>().unwrap() + 30_000)
    });
    let between = "20000 ! {\"do\":\"result\",\"result\":\"1-0\"}";
    let begin = "30500 ! {\"do\":\"new-game\"}";
    let mut lines: Vec<String> = first.iter().map(|line| String::from(*line)).chain([String::from(between)]).collect();
    for (i, line) in again.enumerate() {
        lines.push(line);
        if i == 0 {
            lines.push(String::from(begin));
        }
    }
    let capture = file(folder.path(), "two.cap", format!("{header}0 = up\n{}\n40000 = down\n", lines.join("\n")));
    let game = |ply: u32, more: &[&str]| json(&capture, ply, more)["game"].as_u64();
    assert_eq!((game(1, &[]), game(3, &[]), game(1, &["--game", "1"])), (Some(2), Some(1), Some(1)));
    let (code, _, err) = explain(&capture, 4, &[]);
    assert_eq!(code, 64);
    assert!(err.contains("there is no ply 4: game 1 has 3 plies, game 2 has 1 ply"), "{err}");
    let (code, _, err) = explain(&capture, 2, &["--game", "2"]);
    assert_eq!((code, err.contains("there is no ply 2 of game 2: game 2 has 1 ply")), (64, true), "{err}");
    let (code, _, err) = explain(&capture, 1, &["--game", "7"]);
    assert_eq!((code, err.contains("there is no ply 1 of game 7: game 1 has 3 plies, game 2 has 1 ply")), (64, true), "{err}");
}

/// A kept journal of another version: what it says may not be what this one reads.
#[test]
fn a_journal_is_explained_and_a_replay_that_departs_from_it_is_said() {
    let journal = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals/three-lives-1.journal");
    let told = json(&journal, 5, &[]);
    assert_eq!((&told["game"], &told["ply"]), (&1.into(), &5.into()));
    // That it departs somewhere is what its number of recognition says.
    let (_, verified, _) = run(&["verify", journal.to_str().unwrap()]);
    assert!(verified.contains("recognition is number 1"), "{verified}");
    let line = told["differs_from_line"].as_u64().unwrap();
    assert!(explain(&journal, 5, &[]).1.contains(&format!("From line {line} on the events of this journal are not those of this replay")));
}

/// Every key of an object and of what is in it.
fn keys(value: &Value, into: &mut std::collections::BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            into.insert(key.clone());
            keys(value, into);
        }),
        Value::Array(items) => items.iter().for_each(|item| keys(item, into)),
        _ => {}
    }
}

#[test]
fn every_field_is_described() {
    let described = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/explain.md")).unwrap();
    let mut all = std::collections::BTreeSet::new();
    for (name, ply) in [("blitz-both-hands.cap", 14), ("occupancy.cap", 3)] {
        keys(&json(&kept(name), ply, &[]), &mut all);
    }
    assert!(all.len() > 50, "{all:?}");
    for key in all {
        assert!(described.contains(&format!("`{key}`")), "docs/explain.md does not describe {key}");
    }
}

#[test]
fn what_cannot_be_explained_is_a_wrong_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let capture = file(folder.path(), "a.cap", short_game());
    file(folder.path(), "b.cap", short_game());
    let empty = file(folder.path(), "c/empty.cap", "# flagfall-capture 1\n0 = up\n");
    for (path, more, words) in [
        (&capture, &["--explain", "9"][..], "a.cap: there is no ply 9: game 1 has 3 plies"),
        (&empty, &["--explain", "1"], "there is no ply 1: no move was made"),
        (&capture, &["--explain", "0"], "0 is not in 1.."),
        (&capture, &["--explain", "1", "--format", "pgn"], "--format text or json"),
        (&capture, &["--explain", "1", "--against", "played"], "cannot be used with"),
        (&capture, &["--game", "1"], "--explain"),
        (&folder.path().to_path_buf(), &["--explain", "1"], "for one recording: name one file"),
    ] {
        let (code, out, err) = run(&[&["replay", path.to_str().unwrap()], more].concat());
        assert_eq!((code, out.as_str()), (64, ""), "{more:?}: {err}");
        assert!(err.contains(words), "{more:?}: {err}");
    }
    // What is there is explained, and the rest is complained about.
    let broken = file(folder.path(), "broken.cap", short_game() + "nonsense\n");
    let (code, out, err) = explain(&broken, 1, &[]);
    assert_eq!(code, 65, "{err}");
    assert!(out.contains("ply 1: 1. e4 by White") && err.contains("broken.cap:"), "{out}{err}");
    assert_eq!(explain(&folder.path().join("nowhere.cap"), 1, &[]).0, 66);
}

#[test]
fn who_reads_russian_is_told_the_same_in_russian() {
    for (name, plies) in
        [("human-mate.cap", 1..=25), ("blitz-both-hands.cap", 1..=10), ("occupancy.cap", 1..=5), ("turned-without-clock.cap", 1..=5)]
    {
        let capture = kept(name);
        for ply in plies {
            let (code, out, err) = explain(&capture, ply, &["--lang", "ru"]);
            assert_eq!((code, err.as_str()), (0, ""), "{name} {ply}");
            let (_, english, _) = explain(&capture, ply, &[]);
            assert!(out.lines().skip(1).all(|line| line.chars().count() <= 100), "{name} {ply}: {out}");
            // The path is whoever's; moves, squares and signs are the same everywhere, and so are all figures.
            let text = out.split_once('\n').unwrap().1;
            let word = |word: &&str| word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase());
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(word).collect();
            assert_eq!(words, [""; 0], "{name} {ply}: {out}");
            let figures = |text: &str| -> Vec<String> {
                let row = |line: &&str| {
                    let mut words = line.split_whitespace();
                    line.starts_with("  ")
                        && words.next().is_some_and(|n| n.parse::<u32>().is_ok())
                        && words.next().is_some_and(|n| n.parse::<f64>().is_ok())
                };
                let lines = text.lines().filter(row);
                lines.map(|line| line.split_whitespace().filter(|word| word.parse::<f64>().is_ok()).collect::<Vec<_>>().join(" ")).collect()
            };
            assert_eq!(figures(&out), figures(&english), "{name} {ply}");
        }
    }
    let told = json(&kept("human-mate.cap"), 25, &["--lang", "ru"]);
    assert!(told["why"].as_str().unwrap().starts_with("Nf7#: завершён без нажатия: партия им закончилась."), "{told}");
    let (code, _, err) = run(&["replay", kept("human-mate.cap").to_str().unwrap(), "--lang", "ru"]);
    assert!(code == 64 && err.contains("--explain"), "{code} {err}");
}
