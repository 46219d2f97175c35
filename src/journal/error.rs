//! Why journals cannot be kept or read.
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why journals cannot be kept or read.
#[derive(Debug, Error)]
pub enum JournalError {
    /// Another flagfall writes there.
    #[error("{}: another flagfall (process {owner}) keeps its journals here; stop it, or give this one a folder of its own with --data-dir", folder.display())]
    InUse {
        /// The data folder.
        folder: PathBuf,
        /// Its process.
        owner: String,
    },
    /// Reading or writing failed.
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, #[source] io::Error),
}
