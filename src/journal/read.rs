//! Reading a journal: line by line with its chain, or whatever of it can be read; the evidence around events.
use super::line::{Chain, Line, Wrong, seems_to_hold};
use super::{JournalError, store};
use crate::game::event::Event;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Lines of evidence that are given out at once.
const MOST: usize = 5_000;

/// A line that does not stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// Its number in the file, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub wrong: Wrong,
    /// What it seems to hold.
    pub held: String,
    /// Where it begins, bytes.
    pub offset: usize,
}

/// A journal's lines in order, each checked against its checksum and the chain. After a bad one nothing more comes.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    offset: usize,
    chain: Chain,
    broken: bool,
}

impl<'a> Lines<'a> {
    /// From the first line on.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, chain: Chain::default(), broken: false }
    }

    /// Where the next line begins, bytes.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The chain over the lines so far.
    pub const fn so_far(&self) -> Chain {
        self.chain
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Result<Line<'a>, Bad>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.offset..).filter(|rest| !rest.is_empty() && !self.broken)?;
        let end = rest.iter().position(|b| *b == b'\n');
        let text = &rest[..end.unwrap_or(rest.len())];
        let read = match end {
            None => Err(Wrong::Torn),
            Some(_) => Line::read(text).and_then(|line| self.chain.accept(&line).map(|()| line)),
        };
        Some(match read {
            Ok(line) => {
                self.offset += text.len() + 1;
                Ok(line)
            }
            Err(wrong) => {
                self.broken = true;
                Err(Bad { line: self.chain.lines() + 1, wrong, held: seems_to_hold(text), offset: self.offset })
            }
        })
    }
}

/// Every line whose checksum is right, whatever stands between.
pub fn readable(bytes: &[u8]) -> Vec<Line<'_>> {
    bytes.split(|b| *b == b'\n').filter_map(|text| Line::read(text).ok()).collect()
}

/// Whether a whole line stands anywhere.
pub(super) fn any_line(bytes: &[u8]) -> bool {
    bytes.split(|b| *b == b'\n').any(|text| Line::read(text).is_ok())
}

/// The numbers of the inputs that were left out.
pub(crate) fn skips(bytes: &[u8]) -> HashSet<u64> {
    let mut skips = HashSet::new();
    if !bytes.windows(8).any(|w| w == b",\"skip\":") {
        return skips;
    }
    let mut input = None;
    for line in readable(bytes) {
        if super::what::What::is_input(line.key) {
            input = Some(line.number);
        } else if line.key == "skip" {
            skips.extend(input);
        }
    }
    skips
}

/// Every event of a journal that can be read.
pub fn events(bytes: &[u8]) -> Vec<Arc<Event>> {
    let read = |line: &Line<'_>| serde_json::from_str(line.value).ok().map(Arc::new);
    readable(bytes).iter().filter(|line| line.key == "event").filter_map(read).collect()
}

/// The raw lines from the inputs that led to event `from` up to event `to`, as they stand in the board's journals; at most five thousand.
///
/// # Errors
/// A journal that cannot be read.
pub fn evidence(data_dir: &Path, board: &str, from: u64, to: u64) -> Result<Vec<String>, JournalError> {
    let folder = store::folder(data_dir, board);
    let files = store::journals(data_dir, board).map_err(|error| JournalError::Io(folder, error))?;
    let mut found = Vec::new();
    // The newest first: evidence is mostly asked for while the game is on.
    for path in files.iter().rev() {
        let bytes = std::fs::read(path).map_err(|error| JournalError::Io(path.clone(), error))?;
        let (mut lines, first) = evidence_of(&bytes, from, to);
        lines.append(&mut found);
        found = lines;
        if first.is_some_and(|first| first <= from) {
            break;
        }
    }
    found.truncate(MOST);
    Ok(found)
}

/// The same in one file; and the number of the file's first event.
pub fn evidence_of(bytes: &[u8], from: u64, to: u64) -> (Vec<String>, Option<u64>) {
    let (mut lines, mut first) = (Vec::new(), None);
    // Inputs since the last event that is not asked for.
    let mut before: Vec<&str> = Vec::new();
    for line in readable(bytes) {
        if line.key != "event" {
            before.push(line.text);
            continue;
        }
        let seq: Option<u64> = line.value.strip_prefix("{\"seq\":").and_then(|v| v.split(',').next()?.parse().ok());
        let Some(seq) = seq else { continue };
        first.get_or_insert(seq);
        if seq > to {
            break;
        }
        if seq >= from {
            lines.extend(before.drain(..).map(String::from));
            lines.push(String::from(line.text));
        }
        before.clear();
    }
    (lines, first)
}
