//! Hundreds of publishers have something to do whenever the journal says what is safe. As many work at once as there are processors, so that boards are read
//! meanwhile.
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// So long a publisher waits for those that work: where they hang, it holds nobody up any longer.
const PATIENCE: Duration = Duration::from_millis(100);

/// How many may begin now; less than none where some have waited too long.
struct Gate {
    free: Mutex<isize>,
    freed: Condvar,
    patience: Duration,
}

impl Gate {
    fn new(most: usize, patience: Duration) -> Self {
        Self { free: Mutex::new(isize::try_from(most).unwrap_or(isize::MAX)), freed: Condvar::new(), patience }
    }

    fn pass(&self) -> Pass<'_> {
        let waited = self.freed.wait_timeout_while(self.lock(), self.patience, |free| *free <= 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 -= 1;
        Pass(self)
    }

    fn lock(&self) -> MutexGuard<'_, isize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody works, until it is dropped.
pub(crate) struct Pass<'a>(&'a Gate);

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        *self.0.lock() += 1;
        self.0.freed.notify_one();
    }
}

/// The gate of this process: waits until few enough work, or long enough.
pub(crate) fn pass() -> Pass<'static> {
    static GATE: OnceLock<Gate> = OnceLock::new();
    GATE.get_or_init(|| Gate::new(thread::available_parallelism().map_or(1, usize::from), PATIENCE)).pass()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_work_at_once_and_all_come_to_it() {
        let (gate, now, most, done) =
            (Gate::new(2, Duration::from_hours(1)), AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let _pass = gate.pass();
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        thread::yield_now();
                        now.fetch_sub(1, Ordering::SeqCst);
                        done.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!((most.load(Ordering::SeqCst), done.load(Ordering::SeqCst), *gate.lock()), (2, 320, 2));
    }

    #[test]
    fn those_that_hang_hold_nobody_up() {
        let gate = Gate::new(2, Duration::from_millis(1));
        let hang = [gate.pass(), gate.pass()];
        for _ in 0..3 {
            drop(gate.pass());
        }
        drop(hang);
        assert_eq!(*gate.lock(), 2);
    }
}
