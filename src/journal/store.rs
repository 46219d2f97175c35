//! Where journals are: `DATA_DIR/journals/BOARD/DAY.journal`, a second one of the same day `DAY-2.journal`; and the lock on the folder.
use super::JournalError;
use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// How a journal's name ends.
pub const EXTENSION: &str = "journal";

/// The folder of a board's journals.
pub fn folder(data_dir: &Path, board: &str) -> PathBuf {
    data_dir.join("journals").join(plain(board))
}

/// A name that is a file's name on any system and comes from one board only.
pub(super) fn plain(board: &str) -> String {
    let mut name = String::new();
    for (i, c) in board.char_indices() {
        if c.is_alphanumeric() || matches!(c, '-' | '_' | ' ') || (c == '.' && i > 0) {
            name.push(c);
        } else {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|b| name.push_str(&format!("%{b:02x}")));
        }
    }
    name
}

/// The journals of one board, oldest first.
///
/// # Errors
/// The folder cannot be read; one that is missing has none.
pub fn journals(data_dir: &Path, board: &str) -> io::Result<Vec<PathBuf>> {
    journals_in(&folder(data_dir, board))
}

/// The journals in a board's folder, oldest first.
pub(super) fn journals_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        // A pipe of that name would never end, a folder is none.
        if let Some(order) = order(&path).filter(|_| path.is_file()) {
            found.push((order, path));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Day and number of a journal's name.
fn order(path: &Path) -> Option<(String, u32)> {
    if path.extension()? != EXTENSION {
        return None;
    }
    let stem = path.file_stem()?.to_str()?;
    let (day, rest) = stem.split_at_checked(10)?;
    let number = if rest.is_empty() { 1 } else { rest.strip_prefix('-')?.parse().ok()? };
    Some((String::from(day), number))
}

/// The name for a further journal of this day, which comes after all of `existing`: on a clock that was set back it is named for their last day.
pub(super) fn next_name(existing: &[PathBuf], day: &str) -> String {
    let last = existing.iter().filter_map(|path| order(path)).max().filter(|(last, _)| last.as_str() >= day);
    let (day, taken) = last.map_or_else(|| (String::from(day), None), |(day, n)| (day, Some(n)));
    match taken {
        None => format!("{day}.{EXTENSION}"),
        Some(n) => format!("{day}-{}.{EXTENSION}", n.saturating_add(1)),
    }
}

/// Every journal of every board below the data folder: those of one board follow each other, oldest first.
pub(super) fn all(data_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let boards = match std::fs::read_dir(data_dir.join("journals")) {
        Ok(boards) => boards,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(found),
        Err(error) => return Err(error),
    };
    for board in boards {
        let board = board?;
        if board.file_type()?.is_dir() {
            for entry in std::fs::read_dir(board.path())? {
                let path = entry?.path();
                if order(&path).is_some() && path.is_file() {
                    found.push(path);
                }
            }
        }
    }
    found.sort_by_key(|path| (path.parent().map(Path::to_owned), order(path)));
    Ok(found)
}

/// What is named like a journal and is none: pipes, sockets, devices, folders. Nobody reads them.
pub(super) fn others(data_dir: &Path, board: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder(data_dir, board)) else { return Vec::new() };
    entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| order(path).is_some() && !path.is_file()).collect()
}

/// Reads a file of ours that is small. A pipe, a socket, a device or a folder in its place is an error and not waited for.
///
/// # Errors
/// It cannot be read, or is no file.
pub fn read_small(path: &Path) -> io::Result<Vec<u8>> {
    const MOST: u64 = 64 << 20;
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no file; move it away"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes the folder and takes it for this process alone, until the file is closed. `None`: the disk takes no writes now.
///
/// # Errors
/// [`JournalError::InUse`] where another flagfall has it.
pub(super) fn lock(data_dir: &Path) -> Result<Option<File>, JournalError> {
    let path = data_dir.join("lock");
    let opened =
        std::fs::create_dir_all(data_dir).and_then(|()| File::options().read(true).write(true).create(true).truncate(false).open(&path));
    let mut file = match opened {
        Ok(file) => file,
        Err(error) => {
            tracing::error!("{}: cannot be written: {error}; journals are kept in memory until it can", path.display());
            return Ok(None);
        }
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            // Who it is only helps to find it.
            let _ = file.read_to_string(&mut owner);
            return Err(JournalError::InUse { folder: data_dir.to_owned(), owner: String::from(owner.trim()) });
        }
        Err(TryLockError::Error(error)) => return Err(JournalError::Io(path, error)),
    }
    let said = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| write!(file, "{}", std::process::id()));
    if let Err(error) = said {
        tracing::warn!("{}: {error}", path.display());
    }
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_a_folder_of_its_own() {
        for (board, name) in [("1", "1"), ("Tisch 7", "Tisch 7"), ("a/b", "a%2fb"), ("..", "%2e."), ("a%2fb", "a%252fb"), ("Стол", "Стол")]
        {
            assert_eq!(plain(board), name);
        }
    }

    #[test]
    fn journals_come_in_the_order_of_their_days() {
        let folder = tempfile::tempdir().unwrap();
        let place = super::folder(folder.path(), "1");
        std::fs::create_dir_all(&place).unwrap();
        for name in
            ["2026-11-21-10.journal", "2026-11-21.journal", "2026-11-21-2.journal", "2026-09-30.journal", "x.journal", "2026-11-21.cap"]
        {
            std::fs::write(place.join(name), "").unwrap();
        }
        let found = journals(folder.path(), "1").unwrap();
        let names: Vec<_> = found.iter().map(|p| p.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["2026-09-30.journal", "2026-11-21.journal", "2026-11-21-2.journal", "2026-11-21-10.journal"]);
        assert_eq!(next_name(&found, "2026-11-21"), "2026-11-21-11.journal");
        assert_eq!(next_name(&found, "2026-11-22"), "2026-11-22.journal");
        assert_eq!(next_name(&found, "2026-09-30"), "2026-11-21-11.journal", "a clock that was set back");
        assert_eq!(all(folder.path()).unwrap().len(), 4);
    }

    #[test]
    fn two_programs_do_not_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(folder.path()).unwrap();
        let Err(JournalError::InUse { owner, .. }) = lock(folder.path()) else { panic!("taken twice") };
        assert_eq!(owner, std::process::id().to_string());
        drop(first);
        assert!(lock(folder.path()).unwrap().is_some());
    }
}
