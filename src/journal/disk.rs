//! The thread that touches the disk. Whatever it waits for, nobody else does.
use super::store;
use super::writer::Job;
use crate::time::Stopwatch;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};

/// One journal's place on the disk. It is opened, or made, with the first bytes; after an error it is opened again.
#[derive(Debug)]
pub(super) struct Slot(Mutex<Place>);

#[derive(Debug)]
struct Place {
    folder: PathBuf,
    day: String,
    path: Option<PathBuf>,
    file: Option<File>,
    /// The folder's entry may not be on disk yet.
    new: bool,
}

impl Slot {
    /// A journal that is there.
    pub(super) const fn existing(folder: PathBuf, day: String, path: PathBuf) -> Self {
        Self(Mutex::new(Place { folder, day, path: Some(path), file: None, new: false }))
    }

    /// One that is made when it is first written.
    pub(super) const fn new(folder: PathBuf, day: String) -> Self {
        Self(Mutex::new(Place { folder, day, path: None, file: None, new: true }))
    }

    /// Where it is, once it is.
    pub(super) fn path(&self) -> Option<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).path.clone()
    }

    /// Writes `bytes` at `offset`.
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let done = place.open(offset).and_then(|file| file.write_all_at(bytes, offset));
        if done.is_err() {
            place.file = None;
        }
        done
    }

    fn sync(&self) -> io::Result<()> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &place.file else { return Ok(()) };
        let mut done = file.sync_data();
        if done.is_ok() && place.new {
            done = File::open(&place.folder).and_then(|folder| folder.sync_all());
        }
        match done {
            Ok(()) => place.new = false,
            // What a failed sync left in the cache counts for nothing: it is written again through a new descriptor.
            Err(_) => place.file = None,
        }
        done
    }
}

impl Place {
    /// The file, cut to `offset` where it is longer when it is opened: what follows was torn.
    fn open(&mut self, offset: u64) -> io::Result<&File> {
        if self.file.is_none() {
            let file = match &self.path {
                Some(path) => {
                    let file = File::options().read(true).write(true).open(path)?;
                    let length = file.metadata()?.len();
                    if length < offset {
                        return Err(io::Error::other(format!("{} has become shorter; somebody else changed it", path.display())));
                    }
                    if length > offset {
                        file.set_len(offset)?;
                    }
                    file
                }
                None => self.create()?,
            };
            self.file = Some(file);
        }
        self.file.as_ref().ok_or_else(|| io::Error::other("not open"))
    }

    fn create(&mut self) -> io::Result<File> {
        std::fs::create_dir_all(&self.folder)?;
        let mut existing = Vec::new();
        for entry in std::fs::read_dir(&self.folder)? {
            existing.push(entry?.path());
        }
        let path = self.folder.join(store::next_name(&existing, &self.day));
        let file = File::create_new(&path)?;
        self.path = Some(path);
        Ok(file)
    }
}

/// Bytes for one file.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) file: u64,
    pub(super) slot: Arc<Slot>,
    pub(super) offset: u64,
    pub(super) bytes: Vec<u8>,
    /// Everything of this file up to here has to be safe before the group is done.
    pub(super) sync: bool,
}

/// What is written, and where it is asked synced, together.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) parts: Vec<Part>,
}

/// What became of a group.
#[derive(Debug)]
pub(super) struct Done {
    /// For each part what became of it.
    pub(super) parts: Vec<Outcome>,
    /// Microseconds of writing and of syncing.
    pub(super) took: (u64, u64),
}

/// What became of a part.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) file: u64,
    /// How many bytes it had.
    pub(super) bytes: u64,
    /// It was synced, if it did not fail.
    pub(super) synced: bool,
    pub(super) failed: Option<io::Error>,
}

/// Works until the other side is gone.
pub(super) fn work(groups: &Receiver<Group>, done: &SyncSender<Job>, stopwatch: Stopwatch) {
    for Group { parts } in groups {
        let began = stopwatch.micros();
        let mut results: Vec<Result<(), io::Error>> = parts.iter().map(|part| part.slot.write(part.offset, &part.bytes)).collect();
        let written = stopwatch.micros();
        sync_all(&parts, &mut results);
        let took = (written.saturating_sub(began), stopwatch.micros().saturating_sub(written));
        let outcome = |(part, result): (Part, Result<(), io::Error>)| {
            let Part { file, bytes, sync, .. } = part;
            Outcome { file, bytes: bytes.len() as u64, synced: sync, failed: result.err() }
        };
        let parts = parts.into_iter().zip(results).map(outcome).collect();
        if done.send(Job::Done(Done { parts, took })).is_err() {
            return;
        }
    }
}

/// All that ask for it at once: the file system commits what waits together in one go.
fn sync_all(parts: &[Part], results: &mut [Result<(), io::Error>]) {
    let sync = |(part, result): (&Part, &mut Result<(), io::Error>)| {
        if result.is_ok() {
            *result = part.slot.sync();
        }
    };
    let mut all: Vec<_> = parts.iter().zip(results).filter(|(part, _)| part.sync).collect();
    let Some(first) = all.pop() else { return };
    if all.is_empty() {
        return sync(first);
    }
    std::thread::scope(|scope| {
        // A thread for every few files; where none is to be had, this one does it.
        let share = all.len().div_ceil(SYNCS - 1).max(1);
        let mut rest = Vec::new();
        while !all.is_empty() {
            let mine = all.split_off(all.len().saturating_sub(share));
            let work = Mutex::new(mine);
            let work = Arc::new(work);
            let theirs = work.clone();
            let spawned = std::thread::Builder::new().spawn_scoped(scope, move || {
                let mine = std::mem::take(&mut *theirs.lock().unwrap_or_else(PoisonError::into_inner));
                mine.into_iter().for_each(sync);
            });
            if spawned.is_err() {
                rest.append(&mut work.lock().unwrap_or_else(PoisonError::into_inner));
            }
        }
        sync(first);
        rest.into_iter().for_each(sync);
    });
}

/// Files that are synced at the same time.
const SYNCS: usize = 8;
