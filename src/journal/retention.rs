//! Old journals are removed: each when the time that was set when it was begun is over, never a board's newest one.
use super::what::What;
use super::{read, store};
use crate::config::journal::parse_keep;
use crate::time::Wall;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// Removes what is over; returns what was removed.
pub fn clean(data_dir: &Path, now: Wall) -> Vec<PathBuf> {
    let mut removed = Vec::new();
    let all = match store::all(data_dir) {
        Ok(all) => all,
        Err(error) => {
            tracing::warn!("{}: old journals cannot be looked for: {error}", data_dir.display());
            return removed;
        }
    };
    for pair in all.windows(2) {
        let [path, next] = pair else { continue };
        if path.parent() == next.parent() && is_over(path, now) {
            match std::fs::remove_file(path) {
                Ok(()) => {
                    // What was cut off it goes with it, if anything was.
                    let _ = std::fs::remove_file(path.with_extension("cut"));
                    tracing::info!("{}: removed, its time is over", path.display());
                    removed.push(path.clone());
                }
                Err(error) => tracing::warn!("{}: cannot be removed: {error}", path.display()),
            }
        }
    }
    removed
}

/// Whether the time set in a journal's header is over. One that cannot be read is kept.
fn is_over(path: &Path, now: Wall) -> bool {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut first));
    let Some(Ok(line)) = read.ok().and_then(|_| read::Lines::new(&first).next()) else { return false };
    let Ok(What::Open(open)) = line.what() else { return false };
    let Some(Some(keep)) = parse_keep(&open.keep) else { return false };
    let Ok(day) = open.day.parse::<jiff::civil::Date>() else { return false };
    let days = i64::try_from(keep.as_secs() / 86_400).unwrap_or(i64::MAX);
    jiff::Span::new().try_days(days).and_then(|span| day.checked_add(span)).is_ok_and(|last| now.local_day() > last)
}
