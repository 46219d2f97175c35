//! A bar for inputs that take long: on standard error, where that is a terminal, and not before somebody begins to wonder. Standard output has
//! nothing of it.
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What is done by then needs no bar.
const WONDERS: Duration = Duration::from_millis(700);
/// How often it is drawn where nothing moves.
const TICK: Duration = Duration::from_millis(200);

/// How far a command is in its input. It is gone when it is dropped.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Who shows it later; it gives up when the sender is dropped.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Of so many bytes.
    pub(super) fn of(what: &'static str, bytes: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden()).with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {percent} %, {eta} left") {
            bar.set_style(style.progress_chars("=> "));
        }
        let waiting = io::stderr().is_terminal().then(|| {
            let ((keep, given_up), shown) = (mpsc::channel(), bar.clone());
            let waits = thread::spawn(move || {
                if given_up.recv_timeout(WONDERS) == Err(RecvTimeoutError::Timeout) {
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                    shown.enable_steady_tick(TICK);
                }
            });
            (keep, waits)
        });
        Self { bar, waiting }
    }

    /// Begins with a file of the input.
    pub(super) fn part(&self, bytes: &[u8]) -> Part<'_> {
        Part { bar: &self.bar, bytes: bytes.len() as u64, done: 0, ends: last_time(bytes) }
    }

    /// Writes something else; the bar makes room for it.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((keep, waits)) = self.waiting.take() {
            drop(keep);
            // It shows the bar or it does not; it cannot fail.
            let _ = waits.join();
        }
        self.bar.finish_and_clear();
    }
}

/// One file of the input; what is left of it is done when it is dropped.
pub(super) struct Part<'a> {
    bar: &'a ProgressBar,
    bytes: u64,
    done: u64,
    /// The time of its last line, milliseconds.
    ends: Option<u64>,
}

impl Part<'_> {
    /// It is read up to a line of this time, milliseconds.
    pub(super) fn at(&mut self, t: u64) {
        if let Some(ends) = self.ends.filter(|ends| *ends > 0) {
            self.read_to((u128::from(self.bytes) * u128::from(t.min(ends)) / u128::from(ends)) as u64);
        }
    }

    /// So many bytes more are read.
    pub(super) fn read(&mut self, bytes: usize) {
        self.read_to(self.done.saturating_add(bytes as u64).min(self.bytes));
    }

    fn read_to(&mut self, done: u64) {
        if done > self.done {
            self.bar.inc(done - self.done);
            self.done = done;
        }
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        self.read_to(self.bytes);
    }
}

/// The time of the last line of a capture or journal, milliseconds.
fn last_time(bytes: &[u8]) -> Option<u64> {
    let last = bytes.trim_ascii_end().rsplit(|byte| *byte == b'\n').next()?;
    let digits = match last.strip_prefix(b"{\"n\":") {
        Some(rest) => &rest[rest.windows(4).position(|four| four == b"\"t\":")? + 4..],
        None => last,
    };
    let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_says_when_it_ends() {
        assert_eq!(last_time(b"# flagfall-capture 1\n0 = up\n19000 = down\n"), Some(19_000));
        assert_eq!(last_time(b"{\"n\":1,\"t\":0,\"open\":{}}\n{\"n\":2,\"t\":4711,\"in\":\"00\"}\n"), Some(4711));
        assert_eq!((last_time(b""), last_time(b"# nothing\n")), (None, None));
    }

    #[test]
    fn every_file_is_done_in_the_end_and_never_more_than_it() {
        let capture = b"0 = up\n1000 = down\n";
        let progress = Progress::of("replay", 2 * capture.len() as u64);
        for _ in 0..2 {
            let before = progress.bar.position();
            let mut part = progress.part(capture);
            for t in [0, 500, 400, 1000, 5000] {
                part.at(t);
                assert!(progress.bar.position() - before <= capture.len() as u64);
            }
            part.read(1_000_000);
            drop(part);
            assert_eq!(progress.bar.position() - before, capture.len() as u64);
        }
    }
}
