//! One line of a journal: its shape, its checksum and its place in the chain.
//!
//! ```text
//! {"n":12,"t":1023,"in":"8d000a…","h":"0123456789abcdef","crc":"89abcdef"}
//!  number  ms      one key and its value   chain             checksum of all before it
//! ```
//!
//! The shape is fixed to the byte, so a line is taken apart without a JSON reader, and any JSON reader takes it apart as well.
use super::hex::hex;
use super::tree::{Hash, Tree};
use super::what::What;
use flagfall_events::Mono;
use std::fmt;
use std::io::Write as _;

/// Bytes of `,"h":"…","crc":"…"}`.
const TAIL: usize = 6 + 16 + 1 + CRC;
/// Bytes of `,"crc":"…"}`.
const CRC: usize = 8 + 8 + 2;

/// Where a chain of lines stands: how many there were, and the hash over all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    lines: u64,
    hash: blake3::Hash,
    tree: Tree,
}

impl Default for Chain {
    fn default() -> Self {
        Self { lines: 0, hash: blake3::hash(b"flagfall-journal 1"), tree: Tree::default() }
    }
}

impl Chain {
    /// Lines so far.
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// The hash over all lines so far, lower-case hex.
    pub fn hex(&self) -> String {
        self.hash.to_hex().to_string()
    }

    /// The root of the Merkle tree over all lines so far.
    pub fn root(&self) -> Hash {
        self.tree.root()
    }

    fn after(&self, body: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.hash.as_bytes()).update(body);
        hasher.finalize()
    }

    fn take(&mut self, hash: blake3::Hash, line: &[u8]) {
        (self.lines, self.hash) = (self.lines + 1, hash);
        self.tree.add(line);
    }

    fn short(hash: &blake3::Hash) -> [u8; 8] {
        let bytes = hash.as_bytes();
        std::array::from_fn(|i| bytes[i])
    }

    /// Adds a line to `out` and to the chain.
    pub fn write(&mut self, out: &mut Vec<u8>, t: Mono, what: &What) {
        self.add(out, t, what.key(), |out| what.value(out));
    }

    /// Adds a line of any kind whose value is JSON already.
    pub fn write_raw(&mut self, out: &mut Vec<u8>, t: Mono, key: &str, value: &str) {
        self.add(out, t, key, |out| out.extend_from_slice(value.as_bytes()));
    }

    /// Adds an event, which is JSON already.
    pub(super) fn event(&mut self, out: &mut Vec<u8>, t: Mono, json: &[u8]) {
        self.add(out, t, "event", |out| out.extend_from_slice(json));
    }

    /// Adds what another chain's line holds.
    pub(super) fn copy(&mut self, out: &mut Vec<u8>, line: &Line<'_>) {
        self.write_raw(out, line.t, line.key, line.value);
    }

    fn add(&mut self, out: &mut Vec<u8>, t: Mono, key: &str, value: impl FnOnce(&mut Vec<u8>)) {
        let start = out.len();
        // Writing to a Vec cannot fail, and neither can turning our own types into JSON.
        let _ = write!(out, "{{\"n\":{},\"t\":{},\"{key}\":", self.lines + 1, t.millis());
        value(out);
        let hash = self.after(&out[start..]);
        out.extend_from_slice(b",\"h\":\"");
        hex(out, &Self::short(&hash));
        out.push(b'"');
        let crc = crc32fast::hash(&out[start..]);
        out.extend_from_slice(b",\"crc\":\"");
        hex(out, &crc.to_be_bytes());
        out.extend_from_slice(b"\"}");
        self.take(hash, &out[start..]);
        out.push(b'\n');
    }

    /// Takes a line that was read; it must be the next one of this chain.
    ///
    /// # Errors
    /// It has another number, or was changed, or what precedes it was.
    pub fn accept(&mut self, line: &Line<'_>) -> Result<(), Wrong> {
        if line.number != self.lines + 1 {
            return Err(Wrong::Number { expected: self.lines + 1, found: line.number });
        }
        let next = self.after(line.body.as_bytes());
        let mut short = Vec::with_capacity(16);
        hex(&mut short, &Self::short(&next));
        if short != line.chain.as_bytes() {
            return Err(Wrong::Chain);
        }
        self.take(next, line.text.as_bytes());
        Ok(())
    }
}

/// A line as it was read: its shape and its checksum are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// From 1.
    pub number: u64,
    /// Milliseconds since the journal opened.
    pub t: Mono,
    /// What kind of line: `in`, `event` …
    pub key: &'a str,
    /// Its value, JSON.
    pub value: &'a str,
    /// The whole line without its end.
    pub text: &'a str,
    body: &'a str,
    chain: &'a str,
}

impl<'a> Line<'a> {
    /// Takes a line apart, without its line end.
    ///
    /// # Errors
    /// [`Wrong::Checksum`] or [`Wrong::Shape`].
    pub fn read(bytes: &'a [u8]) -> Result<Self, Wrong> {
        let at = bytes.len().checked_sub(CRC).ok_or(Wrong::Shape)?;
        let (summed, end) = bytes.split_at(at);
        let mut crc = Vec::with_capacity(CRC);
        crc.extend_from_slice(b",\"crc\":\"");
        hex(&mut crc, &crc32fast::hash(summed).to_be_bytes());
        crc.extend_from_slice(b"\"}");
        if crc != end {
            return Err(Wrong::Checksum);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| Wrong::Shape)?;
        Self::apart(text).ok_or(Wrong::Shape)
    }

    fn apart(text: &'a str) -> Option<Self> {
        let (body, tail) = text.split_at_checked(text.len().checked_sub(TAIL)?)?;
        let chain = tail.strip_prefix(",\"h\":\"")?.get(..16)?;
        let (number, rest) = body.strip_prefix("{\"n\":")?.split_once(",\"t\":")?;
        let (t, rest) = rest.split_once(",\"")?;
        let (key, value) = rest.split_once("\":")?;
        Some(Self { number: number.parse().ok()?, t: Mono::from_millis(t.parse().ok()?), key, value, text, body, chain })
    }

    /// What the line holds.
    ///
    /// # Errors
    /// In words: a key or a value that this version does not know.
    pub fn what(&self) -> Result<What, String> {
        What::read(self.key, self.value)
    }
}

/// Why a line does not stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The file ends in the middle of it.
    Torn,
    /// Its bytes are not those that were written.
    Checksum,
    /// Its checksum is right, but it is no line of a journal.
    Shape,
    /// Lines are missing, doubled or out of order.
    Number {
        /// The number that should come.
        expected: u64,
        /// The number that came.
        found: u64,
    },
    /// It, or a line before it, is not the one that was written.
    Chain,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Torn => f.write_str("the file ends in the middle of this line"),
            Self::Checksum => f.write_str("the checksum is wrong: the line was damaged"),
            Self::Shape => f.write_str("this is no line of a journal"),
            Self::Number { expected, found } => write!(f, "it is numbered {found} where {expected} must come: lines are missing or moved"),
            Self::Chain => f.write_str("the chain is broken: this line, or one before it, was changed after it was written"),
        }
    }
}

/// Says of a line that cannot be trusted what it seems to hold.
pub fn seems_to_hold(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let after = |mark: &str| {
        let from = text.find(mark)? + mark.len();
        let word: String = text[from..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
        (!word.is_empty()).then_some(word)
    };
    const KINDS: [(&str, &str); 18] = [
        ("\"in\":", "bytes from the board"),
        ("\"out\":", "bytes to the board"),
        ("\"drop\":", "how much the board said too much"),
        ("\"event\":", "an event"),
        ("\"link\":", "the state of the link"),
        ("\"entry\":", "an entry"),
        ("\"verdict\":", "a verdict of the solver"),
        ("\"say\":", "an alarm"),
        ("\"key\":{", "another key"),
        ("\"checkpoint\":", "a signed checkpoint"),
        ("\"sign\":", "a signed checkpoint"),
        ("\"restart\":", "a restart"),
        ("\"open\":", "the header"),
        ("\"cut\":", "what was cut at a restart"),
        ("\"lost\":", "how much could not be written"),
        ("\"skip\":", "an input that was left out"),
        ("\"anew\":", "a new beginning"),
        ("\"end\":", "the end"),
    ];
    let Some((_, kind)) = KINDS.iter().filter_map(|k| Some((text.find(k.0)?, k.1))).min() else {
        return format!("nothing that can be read ({} bytes)", bytes.len());
    };
    let mut said = String::from(kind);
    if let Some(ms) = after("\"t\":") {
        said += &format!(" at {ms} ms");
    }
    if kind == "an event" {
        if let Some(seq) = after("\"seq\":") {
            said += &format!(", seq {seq}");
        }
        if let Some(of) = after("\"type\":\"") {
            said += &format!(", {of}");
        }
    }
    said
}
