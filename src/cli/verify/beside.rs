//! Where journals lie, and what those beside one say of its key.
use crate::cli::ExitError;
use crate::journal::store::EXTENSION;
use crate::journal::verify::verify;
use std::fs;
use std::path::{Path, PathBuf};

/// Whether a journal beside this one, signed with the key given, says that this key followed it, signed by the one before.
pub(super) fn vouched_before(path: &Path, key: &str, given: &str) -> bool {
    let Some(folder) = path.parent() else { return false };
    journals(folder, &mut |_| ())
        .iter()
        .filter(|beside| *beside != path)
        .any(|beside| fs::read(beside).is_ok_and(|bytes| verify(&bytes, Some(given)).trusted.as_deref() == Some(key)))
}

/// The journals that were named: a file, or those below a folder, in path order.
pub(in crate::cli) fn journals(path: &Path, complain: &mut impl FnMut(ExitError)) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let (mut found, mut folders) = (Vec::new(), vec![path.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                complain(ExitError::reading(&folder, &error));
                continue;
            }
        };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            // The type of the entry itself: a link to a folder above would never end.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == EXTENSION) && path.is_file() {
                found.push(path);
            }
        }
    }
    if found.is_empty() {
        complain(ExitError::no_input(format_args!("{}: no journal (*.{EXTENSION}) below this folder", path.display())));
    }
    found.sort();
    found
}

/// Which journal beside this one, signed with the key given, says that `lost` was lost.
pub(super) fn lost_before(path: &Path, lost: &str, given: &str) -> Option<String> {
    for path in journals(path.parent()?, &mut |_| ()) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let report = verify(&bytes, Some(given));
        let named = report.keys.iter().find(|(line, change)| change.lost == lost && *line <= report.proved);
        if let Some((line, _)) = named.filter(|_| report.trouble.is_none()) {
            return Some(format!("{}:{line}", path.display()));
        }
    }
    None
}
