//! What is carried to others while the daemon runs: rounds to Lichess, files to servers. Each has a task of its own; none delays a board.

use super::hub::Hub;
use super::lichess::{self, Handle};
use super::tree::Broadcast;
use super::tree::documents::{Document, Snapshot};
use super::upload::{self, File, Files};
use crate::config::Config;
use std::sync::Arc;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Starts all of them; they end with `token`. The handle is the operator's hand on the rounds.
pub fn start(config: &Config, broadcast: &Broadcast, hub: &Arc<Hub>, token: &CancellationToken) -> Handle {
    let tasks = TaskTracker::new();
    let told = hub.clone();
    let tell: upload::Teller = Arc::new(move |about, text| told.alarm("feed-failing", about, text));
    if !config.uploads.is_empty() {
        let files = watch::Sender::new(Files::default());
        upload::start(&config.uploads, &files.subscribe(), &tell, &tasks, token);
        tasks.spawn(follow(broadcast.documents.watch(), files, token.clone()));
    }
    let told = hub.clone();
    let tell: lichess::Teller = Arc::new(move |about, tell| {
        let about = tell.board.map_or_else(|| String::from(about), |board| format!("{about} board {board}"));
        told.alarm(tell.key, &about, tell.text.map(|words| words.en));
    });
    lichess::follow(&config.lichess, &broadcast.event, &tell, &tasks, token)
}

/// Keeps `files` at what the documents are until `token` is cancelled.
async fn follow(mut documents: watch::Receiver<Arc<Snapshot>>, files: watch::Sender<Files>, token: CancellationToken) {
    loop {
        files.send_replace(Arc::new(all(&documents.borrow_and_update().clone())));
        tokio::select! {
            () = token.cancelled() => return,
            changed = documents.changed() => if changed.is_err() { return },
        }
    }
}

fn all(snapshot: &Snapshot) -> Vec<File> {
    let file = |document: &Arc<Document>| File {
        path: document.path.as_str().into(),
        bytes: document.bytes.clone(),
        content_type: document.content_type,
        max_age_s: document.max_age_s,
        version: document.version,
    };
    snapshot.under("").map(file).collect()
}
