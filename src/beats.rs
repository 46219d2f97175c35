//! Who has turned lately. systemd is fed by the loops themselves, and only while every one of them turns.
//!
//! Each board's task, the journal's thread and the daemon's own loop hold a [`Beat`] and stamp it whenever they turn, at least every
//! [`Beats::every`]. The stamp that finds all others recent feeds the watchdog: there is no timer that could go on feeding beside a loop that is stuck.
use crate::time::Stopwatch;
use flagfall_events::Mono;
use sd_notify::NotifyState;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Without a watchdog the loops are watched as the unit would have it.
const PATIENCE: Duration = Duration::from_secs(15);

/// All loops.
pub(crate) struct Beats {
    stopwatch: Stopwatch,
    /// What systemd allows between two feeds, milliseconds.
    patience: u64,
    /// When it was last fed, milliseconds.
    fed: AtomicU64,
    loops: Mutex<Vec<Arc<Loop>>>,
    feed: Box<dyn Fn() + Send + Sync>,
}

struct Loop {
    name: String,
    turned: AtomicU64,
    /// It was said that it is stuck.
    told: AtomicBool,
}

/// One loop's stamp. Dropped when the loop ends.
pub(crate) struct Beat {
    beats: Arc<Beats>,
    own: Arc<Loop>,
}

impl Beats {
    /// Feeds systemd, where it asks to be fed.
    pub(crate) fn of_systemd(stopwatch: Stopwatch) -> Arc<Self> {
        let asked = sd_notify::watchdog_enabled();
        let feed = move || {
            if asked.is_some() {
                // Outside systemd nobody listens, and that is well.
                let _ = sd_notify::notify(&[NotifyState::Watchdog]);
            }
        };
        Self::new(stopwatch, asked.unwrap_or(PATIENCE), feed)
    }

    fn new(stopwatch: Stopwatch, patience: Duration, feed: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        let patience = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX).max(60);
        Arc::new(Self { stopwatch, patience, fed: AtomicU64::new(0), loops: Mutex::default(), feed: Box::new(feed) })
    }

    /// A further loop, which turns now.
    pub(crate) fn join(self: &Arc<Self>, name: impl Into<String>) -> Beat {
        let turned = AtomicU64::new(self.now());
        let own = Arc::new(Loop { name: name.into(), turned, told: AtomicBool::new(false) });
        self.loops().push(own.clone());
        Beat { beats: self.clone(), own }
    }

    /// A loop that has nothing to do stamps again after so long.
    pub(crate) const fn every(&self) -> Duration {
        Duration::from_millis(self.patience / 6)
    }

    /// A loop that has not turned for so long is stuck, milliseconds. systemd ends the process when it stays so.
    const fn stuck_after(&self) -> u64 {
        self.patience / 3
    }

    /// The loops that have not turned for too long.
    pub(crate) fn stuck(&self) -> Vec<String> {
        let now = self.now();
        let stuck = |one: &&Arc<Loop>| now.saturating_sub(one.turned.load(Ordering::Relaxed)) > self.stuck_after();
        self.loops().iter().filter(stuck).map(|one| one.name.clone()).collect()
    }

    fn now(&self) -> u64 {
        self.stopwatch.now().since(Mono::ZERO)
    }

    fn loops(&self) -> MutexGuard<'_, Vec<Arc<Loop>>> {
        self.loops.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Feeds, if it is time to and everybody has turned.
    fn look(&self, now: u64) {
        let fed = self.fed.load(Ordering::Relaxed);
        if now.saturating_sub(fed) < self.patience / 6 {
            return;
        }
        let stuck = self.stuck();
        if stuck.is_empty() {
            // Whoever comes second finds that it was done.
            if self.fed.compare_exchange(fed, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                (self.feed)();
            }
            return;
        }
        let news: Vec<_> = self.loops().iter().filter(|one| stuck.contains(&one.name)).cloned().collect();
        for one in news.iter().filter(|one| !one.told.swap(true, Ordering::Relaxed)) {
            tracing::error!(
                "{} has not turned for {} s; systemd starts flagfall anew if it stays so",
                one.name,
                self.stuck_after() / 1_000
            );
        }
    }
}

impl Beat {
    /// The loop has turned.
    pub(crate) fn turn(&self) {
        let now = self.beats.now();
        self.own.turned.store(now, Ordering::Relaxed);
        if self.own.told.swap(false, Ordering::Relaxed) {
            tracing::warn!("{} turns again", self.own.name);
        }
        self.beats.look(now);
    }

    /// The next stamp is due after so long at the latest.
    pub(crate) fn every(&self) -> Duration {
        self.beats.every()
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        self.beats.loops().retain(|one| !Arc::ptr_eq(one, &self.own));
    }
}

impl fmt::Debug for Beats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beats").field("patience", &self.patience).finish_non_exhaustive()
    }
}

impl fmt::Debug for Beat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Beat").field(&self.own.name).finish()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::thread::sleep;

    /// Loops that are watched impatiently, and how often the watchdog was fed.
    pub(crate) fn counted(patience: Duration) -> (Arc<Beats>, Arc<AtomicU64>) {
        let count = Arc::new(AtomicU64::new(0));
        let fed = count.clone();
        (Beats::new(Stopwatch::start(), patience, move || _ = fed.fetch_add(1, Ordering::Relaxed)), count)
    }

    /// Turns `beats` for a while; how often the watchdog was fed meanwhile.
    pub(crate) fn fed_while(turning: &[&Beat], count: &AtomicU64, turns: u32) -> u64 {
        let before = count.load(Ordering::Relaxed);
        for _ in 0..turns {
            sleep(turning[0].every());
            turning.iter().for_each(|beat| beat.turn());
        }
        count.load(Ordering::Relaxed) - before
    }

    #[test]
    fn the_watchdog_is_fed_while_all_turn_and_not_while_one_is_stuck() {
        let (beats, count) = counted(Duration::from_millis(300));
        let alone = beats.join("the daemon");
        assert!(fed_while(&[&alone], &count, 6) > 1, "a daemon without boards");
        let board = beats.join("board 1");
        assert!(fed_while(&[&alone, &board], &count, 6) > 1);
        // Its last stamp counts for a while.
        fed_while(&[&alone], &count, 4);
        assert_eq!(beats.stuck(), ["board 1"]);
        assert_eq!(fed_while(&[&alone], &count, 6), 0, "the others do not feed in its place");
        board.turn();
        assert!(fed_while(&[&alone, &board], &count, 6) > 1, "it turns again");
        drop(board);
        assert!(fed_while(&[&alone], &count, 6) > 1, "a board that has ended is not waited for");
    }
}
