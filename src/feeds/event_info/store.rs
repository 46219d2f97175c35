//! What survives a restart: rounds, pairings and finished games, in one file beside the journals.
use super::seats::Kept;
use crate::tree::writer;
use flagfall_journal::store::read_small;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::Path;

/// The file's name in the folder of journals.
pub const FILE: &str = "event.json";

/// The same as far as it is public, where that is delayed.
pub const SHOWN: &str = "event-shown.json";

/// The version that is written and read.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Stored<K> {
    version: u32,
    event: K,
}

/// What was kept; `None` where nothing was.
///
/// # Errors
/// The file cannot be read or is of another version: what, and what to do.
pub fn load(folder: &Path, file: &str) -> Result<Option<Kept>, String> {
    let path = folder.join(file);
    let bytes = match read_small(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("{}: {error}; earlier rounds are missing in the documents", path.display())),
    };
    match serde_json::from_slice::<Stored<Kept>>(&bytes) {
        Ok(stored) if stored.version == VERSION => Ok(Some(stored.event)),
        Ok(stored) => Err(format!(
            "{} is of version {}, this flagfall knows {VERSION}; move it away or use the flagfall that wrote it",
            path.display(),
            stored.version
        )),
        // What comes next would be written over it.
        Err(error) => {
            Err(format!("{}; earlier rounds are missing in the documents", put_aside(&path, &format!("cannot be read ({error})"))))
        }
    }
}

/// Sets a file aside that cannot be used; what became of it, and why.
pub(super) fn put_aside(path: &Path, why: &str) -> String {
    let mut name = path.as_os_str().to_owned();
    name.push(".damaged");
    match std::fs::rename(path, &name) {
        Ok(()) => format!("{} {why}; it is set aside as {}", path.display(), Path::new(&name).display()),
        Err(error) => format!("{} {why}, and cannot be set aside: {error}", path.display()),
    }
}

/// Writes a file of the folder, whole or not at all.
///
/// # Errors
/// The path, what failed, what to do.
pub(super) fn put(folder: &Path, file: &str, bytes: &[u8]) -> Result<(), String> {
    writer::put_all(folder, &folder.join(file), bytes)
}

/// Writes it, whole or not at all.
///
/// # Errors
/// The path, what failed, what to do.
pub fn save(folder: &Path, file: &str, kept: &Kept) -> Result<(), String> {
    let bytes = serde_json::to_vec(&Stored { version: VERSION, event: kept }).map_err(|error| error.to_string())?;
    put(folder, file, &bytes)
}
