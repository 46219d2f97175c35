//! Journals that this machine cannot have written as they are found: set aside, and said until somebody has looked.
use std::io;
use std::path::{Path, PathBuf};

/// How the name of such a file ends.
const EXTENSION: &str = "refused";

/// Moves a journal to a name that is no journal's, over nothing that lies there. Says so in the log.
pub(super) fn set_aside(path: &Path, line: u64, why: &str) -> io::Result<PathBuf> {
    let name = |n: u32| path.with_extension(if n == 1 { String::from(EXTENSION) } else { format!("{EXTENSION}-{n}") });
    let aside = (1..1_000).map(name).find(|aside| !aside.exists()).ok_or(io::ErrorKind::AlreadyExists)?;
    std::fs::rename(path, &aside)?;
    tracing::error!(
        "{}:{line}: {why}. It is kept as {}; what this machine's key has signed of it counts, the rest does not",
        path.display(),
        aside.display()
    );
    Ok(aside)
}

/// Those that lie in a board's folder, by name.
pub(super) fn in_folder(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let aside = |path: &PathBuf| path.extension().is_some_and(|e| e.to_string_lossy().starts_with(EXTENSION)) && path.is_file();
    let mut found: Vec<String> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(aside).map(|p| p.display().to_string()).collect();
    found.sort();
    found
}

/// What is said of them.
pub(super) fn told(files: &[String]) -> String {
    format!(
        "{}: not as this machine wrote it. The game goes on from what its key has signed; compare the moves with the score sheets. \
         `flagfall verify` says what is wrong. Keep the file as evidence: the alarm ends at the start after it was moved away",
        files.join(", ")
    )
}
