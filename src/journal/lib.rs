//! Evidence: everything that reached a board and everything that was said of it, in files that show when they were changed.
//!
//! A journal is JSON lines, one file a board and game day. Whatever a board's state rests on is in it (bytes, link states, entries, verdicts,
//! restarts), so the state is a fold over its inputs, and a replay makes the same events, numbers included.
//!
//! | file | holds |
//! |---|---|
//! | `line` | a line's shape, its checksum, the chain |
//! | `tree` | the Merkle tree over the lines |
//! | `checkpoint` | signed checkpoints, as transparency logs have them |
//! | `what` | what a line may hold |
//! | `header` | the first line |
//! | `receipt` | twelve words that stand for a checkpoint |
//! | `key`, `vouched` | the key that signs checkpoints; what leads from one to the next |
//! | `store` | where journals are, and the lock on the folder |
//! | `keeping` | how long evidence is kept |
//! | `day` | when a new journal begins |
//! | `begin`, `said` | how a board's journal begins; an event with its JSON |
//! | `writer`, `file` | the thread that gathers lines and says what is safe; it publishes nothing |
//! | `disk` | the thread that writes and syncs |
//! | `recover`, `torn`, `repair`, `recovered` | the last journal when the program starts, whole, torn or damaged |
//! | `proved`, `refused` | how far that journal is proved by this machine's key; one that this machine cannot have written |
//! | `digest` | what whoever shows boards needs of earlier events |
//! | `proof` | lines of a journal that prove themselves |
//! | `replay` | a journal's inputs through a board |
//! | `read` | lines and evidence, for whoever reads journals |
//! | `film` | what the sensors showed around a finding or a ply |
//! | `backlog` | events read back by whoever is behind, orders that were journaled |
//! | `retention` | when old journals are removed |
//! | `report` | the incident report |
//! | `verify` | whether a journal is what was written |
//! | `witness`, `shown`, `way` | what others have seen of it, and it of others; which machine showed what; what shows them that it goes on from there |
//! | `list`, `trail`, `listed`, `cosigner` | the list of all boards' checkpoints that outside witnesses see; what shows them that it goes on; what they prove of it; their keys |
//! | `metrics` | figures |
//! | `attendant` | who is told how the journal is doing |
mod attendant;
pub mod backlog;
mod begin;
pub mod checkpoint;
pub mod cosigner;
pub mod day;
mod digest;
mod disk;
mod error;
mod file;
pub mod film;
pub mod header;
mod hex;
pub mod keeping;
pub mod key;
pub mod line;
pub mod list;
pub mod listed;
mod metrics;
pub mod proof;
mod proved;
pub mod read;
pub mod receipt;
mod recover;
mod recovered;
mod refused;
mod repair;
pub mod replay;
pub mod report;
pub mod retention;
mod said;
mod shown;
pub mod store;
mod torn;
pub mod trail;
pub mod tree;
pub mod verify;
mod vouched;
pub mod way;
pub mod what;
pub mod witness;
mod writer;

pub use attendant::{Attendant, JournalState};
pub use error::JournalError;
pub use line::Chain;
pub use read::evidence;
pub use recovered::Recovered;
pub use said::Said;
pub use writer::{Fatal, Health, Safe};

use begin::Begin;
use disk::Slot;
pub use file::Copy;
use flagfall_events::{AlarmKey, Mono, Receipt, Wall, Word};
use flagfall_game::RECOGNITION;
use flagfall_game::board::Stands;
use flagfall_game::settings::Settings;
use flagfall_score::moment::Subject;
use flagfall_time::Stopwatch;
use header::{FORMAT, Open};
use keeping::{Keeping, keep_text};
use key::{FoundKey, Key};
use list::List;
use prometheus_client::metrics::gauge::Gauge;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use what::What;
use writer::{Job, Newest, Told, Writer};

/// Lines that wait for the gathering thread, which never waits for the disk: minutes of a hall.
const QUEUE: usize = 65_536;
/// While that queue is full a board's task looks again after so long.
const FULL: Duration = Duration::from_millis(1);

/// Receipts that wait for their board at most.
const RECEIPTS: usize = 64;

/// What the daemon's journals have in common.
#[derive(Clone)]
struct Common {
    data_dir: PathBuf,
    config: Keeping,
    key: Key,
    /// It signs since this start only: the one before is lost.
    new_key: bool,
    jobs: SyncSender<Job>,
    queued: Gauge,
    health: watch::Receiver<Health>,
}

impl Common {
    /// How a board's journal begins.
    fn open(&self, name: &str, settings: &Settings, now: Wall, seq: u64) -> Open {
        Open {
            format: FORMAT,
            log: Some(checkpoint::number()),
            flagfall: String::from(env!("CARGO_PKG_VERSION")),
            recognition: Some(RECOGNITION),
            board: String::from(name),
            day: flagfall_time::local_day(now).to_string(),
            recorded_at: now,
            seq,
            settings: header::named(settings),
            keep: keep_text(self.config.keep),
            key: self.key.public(),
            public: 0,
            games: 0,
            raised: Vec::new(),
            stands: None,
            before: None,
        }
    }
}

/// All journals of one daemon.
pub struct Journal {
    common: Common,
    boards: AtomicUsize,
    /// Boards that were read before they were asked for.
    read: Mutex<HashMap<String, Recovered>>,
    /// The newest checkpoint of each board that is safe.
    sealed: Newest,
    writer: Mutex<Option<JoinHandle<()>>>,
    attendant: Arc<dyn Attendant>,
    /// Held while the daemon runs.
    _lock: Option<File>,
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("data_dir", &self.common.data_dir).finish_non_exhaustive()
    }
}

impl Journal {
    /// Takes the folder and starts the threads. `fatal` is called when evidence is required and cannot be kept.
    ///
    /// # Errors
    /// Another flagfall has the folder, the key cannot be read, or the system gives no threads. A disk that takes no writes is none: its
    /// alarm is raised, and it is tried again.
    pub fn start(
        data_dir: &Path,
        config: Keeping,
        attendant: Arc<dyn Attendant>,
        stopwatch: Stopwatch,
        fatal: Fatal,
    ) -> Result<Self, JournalError> {
        let lock = store::lock(data_dir)?;
        let FoundKey { key, lost } = Key::found(data_dir, config.key_file().as_deref())?;
        tracing::info!("journals are signed with the key {}", checkpoint::fingerprint(&key.public()));
        let new_key = lost.is_some();
        if let Some(lost) = lost {
            tracing::error!("{lost}");
            attendant.alarm("journal-key-lost", "this machine", Some(lost));
        }
        let thread = |error| JournalError::Io(data_dir.to_owned(), error);
        let (jobs, inbox) = sync_channel(QUEUE);
        let (groups, work) = channel();
        let (told, health) = watch::channel(Health::Ok);
        let done = jobs.clone();
        thread::Builder::new()
            .name("disk".into())
            .spawn(move || disk::work(&work, |group| done.send(Job::Done(group)).is_ok(), stopwatch))
            .map_err(thread)?;
        attendant.journal(JournalState::Ok);
        let folder = data_dir.to_owned();
        let alarms = attendant.clone();
        let tidy = move || retention::watch(&folder, &*alarms);
        thread::Builder::new().name("retention".into()).spawn(tidy).map_err(thread)?;
        let fatal = config.required.then_some(fatal);
        let sealed = Newest::default();
        let writer = Writer::new(stopwatch, (key.clone(), sealed.clone()), attendant.clone(), told, fatal, groups);
        let queued = writer.metrics.queued().clone();
        let writer = thread::Builder::new().name("journal".into()).spawn(move || writer.run(&inbox)).map_err(thread)?;
        Ok(Self {
            common: Common { data_dir: data_dir.to_owned(), config, key, new_key, jobs, queued, health },
            boards: AtomicUsize::new(0),
            read: Mutex::default(),
            sealed,
            writer: Mutex::new(Some(writer)),
            attendant,
            _lock: lock,
        })
    }

    /// The gathering thread calls `turned` whenever it turns, at least so often.
    pub fn beating(&self, every: Duration, turned: impl Fn() + Send + 'static) {
        // Without the thread nobody calls, and nobody waits for it.
        let _ = self.common.jobs.send(Job::Beat(every, Box::new(turned)));
    }

    /// Where journals are kept.
    pub fn data_dir(&self) -> &Path {
        &self.common.data_dir
    }

    /// The newest checkpoint of a board that is on disk, as a signed note.
    pub fn newest_checkpoint(&self, board: &str) -> Option<String> {
        self.sealed.lock().unwrap_or_else(PoisonError::into_inner).get(board).cloned()
    }

    /// The same of all boards, by their names.
    pub fn newest_checkpoints(&self) -> BTreeMap<String, String> {
        self.sealed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The list of them that outside witnesses see. Blocks.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn list(&self) -> io::Result<List> {
        List::load(&self.common.data_dir, self.common.key.clone())
    }

    /// The public key that signs, hex.
    pub fn public_key(&self) -> String {
        self.common.key.public()
    }

    /// The raw lines around events of a board; see [`evidence`].
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn evidence(&self, board: &str, from: u64, to: u64) -> Result<Vec<String>, JournalError> {
        evidence(&self.common.data_dir, board, from, to)
    }

    /// What the sensors showed around a finding or a ply; see [`film::film`].
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn film(&self, board: &str, subject: Subject) -> Result<Option<film::Found>, JournalError> {
        film::film(&self.common.data_dir, board, subject)
    }

    /// The journal that has a finding or a ply; see [`film::journal`].
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn file_of(&self, board: &str, subject: Subject) -> Result<Option<PathBuf>, JournalError> {
        film::journal(&self.common.data_dir, board, subject)
    }

    /// The incident report on a finding, as HTML; see [`report::served`].
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn report(&self, board: &str, finding: u64, lang: report::Lang) -> Result<Option<String>, JournalError> {
        report::served(&self.common.data_dir, board, finding, lang)
    }

    /// Reads the last journals of these boards, several at a time; [`Journal::recover_board`] has them at once then. `at_work` is called again and again meanwhile.
    pub fn read_ahead(&self, boards: &[(&str, &Settings)], at_work: &(dyn Fn() + Sync)) {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some((name, settings)) = boards.get(next.fetch_add(1, Ordering::Relaxed)) {
                // What cannot be read is told when the board is asked for.
                if let Ok(recovered) = self.recovered(name, settings, at_work) {
                    self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(String::from(*name), recovered);
                }
            }
        };
        thread::scope(|scope| {
            let others = thread::available_parallelism().map_or(1, usize::from).min(boards.len()).saturating_sub(1);
            for _ in 0..others {
                // Without another thread this one does it all.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    }

    fn recovered(&self, name: &str, settings: &Settings, at_work: &dyn Fn()) -> Result<Recovered, JournalError> {
        let now = flagfall_time::now();
        recover::recover(&self.common.data_dir, self.common.open(name, settings, now, 0), settings, now, at_work)
    }

    /// A board's state as its last journal left it.
    ///
    /// # Errors
    /// A journal of this board cannot be read. To go on without would use its numbers twice.
    pub fn recover_board(&self, name: &str, settings: &Settings) -> Result<Recovered, JournalError> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        let recovered = read.map_or_else(|| self.recovered(name, settings, &|| ()), Ok)?;
        if !recovered.lost.is_empty() {
            self.attendant.alarm("journal-lost", name, Some(recovered.lost.join("; ")));
        }
        if let Some(other) = recovered.other_key().filter(|_| !self.common.new_key) {
            let text = format!("its last journal was signed with the key {other}, which is not this machine's");
            self.attendant.alarm("journal-other-key", name, Some(text));
        }
        if !recovered.refused.is_empty() {
            self.attendant.alarm("journal-refused", name, Some(refused::told(&recovered.refused)));
        }
        Ok(recovered)
    }

    /// A board's way to its journal; `safe` is told up to which event that is safe.
    pub fn track(&self, name: &str, safe: Safe) -> Track {
        let board = self.boards.fetch_add(1, Ordering::Relaxed);
        let (given, receipts) = mpsc::channel(RECEIPTS);
        let named = String::from(name);
        let told: Told = Arc::new(move |receipt| {
            if given.try_send(receipt).is_err() {
                tracing::warn!("board {named}: a receipt came too late for its board");
            }
        });
        Track { board, name: String::from(name), common: self.common.clone(), safe, told, receipts }
    }

    /// Ends all journals and waits until they are on disk, or cannot be.
    pub fn finish(&self) {
        // A thread that has ended already has nothing left to write.
        let _ = self.common.jobs.send(Job::Stop);
        if let Some(writer) = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = writer.join();
        }
    }
}

/// What one journal of a board hands to the next.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    /// The last public event's number.
    pub public: u64,
    /// How many games were played.
    pub games: u32,
    /// Alarms that stand.
    pub raised: Vec<Word<AlarmKey>>,
}

/// One board's way to its journal.
pub struct Track {
    board: usize,
    name: String,
    common: Common,
    safe: Safe,
    told: Told,
    receipts: mpsc::Receiver<Receipt>,
}

/// What a board is told by its journal.
#[derive(Debug)]
pub enum News {
    /// The disk is doing otherwise.
    Health,
    /// What a result or a ruling can be proved by.
    Receipt(Receipt),
}

impl fmt::Debug for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Track").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Track {
    /// Goes on where the last journal ended.
    pub async fn begin(&self, recovered: &mut Recovered) {
        let empty = Begin::New {
            slot: Slot::new(store::folder(&self.common.data_dir, &self.name), String::new()),
            open: self.common.open(&self.name, &recovered.settings, Wall::EPOCH, 0),
        };
        let begin = std::mem::replace(&mut recovered.begin, empty);
        self.put(Job::Open { board: self.board, begin: Box::new(begin), safe: self.safe.clone(), told: self.told.clone() }).await;
    }

    /// Ends the journal and begins another one; its time begins now, or goes on from `opened_at` where one game follows another.
    pub async fn next_journal(&self, settings: &Settings, seq: u64, carried: Carried, goes_on: Option<(Wall, Stands)>) -> Open {
        let Carried { public, games, raised } = carried;
        let mut open = Open { public, games, raised, ..self.common.open(&self.name, settings, flagfall_time::now(), seq) };
        if let Some((opened_at, stands)) = goes_on {
            (open.recorded_at, open.stands) = (opened_at, Some(stands));
        }
        self.next(open).await
    }

    async fn next(&self, open: Open) -> Open {
        let slot = Slot::new(store::folder(&self.common.data_dir, &self.name), open.day.clone());
        let begin = Box::new(Begin::New { slot, open: open.clone() });
        self.put(Job::Open { board: self.board, begin, safe: self.safe.clone(), told: self.told.clone() }).await;
        open
    }

    /// Adds a line.
    pub async fn line(&self, t: Mono, what: What) {
        self.put(Job::Line { board: self.board, t, what: Box::new(what) }).await;
    }

    /// Adds an event; when it is safe that is said.
    pub async fn event(&self, said: Said) {
        let seq = said.event.seq;
        if self.try_put(Job::Event { board: self.board, said }).await.is_err() {
            // The thread has ended: the board is not to fall silent with it.
            (self.safe)(seq);
        }
    }

    /// All events of an input were added: a receipt is of the whole.
    pub async fn settled(&self) {
        self.put(Job::Settled { board: self.board }).await;
    }

    /// Calls when everything before is safe.
    pub async fn then(&self, call: impl FnOnce() + Send + 'static) {
        if let Err(Job::Then { call }) = self.try_put(Job::Then { call: Box::new(call) }).await {
            call();
        }
    }

    /// What the board is to be told next. Never anything where the thread has ended.
    pub async fn news(&mut self) -> News {
        let health = async {
            if self.common.health.changed().await.is_err() {
                std::future::pending().await
            }
        };
        tokio::select! {
            () = health => News::Health,
            Some(receipt) = self.receipts.recv() => News::Receipt(receipt),
        }
    }

    /// How the disk is doing.
    pub const fn health(&mut self) -> &mut watch::Receiver<Health> {
        &mut self.common.health
    }

    /// The journal as it stands, in memory or on disk.
    pub async fn copy(&self) -> Option<Copy> {
        let (answer, copy) = oneshot::channel();
        self.put(Job::Copy { board: self.board, answer }).await;
        copy.await.ok()
    }

    async fn put(&self, job: Job) {
        // Without the thread nothing is written; its end was told.
        let _ = self.try_put(job).await;
    }

    async fn try_put(&self, mut job: Job) -> Result<(), Job> {
        if matches!(job, Job::Line { .. } | Job::Event { .. }) {
            self.common.queued.inc();
        }
        loop {
            match self.common.jobs.try_send(job) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Disconnected(job)) => return Err(job),
                Err(TrySendError::Full(back)) => job = back,
            }
            tokio::time::sleep(FULL).await;
        }
    }
}
