//! Reading a journal: line by line with its chain, or whatever of it can be read; the evidence around events.
use super::line::{Chain, Line, Wrong, seems_to_hold};
use super::what::What;
use super::{JournalError, store};
use flagfall_events::Event;
use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom};
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
    pub offset: u64,
}

/// A journal, to be read as a stream.
pub fn open(path: &Path) -> io::Result<BufReader<File>> {
    open_at(path, 0)
}

/// The same from byte `offset` on.
pub(super) fn open_at(path: &Path, offset: u64) -> io::Result<BufReader<File>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(BufReader::with_capacity(64 << 10, file))
}

/// No line of ours is longer: a record of hundreds of moves is a tenth of it. Bytes.
const LONGEST: usize = 4 << 20;

/// Reads on to the next line end, which stays in `text`; 0 at the end of the file. Of a line without end no more is kept than [`LONGEST`].
pub(super) fn line(reader: &mut impl BufRead, text: &mut Vec<u8>) -> io::Result<usize> {
    text.clear();
    reader.take(LONGEST as u64).read_until(b'\n', text)
}

/// A journal's lines in order, as a stream, each checked against its checksum and the chain. After a bad one nothing more comes.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    text: Vec<u8>,
    offset: u64,
    chain: Chain,
    over: bool,
    failed: Option<io::Error>,
}

impl<R: BufRead> Lines<R> {
    /// From the first line on.
    pub fn new(reader: R) -> Self {
        Self { reader, text: Vec::new(), offset: 0, chain: Chain::default(), over: false, failed: None }
    }

    /// Where the next line begins, bytes.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The chain over the lines so far.
    pub const fn so_far(&self) -> Chain {
        self.chain
    }

    /// Why the file could not be read to its end, where that is so: what follows is not known.
    pub const fn failed(&mut self) -> Option<io::Error> {
        self.failed.take()
    }

    /// The next line.
    #[allow(clippy::should_implement_trait, reason = "what it gives is borrowed from it")]
    pub fn next(&mut self) -> Option<Result<Line<'_>, Bad>> {
        if self.over {
            return None;
        }
        let length = match line(&mut self.reader, &mut self.text) {
            Ok(length) => length,
            Err(error) => {
                (self.over, self.failed) = (true, Some(error));
                return None;
            }
        };
        if length == 0 {
            self.over = true;
            return None;
        }
        let whole = self.text.pop_if(|byte| *byte == b'\n').is_some();
        let read = if whole { Line::read(&self.text) } else { Err(Wrong::Torn) };
        let read = read.and_then(|line| self.chain.accept(&line).map(|()| line));
        Some(match read {
            Ok(line) => {
                self.offset += length as u64;
                Ok(line)
            }
            Err(wrong) => {
                self.over = true;
                Err(Bad { line: self.chain.lines() + 1, wrong, held: seems_to_hold(&self.text), offset: self.offset })
            }
        })
    }
}

/// Every line whose checksum is right, whatever stands between.
pub fn readable(bytes: &[u8]) -> Vec<Line<'_>> {
    bytes.split(|b| *b == b'\n').filter_map(|text| Line::read(text).ok()).collect()
}

/// The same of a file, one after the other.
///
/// # Errors
/// The file cannot be read on.
pub fn each_readable(mut reader: impl BufRead, mut each: impl FnMut(&Line<'_>)) -> io::Result<()> {
    let mut text = Vec::new();
    while line(&mut reader, &mut text)? > 0 {
        text.pop_if(|byte| *byte == b'\n');
        if let Ok(line) = Line::read(&text) {
            each(&line);
        }
    }
    Ok(())
}

/// The numbers of the inputs that were left out.
///
/// # Errors
/// The file cannot be read.
pub fn skips(mut reader: impl BufRead) -> io::Result<HashSet<u64>> {
    let (mut skips, mut text, mut input) = (HashSet::new(), Vec::new(), Vec::new());
    while line(&mut reader, &mut text)? > 0 {
        text.pop_if(|byte| *byte == b'\n');
        // Checksums are looked at only where something was left out, which is next to never.
        match key(&text) {
            Some(key) if What::is_input(key) => std::mem::swap(&mut input, &mut text),
            Some("skip") if Line::read(&text).is_ok() => skips.extend(Line::read(&input).map(|line| line.number)),
            _ => {}
        }
    }
    Ok(skips)
}

/// What kind of line this seems to be.
fn key(text: &[u8]) -> Option<&str> {
    let after = |text: &'_ [u8], mark: u8| text.iter().position(|byte| *byte == mark).map(|at| at + 1);
    // {"n":12,"t":1023,"KEY":
    let at = after(text, b',')?;
    let at = at + after(text.get(at..)?, b',')?;
    let rest = text.get(at..)?.strip_prefix(b"\"")?;
    std::str::from_utf8(rest.split(|byte| *byte == b'"').next()?).ok()
}

/// Every event of a journal that can be read.
pub fn events(bytes: &[u8]) -> Vec<Arc<Event>> {
    events_of(&readable(bytes))
}

/// The events among lines.
pub(super) fn events_of(lines: &[Line<'_>]) -> Vec<Arc<Event>> {
    let read = |line: &Line<'_>| serde_json::from_str(line.value).ok().map(Arc::new);
    lines.iter().filter(|line| line.key == "event").filter_map(read).collect()
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
        let read = open(path).and_then(|file| evidence_of(file, from, to));
        let (mut lines, first) = read.map_err(|error| JournalError::Io(path.clone(), error))?;
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
///
/// # Errors
/// The file cannot be read.
pub fn evidence_of(mut reader: impl BufRead, from: u64, to: u64) -> io::Result<(Vec<String>, Option<u64>)> {
    let (mut lines, mut first) = (Vec::new(), None);
    // Inputs since the last event that is not asked for.
    let (mut before, mut text) = (VecDeque::new(), Vec::new());
    while lines.len() < MOST && line(&mut reader, &mut text)? > 0 {
        text.pop_if(|byte| *byte == b'\n');
        let Ok(line) = Line::read(&text) else { continue };
        if line.key != "event" {
            before.push_back(String::from(line.text));
            if before.len() > MOST {
                before.pop_front();
            }
            continue;
        }
        let Some(seq) = seq_of(line.value) else { continue };
        first.get_or_insert(seq);
        if seq > to {
            break;
        }
        if seq >= from {
            lines.extend(before.drain(..));
            lines.push(String::from(line.text));
        }
        before.clear();
    }
    Ok((lines, first))
}

/// The number of an event, without reading the rest of it.
pub fn seq_of(json: &str) -> Option<u64> {
    json.strip_prefix("{\"seq\":")?.split(',').next()?.parse().ok()
}
