//! The store of documents: one consistent set at a time, replaced as a whole. Readers never wait, and a slow one sees only the newest.
use crate::delay::Lag;
use crate::event_info::Tournament;
use crate::ledger::Ledger;
use crate::ledger::told::Told;
use bytes::Bytes;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// One document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Relative, without a slash in front: `pgn/round-1/games.pgn`.
    pub path: String,
    /// Its content.
    pub bytes: Bytes,
    /// Media type with its charset.
    pub content_type: &'static str,
    /// How long a cache may keep it, seconds.
    pub max_age_s: u32,
    /// Strong, in quotes; the same content has the same one, also after a restart.
    pub etag: String,
    /// The version of the set in which it changed last.
    pub version: u64,
}

/// All documents of one moment.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// The event they were made of.
    pub tournament: Arc<Tournament>,
    /// Grows with every set in which something changed.
    pub version: u64,
    /// In the order in which they are to be written: the games of a round, its `games.pgn`, its index; the tournament last.
    documents: Vec<Arc<Document>>,
    /// Those of round 1, round 2 …
    rounds: Vec<Range<usize>>,
    by_path: Arc<HashMap<String, usize>>,
}

impl Snapshot {
    /// The next set after `before`; `rounds`: where each round's documents are.
    pub(super) fn new(tournament: Arc<Tournament>, documents: Vec<Arc<Document>>, rounds: Vec<Range<usize>>, before: &Self) -> Self {
        let same_place = |(one, two): (&Arc<Document>, &Arc<Document>)| Arc::ptr_eq(one, two) || one.path == two.path;
        let by_path = if documents.len() == before.documents.len() && documents.iter().zip(&before.documents).all(same_place) {
            before.by_path.clone()
        } else {
            Arc::new(documents.iter().enumerate().map(|(i, d)| (d.path.clone(), i)).collect())
        };
        Self { tournament, version: before.version + 1, documents, rounds, by_path }
    }

    /// The documents of round `number`, from 1.
    pub(super) fn of_round(&self, number: u32) -> Option<&[Arc<Document>]> {
        let range = self.rounds.get(usize::try_from(number.checked_sub(1)?).ok()?)?;
        self.documents.get(range.clone())
    }

    /// The document at `path`.
    pub fn get(&self, path: &str) -> Option<&Arc<Document>> {
        self.documents.get(*self.by_path.get(path)?)
    }

    /// The documents whose paths begin with `prefix`, in the order in which they are to be written.
    pub fn under<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a Arc<Document>> {
        self.documents.iter().filter(move |d| d.path.starts_with(prefix))
    }

    /// Whether no document differs.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.documents.len() == other.documents.len() && self.documents.iter().zip(&other.documents).all(|(one, two)| Arc::ptr_eq(one, two))
    }

    /// The document with this content: the old one where nothing changed.
    pub(super) fn renewed(&self, path: String, content_type: &'static str, max_age_s: u32, bytes: Bytes) -> Arc<Document> {
        if let Some(old) = self.get(&path).filter(|old| old.bytes == bytes && old.max_age_s == max_age_s) {
            return old.clone();
        }
        let etag = format!("\"{}\"", &blake3::hash(&bytes).to_hex()[..20]);
        Arc::new(Document { path, bytes, content_type, max_age_s, etag, version: self.version + 1 })
    }
}

/// The shared handle.
#[derive(Debug)]
pub struct Documents {
    now: watch::Sender<Arc<Snapshot>>,
    lag: Lag,
    served: Served,
    /// What stands in folders, by the name that alarms have for it.
    folders: Mutex<Vec<(String, Ledger)>>,
}

/// What readers over HTTP get.
#[derive(Clone, Debug, Default)]
pub struct Served {
    /// As PGN.
    pub pgn: Ledger,
    /// As the cloud's JSON.
    pub json: Ledger,
}

impl Served {
    fn take(&self, next: &Snapshot) {
        let changed = next.documents.iter().filter(|document| document.version == next.version);
        for (document, (place, told)) in
            changed.filter_map(|document| Some((document, Told::of_document(&document.path, &document.bytes)?)))
        {
            let ledger = if document.path.ends_with(".pgn") { &self.pgn } else { &self.json };
            ledger.told(place, told);
            ledger.answered(Ok(()));
        }
    }
}

impl Documents {
    /// A store without documents.
    pub fn new() -> Arc<Self> {
        Self::delayed(Lag::NONE)
    }

    /// The same for documents that go out so much later than they are made.
    pub fn delayed(lag: Lag) -> Arc<Self> {
        Arc::new(Self { now: watch::Sender::new(Arc::new(Snapshot::default())), lag, served: Served::default(), folders: Mutex::default() })
    }

    /// The newest set.
    pub fn now(&self) -> Arc<Snapshot> {
        self.now.borrow().clone()
    }

    /// One document of the newest set.
    pub fn get(&self, path: &str) -> Option<Arc<Document>> {
        self.now.borrow().get(path).cloned()
    }

    /// To wait for the next set; a slow reader sees only the newest.
    pub fn watch(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.now.subscribe()
    }

    /// Makes the documents of `event` and shows them.
    pub fn make(&self, event: Arc<Tournament>) {
        let before = self.now();
        let next = super::documents(event, self.lag, &before);
        if !next.is_same(&before) {
            self.served.take(&next);
            self.now.send_replace(Arc::new(next));
        }
    }

    /// What readers over HTTP were given.
    pub const fn served(&self) -> &Served {
        &self.served
    }

    /// The ledger of a folder that is written from now on.
    pub fn folder(&self, about: &str) -> Ledger {
        let ledger = Ledger::default();
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        folders.retain(|(name, _)| name != about);
        folders.push((String::from(about), ledger.clone()));
        ledger
    }

    /// Only folders that the configuration still names are written.
    pub fn no_folders(&self) {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// What stands in every folder.
    pub fn folders(&self) -> Vec<(String, Ledger)> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
