//! What outside witnesses have seen of the machine's list, and what of that is here: their notes beside the list prove its first lines, and those the journals.
use super::checkpoint::Checkpoint;
use super::cosigner::Cosigner;
use super::list::{Entries, FILE, board_of, entry};
use super::tree::Tree;
use super::what::What;
use super::witness::{FOLDER, missing_in, notes};
use super::{read, store};
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// How the name of the file with a witness's newest note ends.
pub const EXTENSION: &str = "cosigned";

/// What the list's first lines are proved by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// How many lines of it.
    pub lines: u64,
    /// Which witness has seen that many.
    pub witness: String,
    /// When, seconds since 1970.
    pub at: u64,
}

/// Why nothing is proved.
#[derive(Debug, thiserror::Error)]
pub enum Unproved {
    /// Something cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// No witness's line stands under any note.
    #[error("no note in it has a line of that witness")]
    NoNote,
    /// The list is not what a witness has seen.
    #[error("{0}")]
    Other(String),
}

/// Keeps the newest note that a witness has cosigned, in place of the one before. Blocks.
///
/// # Errors
/// It cannot be written.
pub fn keep(data_dir: &Path, witness: &Cosigner, note: &str) -> io::Result<()> {
    let folder = data_dir.join(FOLDER);
    std::fs::create_dir_all(&folder)?;
    let file = file_of(&folder, witness);
    let new = file.with_extension("new");
    let mut written = std::fs::File::create(&new)?;
    written.write_all(note.as_bytes())?;
    written.sync_data()?;
    std::fs::rename(new, file)
}

fn file_of(folder: &Path, witness: &Cosigner) -> PathBuf {
    folder.join(format!("{}.{EXTENSION}", store::plain(witness.name())))
}

/// How much of the list with this name as a log a witness has cosigned, as the note that is kept of it says; 0 where none is. Blocks.
pub fn seen(data_dir: &Path, witness: &Cosigner, origin: &str) -> u64 {
    let bytes = store::read_small(&file_of(&data_dir.join(FOLDER), witness)).unwrap_or_default();
    let note = String::from_utf8_lossy(&bytes);
    let of = Checkpoint::read(&note).ok().filter(|(log, _)| log == origin && witness.saw(&note).is_some());
    of.map_or(0, |(_, checkpoint)| checkpoint.size)
}

/// Gives `each` line of a folder's list that one of these witnesses has cosigned, by the notes beside it. Only with `Ok` do those lines stand. Blocks.
///
/// # Errors
/// See [`Unproved`].
pub fn proved(folder: &Path, witnesses: &[Cosigner], each: &mut dyn FnMut(String, Checkpoint)) -> Result<Proved, Unproved> {
    let mut due = cosigned(folder, witnesses)?;
    due.sort_by_key(|(checkpoint, _)| std::cmp::Reverse(checkpoint.size));
    let newest = due.first().map(|(_, proved)| proved.clone()).ok_or(Unproved::NoNote)?;
    let path = folder.join(FILE);
    let failed = |error| Unproved::Io { path: path.clone(), error };
    let mut entries = match Entries::of(&path) {
        Ok(entries) => Some(entries),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    let mut tree = Tree::default();
    loop {
        while let Some((checkpoint, by)) = due.pop_if(|(checkpoint, _)| checkpoint.size == tree.size()) {
            if !checkpoint.is_of(tree.size(), &tree.root()) {
                let Proved { lines, witness, .. } = by;
                return Err(Unproved::Other(format!(
                    "{}: its first {lines} lines are other ones than the witness {witness} has seen: it was written anew",
                    path.display()
                )));
            }
        }
        let Some((_, by)) = due.last() else { return Ok(newest) };
        let next = match &mut entries {
            Some(entries) => entries.next().map_err(failed)?,
            None => None,
        };
        let Some((text, (log, checkpoint))) = next.and_then(|text| Some((text, entry(text)?))) else {
            return Err(Unproved::Other(format!(
                "{}: the witness {} has seen {} lines of it, and {} stand: its end was cut off, or an older copy put back",
                path.display(),
                by.witness,
                by.lines,
                tree.size()
            )));
        };
        tree.add(text);
        each(log, checkpoint);
    }
}

/// The notes in a folder that one of these witnesses has cosigned.
fn cosigned(folder: &Path, witnesses: &[Cosigner]) -> Result<Vec<(Checkpoint, Proved)>, Unproved> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| Unproved::Io { path, error }
    };
    let mut found = Vec::new();
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        entries => entries.map_err(failed(folder))?,
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.extension().is_some_and(|e| e == EXTENSION)) {
        let bytes = store::read_small(&path).map_err(failed(&path))?;
        for note in notes(&String::from_utf8_lossy(&bytes)) {
            let saw = witnesses.iter().find_map(|witness| Some((witness.name(), witness.saw(&note)?)));
            if let (Some((name, at)), Ok((_, checkpoint))) = (saw, Checkpoint::read(&note)) {
                let proved = Proved { lines: checkpoint.size, witness: String::from(name), at };
                found.push((checkpoint, proved));
            }
        }
    }
    Ok(found)
}

/// Compares a data folder's list and the newest journal of each board with what these witnesses have seen of the list: what contradicts, by the board's name or
/// for the machine, in words. Blocks.
///
/// # Errors
/// Something cannot be read.
pub fn compare(data_dir: &Path, witnesses: &[Cosigner]) -> Result<Vec<(Option<String>, String)>, Unproved> {
    let mut newest = BTreeMap::new();
    let listed = proved(&data_dir.join(FOLDER), witnesses, &mut |log, checkpoint| {
        if let Some(board) = board_of(&log) {
            newest.insert(String::from(board), (log, checkpoint));
        }
    });
    match listed {
        Ok(_) => {}
        Err(Unproved::NoNote) => return Ok(Vec::new()),
        Err(Unproved::Other(why)) => return Ok(vec![(None, why)]),
        Err(error) => return Err(error),
    }
    let root = data_dir.join("journals");
    let folders: BTreeMap<String, PathBuf> = std::fs::read_dir(&root)
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).filter_map(|path| Some((as_in_log(&path)?, path))).collect())
        .unwrap_or_default();
    let mut found = Vec::new();
    for (board, (log, checkpoint)) in newest {
        let folder = folders.get(&board).cloned().unwrap_or_else(|| root.join(&board));
        let failed = |error| Unproved::Io { path: folder.clone(), error };
        let missing = missing_in(&store::journals_in(&folder).map_err(failed)?, &log, &checkpoint).map_err(failed)?;
        found.extend(missing.map(|missing| (Some(name_of(&folder).unwrap_or(board)), missing.why)));
    }
    Ok(found)
}

/// A folder of journals as its board stands in their names as logs.
fn as_in_log(folder: &Path) -> Option<String> {
    Some(folder.file_name()?.to_str()?.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect())
}

/// The board whose journals a folder has, as they say it.
fn name_of(folder: &Path) -> Option<String> {
    let path = store::journals_in(folder).ok()?.pop()?;
    match read::Lines::new(read::open(&path).ok()?).next()?.ok()?.what().ok()? {
        What::Open(open) => Some(open.board),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chain;
    use crate::key::Key;
    use crate::list::List;
    use flagfall_events::{Mono, Wall};
    use std::fs;

    /// A data folder with a list of so many entries of one board, and the witness's note over the first of them.
    fn folder(key: &Key, witness: &Key, (entries, seen, other): (u64, u64, u64)) -> tempfile::TempDir {
        let data = tempfile::tempdir().unwrap();
        let mut list = List::load_for(data.path(), key);
        let (mut chain, mut bytes) = (Chain::default(), Vec::new());
        for n in 0..entries {
            chain.write_raw(&mut bytes, Mono::from_millis(n), "in", if n < other { "\"00\"" } else { "\"ff\"" });
            let log = "flagfall-journal/1/00aa";
            let note = key.checkpoint(log, &chain, Vec::new()).note(log, &key.public());
            list.take(&BTreeMap::from([(String::from("1"), note)])).unwrap();
            if n + 1 == seen {
                let note = list.checkpoint().1;
                let (origin, checkpoint) = Checkpoint::read(&note).unwrap();
                let line = witness.countersigned(&checkpoint, &origin, Wall::EPOCH);
                keep(data.path(), &Cosigner::of(&witness.public()), &format!("{note}{line}")).unwrap();
            }
        }
        data
    }

    #[test]
    fn the_first_lines_are_proved_by_the_note_of_the_witness_and_of_no_other() {
        let (own, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (key, witness) = (Key::of(own.path()).unwrap().key, Key::of(theirs.path()).unwrap().key);
        let cosigner = Cosigner::of(&witness.public());
        let proved = |data: &Path, by: &Cosigner| {
            let mut sizes = Vec::new();
            proved(&data.join(FOLDER), std::slice::from_ref(by), &mut |_, checkpoint| sizes.push(checkpoint.size)).map(|_| sizes)
        };
        let data = folder(&key, &witness, (9, 6, 99));
        assert_eq!(proved(data.path(), &cosigner).unwrap(), [1, 2, 3, 4, 5, 6], "what the witness has not seen counts for nothing");
        let origin = crate::checkpoint::fingerprint(&key.public());
        assert_eq!((seen(data.path(), &cosigner, &origin), seen(data.path(), &cosigner, "another")), (6, 0));
        assert!(matches!(proved(data.path(), &Cosigner::of(&key.public())), Err(Unproved::NoNote)), "another witness");
        let place = |data: &tempfile::TempDir| data.path().join(FOLDER).join(FILE);
        for (entries, other, word) in [(4, 99, "4 stand"), (9, 2, "written anew")] {
            fs::copy(place(&folder(&key, &witness, (entries, 0, other))), place(&data)).unwrap();
            let why = proved(data.path(), &cosigner).unwrap_err().to_string();
            assert!(why.contains(word), "{why}");
            let found = compare(data.path(), std::slice::from_ref(&cosigner)).unwrap();
            assert!(matches!(&found[..], [(None, said)] if *said == why), "{found:?}");
        }
        fs::remove_file(place(&data)).unwrap();
        assert!(proved(data.path(), &cosigner).unwrap_err().to_string().contains("0 stand"));
    }

    #[test]
    fn a_journal_that_is_shorter_other_or_gone_is_named() {
        let (own, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (key, witness) = (Key::of(own.path()).unwrap().key, Key::of(theirs.path()).unwrap().key);
        let data = folder(&key, &witness, (9, 9, 99));
        let found = compare(data.path(), &[Cosigner::of(&witness.public())]).unwrap();
        assert!(matches!(&found[..], [(Some(board), why)] if board == "1" && why.contains("is not here")), "{found:?}");
    }
}
