//! The thread that knows all journals: gathers lines into groups, hands each group to the disk, and says what is safe when the disk has it.
//!
//! It never touches the disk itself and never waits for it: while one group is being written, the next one gathers. A disk that fails or
//! does not answer raises an alarm; from then on events count as safe at once, and their lines are kept in memory until there is room again.
#[cfg(test)]
#[path = "cuts/mod.rs"]
mod cuts;

use super::attendant::{Attendant, JournalState};
use super::begin::Begin;
use super::disk::{Done, Group, Part, WrittenPart, is_gone};
use super::file::{Copy, File};
use super::key::Key;
use super::metrics::Metrics;
use super::said::Said;
use super::what::What;
use flagfall_events::{Body, Mono, Receipt, Status};
use flagfall_time::Stopwatch;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{oneshot, watch};

/// Told up to which event a board's journal is safe. Must not wait.
pub type Safe = Arc<dyn Fn(u64) + Send + Sync>;

/// Told what a result or a ruling can be proved by, once that is safe. Must not wait.
pub(super) type Told = Arc<dyn Fn(Receipt) + Send + Sync>;

/// What is written and not synced is synced after so many milliseconds, all boards together: every sync wears the card.
const SYNC_AFTER: u64 = 10_000;
/// A disk that fails is tried again so often, milliseconds.
const RETRY: u64 = 1_000;
/// A disk that does not answer for so long has failed, milliseconds.
const STALLED: u64 = 3_000;
/// The same where nothing may be published that is not on disk.
const STALLED_REQUIRED: u64 = 30_000;
/// Lines that are written and not synced are of so many milliseconds at most where the disk did not fail: until a sync, and while the group before it and its
/// own are on their way.
pub(super) const UNSYNCED: u64 = SYNC_AFTER + 2 * STALLED;
/// Bytes that wait for a failed disk at most, of all boards together: hours of a dozen boards.
const WAITING: usize = 32 << 20;

/// The newest checkpoint of each board that is safe, as a note, by the board's name.
pub(super) type Newest = Arc<Mutex<BTreeMap<String, String>>>;

/// Says that the thread turns.
type Turned = Box<dyn Fn() + Send>;

/// What the thread is told.
pub(super) enum Job {
    /// A board's journal begins or goes on; a board that had one ends it.
    Open { board: usize, begin: Box<Begin>, safe: Safe, told: Told },
    /// A line that is not published. Apart: the queue reserves all its places, and some lines are large.
    Line { board: usize, t: Mono, what: Box<What> },
    /// An event: a line, and it is said when it is safe.
    Event { board: usize, said: Said },
    /// All events of an input were given.
    Settled { board: usize },
    /// Call this when all lines before are safe.
    Then { call: Box<dyn FnOnce() + Send> },
    /// What of a board's journal is on disk, and the rest.
    Copy { board: usize, answer: oneshot::Sender<Copy> },
    /// The disk is done with a group.
    Done(Done),
    /// Call this whenever the thread turns, at least so often.
    Beat(Duration, Turned),
    /// End all journals.
    Stop,
}

/// How the disk is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Health {
    /// All lines reach it.
    #[default]
    Ok,
    /// They do not, and why.
    Failing(String),
}

/// Called with the reason when evidence is required and cannot be kept.
pub type Fatal = Arc<dyn Fn(String) + Send + Sync>;

/// What is said when lines are safe. No more of it than there are boards and calls, however many lines wait.
#[derive(Default)]
struct Effects {
    /// The last event of each board.
    safe: BTreeMap<usize, u64>,
    calls: Vec<Box<dyn FnOnce() + Send>>,
}

impl Effects {
    fn append(&mut self, more: &mut Self) {
        self.safe.append(&mut more.safe);
        self.calls.append(&mut more.calls);
    }
}

struct BoardFile {
    file: u64,
    safe: Safe,
    told: Told,
}

pub(super) struct Writer {
    pub(super) stopwatch: Stopwatch,
    pub(super) key: Key,
    pub(super) attendant: Arc<dyn Attendant>,
    pub(super) health: watch::Sender<Health>,
    pub(super) fatal: Option<Fatal>,
    pub(super) metrics: Metrics,
    pub(super) disk: Sender<Group>,
    /// Says that this thread turns.
    beat: Option<(Duration, Turned)>,
    /// The newest checkpoint of each board that is safe.
    sealed: Newest,
    state: State,
}

#[derive(Default)]
struct State {
    boards: BTreeMap<usize, BoardFile>,
    files: BTreeMap<u64, File>,
    next_file: u64,
    /// Effects of lines that no group has yet, and of those in the group on its way.
    waiting: Effects,
    flying: Effects,
    /// Receipts whose checkpoints are safe, by board.
    given: Vec<(usize, Receipt)>,
    /// Since when a group is on its way.
    flies: Option<Mono>,
    /// What waits has to be synced.
    sync: bool,
    /// Since when something is written and not synced.
    unsynced: Option<Mono>,
    /// Since when something is not signed.
    unsigned: Option<Mono>,
    failing: Option<Mono>,
    /// Microseconds, for the figures: when the oldest event that waits came, when the disk became free, how long the group on its way was
    /// gathered.
    since: Option<u64>,
    freed: u64,
    gathered: Option<u64>,
    stopping: bool,
    /// The last group was tried.
    tried: bool,
}

impl Writer {
    pub(super) fn new(
        stopwatch: Stopwatch,
        (key, sealed): (Key, Newest),
        attendant: Arc<dyn Attendant>,
        health: watch::Sender<Health>,
        fatal: Option<Fatal>,
        disk: Sender<Group>,
    ) -> Self {
        let metrics = Metrics::new(&*attendant);
        Self { stopwatch, key, attendant, health, fatal, metrics, disk, beat: None, sealed, state: State::default() }
    }

    /// Works until it is told to stop and everything is on disk, or cannot be.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        loop {
            let first = match self.patience() {
                None => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(ms) => jobs.recv_timeout(Duration::from_millis(ms)),
            };
            self.beat.iter().for_each(|(_, turned)| turned());
            match first {
                Ok(job) => self.take(job),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            // All that waits goes into one group.
            while let Ok(job) = jobs.try_recv() {
                self.take(job);
            }
            self.watch_the_disk();
            if self.state.failing.is_some() {
                self.release();
            }
            self.submit();
            if self.state.stopping && self.is_over() {
                return self.farewell();
            }
        }
    }

    /// Milliseconds until something has to be done although nobody says anything.
    fn patience(&self) -> Option<u64> {
        let state = &self.state;
        let stalled = state.flies.filter(|_| state.failing.is_none()).map(|since| since + self.stalled());
        let retry = state.failing.filter(|_| state.flies.is_none()).map(|at| at + RETRY);
        let sync = state.unsynced.filter(|_| state.flies.is_none() && state.failing.is_none()).map(|since| since + SYNC_AFTER);
        let sign = state.unsigned.filter(|_| state.flies.is_none() && state.failing.is_none()).map(|since| since + SYNC_AFTER);
        let next = [stalled, retry, sync, sign].into_iter().flatten().min().map(|next| next.since(self.stopwatch.now()).max(1));
        let beat = self.beat.as_ref().map(|(every, _)| u64::try_from(every.as_millis()).unwrap_or(u64::MAX));
        [next, beat].into_iter().flatten().min()
    }

    const fn stalled(&self) -> u64 {
        if self.fatal.is_some() { STALLED_REQUIRED } else { STALLED }
    }

    /// Everything is on disk, or the last try has failed, or the disk does not answer at all.
    fn is_over(&self) -> bool {
        match (self.state.flies, self.state.failing) {
            (None, None) => !self.state.files.values().any(File::is_dirty),
            (None, Some(_)) => self.state.tried,
            (Some(since), Some(_)) => self.stopwatch.now() >= since + STALLED,
            (Some(_), None) => false,
        }
    }

    fn take(&mut self, job: Job) {
        if matches!(job, Job::Line { .. } | Job::Event { .. }) {
            self.metrics.queued().dec();
        }
        match job {
            Job::Open { board, begin, safe, told } => self.open(board, *begin, safe, told),
            Job::Line { board, t, what } => self.line(board, t, &what),
            Job::Event { board, said } => {
                let room = self.has_room();
                if let Some(file) = self.file(board) {
                    file.event(&said, room);
                    self.metrics.line();
                }
                // Where evidence is required nothing is published that is not on disk; what a clock shows comes again.
                let body = &said.event.body;
                if (is_urgent(body) || (self.fatal.is_some() && !matches!(body, Body::Clock(_))))
                    && let Some(file) = self.file(board)
                {
                    file.hurry();
                }
                self.state.since.get_or_insert_with(|| self.stopwatch.micros());
                self.state.waiting.safe.insert(board, said.event.seq);
            }
            Job::Settled { board } => {
                if let Some(file) = self.file(board) {
                    file.settled();
                }
            }
            Job::Then { call } => {
                // Whoever waits for an answer waits for everything before it.
                self.state.sync = true;
                self.state.waiting.calls.push(call);
            }
            Job::Copy { board, answer } => {
                if let Some(file) = self.file(board) {
                    // Who asked may be gone.
                    let _ = answer.send(file.copy());
                }
            }
            Job::Done(done) => self.done(done),
            Job::Beat(every, turned) => self.beat = Some((every, turned)),
            Job::Stop => {
                self.state.stopping = true;
                self.state.sync = true;
                for file in self.state.files.values_mut() {
                    file.end("flagfall was stopped");
                }
            }
        }
    }

    /// The journal of a board.
    fn file(&mut self, board: usize) -> Option<&mut File> {
        let number = self.state.boards.get(&board)?.file;
        self.state.files.get_mut(&number)
    }

    fn open(&mut self, board: usize, begin: Begin, safe: Safe, told: Told) {
        let earlier = self.state.boards.get(&board).and_then(|b| self.state.files.get_mut(&b.file));
        let (before, follows) = match earlier {
            Some(file) => {
                file.end("the next journal begins");
                (file.as_before(), Some(file.slot().clone()))
            }
            None => (None, None),
        };
        let file = match begin {
            Begin::Continue { slot, open, chain, offset, last, seq, unsigned, wanted } => {
                File::continued((board, slot), open, self.key.clone(), *chain, offset, (last, seq)).with_unsigned(unsigned).wanting(wanted)
            }
            Begin::New { slot, mut open } => {
                open.before = before.or(open.before);
                File::begun((board, slot), open, self.key.clone(), follows)
            }
        };
        let number = self.state.next_file;
        self.state.next_file += 1;
        self.state.files.insert(number, file);
        self.state.boards.insert(board, BoardFile { file: number, safe, told });
    }

    fn line(&mut self, board: usize, t: Mono, what: &What) {
        let room = self.has_room();
        let Some(file) = self.file(board) else { return };
        file.line(t, what, room);
        self.metrics.line();
    }

    /// What a failed disk does not take still has room in memory.
    fn has_room(&self) -> bool {
        self.state.failing.is_none() || self.state.files.values().map(File::waits).sum::<usize>() < WAITING
    }

    /// Hands what waits to the disk, if it is free.
    fn submit(&mut self) {
        let now = self.stopwatch.now();
        let state = &mut self.state;
        let due = match state.failing {
            Some(at) => now >= at + RETRY || (state.stopping && !state.tried),
            None => true,
        };
        if state.flies.is_some() || !due {
            return;
        }
        let overdue = [state.unsynced, state.unsigned].into_iter().flatten().any(|since| now >= since + SYNC_AFTER);
        let all = state.sync || overdue || state.failing.is_some();
        state.files.values_mut().filter(|file| all || file.is_urgent()).for_each(|file| file.sign_if_due(overdue));
        let unsigned = state.files.values().any(File::is_unsigned);
        state.unsigned = state.unsigned.filter(|_| !overdue).or(Some(now)).filter(|_| unsigned);
        let parts: Vec<Part> = state.files.iter_mut().filter_map(|(number, file)| file.part(*number, all)).collect();
        if parts.is_empty() {
            if state.failing.is_some() {
                // Nothing to try with: the next line tries.
                state.failing = Some(now);
            }
            state.sync = false;
            state.unsynced = state.unsynced.filter(|_| !all);
            state.flying.append(&mut state.waiting);
            self.effects();
            return;
        }
        state.flies = Some(now);
        state.tried |= state.stopping;
        state.flying.append(&mut state.waiting);
        state.sync = false;
        let left = parts.iter().any(|part| !part.sync);
        state.unsynced = if all { None } else { state.unsynced.or_else(|| left.then_some(now)) };
        // What was gathered while the disk was busy with another group waited for the disk.
        state.gathered = state.since.take().map(|since| self.stopwatch.micros().saturating_sub(since.max(state.freed)));
        if self.disk.send(Group { parts }).is_err() {
            self.fail(String::from("the thread that writes has ended; restart flagfall"));
            self.state.flies = None;
        }
    }

    /// The disk is done with the group that was on its way.
    fn done(&mut self, Done { parts, took }: Done) {
        let began = self.stopwatch.micros();
        self.state.freed = began;
        self.state.flies = None;
        let (mut error, mut written, mut synced) = (None, 0, false);
        for WrittenPart { file: number, bytes, synced: safe, failed } in parts {
            let Some(file) = self.state.files.get_mut(&number) else { continue };
            match failed {
                None => {
                    file.is_written(bytes, safe);
                    let (board, given) = (file.board(), file.given());
                    if let Some((name, note)) = file.newest() {
                        self.sealed.lock().unwrap_or_else(PoisonError::into_inner).insert(name, note);
                    }
                    self.state.given.extend(given.into_iter().map(|receipt| (board, receipt)));
                    written += bytes;
                    synced |= safe;
                }
                Some(why) => {
                    if is_gone(&why) {
                        file.begin_again();
                    } else {
                        file.is_failed();
                    }
                    error.get_or_insert(why);
                }
            }
        }
        // Journals that were followed by others and are complete.
        let current: Vec<u64> = self.state.boards.values().map(|board| board.file).collect();
        self.state.files.retain(|number, file| file.is_dirty() || current.contains(number));
        match error {
            Some(error) => self.fail(reason(&error)),
            None if synced && self.state.failing.is_some() => self.recovered(),
            None => {}
        }
        if self.state.failing.is_none() {
            self.effects();
        }
        self.give();
        let own = self.state.gathered.take().map(|gathered| gathered + self.stopwatch.micros().saturating_sub(began));
        self.metrics.group(written, took, synced, own);
    }

    /// A group that has been on its way for too long.
    fn watch_the_disk(&mut self) {
        let stalled = self.state.flies.is_some_and(|since| self.stopwatch.now() >= since + self.stalled());
        if stalled && self.state.failing.is_none() {
            self.fail(String::from("the disk does not answer; look at its cable or card"));
        }
    }

    fn fail(&mut self, reason: String) {
        self.state.failing = Some(self.stopwatch.now());
        let health = Health::Failing(reason.clone());
        if *self.health.borrow() == health {
            return;
        }
        tracing::error!("journal: {reason}; the boards go on, and what they say is kept in memory until it can be written");
        self.attendant.journal(JournalState::Failing { reason: reason.clone() });
        self.metrics.failing(true);
        if let Some(fatal) = &self.fatal {
            fatal(reason);
        }
        self.health.send_replace(health);
    }

    fn recovered(&mut self) {
        self.state.failing = None;
        self.key.keep();
        self.state.files.values_mut().for_each(File::told_lost);
        tracing::warn!("journal: the disk takes writes again; what waited in memory is written");
        self.attendant.journal(JournalState::Ok);
        self.metrics.failing(false);
        self.health.send_replace(Health::Ok);
    }

    /// The disk has failed: nobody waits for it. Where evidence is required, nothing is said that is not on disk.
    fn release(&mut self) {
        self.state.flying.append(&mut self.state.waiting);
        if self.fatal.is_some() {
            self.state.flying = Effects::default();
        }
        self.effects();
    }

    fn effects(&mut self) {
        let Effects { safe, calls } = std::mem::take(&mut self.state.flying);
        for (board, seq) in safe {
            self.state.boards.get(&board).inspect(|board| (board.safe)(seq));
        }
        for call in calls {
            // Somebody else's mistake is not the journal's end.
            if catch_unwind(AssertUnwindSafe(call)).is_err() {
                tracing::error!("a mistake in flagfall: what waited for the journal was not told that it is safe");
            }
        }
    }

    /// Whoever is at the board is told of what is safe.
    fn give(&mut self) {
        for (board, receipt) in std::mem::take(&mut self.state.given) {
            self.state.boards.get(&board).inspect(|board| (board.told)(receipt));
        }
    }

    fn farewell(&mut self) {
        self.release();
        let waits: usize = self.state.files.values().map(File::waits).sum();
        if waits > 0 {
            tracing::error!("journal: {waits} bytes could not be written and are lost; make room on the disk before the next start");
        }
    }
}

/// Whether an event is published only once it is safe: what counts, what is ruled, and what a game begins with. Everything else is written before it
/// is published, and synced with the next of these or soon after.
const fn is_urgent(body: &Body) -> bool {
    match body {
        // What a proposal shows while pieces are put right changes with every piece.
        Body::FindingUpdate(update) => !matches!(update.status, Status::Revised),
        Body::GameStart { .. }
        | Body::MoveCompleted { .. }
        | Body::MoveWithdrawn { .. }
        | Body::Result { .. }
        | Body::Finding(_)
        | Body::Ruling(_)
        | Body::DrawClaim(_) => true,
        _ => false,
    }
}

fn reason(error: &io::Error) -> String {
    use io::ErrorKind;
    let remedy = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room: remove what is not needed, or move data_dir to a larger disk",
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only: check it (dmesg), then mount it writable",
        ErrorKind::PermissionDenied => "give flagfall's user the folder data_dir",
        _ => "check the disk or card (dmesg) and its cable",
    };
    format!("{error}; {remedy}")
}
