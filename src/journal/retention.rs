//! Old journals are removed: by what the evidence itself says of its age, never by the time of day, which may be wrong.
//!
//! The journals of a board in the order in which they were written fall into events: a gap of more than three days begins another one. A journal may
//! go when the newest evidence of this machine is younger than it by more than the time set in its header; the last two events of a board never
//! go: one of them may be in progress, on a clock that has jumped.
use super::attendant::Attendant;
use super::keeping::parse_keep;
use super::what::What;
use super::{read, store};
use jiff::civil::Date;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How often it is looked whether there is room …
const LOOK: Duration = Duration::from_mins(1);
/// … and after how many such looks for old journals.
const TIDY: u32 = 360;
/// Bytes: with less room old evidence goes before new evidence is lost. The alarm `disk-nearly-full` comes earlier.
const SHORT: u64 = 50 << 20;
/// Days without a game that do not end an event.
const REST_DAYS: i64 = 3;
/// Events of a board that are never removed.
const KEPT_EVENTS: usize = 2;

/// One journal, as its header says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    path: PathBuf,
    day: Date,
    /// Whole days; `None`: for ever.
    keep: Option<i64>,
    /// Neither in progress nor the one before.
    finished: bool,
}

/// Removes journals whose time is over; those of the oldest event where the disk has been short for a whole look, so that the alarm came first.
pub(super) fn watch(folder: &Path, attendant: &dyn Attendant) {
    let mut short = false;
    for look in 0_u32.. {
        if look.is_multiple_of(TIDY) {
            clean(folder);
        }
        let room = rustix::fs::statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
        let was = std::mem::replace(&mut short, room.is_some_and(|room| room < SHORT));
        if was && short {
            let removed = make_room(folder);
            if let (Some(first), Some(last)) = (removed.first(), removed.last()) {
                let text = format!(
                    "the disk is short: {} journals of the oldest event were removed, {} to {}",
                    removed.len(),
                    first.display(),
                    last.display()
                );
                attendant.alarm("evidence-removed", "this machine", Some(text));
            }
        }
        thread::sleep(LOOK);
    }
}

/// Removes what is over; returns what was removed.
pub fn clean(data_dir: &Path) -> Vec<PathBuf> {
    let (kept, newest) = kept(data_dir);
    let over = |journal: &&Kept| {
        let age = newest.map_or(0, |newest| days_between(journal.day, newest));
        journal.finished && journal.keep.is_some_and(|keep| age > keep)
    };
    kept.iter().filter(over).filter(|journal| remove(&journal.path, "its time is over")).map(|journal| journal.path.clone()).collect()
}

/// The disk is short: removes the journals of the oldest finished event, unless they are to be kept for ever; returns what was removed.
pub fn make_room(data_dir: &Path) -> Vec<PathBuf> {
    let (kept, _) = kept(data_dir);
    let mut finished: Vec<_> = kept.iter().filter(|journal| journal.finished && journal.keep.is_some()).collect();
    finished.sort_by_key(|journal| journal.day);
    let mut last = None;
    let oldest = finished.into_iter().take_while(|journal| {
        let same = last.is_none_or(|last| days_between(last, journal.day) <= REST_DAYS);
        last = Some(journal.day);
        same
    });
    oldest.filter(|journal| remove(&journal.path, "the disk is short")).map(|journal| journal.path.clone()).collect()
}

fn remove(path: &Path, why: &str) -> bool {
    match std::fs::remove_file(path) {
        Ok(()) => {
            // What was cut off it goes with it, if anything was.
            let _ = std::fs::remove_file(path.with_extension("cut"));
            tracing::info!("{}: removed, {why}", path.display());
            true
        }
        Err(error) => {
            tracing::warn!("{}: cannot be removed: {error}", path.display());
            false
        }
    }
}

/// Every journal whose header can be read, and the day of the newest evidence.
fn kept(data_dir: &Path) -> (Vec<Kept>, Option<Date>) {
    let all = match store::all(data_dir) {
        Ok(all) => all,
        Err(error) => {
            tracing::warn!("{}: old journals cannot be looked for: {error}", data_dir.display());
            return (Vec::new(), None);
        }
    };
    let mut boards: BTreeMap<PathBuf, Vec<Kept>> = BTreeMap::new();
    for path in all {
        let Some((day, keep)) = header(&path) else { continue };
        let board = path.parent().unwrap_or_else(|| Path::new("")).to_owned();
        boards.entry(board).or_default().push(Kept { path, day, keep, finished: false });
    }
    let newest = boards.values().filter_map(|journals| journals.last()).map(|journal| journal.day).max();
    boards.values_mut().for_each(|journals| mark_finished(journals));
    (boards.into_values().flatten().collect(), newest)
}

/// A board's journals in the order in which they were written.
fn mark_finished(journals: &mut [Kept]) {
    let (mut events, mut later) = (1, None);
    for journal in journals.iter_mut().rev() {
        // Either way: a clock that jumped back has begun another event, too.
        if later.is_some_and(|later: Date| days_between(journal.day, later).abs() > REST_DAYS) {
            events += 1;
        }
        later = Some(journal.day);
        journal.finished = events > KEPT_EVENTS;
    }
}

fn days_between(from: Date, to: Date) -> i64 {
    from.until(to).map_or(0, |span| i64::from(span.get_days()))
}

/// Day and time to keep, as a journal's header has them; `None`: it cannot be read, and is kept.
fn header(path: &Path) -> Option<(Date, Option<i64>)> {
    let mut first = Vec::new();
    File::open(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut first)).ok()?;
    let mut lines = read::Lines::new(&first[..]);
    let line = lines.next()?.ok()?;
    let Ok(What::Open(open)) = line.what() else { return None };
    let keep = parse_keep(&open.keep)?.map(|keep| i64::try_from(keep.as_secs() / 86_400).unwrap_or(i64::MAX));
    Some((open.day.parse().ok()?, keep))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(days: &[&str]) -> Vec<Kept> {
        let one = |(n, day): (usize, &&str)| Kept {
            path: PathBuf::from(format!("{n}")),
            day: day.parse().unwrap(),
            keep: Some(90),
            finished: false,
        };
        let mut journals: Vec<_> = days.iter().enumerate().map(one).collect();
        mark_finished(&mut journals);
        journals
    }

    #[test]
    fn a_clock_that_jumps_ends_no_event() {
        let finished = |days: &[&str]| board(days).iter().map(|journal| journal.finished).collect::<Vec<_>>();
        assert_eq!(finished(&["2026-11-20", "2026-11-21", "2026-11-23"]), [false; 3], "one event with a rest day");
        assert_eq!(finished(&["2026-11-22", "2027-06-11", "2026-11-23"]), [true, false, false], "there and back");
        assert_eq!(finished(&["2026-11-22", "2027-06-11"]), [false; 2]);
        assert_eq!(finished(&["2026-01-02", "2026-03-01", "2026-03-02", "2026-11-23"]), [true, false, false, false]);
    }
}
