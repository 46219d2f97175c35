//! Where the events come from, and in which language they are told.

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
