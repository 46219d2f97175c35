//! The thread that touches the disk. Whatever it waits for, nobody else does.
use super::store;
use flagfall_time::Stopwatch;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// Bytes at a journal's end by which it is known again: the end of a line, with its chain and checksum.
const TAIL: usize = 64;

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
    /// The last bytes that are safe, and the last that are written.
    safe: Vec<u8>,
    written: Vec<u8>,
}

/// The journal is gone, or another file stands in its place, while the folder of journals is there: it does not come back.
#[derive(Debug, Error)]
#[error("{} was removed or changed while it was written; a new journal begins, which says what is lost", .0.display())]
struct Gone(PathBuf);

/// Whether a journal does not come back.
pub(super) fn is_gone(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Gone>())
}

fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

impl Slot {
    /// A journal that is there.
    pub(super) const fn existing(folder: PathBuf, day: String, path: PathBuf) -> Self {
        Self(Mutex::new(Place { folder, day, path: Some(path), file: None, new: false, safe: Vec::new(), written: Vec::new() }))
    }

    /// One that is made when it is first written.
    pub(super) const fn new(folder: PathBuf, day: String) -> Self {
        Self(Mutex::new(Place { folder, day, path: None, file: None, new: true, safe: Vec::new(), written: Vec::new() }))
    }

    /// Where it is, once it is.
    pub(super) fn path(&self) -> Option<PathBuf> {
        self.lock().path.clone()
    }

    /// Another one in the same folder, of the same day.
    pub(super) fn another(&self) -> Self {
        let place = self.lock();
        Self::new(place.folder.clone(), place.day.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Place> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes `bytes` at `offset`.
    pub(super) fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut place = self.lock();
        let done = place.open(offset).and_then(|file| file.write_all_at(bytes, offset));
        match done {
            Ok(()) => place.wrote(bytes),
            Err(_) => place.close(),
        }
        done
    }

    fn sync(&self) -> io::Result<()> {
        let mut place = self.lock();
        let Some(file) = &place.file else { return Ok(()) };
        let mut done = file.sync_data().and_then(|()| place.is_there(file));
        if done.is_ok() && place.new {
            done = File::open(&place.folder).and_then(|folder| folder.sync_all());
        }
        match done {
            Ok(()) => {
                place.new = false;
                place.safe = place.written.clone();
            }
            // What a failed sync left in the cache counts for nothing: it is written again through a new descriptor.
            Err(_) => place.close(),
        }
        done
    }
}

impl Place {
    fn wrote(&mut self, bytes: &[u8]) {
        self.written.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
        let more = self.written.len().saturating_sub(TAIL);
        self.written.drain(..more);
    }

    fn close(&mut self) {
        self.file = None;
        self.written = self.safe.clone();
    }

    /// What is written through a descriptor whose file was removed, or whose folder was moved, is nowhere.
    fn is_there(&self, file: &File) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        match std::fs::metadata(path) {
            Ok(there) if identity(&there) == identity(&file.metadata()?) => Ok(()),
            _ => Err(io::Error::other(format!("{} is not there any more; put its folder back", path.display()))),
        }
    }

    /// The file, cut to `offset` where it is longer when it is opened: what follows was torn.
    fn open(&mut self, offset: u64) -> io::Result<&File> {
        if self.file.is_none() {
            self.file = Some(match &self.path {
                Some(path) => self.reopen(path, offset)?,
                None => self.create()?,
            });
        }
        self.file.as_ref().ok_or_else(|| io::Error::other("not open"))
    }

    fn reopen(&self, path: &Path, offset: u64) -> io::Result<File> {
        let gone = || io::Error::other(Gone(path.to_owned()));
        let file = match File::options().read(true).write(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let journals = self.folder.parent().unwrap_or(&self.folder);
                let text = || format!("the folder {} is gone; put it back, or make it anew", journals.display());
                return Err(if journals.is_dir() { gone() } else { io::Error::other(text()) });
            }
            file => file?,
        };
        let length = file.metadata()?.len();
        let mut tail = vec![0; self.safe.len()];
        if length < offset || file.read_exact_at(&mut tail, offset.saturating_sub(self.safe.len() as u64)).is_err() || tail != self.safe {
            return Err(gone());
        }
        if length > offset {
            file.set_len(offset)?;
            // Else a power cut could leave what is cut off here between the lines that are written over it.
            file.sync_data()?;
        }
        Ok(file)
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
    /// This one has to be safe before anything is written.
    pub(super) follows: Option<Arc<Slot>>,
    pub(super) offset: u64,
    pub(super) bytes: Vec<u8>,
    /// Everything of this file up to here has to be safe before the group is done.
    pub(super) sync: bool,
}

impl Part {
    /// `failed`: something before it in its group was not written.
    fn write(&self, failed: bool) -> io::Result<()> {
        match &self.follows {
            Some(_) if failed => return Err(io::Error::other("the journal before it is not written yet")),
            Some(before) => before.sync()?,
            None => {}
        }
        self.slot.write(self.offset, &self.bytes)
    }
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
    pub(super) parts: Vec<WrittenPart>,
    /// Microseconds of writing and of syncing.
    pub(super) took: (u64, u64),
}

/// What became of a part.
#[derive(Debug)]
pub(super) struct WrittenPart {
    pub(super) file: u64,
    /// How many bytes it had.
    pub(super) bytes: u64,
    /// It was synced, if it did not fail.
    pub(super) synced: bool,
    pub(super) failed: Option<io::Error>,
}

/// Works until the other side is gone; `done` says whether it is still there.
pub(super) fn work(groups: &Receiver<Group>, done: impl Fn(Done) -> bool, stopwatch: Stopwatch) {
    for Group { parts } in groups {
        let began = stopwatch.micros();
        let mut results = Vec::new();
        for part in &parts {
            results.push(part.write(results.iter().any(Result::is_err)));
        }
        let written = stopwatch.micros();
        sync_all(&parts, &mut results);
        let took = (written.saturating_sub(began), stopwatch.micros().saturating_sub(written));
        let outcome = |(part, result): (Part, Result<(), io::Error>)| {
            let Part { file, bytes, sync, .. } = part;
            WrittenPart { file, bytes: bytes.len() as u64, synced: sync, failed: result.err() }
        };
        let parts = parts.into_iter().zip(results).map(outcome).collect();
        if !done(Done { parts, took }) {
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
