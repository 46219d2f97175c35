//! How far the world was told of each board, where it is behind: a small file beside the journals, from which a restart goes on.
//!
//! What was public stays public. What was not is as old as can be proved: the file says how the boards' times lie to the time since the machine was
//! started, which no calendar changes. After another start of the machine nothing is proved, and what waited waits anew.
use crate::journal::backlog::Backlog;
use crate::journal::store::read_small;
use crate::time::{Boot, Stopwatch};
use crate::web::held::{Anchors, Held};
use crate::web::outbox::Start;
use flagfall_config::delay::Delay;
use flagfall_events::{Event, Touches};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file's name in the folder of journals.
const FILE: &str = "shown.json";
/// A board of which nothing is known is shown from so many journals back on.
const JOURNALS: usize = 4;

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Kept {
    /// Which start of the machine the times are of.
    boot: String,
    boards: BTreeMap<String, Mark>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Mark {
    /// The last event that was public.
    shown: u64,
    /// From which event on, and what is added to its time, milliseconds.
    anchors: Vec<(u64, i64)>,
}

/// What an earlier process left.
#[derive(Debug, Default)]
pub(super) struct Marks {
    kept: Kept,
    boot: Option<Boot>,
    /// When the machine's time was looked at.
    looked: u64,
}

/// A board as the world knew it.
pub(super) struct Before {
    /// What it was told.
    pub(super) events: Vec<Arc<Event>>,
    /// The number of the last public one among it.
    pub(super) number: u64,
    /// What waits.
    pub(super) start: Start,
}

impl Marks {
    /// As they were left in `folder`.
    pub(super) fn load(folder: Option<&Path>, stopwatch: Stopwatch) -> Self {
        let read = |folder: &Path| {
            let path = folder.join(FILE);
            match read_small(&path) {
                Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                    tracing::warn!("{}: {error}; what was public before is shown again when it is due", path.display());
                    Kept::default()
                }),
                Err(_) => Kept::default(),
            }
        };
        Self { kept: folder.map(read).unwrap_or_default(), boot: Boot::now(), looked: stopwatch.now().millis() }
    }

    /// For how long the machine had been up when the stopwatch was started.
    pub(super) fn up(&self) -> Option<u64> {
        self.boot.as_ref().map(|boot| boot.ms.saturating_sub(self.looked))
    }

    /// A board whose journals hold events up to `journaled`.
    pub(super) fn board(
        &self,
        backlog: &mut Backlog,
        journaled: u64,
        touches: Touches,
        delay: Delay,
        stopwatch: Stopwatch,
    ) -> io::Result<Before> {
        let mark = self.kept.boards.get(backlog.board());
        let oldest = backlog.begins_after(JOURNALS)?;
        let shown = mark.map_or(oldest, |mark| mark.shown.max(oldest)).min(journaled);
        let (events, number) = backlog.as_of(shown, touches)?;
        let now = stopwatch.now();
        let up = self.up().map(|up| up + now.millis());
        let proved = self.boot.as_ref().is_some_and(|boot| boot.id == self.kept.boot);
        let mut anchors = Anchors::kept(mark.into_iter().filter(|_| proved).flat_map(|mark| mark.anchors.iter().copied()));
        let before = anchors.clone();
        let mut held = Held::new(delay, shown).knowing(events.iter().map(|event| &**event));
        backlog.each(shown + 1, journaled, |event| {
            let age = up.map_or(0, |up| before.age(event.seq, event.t, up));
            if let Some(up) = up.filter(|_| age == 0) {
                anchors.take(event.seq, event.t, up);
            }
            held.say(event.seq, event, now, age);
        })?;
        Ok(Before { events, number, start: Start { shown, journaled, held, anchors } })
    }
}

/// Keeps them.
#[derive(Debug)]
pub(super) struct Keeper {
    path: PathBuf,
    boot: String,
    last: Kept,
}

impl Keeper {
    /// In `folder`; `None` where the system does not say which start of the machine this is.
    pub(super) fn new(folder: &Path, marks: &Marks) -> Option<Self> {
        Some(Self { path: folder.join(FILE), boot: marks.boot.clone()?.id, last: Kept::default() })
    }

    /// Writes how far each board is, where that is news. Blocks.
    pub(super) fn save(&mut self, boards: impl Iterator<Item = (String, (u64, Anchors))>) {
        let boards = boards.map(|(name, (shown, anchors))| (name, Mark { shown, anchors: anchors.iter().collect() })).collect();
        let kept = Kept { boot: self.boot.clone(), boards };
        if kept == self.last {
            return;
        }
        let aside = self.path.with_extension("new");
        let written = serde_json::to_vec(&kept).map_err(io::Error::other).and_then(|bytes| std::fs::write(&aside, bytes));
        match written.and_then(|()| std::fs::rename(&aside, &self.path)) {
            Ok(()) => self.last = kept,
            Err(error) => {
                tracing::warn!(
                    "{}: {error}; after a restart what is public now may be hidden for the length of the delay",
                    self.path.display()
                );
            }
        }
    }
}

/// Without a delay nothing is kept: it would be old if there were one again. Harmless where there is no such file.
pub(super) fn forget(folder: &Path) {
    _ = std::fs::remove_file(folder.join(FILE));
}
