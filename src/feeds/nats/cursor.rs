//! How far each board's events have come, across restarts: a small file beside the journals, written aside and renamed, at most every few seconds and
//! never synced. What it says is checked with the stream itself; losing it costs nothing.
use super::wire;
use flagfall_journal::store;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// One board's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cursor {
    /// Its numbering.
    pub(super) epoch: String,
    /// The last event before the first one that is published.
    pub(super) from: u64,
    /// The last event that was acknowledged.
    pub(super) seq: u64,
}

/// All boards'.
pub(super) struct Cursors {
    path: PathBuf,
    boards: Mutex<(BTreeMap<String, Cursor>, bool)>,
}

impl Cursors {
    /// Those of `event`, as they were left.
    pub(super) fn load(data_dir: &Path, event: &str) -> Self {
        let path = data_dir.join("nats").join(format!("{event}.json"));
        let boards = match store::read_small(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                tracing::warn!("{}: {error}; the stream itself is asked how far it is", path.display());
                BTreeMap::new()
            }),
            Err(_) => BTreeMap::new(),
        };
        Self { path, boards: Mutex::new((boards, false)) }
    }

    pub(super) fn get(&self, board: &str) -> Option<Cursor> {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner).0.get(board).cloned()
    }

    pub(super) fn set(&self, board: &str, cursor: Cursor) {
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        if boards.0.get(board) != Some(&cursor) {
            boards.0.insert(String::from(board), cursor);
            boards.1 = true;
        }
    }

    /// Writes what changed.
    pub(super) fn save(&self) {
        let bytes = {
            let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
            if !std::mem::take(&mut boards.1) {
                return;
            }
            serde_json::to_vec(&boards.0).unwrap_or_default()
        };
        if let Err(error) = replace(&self.path, &bytes) {
            tracing::warn!("{}: {error}; after a restart the stream itself is asked how far it is", self.path.display());
        }
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let aside = path.with_extension("new");
    std::fs::write(&aside, bytes)?;
    std::fs::rename(aside, path)
}

/// The name of a board's numbering, kept beside its journals; a new one where there is none.
pub(super) fn epoch(data_dir: &Path, board: &str) -> String {
    let path = file(data_dir, board);
    let text = store::read_small(&path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    match text {
        Ok(text) if wire::is_epoch(text.trim()) => String::from(text.trim()),
        _ => new_epoch(data_dir, board),
    }
}

/// Begins another numbering.
pub(super) fn new_epoch(data_dir: &Path, board: &str) -> String {
    let (path, epoch) = (file(data_dir, board), wire::random(8));
    if let Err(error) = replace(&path, epoch.as_bytes()) {
        tracing::error!("{}: {error}; after a restart the hall begins the board anew", path.display());
    }
    epoch
}

fn file(data_dir: &Path, board: &str) -> PathBuf {
    store::folder(data_dir, board).join("epoch")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_stays_until_it_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let first = epoch(folder.path(), "Tisch 7");
        assert!(wire::is_epoch(&first));
        assert_eq!(epoch(folder.path(), "Tisch 7"), first);
        assert_ne!(epoch(folder.path(), "8"), first);
        let second = new_epoch(folder.path(), "Tisch 7");
        assert_ne!(second, first);
        assert_eq!(epoch(folder.path(), "Tisch 7"), second);
        assert!(store::journals(folder.path(), "Tisch 7").unwrap().is_empty(), "it is no journal");
    }

    #[test]
    fn cursors_survive_a_restart_and_a_broken_file_is_no_end() {
        let folder = tempfile::tempdir().unwrap();
        let cursor = Cursor { epoch: String::from("0011223344556677"), from: 3, seq: 9 };
        let cursors = Cursors::load(folder.path(), "open");
        cursors.set("1", cursor.clone());
        cursors.save();
        assert_eq!(Cursors::load(folder.path(), "open").get("1"), Some(cursor));
        assert_eq!(Cursors::load(folder.path(), "other").get("1"), None);
        std::fs::write(folder.path().join("nats/open.json"), "{\"1\":").unwrap();
        assert_eq!(Cursors::load(folder.path(), "open").get("1"), None);
    }
}
