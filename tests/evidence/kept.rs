//! Old journals that must always restore and verify: `tests/journals/NAME.journal` with its events beside it. `tests/journals/README.md` says what they are for.
use crate::recording::Recording;
use crate::rig::flagfall;
use flagfall::journal::read::{Lines, readable};
use flagfall::journal::replay::Replay;
use flagfall::journal::verify::verify;
use flagfall_game::RECOGNITION;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

fn kept() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals");
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| e == "journal"));
    found.sort();
    found
}

/// Whether a journal was made by this recognition; an error in words where it is not whole, or where this recognition makes other events of its inputs.
fn is_current(bytes: &[u8]) -> Result<bool, String> {
    let report = verify(bytes, None);
    match report.trouble {
        None => Ok(report.foreign.is_none()),
        Some(trouble) if trouble.what.starts_with("a replay of the inputs differs") => Err(format!(
            "recognition {RECOGNITION} made other events of this input (line {}: {}). Where that is meant, raise RECOGNITION in src/game/lib.rs and record a \
             journal of the new number (tests/journals/README.md); else it is a mistake",
            trouble.line, trouble.what
        )),
        Some(trouble) => Err(format!("line {}: {}", trouble.line, trouble.what)),
    }
}

#[test]
fn every_kept_journal_is_whole_and_one_of_this_recognition_gives_its_events() {
    let mut current = 0;
    for path in kept() {
        let (bytes, name) = (fs::read(&path).unwrap(), path.display());
        let is_current = is_current(&bytes).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let written: String = readable(&bytes).iter().filter(|line| line.key == "event").map(|line| format!("{}\n", line.value)).collect();
        assert!(written == fs::read_to_string(path.with_extension("events")).unwrap(), "{name}: the events beside it are not its own");
        if is_current {
            current += 1;
            let (code, events, complaint) = flagfall(&["replay", "--format", "events", path.to_str().unwrap()]);
            assert_eq!(code, 0, "{name}: {complaint}");
            assert!(events == written, "{name}: a replay prints something else than the journal holds");
        }
    }
    assert!(
        current > 0,
        "no kept journal was made by recognition {RECOGNITION}: run tests/journals/record and keep what it writes (tests/journals/README.md)"
    );
}

#[test]
fn no_kept_journal_was_recorded_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals");
    let sums = fs::read_to_string(folder.join("SUMS")).unwrap();
    let listed: Vec<(&str, &str)> = sums.lines().map(|line| line.split_once("  ").unwrap()).collect();
    for (sum, name) in &listed {
        let bytes = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name} is kept for ever: {error}"));
        let now: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            now, *sum,
            "{name} is kept as it was: raise RECOGNITION and record a journal of the new number (tests/journals/README.md)"
        );
    }
    for path in kept().iter().flat_map(|path| [path.clone(), path.with_extension("events")]) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(listed.iter().any(|(_, listed)| *listed == name), "{name} is not in SUMS: tests/journals/record adds what it writes");
    }
}

#[test]
fn every_kept_journal_restores_a_board() {
    for path in kept() {
        let bytes = fs::read(&path).unwrap();
        let mut replay = Replay::default();
        let mut lines = Lines::new(&bytes[..]);
        while let Some(line) = lines.next() {
            replay.line(&line.unwrap(), false, &mut |_| {}).unwrap();
        }
        assert!(replay.seq() > 0 && replay.into_board().is_some());
    }
}

#[test]
fn other_events_under_the_same_number_are_found_and_under_another_one_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = is_current(&Recording::otherwise(folder.path(), RECOGNITION)).unwrap_err();
    assert!(wrong.contains("raise RECOGNITION in src/game/lib.rs"), "{wrong}");

    let path = folder.path().join("1.journal");
    for other in [RECOGNITION - 1, RECOGNITION + 1] {
        fs::write(&path, Recording::otherwise(folder.path(), other)).unwrap();
        assert_eq!(is_current(&fs::read(&path).unwrap()), Ok(false));
        let (code, said, complaint) = flagfall(&["verify", path.to_str().unwrap()]);
        assert!(
            code == 2 && said.contains(&format!("from line 1 on they were recognised by a flagfall whose recognition is number {other}")),
            "{said}{complaint}"
        );
        // What the chain says is held all the same.
        let mut changed = fs::read(&path).unwrap();
        let middle = changed.len() / 2;
        changed[middle] ^= 4;
        assert!(is_current(&changed).is_err());
    }
}
