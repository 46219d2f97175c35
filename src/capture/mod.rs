//! Capture files: one chunk of bytes a line, with its millisecond and direction. What a field engineer sends in and what tests replay.
//!
//! ```text
//! # flagfall-capture 1
//! # rules: fide-2018            header lines set the game; any other key is a comment
//! 0 < 86 00 43 08 09 0a         milliseconds, direction (< from the board, > to the board), bytes in hex
//! 60000 ! {"do":"result","result":"1-0"}
//! 61000 = down
//! ```
//!
//! The format is stable. CRLF, blank lines and comments anywhere are tolerated; everything else that is odd is an error with its line.
//!
//! | file | holds |
//! |---|---|
//! | `drive` | a capture through a board, in its own time |
//! | `header` | the `#` lines: what is fixed before the game |
//! | `line` | one line: its kinds, reading and writing |
//! | `inbytes` | another form of recording, converted |
mod drive;
pub mod header;
pub mod inbytes;
pub mod line;

pub use drive::{drive, drive_with};
pub use header::Header;
pub use line::Line;

use flagfall_events::{Entry, LinkState, Mono};
use std::io::{self, Write};

/// A malformed line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {text}")]
pub struct CaptureError {
    /// From 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub text: String,
}

/// A capture that is read line by line: what precedes a malformed line still comes out. After an error nothing more comes.
#[derive(Clone, Debug)]
pub struct Capture<'a> {
    header: Header,
    rest: &'a [u8],
    number: usize,
    last: Mono,
    broken: bool,
}

impl<'a> Capture<'a> {
    /// Reads the header; the lines come from the iterator.
    pub fn open(bytes: &'a [u8]) -> Result<Self, CaptureError> {
        let mut rest = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let (mut number, mut header, mut seen_magic) = (0, Header::default(), false);
        loop {
            let (text, after) = next_line(rest);
            let Some(text) = text else { break };
            let error = |text: String| CaptureError { line: number + 1, text };
            let comment = match std::str::from_utf8(text).map(str::trim) {
                Ok("") => None,
                Ok(line) if line.starts_with('#') => Some(line.trim_start_matches('#').trim()),
                _ if seen_magic => break,
                _ => return Err(error(String::from(NO_CAPTURE))),
            };
            match comment {
                None => {}
                Some("flagfall-capture 1") => seen_magic = true,
                Some(other) if !seen_magic => {
                    let text = match other.strip_prefix("flagfall-capture") {
                        Some(version) => {
                            format!("version {:?} is not known here; version 1 is; a newer flagfall may read it", version.trim())
                        }
                        None => String::from(NO_CAPTURE),
                    };
                    return Err(error(text));
                }
                Some(other) => header.read(other).map_err(error)?,
            }
            (rest, number) = (after, number + 1);
        }
        if !seen_magic {
            return Err(CaptureError { line: 1, text: String::from(NO_CAPTURE) });
        }
        Ok(Self { header, rest, number, last: Mono::ZERO, broken: false })
    }

    /// What is fixed before the game.
    pub const fn header(&self) -> &Header {
        &self.header
    }
}

/// The bytes of a file as a capture: other forms of recording that are known are converted, everything else is left as it is.
pub fn convert(bytes: Vec<u8>) -> Result<Vec<u8>, CaptureError> {
    if inbytes::recognise(&bytes) { inbytes::to_capture(&bytes, &[]).map(String::into_bytes) } else { Ok(bytes) }
}

const NO_CAPTURE: &str = "not a capture: its first line must be `# flagfall-capture 1`";

impl Iterator for Capture<'_> {
    type Item = Result<(Mono, Line), CaptureError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.broken {
            let (text, after) = next_line(self.rest);
            let text = text?;
            (self.rest, self.number) = (after, self.number + 1);
            let parsed = match std::str::from_utf8(text).map(str::trim) {
                Ok(text) if text.is_empty() || text.starts_with('#') => continue,
                Ok(text) => line::parse(text),
                Err(_) => Err(String::from("not text; was the file damaged on its way?")),
            };
            let item = parsed.and_then(|(t, line)| {
                if t < self.last {
                    let (t, last) = (t.millis(), self.last.millis());
                    return Err(format!(
                        "time {t} is before {last} of an earlier line; times never decrease, sort the lines or mend the number"
                    ));
                }
                self.last = t;
                Ok((t, line))
            });
            self.broken = item.is_err();
            return Some(item.map_err(|text| CaptureError { line: self.number, text }));
        }
        None
    }
}

/// The next line without its end, and what follows; `None` at the end.
fn next_line(bytes: &[u8]) -> (Option<&[u8]>, &[u8]) {
    if bytes.is_empty() {
        return (None, bytes);
    }
    match bytes.iter().position(|b| *b == b'\n') {
        Some(end) => (Some(&bytes[..end]), &bytes[end + 1..]),
        None => (Some(bytes), &[]),
    }
}

/// Writes a capture. Times that would decrease are raised to the last one.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    last: Mono,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    pub fn new(mut out: W, header: &Header) -> io::Result<Self> {
        write!(out, "{header}")?;
        Ok(Self { out, last: Mono::ZERO })
    }

    /// Bytes that came from the board; none write no line.
    pub fn from_board(&mut self, t: Mono, bytes: &[u8]) -> io::Result<()> {
        self.chunk(t, '<', bytes)
    }

    /// Bytes that went to the board; none write no line.
    pub fn to_board(&mut self, t: Mono, bytes: &[u8]) -> io::Result<()> {
        self.chunk(t, '>', bytes)
    }

    /// An arbiter's or operator's input.
    pub fn entry(&mut self, t: Mono, entry: &Entry) -> io::Result<()> {
        let json = serde_json::to_string(entry)?;
        let t = self.stamp(t);
        writeln!(self.out, "{t} ! {json}")
    }

    /// The link came up or went down.
    pub fn link(&mut self, t: Mono, state: LinkState) -> io::Result<()> {
        let t = self.stamp(t);
        let state = match state {
            LinkState::Up => "up",
            LinkState::Down => "down",
        };
        writeln!(self.out, "{t} = {state}")
    }

    /// Any line.
    pub fn line(&mut self, t: Mono, line: &Line) -> io::Result<()> {
        match line {
            Line::FromBoard(bytes) => self.from_board(t, bytes),
            Line::ToBoard(bytes) => self.to_board(t, bytes),
            Line::Entry(entry) => self.entry(t, entry),
            Line::Link(state) => self.link(t, *state),
        }
    }

    /// A comment; line ends in it begin further comments.
    pub fn comment(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| writeln!(self.out, "# {line}"))
    }

    /// Hands everything to the file.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Back to what was written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn stamp(&mut self, t: Mono) -> u64 {
        self.last = self.last.max(t);
        self.last.millis()
    }

    fn chunk(&mut self, t: Mono, direction: char, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let t = self.stamp(t);
        let mut text = String::with_capacity(24 + 3 * bytes.len());
        line::chunk(&mut text, t, direction, bytes);
        self.out.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests;
