//! Lines of a journal that prove themselves: with the hashes beside them and a signed checkpoint they can be checked without the journal.
//!
//! ```text
//! {"proof":1,"journal":"2026-11-25.journal","beyond":0,
//!  "lines":["{\"n\":1,\"t\":0,\"open\":…}",…],     whole lines, in order
//!  "hashes":["qINS1GRF…",…],                       of every largest part of the tree that has none of them, from left to right
//!  "checkpoint":"flagfall-journal/7/9d3e…\n1233\n…"}  a signed note over the first so many lines
//! ```
use super::checkpoint::{Checkpoint, origin};
use super::line::Line;
use super::read::Lines;
use super::receipt::Receipt;
use super::tree::{beside, leaf, root_of_some};
use super::what::What;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagfall_events::Event;
use serde::{Deserialize, Serialize};

/// The version of the form.
const VERSION: u32 = 1;
/// What stands before a proof in a page, and behind it: `proof`, `proof-2` and so on.
const BEGINS: &str = "<template id=\"proof";
const ENDS: &str = "</template>";

/// A checkpoint of a journal, as a signed note.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// How many lines it covers.
    pub size: u64,
    /// The note.
    pub note: String,
}

/// The checkpoints of a journal that are of the lines before them. Format 1 has none.
pub fn sealed(journal: &[u8]) -> Vec<Sealed> {
    let (mut lines, mut log, mut signer, mut found) = (Lines::new(journal), None, String::new(), Vec::new());
    loop {
        let before = lines.so_far();
        let Some(Ok(line)) = lines.next() else { return found };
        match line.key {
            "open" | "key" | "checkpoint" => {}
            _ => continue,
        }
        match line.what() {
            Ok(What::Open(open)) => (log, signer) = (origin(&open), open.key),
            Ok(What::Key(change)) => signer = change.public,
            Ok(What::Checkpoint(checkpoint)) => {
                if let Some(log) = log.as_ref().filter(|_| checkpoint.is_of(before.lines(), &before.root())) {
                    found.push(Sealed { size: before.lines(), note: checkpoint.note(log, &signer) });
                }
            }
            _ => {}
        }
    }
}

/// Lines of a journal with what proves them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proof {
    proof: u32,
    journal: String,
    /// So many lines that belong to it come after the checkpoint.
    beyond: u64,
    lines: Vec<String>,
    hashes: Vec<String>,
    checkpoint: String,
}

/// What a proof proves.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Which log its checkpoint is of.
    pub log: String,
    /// The journal's file, as it was called.
    pub journal: String,
    /// The numbers of its lines.
    pub lines: Vec<u64>,
    /// How many lines the checkpoint covers.
    pub size: u64,
    /// So many lines that belong to it come after the checkpoint.
    pub beyond: u64,
    /// The key that was given signed it.
    pub signed: bool,
    /// The receipt that was given stands for it.
    pub received: bool,
    /// Who signs, as the journal's first line says.
    pub key: Option<String>,
    /// The events among its lines.
    pub events: Vec<Event>,
}

impl Proof {
    /// Of those `lines` of a journal (its first ones, whole) that are `wanted`, by number: with the first checkpoint that covers all of them, else the
    /// last one. The first line is always among them. `None`: nothing of it is signed.
    pub fn of(journal: &str, lines: &[&str], sealed: &[Sealed], wanted: impl Fn(u64) -> bool) -> Option<Self> {
        let last = (1..).zip(lines).filter(|(n, _)| *n == 1 || wanted(*n)).last()?.0;
        Self::up_to(journal, lines, sealed.iter().find(|sealed| sealed.size >= last).or_else(|| sealed.last())?, wanted)
    }

    /// The same with this checkpoint.
    pub fn up_to(journal: &str, lines: &[&str], Sealed { size, note }: &Sealed, wanted: impl Fn(u64) -> bool) -> Option<Self> {
        let numbers = || (1..).zip(lines).filter(|(n, _)| *n == 1 || wanted(*n));
        let covered = lines.get(..usize::try_from(*size).ok()?)?;
        let leaves: Vec<_> = covered.iter().map(|line| leaf(line.as_bytes())).collect();
        let is_wanted: Vec<bool> = (1..).take(covered.len()).map(|n| n == 1 || wanted(n)).collect();
        Some(Self {
            proof: VERSION,
            journal: String::from(journal),
            beyond: numbers().filter(|(n, _)| n > size).count() as u64,
            lines: numbers().filter(|(n, _)| n <= size).map(|(_, line)| String::from(*line)).collect(),
            hashes: beside(&leaves, &is_wanted).iter().map(|hash| STANDARD.encode(hash)).collect(),
            checkpoint: note.clone(),
        })
    }

    /// Whether it rests on this checkpoint.
    pub fn is_of(&self, sealed: &Sealed) -> bool {
        self.checkpoint == sealed.note
    }

    /// Whether its lines begin with those of the other one.
    pub fn begins_as(&self, other: &Self) -> bool {
        self.journal == other.journal && self.lines.starts_with(&other.lines)
    }

    /// As it stands in a page, where nothing shows or runs it; `number`: which of the page's it is, from 1.
    pub fn in_page(&self, number: usize) -> String {
        // Our own strings; serde_json cannot refuse them. Whatever a browser would write otherwise when it saves the page is escaped.
        let json = serde_json::to_string(self).unwrap_or_default();
        let json = json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e");
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        format!("{BEGINS}{number}\">{json}{ENDS}")
    }

    /// The proofs in a page, the one of the whole page first.
    ///
    /// # Errors
    /// In words: one that cannot be read.
    pub fn all_in(page: &str) -> Result<Vec<Self>, String> {
        let blocks = page.split(BEGINS).skip(1).map(|rest| rest.split(ENDS).next().unwrap_or_default());
        let blocks = blocks.map(|block| block.split_once("\">").map_or(block, |(_, json)| json));
        blocks.map(|json| serde_json::from_str(json).map_err(|error| format!("its proof cannot be read: {error}"))).collect()
    }

    /// Whether its lines stand in the tree that the checkpoint is of, and who vouches for that.
    ///
    /// # Errors
    /// In words: they do not, or it is no proof.
    pub fn check(&self, key: Option<&str>, receipt: Option<Receipt>) -> Result<Checked, String> {
        if self.proof != VERSION {
            return Err(format!("its proof has the form {}, and this flagfall knows {VERSION}; a newer one may read it", self.proof));
        }
        let (log, checkpoint) = Checkpoint::read(&self.checkpoint)?;
        let mut checked = Checked {
            log,
            journal: self.journal.clone(),
            lines: Vec::new(),
            size: checkpoint.size,
            beyond: self.beyond,
            signed: false,
            received: false,
            key: None,
            events: Vec::new(),
        };
        let mut leaves = Vec::new();
        for (at, text) in self.lines.iter().enumerate() {
            let line = Line::read(text.as_bytes()).map_err(|wrong| format!("line {} of its proof: {wrong}", at + 1))?;
            let after = checked.lines.last().copied().unwrap_or(0);
            if line.number <= after || line.number > checkpoint.size {
                return Err(format!("line {} stands after line {after} in its proof, of {} lines", line.number, checkpoint.size));
            }
            checked.lines.push(line.number);
            leaves.push((line.number - 1, leaf(text.as_bytes())));
            match line.key {
                "open" => {
                    let What::Open(open) = line.what()? else { continue };
                    if origin(&open).as_ref() != Some(&checked.log) {
                        return Err(format!("its checkpoint is of {}, which is not the journal of its first line", checked.log));
                    }
                    checked.key = Some(open.key);
                }
                "event" => checked.events.extend(serde_json::from_str::<Event>(line.value).ok()),
                _ => {}
            }
        }
        let hash = |text: &String| STANDARD.decode(text).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let hashes: Option<Vec<_>> = self.hashes.iter().map(hash).collect();
        let root = hashes.and_then(|hashes| root_of_some(checkpoint.size, &leaves, &hashes));
        if !root.is_some_and(|root| checkpoint.is_of(checkpoint.size, &root)) {
            return Err(String::from("its lines do not lead to its checkpoint: they were changed, or are of another journal"));
        }
        if checked.key.is_none() {
            return Err(String::from("the journal's first line is missing in its proof"));
        }
        checked.signed = key.is_some_and(|key| checkpoint.is_signed_by(&checked.log, &key.to_lowercase()));
        checked.received = receipt.is_some_and(|receipt| receipt.is_of(&checkpoint, &checked.log));
        Ok(checked)
    }
}
