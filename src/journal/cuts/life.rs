//! A program's life with one board: the real writer in simulated time, on a disk of which every step is noted.
use super::super::{Group, Health, Job, Newest, Writer, is_urgent};
use super::disk::Disk;
use crate::attendant::{Attendant, JournalState};
use crate::begin::Begin;
use crate::disk::{Done, Part, Slot, WrittenPart};
use crate::header::Open;
use crate::key::Key;
use crate::recovered::Recovered;
use crate::said::Said;
use crate::what::{LinkChange, Restart, What};
use flagfall_capture::CaptureLine;
use flagfall_events::{AlarmState, Body, Event, Mono, Receipt, Wall};
use flagfall_game::RECOGNITION;
use flagfall_game::board::{Board, Output};
use flagfall_time::{Hand, Stopwatch};
use prometheus_client::registry::Registry;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// What somebody was told, and what must still be in the journals after whatever comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// An event that counts was published.
    Event(String),
    /// An entry was answered.
    Entry(String),
    /// A receipt was given.
    Receipt(String),
    /// A hall could see this checkpoint.
    Note(String),
}

/// What happened on the disk, and what was said.
#[derive(Clone, Debug)]
enum Step {
    Write { path: PathBuf, offset: u64, bytes: Vec<u8> },
    Cut { path: PathBuf, length: u64 },
    Sync { path: PathBuf },
    Told(Promise),
}

/// What callbacks said since it was looked at last.
#[derive(Debug, Default)]
struct Heard {
    safe: u64,
    entries: Vec<String>,
    receipts: Vec<Receipt>,
}

struct Nobody;

impl Attendant for Nobody {
    fn journal(&self, _: JournalState) {}
    fn alarm(&self, key: &str, about: &str, text: Option<String>) {
        assert!(text.is_none(), "{key} {about}: {text:?}");
    }
    fn register(&self, _: &mut dyn FnMut(&mut Registry)) {}
}

pub(super) struct Life {
    writer: Writer,
    groups: Receiver<Group>,
    hand: Hand,
    sealed: Newest,
    heard: Arc<Mutex<Heard>>,
    flying: Option<(Mono, Group)>,
    /// Events that count and that nobody was told yet.
    counts: BTreeMap<u64, String>,
    note: Option<String>,
    random: ChaCha8Rng,
    board: Board,
    /// What its journal's time counts from.
    base: u64,
    /// The last event's number.
    seq: u64,
    steps: Vec<Step>,
    /// What was on the disk at its beginning.
    found: Disk,
}

impl Life {
    fn new(board: Board, key: &Key, at: Mono, folder: &Path, seed: u64) -> Self {
        let (stopwatch, hand) = Stopwatch::simulated(Wall::EPOCH);
        hand.set(at);
        let ((disk, groups), sealed) = (channel(), Newest::default());
        let health = watch::channel(Health::Ok).0;
        let writer = Writer::new(stopwatch, (key.clone(), sealed.clone()), Arc::new(Nobody), health, None, disk);
        let (random, found) = (ChaCha8Rng::seed_from_u64(seed), Disk::of(folder));
        let (heard, counts, steps) = (Arc::default(), BTreeMap::new(), Vec::new());
        Self { writer, groups, hand, sealed, heard, flying: None, counts, note: None, random, board, base: 0, seq: 0, steps, found }
    }

    /// A first journal.
    pub(super) fn begun(open: &Open, key: &Key, folder: &Path, seed: u64) -> Self {
        let mut life = Self::new(open.begin(open.settings().unwrap()), key, Mono::ZERO, folder, seed);
        life.open(Begin::New { slot: Slot::new(folder.to_owned(), open.day.clone()), open: open.clone() });
        life
    }

    /// As the program goes on after a start.
    pub(super) fn going_on(recovered: Recovered, key: &Key, folder: &Path, seed: u64) -> Self {
        let (seq, last) = (recovered.seq, recovered.last);
        let mut life = Self::new(recovered.board, key, last, folder, seed);
        life.open(recovered.begin);
        recovered.first.into_iter().for_each(|(t, what)| life.line(t, what));
        recovered.unseen.into_iter().for_each(|event| life.say(event));
        if recovered.continued {
            let (flagfall, at) = (String::new(), recovered.wall.after(last));
            life.line(last, What::Restart(Restart { flagfall, recognition: Some(RECOGNITION), at, seq, played: None }));
            life.board.count_from(seq);
            life.board.restarted(last);
            life.drain();
        }
        if let Some(alarm) = recovered.alarm {
            life.input(last, What::Say(Body::alarm(alarm, AlarmState::Raised)));
        }
        life.turn();
        life
    }

    /// The next journal, after the one that is on.
    pub(super) fn next(&mut self, mut open: Open, folder: &Path) {
        (open.games, open.raised) = (self.board.games(), self.board.raised());
        open.seq = self.seq;
        self.base = self.writer.stopwatch.now().millis();
        self.board = open.begin(open.settings().unwrap());
        self.open(Begin::New { slot: Slot::new(folder.to_owned(), open.day.clone()), open });
    }

    fn open(&mut self, begin: Begin) {
        let (one, other) = (self.heard.clone(), self.heard.clone());
        let safe = Arc::new(move |seq: u64| one.lock().unwrap().safe = seq);
        let told = Arc::new(move |receipt| other.lock().unwrap().receipts.push(receipt));
        self.writer.take(Job::Open { board: 0, begin: Box::new(begin), safe, told });
    }

    fn line(&mut self, t: Mono, what: What) {
        self.writer.take(Job::Line { board: 0, t, what: Box::new(what) });
    }

    fn say(&mut self, event: Event) {
        let said = Said::of(Arc::new(event));
        self.seq = said.event.seq;
        if is_urgent(&said.event.body) {
            self.counts.insert(said.event.seq, String::from_utf8(said.json.to_vec()).unwrap());
        }
        self.writer.take(Job::Event { board: 0, said });
    }

    fn drain(&mut self) {
        while let Some(output) = self.board.poll() {
            if let Output::Event(event) = output {
                self.say(event);
                // The writer may be as quick as that.
                if self.random.random_ratio(1, 8) {
                    self.turn();
                }
            }
        }
        self.writer.take(Job::Settled { board: 0 });
    }

    /// The journal's time by now.
    pub(super) fn now(&self) -> Mono {
        Mono::from_millis(self.writer.stopwatch.now().millis() - self.base)
    }

    pub(super) fn played(&mut self, t: Mono, line: CaptureLine) {
        match line {
            CaptureLine::FromBoard(bytes) => self.input(t, What::In(bytes)),
            CaptureLine::Link(state) => self.input(t, What::Link(LinkChange { state, reason: None, port: None })),
            CaptureLine::Entry(entry) => self.input(t, What::Entry(entry)),
            CaptureLine::ToBoard(bytes) => self.line(t, What::Out(bytes)),
        }
    }

    pub(super) fn input(&mut self, t: Mono, what: What) {
        while let Some(deadline) = self.board.deadline().filter(|deadline| *deadline <= t) {
            self.advance(deadline);
            self.board.timeout(deadline);
            self.drain();
            self.turn();
            if self.board.deadline() == Some(deadline) {
                break;
            }
        }
        self.advance(t);
        self.line(t, what.clone());
        let mut answered = None;
        match what {
            What::In(bytes) => self.board.bytes(t, &bytes),
            What::Link(change) => self.board.link(t, change.state, change.reason),
            What::Say(body) => self.board.say(t, body),
            What::Entry(entry) => {
                answered = Some(serde_json::to_string(&entry).unwrap());
                self.board.entry(t, entry);
            }
            other => panic!("{other:?}"),
        }
        self.drain();
        if let Some(entry) = answered {
            let heard = self.heard.clone();
            self.writer.take(Job::Then { call: Box::new(move || heard.lock().unwrap().entries.push(entry)) });
        }
        self.turn();
    }

    /// Time goes on; the disk answers, and the writer does what is due.
    fn advance(&mut self, to: Mono) {
        let to = Mono::from_millis(to.millis() + self.base);
        loop {
            let now = self.writer.stopwatch.now();
            let answers = self.flying.as_ref().map(|(at, _)| *at);
            let due = self.writer.patience().map(|ms| now + ms);
            let Some(next) = [answers, due].into_iter().flatten().min().filter(|next| *next <= to) else { break };
            self.hand.set(next.max(now));
            if answers.is_some_and(|at| at <= next) {
                self.answered();
            }
            self.turn();
        }
        self.hand.set(to.max(self.writer.stopwatch.now()));
    }

    fn turn(&mut self) {
        self.writer.watch_the_disk();
        assert!(self.writer.state.failing.is_none(), "no disk fails here");
        self.writer.submit();
        let Ok(group) = self.groups.try_recv() else { return };
        for Part { slot, follows, offset, bytes, .. } in &group.parts {
            if let Some(path) = follows.as_ref().and_then(|slot| slot.path()) {
                self.steps.push(Step::Sync { path });
            }
            let there = slot.path().and_then(|path| Some((fs::metadata(&path).ok()?.len(), path)));
            if let Some((_, path)) = there.filter(|(length, _)| length > offset) {
                self.steps.push(Step::Cut { path: path.clone(), length: *offset });
                self.steps.push(Step::Sync { path });
            }
            slot.write(*offset, bytes).unwrap();
            if !bytes.is_empty() {
                self.steps.push(Step::Write { path: slot.path().unwrap(), offset: *offset, bytes: bytes.clone() });
            }
        }
        let most = if self.random.random_ratio(1, 40) { 2_500 } else { 60 };
        self.flying = Some((self.writer.stopwatch.now() + self.random.random_range(1..most), group));
    }

    /// The disk is done with the group on its way.
    fn answered(&mut self) {
        let Some((_, group)) = self.flying.take() else { return };
        let mut parts = Vec::new();
        for Part { file, slot, bytes, sync, .. } in group.parts {
            if sync {
                self.steps.push(Step::Sync { path: slot.path().unwrap() });
            }
            parts.push(WrittenPart { file, bytes: bytes.len() as u64, synced: sync, failed: None });
        }
        self.writer.done(Done { parts, took: (0, 0) });
        let (safe, entries, receipts) = {
            let mut heard = self.heard.lock().unwrap();
            (heard.safe, std::mem::take(&mut heard.entries), std::mem::take(&mut heard.receipts))
        };
        let waits = self.counts.split_off(&(safe + 1));
        let told = std::mem::replace(&mut self.counts, waits).into_values().map(Promise::Event);
        let mut told: Vec<Promise> = told.chain(entries.into_iter().map(Promise::Entry)).collect();
        told.extend(receipts.iter().map(|receipt| Promise::Receipt(receipt.words.clone())));
        let note = self.sealed.lock().unwrap().get("1").cloned();
        told.extend(note.clone().filter(|_| note != self.note).map(Promise::Note));
        self.note = note;
        self.steps.extend(told.into_iter().map(Step::Told));
        let now = self.now();
        for receipt in receipts {
            self.line(now, What::Say(Body::Receipt(receipt.clone())));
            self.board.say(now, Body::Receipt(receipt));
            self.drain();
        }
    }

    /// The program is ended as it should be.
    pub(super) fn end(&mut self) {
        while self.flying.is_some() {
            self.answered();
            self.turn();
        }
        self.writer.take(Job::Stop);
        self.turn();
        while self.flying.is_some() {
            self.answered();
            self.turn();
        }
        assert!(self.writer.is_over());
    }

    pub(super) const fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The disk after so many steps, and what was promised by then.
    pub(super) fn after(&self, steps: usize) -> (Disk, Vec<Promise>) {
        let (mut disk, mut promised) = (self.found.clone(), Vec::new());
        for step in &self.steps[..steps] {
            match step {
                Step::Write { path, offset, bytes } => disk.write(path, *offset, bytes.clone()),
                Step::Cut { path, length } => disk.cut(path, *length),
                Step::Sync { path } => disk.sync(path),
                Step::Told(promise) => promised.push(promise.clone()),
            }
        }
        (disk, promised)
    }
}
