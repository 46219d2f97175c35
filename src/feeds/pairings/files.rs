//! The pairing list and the tournament report on disk: read when they change.
use super::list::{List, Mistake};
use super::trf::{self, Report};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Larger files are no pairing lists.
const LARGEST: u64 = 16 * 1024 * 1024;

/// What was read, or why not, a sentence each.
#[derive(Clone, Debug)]
pub enum FoundFile {
    /// The pairing list.
    Pairings(PathBuf, Result<List, Vec<String>>),
    /// The tournament report.
    Players(PathBuf, Result<Report, Vec<String>>),
}

/// The files and how they stood when they were read last.
#[derive(Debug)]
pub struct Watched {
    pairings: Option<File>,
    players: Option<File>,
}

#[derive(Clone, Debug)]
struct File {
    path: PathBuf,
    read: Option<Stand>,
    seen: Option<Stand>,
}

/// A file's size and time of change; `None`: it cannot be looked at.
type Stand = Option<(u64, Option<SystemTime>)>;

impl Watched {
    /// Nothing was read yet.
    pub fn new(pairings: Option<PathBuf>, players: Option<PathBuf>) -> Self {
        let file = |path: Option<PathBuf>| path.map(|path| File { path, read: None, seen: None });
        Self { pairings: file(pairings), players: file(players) }
    }

    /// Reads what changed since and has stood still from one look to the next, so that no half-written file is read; with `again` everything.
    pub async fn look(&mut self, again: bool) -> Vec<FoundFile> {
        let mut found = Vec::new();
        // The players first, so that the pairings find them.
        if let Some(bytes) = due(&mut self.players, again).await {
            let path = self.players.as_ref().map(|f| f.path.clone()).unwrap_or_default();
            found.push(FoundFile::Players(path, bytes.and_then(|bytes| trf::read(&bytes).map_err(|m| sentences(&m)))));
        }
        if let Some(bytes) = due(&mut self.pairings, again).await {
            let path = self.pairings.as_ref().map(|f| f.path.clone()).unwrap_or_default();
            found.push(FoundFile::Pairings(path, bytes.and_then(|bytes| super::read(&bytes).map_err(|m| sentences(&m)))));
        }
        found
    }
}

/// Every mistake in both files, and what was read otherwise than it stands there; for `flagfall check`.
pub fn check(pairings: Option<&Path>, players: Option<&Path>) -> Checked {
    let mut found = Vec::new();
    let mut usable = true;
    let mut put = |path: &Path, texts: Vec<String>| found.extend(texts.into_iter().map(|text| format!("{}: {text}", path.display())));
    if let Some(path) = players
        && let Err(texts) = read(path).map_err(|text| vec![text]).and_then(|bytes| trf::read(&bytes).map_err(|m| sentences(&m)))
    {
        usable = false;
        put(path, texts);
    }
    if let Some(path) = pairings {
        match read(path).map_err(|text| vec![text]).and_then(|bytes| super::read(&bytes).map_err(|m| sentences(&m))) {
            Ok(list) => put(path, sentences(&list.notes)),
            Err(texts) => {
                usable = false;
                put(path, texts);
            }
        }
    }
    Checked { said: found, usable }
}

/// What the event's lists are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Every mistake and note, with its file and line.
    pub said: Vec<String>,
    /// The lists can be taken as they are.
    pub usable: bool,
}

fn sentences(mistakes: &[Mistake]) -> Vec<String> {
    mistakes.iter().map(ToString::to_string).collect()
}

/// The file's bytes if it is to be read now.
async fn due(file: &mut Option<File>, again: bool) -> Option<Result<Vec<u8>, Vec<String>>> {
    let file = file.as_mut()?;
    let path = file.path.clone();
    // A network folder may hold its thread for long; the boards have others.
    let stand = tokio::task::spawn_blocking(move || stand(&path)).await.ok()?;
    let first = file.read.is_none();
    let still = file.seen.as_ref() == Some(&stand);
    file.seen = Some(stand);
    if !again && !first && (!still || file.read.as_ref() == Some(&stand)) {
        return None;
    }
    file.read = Some(stand);
    let path = file.path.clone();
    let read = tokio::task::spawn_blocking(move || read(&path)).await.ok()?;
    Some(read.map_err(|text| vec![text]))
}

fn stand(path: &Path) -> Stand {
    let about = std::fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let explain = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => String::from("is not there yet; it is read as soon as it is"),
        _ => format!("cannot be read: {error}"),
    };
    if std::fs::metadata(path).map_err(explain)?.len() > LARGEST {
        return Err(String::from("is too large for a pairing list"));
    }
    std::fs::read(path).map_err(explain)
}
