//! The hall as a witness: every Pi shows the newest checkpoints of its boards' journals when it says that it is there. What goes on from what was seen
//! before is kept, countersigned with the hall's key, and given to all machines; what does not is an alarm.
use crate::nats::wire::{self, BoardPresence, Setting};
use async_nats::jetstream::kv::Store;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagfall_events::Mono;
use flagfall_journal::key::Key;
use flagfall_journal::tree::Hash;
use flagfall_journal::witness::{New, Seen, Shower};
use flagfall_web::hub::Hub;
use flagfall_web::stage::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A board's newest is given to the others so often, milliseconds, and when its next journal begins.
const GIVE: u64 = 10_000;

/// What the hall has seen.
#[derive(Debug)]
pub(super) struct Witness {
    /// Where it is kept, and the key that countersigns; without a folder nothing is witnessed.
    kept: Option<(PathBuf, Key)>,
    boards: Mutex<BTreeMap<String, Board>>,
}

#[derive(Debug)]
struct Board {
    seen: Seen,
    /// The newest note, and when the others were given one.
    note: Option<String>,
    given: Option<(u64, String)>,
}

impl Witness {
    /// Keeps what it sees in the hall's data folder.
    pub(super) fn new(data_dir: Option<PathBuf>) -> Self {
        let kept = data_dir.and_then(|folder| match Key::of(&folder) {
            Ok(found) => Some((folder, found.key)),
            Err(error) => {
                tracing::error!("{error}; this hall witnesses no journals");
                None
            }
        });
        Self { kept, boards: Mutex::default() }
    }

    /// A Pi, known by its name and its key, shows how far a board's journal is. Reads and writes a small file.
    pub(super) fn shown(&self, hub: &Hub, (pi, key): (&str, &str), board: &BoardPresence) {
        let (Some((folder, own)), Some(shown)) = (&self.kept, &board.checkpoint) else { return };
        let hashes: Option<Vec<Hash>> = board.way.as_ref().and_then(|way| way.hashes.iter().map(|hash| decoded(hash)).collect());
        let way = board.way.as_ref().map(|way| way.from).zip(hashes.as_deref());
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let known = boards.entry(board.board.clone());
        let known = known.or_insert_with(|| Board { seen: Seen::load(folder, &board.board), note: None, given: None });
        match known.seen.take(shown, way, Shower { pi, key }, own) {
            Ok(Some(New { note, other_key })) => {
                known.note = Some(note);
                hub.alarm("journal-rolled-back", &board.board, None);
                if let Some(other) = other_key {
                    hub.alarm("journal-other-key", &board.board, Some(other));
                }
            }
            // The machine goes by what another hall saw: it is told again what this one did.
            Ok(None) => {
                let last = known.seen.last().map(|(_, lines)| lines);
                if way.is_some_and(|(from, _)| Some(from) != last) && known.note.is_none() {
                    known.note = known.seen.note().map(String::from);
                }
            }
            Err(why) => {
                let text = format!("{why}. Compare its moves with the score sheets; what was witnessed is in {}", folder.display());
                hub.alarm("journal-rolled-back", &board.board, Some(text));
            }
        }
    }

    /// Gives the others what is new. Only the hall that speaks does.
    pub(super) async fn give(&self, hall: &str, now: Mono, store: &Store) {
        let now = now.millis();
        let due: Vec<(String, String, Option<String>)> = {
            let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
            let due = boards.iter_mut().filter_map(|(name, board)| {
                let note = board.note.clone()?;
                let log = String::from(note.lines().next().unwrap_or_default());
                let is_due = board.given.as_ref().is_none_or(|(at, of)| now >= at + GIVE || *of != log);
                is_due.then(|| {
                    board.given = Some((now, log));
                    board.note = None;
                    (name.clone(), note, board.seen.pi().map(String::from))
                })
            });
            due.collect()
        };
        for (board, note, pi) in due {
            let setting = Setting { who: format!("hall {hall}"), at: flagfall_time::now(), text: note, pi };
            if let Err(error) = store.put(wire::witness_key(&board), json(&setting).into()).await {
                tracing::warn!("board {board}: what was witnessed cannot be given to the others: {error}");
            }
        }
    }
}

fn decoded(hash: &str) -> Option<Hash> {
    STANDARD.decode(hash).ok()?.try_into().ok()
}
