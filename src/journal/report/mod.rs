//! The incident report: what an appeals committee reads, as one HTML file that needs nothing else.
//!
//! Out of a journal's or capture's events: what the sensors saw, position and times as found, the proposal and how it was revised, the
//! ruling and who made it, what was then set, and the lines of evidence. Knows nothing of files, sockets or clocks.
//!
//! | file | holds |
//! |---|---|
//! | `case.rs` | events to incidents |
//! | `diagram.rs` | a position as SVG |
//! | `page.rs` | incidents to HTML |
//! | `words.rs` | English and Russian |
pub mod case;
pub mod diagram;
mod page;
mod words;

pub use case::{Case, cases};
pub use page::page;

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
}
