//! Receipts: twelve words that stand for a checkpoint, short enough to be written down and too long to be met by chance.
//!
//! The words are those of BIP-39 for the first 128 bits of the SHA-256 of what the checkpoint signs, so the last of them checks the others.
use super::checkpoint::{Checkpoint, origin};
use super::read::Lines;
use super::what::What;
use bip39::{Language, Mnemonic};
use flagfall_events::{Body, Event, ReceiptAfter};
use std::fmt;

/// How many words a receipt has.
const WORDS: usize = 12;

/// Results and rulings that get a receipt at a start at most: a kill leaves one or two.
const MOST: usize = 8;

/// The words for these 128 bits.
pub(super) fn words(digest: [u8; 16]) -> String {
    // 128 bits are one of the lengths that have words.
    Mnemonic::from_entropy(&digest).map(|words| words.to_string()).unwrap_or_default()
}

/// Whether a receipt is given after an event: a game's end, a ruling on a finding.
pub(super) fn after(body: &Body) -> Option<ReceiptAfter> {
    match body {
        Body::Result { .. } => Some(ReceiptAfter::Result),
        Body::Ruling(ruling) => ruling.finding().map(|_| ReceiptAfter::Ruling),
        _ => None,
    }
}

/// Takes an event of a journal that is found: which results and rulings have no receipt yet, the newest of them.
pub(super) fn wanting(wanted: &mut Vec<(u64, ReceiptAfter)>, event: &Event) {
    if let Body::Receipt(given) = &event.body {
        wanted.retain(|(of, _)| *of != given.of);
    }
    wanted.extend(after(&event.body).map(|after| (event.seq, after)));
    if wanted.len() > MOST {
        wanted.remove(0);
    }
}

/// What somebody holds who was given twelve words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Receipt([u8; 16]);

impl fmt::Debug for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Receipt({})", words(self.0))
    }
}

impl Receipt {
    /// Reads twelve words, whatever stands between them.
    ///
    /// # Errors
    /// In words: which of them is wrong, or that together they are no receipt.
    pub fn read(text: &str) -> Result<Self, String> {
        let given: Vec<String> = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        if given.len() != WORDS {
            return Err(format!("a receipt is {WORDS} words, and these are {}", given.len()));
        }
        match Mnemonic::parse_in_normalized(Language::English, &given.join(" ")) {
            Ok(words) => {
                let (entropy, _) = words.to_entropy_array();
                Ok(Self(std::array::from_fn(|i| entropy[i])))
            }
            Err(bip39::Error::UnknownWord(at)) => {
                let word = given.get(at).map_or("", String::as_str);
                Err(format!("word {} of the receipt, {word:?}, is not in the list of receipts' words; look at it again", at + 1))
            }
            Err(_) => Err(String::from("these words together are no receipt: one of them was read wrong, or two change places")),
        }
    }

    /// The receipt of a signed note; `None` where that is none.
    pub fn of_note(note: &str) -> Option<Self> {
        let (log, checkpoint) = Checkpoint::read(note).ok()?;
        Some(Self(checkpoint.digest(&log)))
    }

    /// Whether it stands for this checkpoint of a log.
    pub fn is_of(&self, checkpoint: &Checkpoint, log: &str) -> bool {
        checkpoint.digest(log) == self.0
    }

    /// The checkpoint it stands for, where the journal has it: how many lines that covers. Nothing after a line that does not stand is looked at.
    pub fn covers(&self, journal: &[u8]) -> Option<u64> {
        let (mut lines, mut log) = (Lines::new(journal), None);
        loop {
            let before = lines.so_far();
            let line = lines.next()?.ok()?;
            match line.key {
                "open" | "checkpoint" => {}
                _ => continue,
            }
            match line.what().ok()? {
                What::Open(open) => log = origin(&open),
                What::Checkpoint(checkpoint) => {
                    let log = log.as_deref()?;
                    if checkpoint.is_of(before.lines(), &before.root()) && self.is_of(&checkpoint, log) {
                        return Some(before.lines());
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_were_given_and_a_wrong_one_is_named() {
        let digest = std::array::from_fn(|i| i as u8 * 17);
        let given = words(digest);
        assert_eq!(given.split(' ').count(), WORDS);
        assert_eq!(Receipt::read(&given), Ok(Receipt(digest)));
        assert_eq!(Receipt::read(&format!("  {}\n", given.to_uppercase().replace(' ', " - "))), Ok(Receipt(digest)));
        let mut other: Vec<&str> = given.split(' ').collect();
        other[4] = "flagfall";
        assert!(Receipt::read(&other.join(" ")).unwrap_err().starts_with("word 5 of the receipt, \"flagfall\""));
        other.swap_remove(4);
        assert_eq!(Receipt::read(&other.join(" ")).unwrap_err(), "a receipt is 12 words, and these are 11");
        // One of sixteen passes the check of the last word: these do not.
        assert!(Receipt::read(&["abandon"; 12].join(" ")).unwrap_err().contains("together are no receipt"));
    }
}
