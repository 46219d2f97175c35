//! Captures of what the boards say: one thread with a file a board. The disk never delays a board.
use crate::time::Stopwatch;
use flagfall_capture::{CaptureLine, Header, Writer};
use flagfall_events::Mono;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Lines that wait for the disk: minutes of a dozen boards.
const WAITING: usize = 16_384;
/// Written lines reach the disk's cache at least so often, milliseconds.
const FLUSH: u64 = 1_000;

struct Job {
    board: String,
    t: Mono,
    what: What,
}

enum What {
    Begin(Box<Header>),
    Line(CaptureLine),
}

/// The writing thread's address.
#[derive(Clone, Debug)]
pub(super) struct Recorder(SyncSender<Job>);

impl Recorder {
    /// Makes the folder where it is missing and starts the thread, which ends when the last recorder and track are gone.
    pub(super) fn start(folder: PathBuf, stopwatch: Stopwatch) -> io::Result<(Self, JoinHandle<()>)> {
        std::fs::create_dir_all(&folder)?;
        let (sender, jobs) = mpsc::sync_channel(WAITING);
        let thread = thread::Builder::new().name(String::from("captures")).spawn(move || write(&folder, stopwatch, &jobs))?;
        Ok((Self(sender), thread))
    }

    /// The record of one board; its file is made with the first line.
    pub(super) fn track(&self, board: &str, header: Header) -> Track {
        Track { board: String::from(board), header: Some(Box::new(header)), jobs: Some(self.0.clone()) }
    }
}

/// One board's record.
#[derive(Debug)]
pub(super) struct Track {
    board: String,
    header: Option<Box<Header>>,
    /// `None` once lines were lost: a record with a hole would be worse than a short one.
    jobs: Option<SyncSender<Job>>,
}

impl Track {
    /// Adds a line. Never waits.
    pub(super) fn add(&mut self, t: Mono, line: CaptureLine) {
        if let Some(header) = self.header.take() {
            self.send(t, What::Begin(header));
        }
        self.send(t, What::Line(line));
    }

    fn send(&mut self, t: Mono, what: What) {
        let Some(jobs) = &self.jobs else { return };
        match jobs.try_send(Job { board: self.board.clone(), t, what }) {
            Ok(()) => {}
            Err(error) => {
                let why = if matches!(error, TrySendError::Full(_)) { "the disk is too slow" } else { "the writing thread is gone" };
                tracing::warn!("capture of board {} ends here: {why}; the game goes on", self.board);
                self.jobs = None;
            }
        }
    }
}

/// A board's file; `None` after an error, which is told once.
type Files = Vec<(String, Option<Writer<BufWriter<File>>>)>;

fn write(folder: &Path, stopwatch: Stopwatch, jobs: &Receiver<Job>) {
    let mut files: Files = Vec::new();
    let mut unflushed: Option<Mono> = None;
    loop {
        let patience = unflushed.map_or(u64::MAX, |since| (since + FLUSH).since(stopwatch.now()));
        match jobs.recv_timeout(Duration::from_millis(patience)) {
            Ok(job) => {
                take(&mut files, folder, job);
                unflushed.get_or_insert_with(|| stopwatch.now());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break flush(&mut files),
        }
        if unflushed.is_some_and(|since| stopwatch.now() >= since + FLUSH) {
            flush(&mut files);
            unflushed = None;
        }
    }
}

fn take(files: &mut Files, folder: &Path, Job { board, t, what }: Job) {
    let at = files.iter().position(|(name, _)| *name == board);
    let done = match (what, at) {
        (What::Begin(header), at) => match create(folder, &board, t, &header) {
            Ok(file) => {
                match at {
                    Some(at) => files[at].1 = Some(file),
                    None => files.push((board, Some(file))),
                }
                return;
            }
            Err(error) => Err(error),
        },
        (What::Line(line), Some(at)) => files[at].1.as_mut().map_or(Ok(()), |file| file.line(t, &line)),
        (What::Line(_), None) => return,
    };
    if let Err(error) = done {
        give_up(&board, &error);
        files.retain(|(name, _)| *name != board);
    }
}

fn flush(files: &mut Files) {
    for (board, file) in files {
        if let Some(Err(error)) = file.as_mut().map(Writer::flush) {
            give_up(board, &error);
            *file = None;
        }
    }
}

fn give_up(board: &str, error: &io::Error) {
    tracing::warn!("capture of board {board} ends here: {error}; make room and restart flagfall to record again. The game goes on");
}

/// `BOARD-20261121T150000Z.cap`; with a number where that is taken.
fn create(folder: &Path, board: &str, t: Mono, header: &Header) -> io::Result<Writer<BufWriter<File>>> {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    let board: String = board.chars().map(plain).collect();
    let at = header.opened_at.after(t).timestamp().strftime("%Y%m%dT%H%M%SZ");
    let mut names = std::iter::once(format!("{board}-{at}.cap")).chain((2..100).map(|n| format!("{board}-{at}-{n}.cap")));
    let file = loop {
        let Some(name) = names.next() else { return Err(io::ErrorKind::AlreadyExists.into()) };
        match File::create_new(folder.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => break other?,
        }
    };
    Writer::new(BufWriter::new(file), header)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_capture::Capture;
    use flagfall_events::LinkState;

    fn lines(folder: &Path) -> Vec<(Mono, CaptureLine)> {
        let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
        let bytes = std::fs::read(file).unwrap();
        // Not even its header has reached the disk yet.
        let Ok(capture) = Capture::open(&bytes) else { return Vec::new() };
        capture.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn what_was_added_is_on_disk_when_the_recorder_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new");
        let (recorder, thread) = Recorder::start(place.clone(), Stopwatch::start()).unwrap();
        let mut track = recorder.track("table 7/b", Header::default());
        let record: Vec<_> = (0..100_u8).map(|n| (Mono::from_millis(n.into()), CaptureLine::FromBoard(vec![n]))).collect();
        for (t, line) in record.clone() {
            track.add(t, line);
        }
        drop((recorder, track));
        thread.join().unwrap();
        assert_eq!(lines(&place), record);
        assert!(place.join("table_7_b-19700101T000000Z.cap").exists());
    }

    #[test]
    fn a_record_is_on_disk_within_seconds_and_two_boards_do_not_mix() {
        let folder = tempfile::tempdir().unwrap();
        let (recorder, thread) = Recorder::start(folder.path().to_owned(), Stopwatch::start()).unwrap();
        let mut one = recorder.track("1", Header::default());
        let mut same_name = recorder.track("1", Header::default());
        one.add(Mono::ZERO, CaptureLine::Link(LinkState::Up));
        while std::fs::read_dir(folder.path()).unwrap().next().is_none() || lines(folder.path()).is_empty() {
            thread::sleep(Duration::from_millis(50));
        }
        same_name.add(Mono::ZERO, CaptureLine::Link(LinkState::Down));
        drop((recorder, one, same_name));
        thread.join().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "a file is never written over");
    }
}
