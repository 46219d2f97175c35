//! The PGN tree and the JSON as files on other servers: a folder, an S3-compatible bucket, FTP, SFTP.
//!
//! | to change | go to |
//! |---|---|
//! | what is sent when, what is given up, what the operator is told | [`queue`], pure |
//! | the servers | `target`; FTP: `ftp` |
//! | how much of their answers is heard | `answers` (S3), `relay` (FTP) |
//! | waiting for changes, uploads, time | `task` |
#[cfg(feature = "uploads")]
mod answers;
#[cfg(feature = "uploads")]
mod ftp;
pub mod queue;
#[cfg(feature = "uploads")]
mod relay;
#[cfg(feature = "uploads")]
mod target;
#[cfg(feature = "uploads")]
mod task;

use crate::Counter;
#[cfg(feature = "uploads")]
use crate::tree::{CLOUD, TREE};
use bytes::Bytes;
use flagfall_config::upload::Upload;
use flagfall_web::voice::Voice;
#[cfg(feature = "uploads")]
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// One file as it stands.
#[derive(Clone, Debug)]
pub struct File {
    /// Below `pgn/` the tree, below `get/` the JSON; no slash in front.
    pub path: Arc<str>,
    /// Its content.
    pub bytes: Bytes,
    /// Media type.
    pub content_type: &'static str,
    /// Seconds for which a cache may keep it.
    pub max_age_s: u32,
    /// Another one as soon as the content is another.
    pub version: u64,
}

/// All files at one moment, in the order in which they are best written.
pub type Files = Arc<Vec<File>>;

/// Hears what the operator must know, with the target it is about (`upload chess.com`): why nothing arrives, or that everything does
/// again. Must not wait.
pub type Teller = Arc<dyn Fn(&str, Option<String>) + Send + Sync>;

/// Hears of every file whether it arrived.
#[cfg(feature = "uploads")]
type Count = Arc<dyn Fn(bool) + Send + Sync>;

/// [`Teller`] of one target.
#[cfg(feature = "uploads")]
type Told = Arc<dyn Fn(Option<String>) + Send + Sync>;

/// Where the files with a delay come from: made for that delay, so that times in them are right when they arrive.
pub type Source<'a> = &'a dyn Fn(Duration) -> Option<watch::Receiver<Files>>;

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
) {
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
        tasks.spawn(task::run(setting.clone(), source, (told, count), voice.clone(), seed, token.clone()));
    }
}

/// The same in a build without uploads: `flagfall check` says so, and here the log.
#[cfg(not(feature = "uploads"))]
pub fn start(uploads: &[Upload], _: Source<'_>, _: &Teller, _: &Counter, _: &Voice, _: &TaskTracker, _: &CancellationToken) {
    for upload in uploads {
        tracing::warn!("upload {}: this flagfall was built without uploads", upload.name);
    }
}

/// Where a file goes on a target; `None`: it does not. The tree is the target's own root: whoever watches it expects `round-N` there.
#[cfg(feature = "uploads")]
fn remote_path(setting: &Upload, path: &str) -> Option<String> {
    let below = match path.strip_prefix(TREE) {
        Some(below) => setting.pgn.then_some(below),
        None => (setting.json && path.starts_with(CLOUD)).then_some(path),
    };
    Some(format!("{}{}", setting.prefix, below?))
}
