//! The PGN tree and the JSON as files on other servers: a folder, an S3-compatible bucket, FTP, SFTP.
//!
//! | to change | go to |
//! |---|---|
//! | what is sent when, what is given up, what the operator is told | [`queue`], pure |
//! | the servers | `target`; FTP: `ftp` |
//! | how much of their answers is heard | `answers` (S3), `relay` (FTP) |
//! | waiting for changes, uploads, time | `task` |
//! | a file, and where it goes | `file` |
//! | how a target is doing | `status` |
#[cfg(feature = "uploads")]
mod answers;
mod file;
#[cfg(feature = "uploads")]
mod ftp;
pub mod queue;
#[cfg(feature = "uploads")]
mod relay;
mod status;
#[cfg(feature = "uploads")]
mod target;
#[cfg(feature = "uploads")]
mod task;

pub use file::{File, Files};
pub use status::Status;

use crate::Counter;
use crate::ledger::{Book, Ledger};
use flagfall_config::delay::OwnDelay;
use flagfall_config::upload::Upload;
use flagfall_web::voice::Voice;
#[cfg(feature = "uploads")]
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(feature = "uploads")]
use task::{Count, Told};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Hears what the operator must know, with the target it is about (`upload chess.com`): why nothing arrives, or that everything does
/// again. Must not wait.
pub type Teller = Arc<dyn Fn(&str, Option<String>) + Send + Sync>;

/// How the targets are doing. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Handle(Arc<Mutex<Vec<Target>>>);

/// One target, as it is looked at from outside.
#[derive(Clone, Debug)]
struct Target {
    status: watch::Receiver<Status>,
    delay: OwnDelay,
    ledger: Ledger,
}

impl Handle {
    /// How every target is doing.
    pub fn status(&self) -> Vec<Status> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|target| target.status.borrow().clone()).collect()
    }

    /// The same with each target's delay and what it got.
    pub fn sent(&self) -> Vec<(Status, OwnDelay, Book)> {
        let sent = |target: &Target| (target.status.borrow().clone(), target.delay, target.ledger.book());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().map(sent).collect()
    }

    /// Leads to the targets of `other` from now on, with all its clones.
    pub(super) fn take(&self, other: &Self) {
        let targets = std::mem::take(&mut *other.0.lock().unwrap_or_else(PoisonError::into_inner));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = targets;
    }
}

/// Where the files with a delay come from: made for that delay, so that times in them are right when they arrive.
pub type Source<'a> = &'a dyn Fn(OwnDelay) -> Option<watch::Receiver<Files>>;

/// Starts a task for every target; they end with `token`; where `voice` is silent nothing is sent.
#[cfg(feature = "uploads")]
pub fn start(
    uploads: &[Upload],
    source: Source<'_>,
    tell: &Teller,
    count: &Counter,
    voice: &Voice,
    tasks: &TaskTracker,
    token: &CancellationToken,
) -> Handle {
    let mut targets = Vec::new();
    for setting in uploads {
        let Some(source) = source(setting.delay) else { continue };
        let (tell, about) = (tell.clone(), format!("upload {}", setting.name));
        let kind = setting.place.kind();
        let told: Told = Arc::new(move |why: Option<String>| {
            let text =
                why.map(|why| format!("{why}; the games go on, {kind} is tried again by itself; docs/lichess.md says what to check"));
            tell(&about, text);
        });
        let seed = RandomState::new().build_hasher().finish();
        let about = format!("upload {}", setting.name);
        count(&about, None);
        let count = count.clone();
        let count: Count = Arc::new(move |done| count(&about, Some(done)));
        let status = Status { name: setting.name.clone(), kind: String::from(setting.place.kind()), ..Status::default() };
        let (status, seen) = watch::channel(status);
        let ledger = Ledger::default();
        targets.push(Target { status: seen, delay: setting.delay, ledger: ledger.clone() });
        tasks.spawn(task::run(setting.clone(), source, (told, count, status, ledger), voice.clone(), seed, token.clone()));
    }
    Handle(Arc::new(Mutex::new(targets)))
}

/// The same in a build without uploads: `flagfall check` says so, and here the log.
#[cfg(not(feature = "uploads"))]
pub fn start(uploads: &[Upload], _: Source<'_>, _: &Teller, _: &Counter, _: &Voice, _: &TaskTracker, _: &CancellationToken) -> Handle {
    for upload in uploads {
        tracing::warn!("upload {}: this flagfall was built without uploads", upload.name);
    }
    Handle::default()
}
