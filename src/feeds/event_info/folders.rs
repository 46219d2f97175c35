//! What is written of the event: folders of documents, and the file that survives a restart.
use super::seats::Kept;
use super::store;
use super::writing::Writing;
use crate::ledger::Ledger;
use crate::tree::documents::Documents;
use crate::tree::writer::Writer;
use crate::tree::{ARCHIVE, CLOUD, TREE};
use flagfall_config::event::EventConfig;
use flagfall_web::hub::Hub;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A folder is written at most this often …
const PAUSE: Duration = Duration::from_secs(1);
/// … what survives a restart less often: the games on the boards come back from the journal.
const PAUSE_KEPT: Duration = Duration::from_secs(10);

/// A folder of documents.
pub(super) struct Folder {
    pub(super) writing: Writing,
    documents: Arc<Documents>,
    pub(super) version: u64,
}

impl Folder {
    pub(super) fn wake(&mut self) {
        let version = self.documents.now().version;
        if version != self.version {
            self.version = version;
            self.writing.wake();
        }
    }
}

pub(super) fn folders(config: &EventConfig, documents: &Arc<Documents>, hub: &Arc<Hub>) -> Vec<Folder> {
    documents.no_folders();
    let wanted = [("tree", &config.tree, TREE, ""), ("cloud", &config.cloud, CLOUD, CLOUD), ("archive", &config.archive, ARCHIVE, "")];
    let folder = |(name, path, prefix, keep): (&str, &Option<PathBuf>, &str, &str)| {
        let path = path.as_ref()?;
        let about = format!("{name} {}", path.display());
        // The archive has what is over; how far the others are is what operators look at.
        let ledger = if prefix == ARCHIVE { Ledger::default() } else { documents.folder(&about) };
        let mut writer = Writer::new(path, prefix, keep).speaking(hub.voice().clone()).keeping(ledger);
        let (read, voice) = (documents.clone(), hub.voice().clone());
        let mut spoke = false;
        let write = move || {
            if !std::mem::replace(&mut spoke, voice.speaks()) {
                // What stands there may be another one's by now.
                writer.forget();
            }
            writer.write(&read.now())
        };
        let writing = Writing::start(hub, about, PAUSE, write);
        Some(Folder { writing, documents: documents.clone(), version: 0 })
    };
    wanted.into_iter().filter_map(folder).collect()
}

/// The file that survives a restart.
pub(super) struct Store {
    pub(super) writing: Writing,
    last: Kept,
    next: Arc<std::sync::Mutex<Kept>>,
}

impl Store {
    pub(super) fn start(folder: PathBuf, file: &'static str, hub: &Arc<Hub>) -> Self {
        let next = Arc::new(std::sync::Mutex::new(Kept::default()));
        let read = next.clone();
        let about = folder.join(file).display().to_string();
        let write = move || {
            let kept = read.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
            // Woken only with something to keep; at the end perhaps with nothing.
            if kept == Kept::default() { Ok(()) } else { store::save(&folder, file, &kept) }
        };
        Self { writing: Writing::start(hub, about, PAUSE_KEPT, write), last: Kept::default(), next }
    }

    pub(super) fn save(&mut self, kept: &Kept) {
        if self.last != *kept {
            self.last = kept.clone();
            *self.next.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = kept.clone();
            self.writing.wake();
        }
    }
}
