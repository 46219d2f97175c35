//! The events of all captures, kept journals and many simulated games, as digests: what they say must not change by accident.
//!
//! | file | holds |
//! |---|---|
//! | `source` | where events come from, and how they are made |
//! | `kept` | the file `tests/corpus/events.txt`: digests, reading and writing |
//! | `compare` | what is made now beside what was kept |
#![allow(clippy::unwrap_used, dead_code, reason = "a test ends at the first surprise; each user needs its own part")]
pub(crate) mod compare;
pub(crate) mod kept;
pub(crate) mod source;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `work` on every item, on all processors; the outcomes in the items' order.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((i, item)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, items.get(i)?))) {
                    let outcome = work(item);
                    done.lock().unwrap().push((i, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}
