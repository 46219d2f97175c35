//! Work on all processors.
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The same work for each number below `count`, in the order of the numbers.
pub(crate) fn parallel<T: Send>(count: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed) as u64;
                    if n >= count {
                        break;
                    }
                    let one = work(n);
                    done.lock().expect("nobody panicked").push((n, one));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("nobody panicked");
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, one)| one).collect()
}
