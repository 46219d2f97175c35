//! A thread that writes to a disk which may hang: whoever wakes it never waits.
use flagfall_web::hub::Hub;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Duration;
use tokio::sync::oneshot;

/// A disk that failed is tried again this long after.
const PAUSE_FAILED: Duration = Duration::from_secs(5);

/// A thread that writes, and how to wake it.
pub(super) struct Writing {
    wake: SyncSender<()>,
    /// Dropped at the end, also in the middle of a pause.
    stay: SyncSender<()>,
    done: oneshot::Receiver<()>,
}

impl Writing {
    /// `write` runs whenever it is woken, with a pause after each time, and once more at the end. What it says is the operator's alarm.
    pub(super) fn start(
        hub: &Arc<Hub>,
        about: String,
        pause: Duration,
        mut write: impl FnMut() -> Result<(), String> + Send + 'static,
    ) -> Self {
        let (wake, woken) = sync_channel::<()>(1);
        let (stay, stays) = sync_channel::<()>(1);
        let (tell, done) = oneshot::channel();
        let hub = hub.clone();
        hub.metrics().publisher(&about);
        let work = move || {
            let (mut failing, mut ended) = (false, false);
            while !ended {
                ended = match failing {
                    // It is tried again without being woken.
                    true => false,
                    false => woken.recv().is_err(),
                };
                let outcome = guarded(&mut write);
                failing = outcome.is_err();
                if let Err(text) = &outcome {
                    tracing::error!("{about}: {text}");
                }
                hub.metrics().delivery(&about, outcome.is_ok());
                hub.alarm("feed-failing", &about, outcome.err());
                if !ended && stays.recv_timeout(if failing { PAUSE_FAILED } else { pause }) == Err(RecvTimeoutError::Disconnected) {
                    ended = true;
                    if let Err(text) = guarded(&mut write) {
                        tracing::error!("{about}: {text}");
                    }
                }
            }
            let _ = tell.send(());
        };
        if let Err(error) = std::thread::Builder::new().name(String::from("documents")).spawn(work) {
            tracing::error!("documents are not written: {error}");
        }
        Self { wake, stay, done }
    }

    pub(super) fn wake(&self) {
        if let Err(TrySendError::Disconnected(())) = self.wake.try_send(()) {
            tracing::error!("a mistake in flagfall: documents are no longer written; restart flagfall");
        }
    }

    pub(super) async fn end(self) {
        drop((self.wake, self.stay));
        let _ = self.done.await;
    }
}

fn guarded(write: &mut impl FnMut() -> Result<(), String>) -> Result<(), String> {
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(write));
    outcome.unwrap_or_else(|_| Err(String::from("a mistake in flagfall; please report it with the log")))
}
