//! Writes captures.
use crate::{CaptureLine, Header, line};
use flagfall_events::{Entry, LinkState, Mono};
use std::io::{self, Write};

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
    pub fn line(&mut self, t: Mono, line: &CaptureLine) -> io::Result<()> {
        match line {
            CaptureLine::FromBoard(bytes) => self.from_board(t, bytes),
            CaptureLine::ToBoard(bytes) => self.to_board(t, bytes),
            CaptureLine::Entry(entry) => self.entry(t, entry),
            CaptureLine::Link(state) => self.link(t, *state),
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
