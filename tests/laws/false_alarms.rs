//! Games in which nothing is wrong: no finding of grade ruling or attention, under any edition.
use super::held;
use flagfall_capture::{Capture, convert, drive};
use flagfall_events::Body;
use std::convert::Infallible;
use std::fs;
use std::path::Path;

const EDITIONS: [&str; 4] = ["fide-2023", "fide-2018", "fide-1997", "russia-1.16"];

/// Keys of the findings above a note, with the result's source at the end.
fn alarms(capture: &str, edition: &str) -> Vec<String> {
    let (magic, rest) = capture.split_once('\n').unwrap();
    let rest: String = rest.lines().filter(|line| !line.starts_with("# rules:")).map(|line| format!("{line}\n")).collect();
    let capture = format!("{magic}\n# rules: {edition}\n{rest}");
    let mut found = Vec::new();
    let ended = drive("1", Capture::open(capture.as_bytes()).unwrap(), flagfall_solver::answers(), |event| {
        let json = serde_json::to_value(&event.body).unwrap();
        if json["type"] == "finding" && json["grade"] != "note" {
            found.push(format!("{} at {}: {}", json["key"], event.t.millis(), json["summary"]["en"]));
        } else if let Body::Result { source, .. } = event.body {
            found.push(format!("{source:?}"));
        }
        Ok::<_, Infallible>(())
    });
    assert_eq!(ended, Ok(None));
    found
}

/// Some of these games are unfinished: the clock is stopped, and nobody says why.
fn is_alarm(found: &str) -> bool {
    found.contains(" at ") && !found.contains("clock-stopped")
}

#[test]
fn the_simulated_games_raise_none() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "cap") {
            continue;
        }
        let capture = fs::read_to_string(&path).unwrap();
        for edition in EDITIONS {
            let found: Vec<String> = alarms(&capture, edition).into_iter().filter(|found| is_alarm(found)).collect();
            if !found.is_empty() {
                wrong.push(format!("{} under {edition}: {found:?}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A real game that ends with a flag and the kings in the centre: the flag is all there is to say of it.
#[test]
fn a_real_game_raises_its_flag_and_nothing_else() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/captures/dgtdriver-johan.inbytes");
    let Ok(bytes) = fs::read(&path) else {
        println!("skipped: {} is not there", path.display());
        return;
    };
    let capture = String::from_utf8(convert(bytes).unwrap()).unwrap();
    held("a_real_game_raises_its_flag_and_nothing_else", || flag_and_kings(&capture));
}

fn flag_and_kings(capture: &str) {
    for edition in EDITIONS {
        let found = alarms(capture, edition);
        let [flag, kings] = found.as_slice() else { panic!("{edition}: {found:?}") };
        assert!(flag.starts_with("\"flag-fall\"") && kings == "Kings", "{edition}: {found:?}");
    }
}
