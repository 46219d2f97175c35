//! A capture, line by line.
use crate::{CaptureLine, Header, line};
use flagfall_events::Mono;

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
    pub(crate) number: usize,
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

const NO_CAPTURE: &str = "not a capture: its first line must be `# flagfall-capture 1`";

impl Iterator for Capture<'_> {
    type Item = Result<(Mono, CaptureLine), CaptureError>;

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
