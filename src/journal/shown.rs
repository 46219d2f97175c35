//! Which machine showed which of a board's journals: one that it had gone on from is an older copy when it shows it again, whatever key signed either.
use super::store;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of what was seen of others, in the data folder.
pub(super) const FOLDER: &str = "witnessed";
/// How the name of such a file ends.
const EXTENSION: &str = "shown";

/// A line of the file: from here on this machine showed this log.
#[derive(Serialize, Deserialize)]
struct Line {
    pi: String,
    log: String,
}

/// The logs that each machine showed of one board, one after another, in the data folder of whoever saw them.
#[derive(Debug)]
pub(super) struct Shown {
    file: PathBuf,
    by: BTreeMap<String, Vec<String>>,
    last: Option<String>,
}

impl Shown {
    /// What is known so far. A line that cannot be read tells nothing.
    pub(super) fn load(data_dir: &Path, board: &str) -> Self {
        let file = data_dir.join(FOLDER).join(format!("{}.{EXTENSION}", store::plain(board)));
        let mut shown = Self { file, by: BTreeMap::new(), last: None };
        let text = store::read_small(&shown.file).unwrap_or_default();
        for Line { pi, log } in text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()) {
            shown.put(pi, log);
        }
        shown
    }

    fn put(&mut self, pi: String, log: String) {
        let logs = self.by.entry(pi.clone()).or_default();
        if logs.last() != Some(&log) {
            logs.push(log);
        }
        self.last = Some(pi);
    }

    /// The machine that showed what was seen last.
    pub(super) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Whether this machine had shown the log, and another one since.
    pub(super) fn had_ended(&self, pi: &str, log: &str) -> bool {
        self.by
            .get(pi)
            .and_then(|logs| logs.split_last())
            .is_some_and(|(last, before)| last != log && before.iter().any(|ended| ended == log))
    }

    /// This machine shows the log. It is kept where that is new.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn take(&mut self, pi: &str, log: &str) -> io::Result<()> {
        let known = self.last() == Some(pi) && self.by.get(pi).and_then(|logs| logs.last()).is_some_and(|last| last == log);
        if known {
            return Ok(());
        }
        let line = Line { pi: String::from(pi), log: String::from(log) };
        // Half a line may stand before it, where the power went.
        let text = format!("\n{}", serde_json::to_string(&line)?);
        self.put(line.pi, line.log);
        append(&self.file, &text)
    }
}

/// Adds a text and the end of its line to a file, and syncs it.
pub(super) fn append(file: &Path, text: &str) -> io::Result<()> {
    use std::io::Write as _;
    std::fs::create_dir_all(file.parent().unwrap_or_else(|| Path::new(".")))?;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    file.write_all(format!("{text}\n").as_bytes())?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_machine_that_goes_back_is_known_and_a_board_that_comes_back_is_not_meant() {
        let folder = tempfile::tempdir().unwrap();
        let mut shown = Shown::load(folder.path(), "1");
        for (pi, log) in [("pi-1", "a"), ("pi-2", "b"), ("pi-1", "a"), ("pi-1", "c"), ("pi-1", "c"), ("pi-2", "b")] {
            assert!(!shown.had_ended(pi, log), "{pi} {log}");
            shown.take(pi, log).unwrap();
        }
        std::fs::OpenOptions::new().append(true).open(&shown.file).unwrap().write_all(b"{\"pi\":\"pi").unwrap();
        let mut shown = Shown::load(folder.path(), "1");
        shown.take("pi-3", "d").unwrap();
        let shown = Shown::load(folder.path(), "1");
        assert!(shown.had_ended("pi-1", "a") && !shown.had_ended("pi-2", "a") && !shown.had_ended("pi-1", "b"));
        assert_eq!(shown.last(), Some("pi-3"));
    }
}
