//! Documents into a folder. Each file is written aside, synced and renamed, so that a reader sees the old one or the new one, whole.
//!
//! The games of a round come before its `games.pgn`, and that before the index: `games.pgn` is never ahead of a `game-M.pgn`. Where a game
//! cannot be written, the files that sum it up are left as they were. The next pass mends what failed.
use super::documents::{Document, Snapshot};
use crate::ledger::Ledger;
use crate::ledger::told::Told;
use flagfall_web::voice::Voice;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Names of files in the making; no watcher of `*.pgn` or `*.json` looks at them.
const ASIDE: (&str, &str) = (".flagfall-", ".part");

/// One folder and what is in it.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    /// What the paths of its documents begin with, and what of that the folder has too.
    prefix: String,
    keep: String,
    /// What stands there, by path.
    written: HashMap<String, String>,
    cleaned: HashSet<PathBuf>,
    voice: Voice,
    ledger: Ledger,
}

impl Writer {
    /// The documents below `prefix`, into `folder`; with `keep`, the end of the prefix that is a folder there too.
    pub fn new(folder: &Path, prefix: &str, keep: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            prefix: String::from(prefix),
            keep: String::from(keep),
            written: HashMap::new(),
            cleaned: HashSet::new(),
            voice: Voice::always(),
            ledger: Ledger::default(),
        }
    }

    /// It writes only while `voice` speaks.
    pub fn speaking(self, voice: Voice) -> Self {
        Self { voice, ..self }
    }

    /// It writes down there what it has written.
    pub fn keeping(self, ledger: Ledger) -> Self {
        Self { ledger, ..self }
    }

    /// Somebody else may have written there: every file is looked at again.
    pub fn forget(&mut self) {
        self.written.clear();
    }

    /// Brings the folder up to date, as long as its voice speaks.
    ///
    /// # Errors
    /// The first thing that failed, with the path and what to do. Everything else was written.
    pub fn write(&mut self, snapshot: &Snapshot) -> Result<(), String> {
        let mut failed: Option<String> = None;
        let mut broken: HashSet<PathBuf> = HashSet::new();
        let mut changed: HashSet<PathBuf> = HashSet::new();
        let prefix = self.prefix.clone();
        for document in snapshot.under(&prefix) {
            if !self.voice.speaks() {
                return Ok(());
            }
            if self.written.get(&document.path) == Some(&document.etag) {
                continue;
            }
            let path = self.path(document);
            let parent = path.parent().unwrap_or(&self.folder).to_owned();
            let sums_up = !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("game-"));
            if sums_up && broken.contains(&parent) {
                continue;
            }
            match self.put(&path, &parent, document) {
                Ok(()) => {
                    changed.insert(parent);
                    if let Some((place, told)) = Told::of_document(&document.path, &document.bytes) {
                        self.ledger.told(place, told);
                    }
                    self.written.insert(document.path.clone(), document.etag.clone());
                }
                Err(error) => {
                    // The folder may have been taken away; the next pass makes it again.
                    self.cleaned.remove(&parent);
                    broken.insert(parent);
                    failed.get_or_insert_with(|| explain(&path, &error));
                }
            }
        }
        self.remove_old(snapshot);
        for folder in &changed {
            // A rename is on the disk once its folder is.
            if let Err(error) = File::open(folder).and_then(|f| f.sync_all()) {
                failed.get_or_insert_with(|| explain(folder, &error));
            }
        }
        let outcome = failed.map_or(Ok(()), Err);
        if !changed.is_empty() || outcome.is_err() {
            self.ledger.answered(outcome.clone());
        }
        outcome
    }

    fn path(&self, document: &Document) -> PathBuf {
        let below = document.path.strip_prefix(&self.prefix).unwrap_or(&document.path);
        self.folder.join(&self.keep).join(below)
    }

    fn put(&mut self, path: &Path, parent: &Path, document: &Document) -> io::Result<()> {
        if self.cleaned.insert(parent.to_owned()) {
            folders(parent)?;
            clean(parent)?;
        }
        // After a restart most files are as they should be.
        if !self.written.contains_key(&document.path) && fs::read(path).is_ok_and(|there| there == document.bytes) {
            return Ok(());
        }
        put(path, &document.bytes)
    }

    /// Games beyond the last pairing of a round would be read as games of that round.
    fn remove_old(&mut self, snapshot: &Snapshot) {
        let gone: Vec<String> = self.written.keys().filter(|path| snapshot.get(path).is_none()).cloned().collect();
        for path in gone {
            self.written.remove(&path);
            let below = path.strip_prefix(&self.prefix).unwrap_or(&path);
            let _ = fs::remove_file(self.folder.join(&self.keep).join(below));
        }
    }
}

/// One file that stands alone, with its folder.
pub(crate) fn put_all(folder: &Path, path: &Path, bytes: &[u8]) -> Result<(), String> {
    let sync = |_| File::open(folder).and_then(|f| f.sync_all());
    folders(folder).and_then(|()| put(path, bytes)).and_then(sync).map_err(|error| explain(path, &error))
}

/// Writes `bytes` to `path` so that nobody ever reads a part of them; readable by everybody.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let aside = path.with_file_name(format!("{}{name}{}", ASIDE.0, ASIDE.1));
    let mut file = File::create(&aside)?;
    file.set_permissions(Permissions::from_mode(0o644))?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&aside, path)
}

/// Makes the folder and those above it, each so that others may look into it.
fn folders(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(above) = folder.parent().filter(|above| !above.as_os_str().is_empty()) {
        folders(above)?;
    }
    match fs::create_dir(folder) {
        Ok(()) => fs::set_permissions(folder, Permissions::from_mode(0o755)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Removes what a run that was killed left behind: files in the making, and games that may be of another round list.
fn clean(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)?.filter_map(Result::ok) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(ASIDE.0) && name.ends_with(ASIDE.1) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn explain(path: &Path, error: &io::Error) -> String {
    let what = match error.kind() {
        io::ErrorKind::PermissionDenied => "give the user flagfall the right to write there",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on that disk",
        io::ErrorKind::ReadOnlyFilesystem => "mount that disk so that it can be written to",
        _ => "see to that disk",
    };
    format!("{}: {error}; {what}", path.display())
}
