//! The pairing list and the tournament report on disk: read when they change.
use super::list::{List, Mistake};
use super::trf::{self, Report};
use flagfall_config::list_source::ListSource;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Larger files are no pairing lists.
const LARGEST: u64 = 16 * 1024 * 1024;

/// What was read, or why not, a sentence each.
#[derive(Clone, Debug)]
pub enum FoundFile {
    /// The pairing list, and where it comes from.
    Pairings(String, Result<List, Vec<String>>),
    /// The tournament report.
    Players(String, Result<Report, Vec<String>>),
}

/// Which of them a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Who plays whom.
    Pairings,
    /// Who the players are.
    Players,
}

impl Role {
    /// Reads what came from `about`.
    pub fn read(self, about: String, bytes: Result<Vec<u8>, String>) -> FoundFile {
        let bytes = bytes.map_err(|why| vec![why]);
        match self {
            Self::Pairings => FoundFile::Pairings(about, bytes.and_then(|bytes| super::read(&bytes).map_err(|m| sentences(&m)))),
            Self::Players => FoundFile::Players(about, bytes.and_then(|bytes| trf::read(&bytes).map_err(|m| sentences(&m)))),
        }
    }
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
        for (role, file) in [(Role::Players, &mut self.players), (Role::Pairings, &mut self.pairings)] {
            if let Some(bytes) = due(file, again).await {
                let about = file.as_ref().map_or_else(String::new, |file| file.path.display().to_string());
                found.push(role.read(about, bytes));
            }
        }
        found
    }
}

/// Every mistake in both files, and what was read otherwise than it stands there; for `flagfall check`. Addresses are not asked.
pub fn check(pairings: Option<&ListSource>, players: Option<&ListSource>) -> Checked {
    let mut checked = Checked { said: Vec::new(), usable: true };
    for (role, source) in [(Role::Players, players), (Role::Pairings, pairings)] {
        match source {
            None => {}
            Some(source @ ListSource::Web(_)) => {
                checked.said.push(format!("{source} is fetched while flagfall runs; flagfall pairings check looks at it now"));
            }
            Some(ListSource::File(path)) => {
                let about = path.display().to_string();
                let (said, usable) = said(&role.read(about.clone(), read(path)));
                checked.usable &= usable;
                checked.said.extend(said.into_iter().map(|text| format!("{about}: {text}")));
            }
        }
    }
    checked
}

/// What is to be said of a list, and whether it can be taken.
pub fn said(found: &FoundFile) -> (Vec<String>, bool) {
    match found {
        FoundFile::Pairings(_, Ok(list)) => (sentences(&list.notes), true),
        FoundFile::Players(_, Ok(_)) => (Vec::new(), true),
        FoundFile::Pairings(_, Err(texts)) | FoundFile::Players(_, Err(texts)) => (texts.clone(), false),
    }
}

/// What the event's lists are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Every mistake and note, with its file and line.
    pub said: Vec<String>,
    /// The lists can be taken as they are.
    pub usable: bool,
}

pub(super) fn sentences(mistakes: &[Mistake]) -> Vec<String> {
    mistakes.iter().map(ToString::to_string).collect()
}

/// The file's bytes if it is to be read now.
async fn due(file: &mut Option<File>, again: bool) -> Option<Result<Vec<u8>, String>> {
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
    tokio::task::spawn_blocking(move || read(&path)).await.ok()
}

fn stand(path: &Path) -> Stand {
    let about = std::fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()))
}

/// A whole file, if it can be a list.
///
/// # Errors
/// Why not, and what to do.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let explain = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => String::from("is not there yet; it is read as soon as it is"),
        _ => format!("cannot be read: {error}"),
    };
    if std::fs::metadata(path).map_err(explain)?.len() > LARGEST {
        return Err(String::from("is too large for a pairing list"));
    }
    std::fs::read(path).map_err(explain)
}
