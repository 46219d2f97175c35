//! Whether this process speaks for the event: of several halls one does. Whoever writes to others asks before each request.
//!
//! A right to speak ends by itself at a moment of our own stopwatch: a hall that was paused or cut off falls silent without being told.
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// The right to speak, as those who write to others see it. Clones see the same.
#[derive(Clone, Debug)]
pub struct Voice {
    stopwatch: Stopwatch,
    /// Milliseconds of the stopwatch until which it holds.
    until: Arc<AtomicU64>,
    changes: watch::Receiver<bool>,
}

/// Gives and takes the right to speak.
#[derive(Debug)]
pub struct Speaker {
    until: Arc<AtomicU64>,
    changes: watch::Sender<bool>,
}

impl Voice {
    /// A daemon that stands alone always speaks.
    pub fn always() -> Self {
        Self { stopwatch: Stopwatch::start(), until: Arc::new(AtomicU64::new(u64::MAX)), changes: watch::channel(true).1 }
    }

    /// A voice that is silent until its speaker says otherwise; times are those of `stopwatch`.
    pub fn held(stopwatch: Stopwatch) -> (Self, Speaker) {
        let (sender, changes) = watch::channel(false);
        let until = Arc::new(AtomicU64::new(0));
        (Self { stopwatch, until: until.clone(), changes }, Speaker { until, changes: sender })
    }

    /// Whether this process may write to others at this moment.
    pub fn speaks(&self) -> bool {
        *self.changes.borrow() && self.stopwatch.now().millis() < self.until.load(Ordering::Acquire)
    }

    /// Waits until the right is given or taken; for ever where it never changes. A right that ended by itself is told, too, when its holder notices.
    pub async fn changed(&mut self) {
        if self.changes.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Speaker {
    /// Speaks until `until`; called again before then to go on.
    pub fn speak(&self, until: Mono) {
        self.until.store(until.millis(), Ordering::Release);
        self.changes.send_if_modified(|speaks| !std::mem::replace(speaks, true));
    }

    /// Is silent from now on.
    pub fn silence(&self) {
        self.until.store(0, Ordering::Release);
        self.changes.send_if_modified(|speaks| std::mem::replace(speaks, false));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_to_speak_ends_when_it_is_taken_and_by_itself() {
        assert!(Voice::always().speaks());
        let stopwatch = Stopwatch::start();
        let (voice, speaker) = Voice::held(stopwatch);
        assert!(!voice.speaks());
        speaker.speak(stopwatch.now() + 3_600_000);
        assert!(voice.speaks() && voice.clone().speaks());
        speaker.silence();
        assert!(!voice.speaks());
        speaker.speak(stopwatch.now());
        assert!(!voice.speaks(), "its time is over");
    }
}
