//! What a line may hold. Inputs are what a replay hands to the board; events are what must come of them.
use super::checkpoint::Checkpoint;
use super::header::Open;
use super::hex::{hex, unhex};
use flagfall_events::{Body, Entry, Event, LinkState, Mono, Wall};
use flagfall_game::played::Played;
use flagfall_game::questions::Verdict;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The content of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The first line: format, version, board, settings, public key.
    Open(Box<Open>),
    /// Input: bytes that were read from the board.
    In(Vec<u8>),
    /// Bytes that were written to the board.
    Out(Vec<u8>),
    /// Bytes that were read from a line with several boards. No input: what each of them said is in its own journal.
    Heard(Vec<u8>),
    /// Input: the board said more than it may, and this much of it is nowhere.
    Drop(Drop),
    /// Input: the link came up or went down.
    Link(LinkChange),
    /// Input: an arbiter or operator says so.
    Entry(Entry),
    /// Input: the solver answered.
    Verdict(Verdict),
    /// Input: the program itself says so (an alarm).
    Say(Body),
    /// Input: the program runs again.
    Restart(Restart),
    /// Input: the board begins anew, of which nothing is known.
    Anew(Anew),
    /// Input: the machine's clock was set to another time of day.
    Wall(WallSet),
    /// The last input before this line was left out, because the program could not take it.
    Skip(Skip),
    /// An event that came of the inputs.
    Event(Arc<Event>),
    /// From here on another key signs: the one before was lost.
    Key(KeyChange),
    /// All lines before this one are signed.
    Checkpoint(Checkpoint),
    /// The same in format 1.
    Sign(Sign),
    /// What was cut off the end of the file.
    Cut(Cut),
    /// What could not be kept.
    Lost(Lost),
    /// Nothing follows.
    End(End),
}

/// Bytes that were dropped before journal and decoder: the board says more than a board can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drop {
    /// When the first of them came.
    pub from: Mono,
    /// From when on bytes pass again.
    pub to: Mono,
    /// How many.
    pub bytes: u64,
}

/// The link came up or went down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkChange {
    /// Up or down.
    pub state: LinkState,
    /// Why, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// Which port answers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub port: Option<String>,
}

/// The program runs again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restart {
    /// Which version.
    pub flagfall: String,
    /// What it recognises by, as in the header.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recognition: Option<u32>,
    /// When.
    pub at: Wall,
    /// The last event's number; the next one follows it.
    pub seq: u64,
    /// What stands above was recognised otherwise: the game as it was published, which counts from here on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub played: Option<Played>,
}

/// The board begins anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anew {
    /// The last event's number; the next one follows it.
    pub seq: u64,
    /// How many games were played on the board before.
    #[serde(default)]
    pub games: u32,
    /// Why.
    pub why: String,
}

/// The machine's clock was set: by a time server after a start without network, or by hand. The line's own time goes on as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallSet {
    /// What it says now; events count from here.
    pub at: Wall,
    /// What it would have said.
    pub was: Wall,
}

/// An input was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skip {
    /// Why.
    pub why: String,
}

/// Another key signs from here on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyChange {
    /// The public key that signs from here on, hex.
    pub public: String,
    /// The key of this machine that signed before.
    pub lost: String,
    /// By that key, hex, over `flagfall-key LOST PUBLIC`: it was exchanged and not lost.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature: Option<String>,
}

/// A signed checkpoint of format 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sign {
    /// How many lines it covers: all before it.
    pub lines: u64,
    /// The chain's hash over them, hex.
    pub chain: String,
    /// Ed25519 over `flagfall-journal 1 BOARD LINES CHAIN`, hex.
    pub signature: String,
}

/// What was cut off the end of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// How many bytes.
    pub bytes: u64,
    /// What they seemed to hold.
    pub held: String,
    /// Why.
    pub why: String,
    /// Their BLAKE3 hash, hex.
    pub blake3: String,
    /// The bytes themselves in hex, where they are few.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub data: Option<String>,
}

/// What could not be kept while the disk failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// How many lines.
    pub lines: u64,
    /// The first event among them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_seq: Option<u64>,
    /// The last event among them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_seq: Option<u64>,
    /// Why.
    pub why: String,
}

/// Nothing follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Why.
    pub why: String,
    /// The last event's number.
    pub seq: u64,
}

impl What {
    /// The line's key.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Open(_) => "open",
            Self::In(_) => "in",
            Self::Out(_) => "out",
            Self::Heard(_) => "heard",
            Self::Drop(_) => "drop",
            Self::Link(_) => "link",
            Self::Entry(_) => "entry",
            Self::Verdict(_) => "verdict",
            Self::Say(_) => "say",
            Self::Restart(_) => "restart",
            Self::Anew(_) => "anew",
            Self::Wall(_) => "wall",
            Self::Skip(_) => "skip",
            Self::Event(_) => "event",
            Self::Key(_) => "key",
            Self::Checkpoint(_) => "checkpoint",
            Self::Sign(_) => "sign",
            Self::Cut(_) => "cut",
            Self::Lost(_) => "lost",
            Self::End(_) => "end",
        }
    }

    /// Whether a replay hands it to the board.
    pub fn is_input(key: &str) -> bool {
        matches!(key, "in" | "drop" | "link" | "entry" | "verdict" | "say" | "restart" | "anew" | "wall")
    }

    /// Adds the value as JSON.
    pub(super) fn value(&self, out: &mut Vec<u8>) {
        // Our own types have string keys and finite numbers only; serde_json cannot refuse them.
        let done = match self {
            Self::In(bytes) | Self::Out(bytes) | Self::Heard(bytes) => {
                out.push(b'"');
                hex(out, bytes);
                out.push(b'"');
                Ok(())
            }
            Self::Open(open) => serde_json::to_writer(out, open),
            Self::Drop(drop) => serde_json::to_writer(out, drop),
            Self::Link(link) => serde_json::to_writer(out, link),
            Self::Entry(entry) => serde_json::to_writer(out, entry),
            Self::Verdict(verdict) => serde_json::to_writer(out, verdict),
            Self::Say(body) => serde_json::to_writer(out, body),
            Self::Restart(restart) => serde_json::to_writer(out, restart),
            Self::Anew(anew) => serde_json::to_writer(out, anew),
            Self::Wall(wall) => serde_json::to_writer(out, wall),
            Self::Skip(skip) => serde_json::to_writer(out, skip),
            Self::Event(event) => serde_json::to_writer(out, event),
            Self::Key(key) => serde_json::to_writer(out, key),
            Self::Checkpoint(checkpoint) => serde_json::to_writer(out, checkpoint),
            Self::Sign(sign) => serde_json::to_writer(out, sign),
            Self::Cut(cut) => serde_json::to_writer(out, cut),
            Self::Lost(lost) => serde_json::to_writer(out, lost),
            Self::End(end) => serde_json::to_writer(out, end),
        };
        debug_assert!(done.is_ok(), "{done:?}");
    }

    pub(super) fn read(key: &str, value: &str) -> Result<Self, String> {
        fn json<T: serde::de::DeserializeOwned>(key: &str, value: &str) -> Result<T, String> {
            serde_json::from_str(value).map_err(|error| format!("its {key:?} cannot be read: {error}"))
        }
        let bytes = || {
            let inner = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
            inner.and_then(unhex).ok_or_else(|| format!("its {key:?} is not hex"))
        };
        Ok(match key {
            "open" => Self::Open(json(key, value)?),
            "in" => Self::In(bytes()?),
            "out" => Self::Out(bytes()?),
            "heard" => Self::Heard(bytes()?),
            "drop" => Self::Drop(json(key, value)?),
            "link" => Self::Link(json(key, value)?),
            "entry" => Self::Entry(json(key, value)?),
            "verdict" => Self::Verdict(json(key, value)?),
            "say" => Self::Say(json(key, value)?),
            "restart" => Self::Restart(json(key, value)?),
            "anew" => Self::Anew(json(key, value)?),
            "wall" => Self::Wall(json(key, value)?),
            "skip" => Self::Skip(json(key, value)?),
            "event" => Self::Event(json(key, value)?),
            "key" => Self::Key(json(key, value)?),
            "checkpoint" => Self::Checkpoint(json(key, value)?),
            "sign" => Self::Sign(json(key, value)?),
            "cut" => Self::Cut(json(key, value)?),
            "lost" => Self::Lost(json(key, value)?),
            "end" => Self::End(json(key, value)?),
            _ => return Err(format!("{key:?} is not known here; a newer flagfall wrote it and may read it")),
        })
    }
}
