//! Where the events come from, and in which language they are told.
use crate::proof::{Sealed, sealed};
use crate::read;
use flagfall_events::Event;
use std::path::Path;

/// In which language it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lang {
    /// English.
    En,
    /// Russian.
    Ru,
}

/// Where the events come from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The file's name.
    pub file: String,
    /// BLAKE3 of the whole file, hexadecimal.
    pub blake3: String,
    /// Its lines, each with its millisecond.
    pub lines: Vec<(u64, String)>,
    /// Its checkpoints; a capture has none.
    pub sealed: Vec<Sealed>,
}

impl Source {
    /// A journal's bytes: where its events come from, and the events. What was damaged is passed over.
    pub fn of_journal(path: &Path, bytes: &[u8]) -> (Self, Vec<Event>) {
        let lines = read::readable(bytes).iter().map(|line| (line.t.millis(), String::from(line.text))).collect();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let blake3 = blake3::hash(bytes).to_hex().to_string();
        let events = read::events(bytes).iter().map(|event| Event::clone(event)).collect();
        (Self { file, blake3, lines, sealed: sealed(bytes) }, events)
    }
}
