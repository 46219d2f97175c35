//! An old journal that must always restore and verify: `tests/journals/NAME.journal` with its events beside it.
//!
//! It was written by a real daemon of one board, 7, that was killed twice (`tests/journals/record`). Once a version is released its journal stays as it is: a later one that reads it
//! otherwise needs a new format number. Before the first release a journal is recorded anew when recognition has learned something, by the same script.
use crate::rig::{flagfall, stands};
use flagfall::journal::read::Lines;
use flagfall::journal::replay::Replay;
use std::fs;
use std::path::{Path, PathBuf};

fn kept() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals");
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| e == "journal"));
    found.sort();
    assert!(!found.is_empty(), "one is kept in tests/journals");
    found
}

#[test]
fn every_kept_journal_verifies_and_gives_its_expected_events() {
    for path in kept() {
        stands(&path);
        let (_, events, _) = flagfall(&["replay", "--format", "events", path.to_str().unwrap()]);
        assert!(events == fs::read_to_string(path.with_extension("events")).unwrap(), "{}", path.display());
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
        assert_eq!(replay.differs(), None);
        assert!(replay.seq() > 0 && replay.into_board().is_some());
    }
}
