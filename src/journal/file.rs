//! One journal while it is written: its chain, and the bytes that are not safe yet.
use super::checkpoint;
use super::disk::{Part, Slot};
use super::header::{Before, Open};
use super::key::Key;
use super::line::Chain;
use super::read::{self, readable, seq_of};
use super::receipt::{after, words};
use super::said::Said;
use super::what::{End, Lost, What};
use flagfall_events::{Body, Mono, Receipt, ReceiptAfter};
use std::io::{self, BufRead, Read as _};
use std::sync::Arc;

/// A checkpoint is signed after so many lines …
const SIGN_EVERY: u64 = 512;
/// … and before a line that is so many milliseconds later than the first one that is not signed: no kill and no power cut leaves more.
pub(super) const SIGN_AFTER: u64 = 10_000;

/// Lines that this machine found at its start and that no checkpoint covers.
#[derive(Clone, Debug)]
pub(super) struct Unsigned {
    /// When the first of them was.
    pub(super) since: Mono,
    /// What the next checkpoint says of them.
    pub(super) note: String,
}

pub(super) struct File {
    /// Whose it is, as the writer numbers boards.
    board: usize,
    slot: Arc<Slot>,
    /// The journal before it must be safe before anything of this one is written: its first line names the other one's end.
    follows: Option<Arc<Slot>>,
    open: Open,
    key: Key,
    chain: Chain,
    /// Everything after `durable`, synced or not.
    pending: Vec<u8>,
    /// So many bytes of the file are safe.
    durable: u64,
    /// Bytes of `pending` that are written.
    written: usize,
    /// Bytes of `pending` in the group on its way.
    last: Mono,
    seq: u64,
    signed: u64,
    /// When the first line was that is not signed.
    since: Option<Mono>,
    /// What the next checkpoint says of what was found.
    notes: Vec<String>,
    /// Results and rulings that the next checkpoint gives a receipt of.
    wanted: Vec<(u64, ReceiptAfter)>,
    /// Receipts, each with the byte up to which the file must be safe before anybody has it.
    receipts: Vec<(u64, Receipt)>,
    /// Checkpoints as notes, in the same way.
    sealed: Vec<(u64, String)>,
    sign: bool,
    /// All that a result or a ruling brought about stands behind it: a receipt is of the whole.
    settled: bool,
    ended: bool,
    lost: Option<Lost>,
    /// Something waits in it that is published only when it is safe.
    urgent: bool,
}

impl File {
    pub(super) fn continued(
        (board, slot): (usize, Slot),
        open: Open,
        key: Key,
        chain: Chain,
        offset: u64,
        (last, seq): (Mono, u64),
    ) -> Self {
        Self {
            board,
            slot: Arc::new(slot),
            follows: None,
            open,
            key,
            chain,
            pending: Vec::new(),
            durable: offset,
            written: 0,
            last,
            seq,
            signed: 0,
            since: None,
            notes: Vec::new(),
            wanted: Vec::new(),
            receipts: Vec::new(),
            sealed: Vec::new(),
            // What was found is signed at once.
            sign: true,
            settled: true,
            ended: false,
            lost: None,
            urgent: false,
        }
    }

    /// The same, where what was found last is not signed.
    pub(super) fn with_unsigned(mut self, unsigned: Option<Unsigned>) -> Self {
        self.since = unsigned.as_ref().map(|unsigned| unsigned.since);
        self.notes = unsigned.into_iter().map(|unsigned| unsigned.note).collect();
        self
    }

    /// The same, where these results and rulings have no receipt yet.
    pub(super) fn wanting(mut self, wanted: Vec<(u64, ReceiptAfter)>) -> Self {
        self.wanted = wanted;
        self
    }

    pub(super) fn begun(place: (usize, Slot), open: Open, key: Key, follows: Option<Arc<Slot>>) -> Self {
        let (header, seq) = (What::Open(Box::new(open.clone())), open.seq);
        let t = open.stands.as_ref().map_or(Mono::ZERO, |stands| stands.t);
        let mut file = Self { follows, ..Self::continued(place, open, key, Chain::default(), 0, (t, seq)) };
        file.write(t, &header);
        // A journal that has ended has one that follows it.
        file.urgent = file.follows.is_some();
        file
    }

    /// Whose it is.
    pub(super) const fn board(&self) -> usize {
        self.board
    }

    /// Where it is.
    pub(super) const fn slot(&self) -> &Arc<Slot> {
        &self.slot
    }

    fn write(&mut self, t: Mono, what: &What) {
        self.before(t);
        self.last = self.last.max(t);
        self.chain.write(&mut self.pending, t, what);
    }

    /// A line of this time follows: what stands is signed before it where that has waited long enough.
    fn before(&mut self, t: Mono) {
        if self.since.is_some_and(|since| t >= since + SIGN_AFTER) {
            self.sign();
        }
        self.since = self.since.or(Some(t));
    }

    /// Adds a line; without `room` it is only counted.
    pub(super) fn line(&mut self, t: Mono, what: &What, room: bool) {
        if let What::Event(event) = what {
            return self.event(&Said::of(event.clone()), room);
        }
        // Whatever comes next, what was said before it is over.
        self.settled = true;
        if self.takes(room, None) {
            self.write(t, what);
        }
    }

    /// All events of an input were added.
    pub(super) fn settled(&mut self) {
        self.settled = true;
        self.urgent |= self.sign;
    }

    /// Adds an event's line, with the bytes that were made of it; without `room` it is only counted.
    pub(super) fn event(&mut self, said: &Said, room: bool) {
        let event = &said.event;
        self.seq = event.seq;
        if self.takes(room, Some(event.seq)) {
            self.before(event.t);
            self.last = self.last.max(event.t);
            self.chain.event(&mut self.pending, event.t, &said.json);
            self.sign |= matches!(event.body, Body::Result { .. } | Body::Ruling(_) | Body::Finding(_) | Body::FindingUpdate(_));
            let after = after(&event.body);
            self.settled &= after.is_none();
            self.wanted.extend(after.map(|after| (event.seq, after)));
        }
    }

    /// Whether a line is kept; one that is not is counted as lost, and so is everything after it until that is told.
    fn takes(&mut self, room: bool, seq: Option<u64>) -> bool {
        if room && self.lost.is_none() {
            return true;
        }
        let why = || String::from("the disk took no writes for too long");
        let lost = self.lost.get_or_insert_with(|| Lost { lines: 0, first_seq: None, last_seq: None, why: why() });
        lost.lines += 1;
        lost.first_seq = lost.first_seq.or(seq);
        lost.last_seq = seq.or(lost.last_seq);
        false
    }

    /// The file is gone for good: another one begins with the same header, says what the first one held, and goes on.
    pub(super) fn begin_again(&mut self) {
        let rest = std::mem::take(&mut self.pending);
        let kept = readable(&rest);
        let first = kept.iter().find(|line| line.key == "event").and_then(|line| seq_of(line.value));
        let lost = Lost {
            lines: self.chain.lines().saturating_sub(kept.len() as u64),
            first_seq: Some(self.open.seq + 1),
            last_seq: Some(first.map_or(self.seq, |seq| seq.saturating_sub(1))),
            why: String::from("the journal was removed while it was written"),
        };
        tracing::error!("board {}: {} lines of its journal are lost: {}", self.open.board, lost.lines, lost.why);
        let last = self.last;
        *self = Self {
            last: self.open.stands.as_ref().map_or(Mono::ZERO, |stands| stands.t),
            seq: self.seq,
            ended: self.ended,
            lost: self.lost.take(),
            urgent: true,
            ..Self::continued((self.board, self.slot.another()), self.open.clone(), self.key.clone(), Chain::default(), 0, (last, self.seq))
        };
        // Another log: the checkpoints of the first one are of other lines.
        self.open.log = self.open.log.as_ref().map(|_| checkpoint::number());
        let t = self.last;
        self.write(t, &What::Open(Box::new(self.open.clone())));
        if lost.lines > 0 {
            let at = kept.first().map_or(last, |line| line.t);
            self.write(at, &What::Lost(lost));
        }
        // A checkpoint is of the lines that were before it.
        for line in kept.iter().filter(|line| !matches!(line.key, "open" | "checkpoint" | "sign")) {
            self.before(line.t);
            self.chain.copy(&mut self.pending, line);
        }
        self.last = last;
    }

    /// The disk takes writes again: says what was lost meanwhile, if anything.
    pub(super) fn told_lost(&mut self) {
        if let Some(lost) = self.lost.take() {
            tracing::error!("board {}: {} lines of its journal are lost", self.open.board, lost.lines);
            self.write(self.last, &What::Lost(lost));
        }
    }

    /// Signs what stands where a checkpoint is due; with `all` whatever is not signed.
    pub(super) fn sign_if_due(&mut self, all: bool) {
        let unsigned = self.chain.lines() - self.signed;
        if ((self.sign && self.settled) || all || unsigned >= SIGN_EVERY) && unsigned > 0 && !self.ended && self.lost.is_none() {
            self.sign();
        }
    }

    fn sign(&mut self) {
        let (mut digest, mut note) = (None, None);
        let what = match checkpoint::origin(&self.open) {
            Some(log) => {
                let checkpoint = self.key.checkpoint(&log, &self.chain, std::mem::take(&mut self.notes));
                digest = Some(checkpoint.digest(&log));
                note = Some(checkpoint.note(&log, &self.key.public()));
                What::Checkpoint(checkpoint)
            }
            None => What::Sign(self.key.sign(&self.open.board, &self.chain)),
        };
        self.chain.write(&mut self.pending, self.last, &what);
        let safe = self.durable + self.pending.len() as u64;
        self.sealed.extend(note.map(|note| (safe, note)));
        for ((of, after), digest) in self.wanted.drain(..).zip(digest.into_iter().cycle()) {
            self.receipts.push((safe, Receipt { of, after, words: words(digest) }));
        }
        (self.signed, self.sign, self.since) = (self.chain.lines(), false, None);
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, why: &str) {
        if !self.ended && self.lost.is_none() {
            self.write(self.last, &What::End(End { why: String::from(why), seq: self.seq }));
            self.sign();
            self.ended = true;
        }
    }

    /// How the next journal names this one.
    pub(super) fn as_before(&self) -> Option<Before> {
        let file = self.slot.path()?.file_name()?.to_string_lossy().into_owned();
        Some(Before { file, lines: self.chain.lines(), chain: self.chain.hex(), damaged: None })
    }

    /// Whether the next checkpoint has something to cover.
    pub(super) const fn is_unsigned(&self) -> bool {
        self.chain.lines() > self.signed && self.lost.is_none() && !self.ended
    }

    pub(super) const fn is_dirty(&self) -> bool {
        !self.pending.is_empty()
    }

    pub(super) const fn waits(&self) -> usize {
        self.pending.len()
    }

    /// What was written last must be safe before it is published.
    pub(super) const fn hurry(&mut self) {
        self.urgent = true;
    }

    /// Whether it has to be synced with the next group.
    pub(super) const fn is_urgent(&self) -> bool {
        self.urgent
    }

    /// What has to be written now, and with `sync` everything in it synced.
    pub(super) fn part(&mut self, file: u64, sync: bool) -> Option<Part> {
        let sync = sync || self.urgent;
        let bytes = self.pending.get(self.written..).unwrap_or_default();
        if bytes.is_empty() && !(sync && self.is_dirty()) {
            self.urgent = false;
            return None;
        }
        let offset = self.durable + self.written as u64;
        let (slot, follows) = (self.slot.clone(), self.follows.clone());
        let part = Part { file, slot, follows, offset, bytes: bytes.to_vec(), sync };
        self.urgent = false;
        Some(part)
    }

    /// So many bytes more are written, and with `synced` everything written is safe.
    pub(super) fn is_written(&mut self, bytes: u64, synced: bool) {
        self.written += usize::try_from(bytes).unwrap_or(0);
        self.written = self.written.min(self.pending.len());
        if synced {
            self.follows = None;
            self.durable += self.written as u64;
            self.pending.drain(..self.written);
            self.written = 0;
        }
    }

    /// The receipts that can be given now: their checkpoints are safe.
    pub(super) fn given(&mut self) -> Vec<Receipt> {
        let safe = self.receipts.iter().take_while(|(safe, _)| *safe <= self.durable).count();
        self.receipts.drain(..safe).map(|(_, receipt)| receipt).collect()
    }

    /// The newest checkpoint that is safe, where that is another one than last time.
    pub(super) fn newest(&mut self) -> Option<(String, String)> {
        let safe = self.sealed.iter().take_while(|(safe, _)| *safe <= self.durable).count();
        let (_, note) = self.sealed.drain(..safe).next_back()?;
        Some((self.open.board.clone(), note))
    }

    /// Nothing after the last sync counts as written.
    pub(super) const fn is_failed(&mut self) {
        self.written = 0;
    }

    pub(super) fn copy(&self) -> Copy {
        Copy { path: self.slot.path(), durable: self.durable, rest: self.pending.clone() }
    }
}

/// A board's journal as it stands now.
#[derive(Debug)]
pub struct Copy {
    pub(super) path: Option<std::path::PathBuf>,
    /// So many bytes of the file are right …
    pub(super) durable: u64,
    /// … and these follow.
    pub(super) rest: Vec<u8>,
}

impl Copy {
    /// All of it, as a stream. Blocks.
    pub fn open(&self) -> io::Result<impl BufRead + '_> {
        let file: Box<dyn BufRead> = match &self.path {
            Some(path) => Box::new(read::open(path)?),
            None => Box::new(io::empty()),
        };
        Ok(file.take(self.durable).chain(&self.rest[..]))
    }
}
