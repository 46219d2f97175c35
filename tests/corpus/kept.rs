//! `events.txt`: a head, and one line a source: its name, how many events, the digest of what went in, that of the events, and a character for every
//! ten events, by which the place of a difference is found.
use super::source::simulated;
use flagfall_game::RECOGNITION;
use std::fmt;
use std::fs;
use std::path::PathBuf;

/// Events to one character.
pub(crate) const BLOCK: usize = 10;
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Where it is.
pub(crate) fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/events.txt"))
}

/// One source as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digest {
    pub(crate) name: String,
    pub(crate) events: usize,
    pub(crate) input: String,
    pub(crate) whole: String,
    /// Each tells about all events up to there: from the first difference on nearly all differ.
    pub(crate) blocks: String,
}

impl Digest {
    pub(crate) fn of(name: &str, input: blake3::Hash, events: &[String]) -> Self {
        let (mut hasher, mut blocks) = (blake3::Hasher::new(), String::new());
        for ten in events.chunks(BLOCK) {
            for line in ten {
                hasher.update(line.as_bytes()).update(b"\n");
            }
            blocks.push(char::from(ALPHABET[usize::from(hasher.finalize().as_bytes()[0] & 63)]));
        }
        let short = |hash: blake3::Hash, length: usize| hash.to_hex()[..length].to_owned();
        Self { name: name.to_owned(), events: events.len(), input: short(input, 12), whole: short(hasher.finalize(), 32), blocks }
    }

    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let mut next = || words.next().map(String::from);
        Some(Self { name: next()?, events: next()?.parse().ok()?, input: next()?, whole: next()?, blocks: next()? })
    }

    /// The first events that differ, as indices: they are among these.
    pub(crate) fn differs_in(&self, now: &Self) -> std::ops::Range<usize> {
        let same = self.blocks.bytes().zip(now.blocks.bytes()).take_while(|(a, b)| a == b).count();
        // The last character may be of fewer than ten events, and more may have followed it.
        let same = if same == self.blocks.len().min(now.blocks.len()) { same.saturating_sub(1) } else { same };
        same * BLOCK..(same + 1) * BLOCK
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {} {}", self.name, self.events, self.input, self.whole, self.blocks)
    }
}

/// The file.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) recognition: u32,
    pub(crate) simulated: String,
    pub(crate) sources: Vec<Digest>,
}

impl Kept {
    /// `None` where none was written yet.
    pub(crate) fn read() -> Option<Self> {
        let text = fs::read_to_string(path()).ok()?;
        let head = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
        let sources = text.lines().filter(|line| !line.starts_with('#'));
        Some(Self {
            recognition: head("# recognition: ").parse().unwrap_or(0),
            simulated: head("# simulated: "),
            sources: sources.map(|line| Digest::read(line).unwrap_or_else(|| panic!("a line that is none: {line:?}"))).collect(),
        })
    }

    pub(crate) fn write(sources: &[Digest]) {
        let lines: String = sources.iter().map(|digest| format!("{digest}\n")).collect();
        let head = format!(
            "# flagfall-corpus 1\n# recognition: {RECOGNITION}\n# simulated: {}\n# name, events, input, digest, a character for every ten events\n",
            simulated()
        );
        fs::write(path(), head + &lines).unwrap();
    }
}
