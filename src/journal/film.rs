//! Films out of a board's journals.
use super::line::Line;
use super::{JournalError, read, store};
use flagfall_events::{Event, Mono};
use flagfall_score::film::{Cutter, Film};
use flagfall_score::moment::{Moment, Seeker, Subject};
use std::io;
use std::path::{Path, PathBuf};

/// So many of the newest journals are looked through: a finding is looked at within days.
const FILES: usize = 64;

/// A film, and the journal that its moment is in.
#[derive(Clone, Debug)]
pub struct Found {
    /// What the sensors showed.
    pub film: Film,
    /// The journal's file.
    pub journal: PathBuf,
}

/// What the sensors showed around a finding or a ply; `None` where no journal has it. Blocks.
///
/// # Errors
/// A journal that cannot be read.
pub fn film(data_dir: &Path, board: &str, subject: Subject) -> Result<Option<Found>, JournalError> {
    let folder = store::folder(data_dir, board);
    let files = store::journals(data_dir, board).map_err(|error| JournalError::Io(folder, error))?;
    for (at, path) in files.iter().enumerate().rev().take(FILES) {
        let fails = |error| JournalError::Io(path.clone(), error);
        let Some((moment, first)) = seek(path, subject).map_err(fails)? else { continue };
        // A game's first moves begin their journal: what stood before is in the one before.
        let before = at.checked_sub(1).and_then(|at| files.get(at)).filter(|_| moment.from <= first);
        let mut cutter = Cutter::new(moment);
        for path in before.into_iter().chain([path]).chain(files.get(at + 1)) {
            events(path, |event| cutter.take(event)).map_err(fails)?;
        }
        return Ok(Some(Found { film: cutter.film(), journal: path.clone() }));
    }
    Ok(None)
}

/// The journal that has this finding or ply. Blocks.
///
/// # Errors
/// A journal that cannot be read.
pub fn journal(data_dir: &Path, board: &str, subject: Subject) -> Result<Option<PathBuf>, JournalError> {
    let folder = store::folder(data_dir, board);
    let files = store::journals(data_dir, board).map_err(|error| JournalError::Io(folder, error))?;
    for path in files.into_iter().rev().take(FILES) {
        if seek(&path, subject).map_err(|error| JournalError::Io(path.clone(), error))?.is_some() {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// The moment in this journal, and when its first event was.
fn seek(path: &Path, subject: Subject) -> io::Result<Option<(Moment, Mono)>> {
    let (mut seeker, mut first) = (Seeker::new(subject), None);
    events(path, |event| {
        first = first.or(Some(event.t));
        seeker.take(event);
    })?;
    Ok(seeker.found().zip(first))
}

/// Every event that this version understands.
fn events(path: &Path, mut each: impl FnMut(&Event)) -> io::Result<()> {
    read::each_readable(read::open(path)?, |line: &Line<'_>| {
        if line.key == "event"
            && let Ok(event) = serde_json::from_str::<Event>(line.value)
        {
            each(&event);
        }
    })
}
