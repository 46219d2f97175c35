//! The event as documents: LiveChess's tree of PGN files, and the cloud's JSON. Made in memory, served over HTTP, written to folders.
//!
//! | to change | go to |
//! |---|---|
//! | what the documents are, where each belongs | this file |
//! | what they have in common while they are made | `tree/making.rs` |
//! | the store that HTTP, the folders and uploads read | `tree/documents.rs` |
//! | the JSON beside LiveChess's PGN files | `tree/export.rs`; the cloud's: [`crate::cloud`] |
//! | what the public page knows of the event | `tree/spectators.rs`; who stands where: `tree/standings.rs` |
//! | the archive: a page and files that need no daemon | `tree/archive.rs` |
//! | the HTTP routes | `tree/http.rs` |
//! | the folders | `tree/writer.rs` |
mod archive;
pub mod documents;
mod export;
pub mod http;
mod making;
mod spectators;
mod standings;
pub mod writer;

use crate::cloud;
use crate::delay::Lag;
use crate::event_info::{Pairing, Round, Tournament};
use crate::pgn::broadcast::{self, Style};
use documents::{Documents, Snapshot};
use making::{FRESH, JSON, Making, PGN, compact, pretty};
use std::sync::Arc;

pub use making::ARCHIVE;

/// Below this path the tree stands.
pub const TREE: &str = "pgn/";
/// Below this path, and the event's uuid, the cloud's JSON stands.
pub const CLOUD: &str = "get/";
/// Below this path stands what the public page asks for.
const EVENT: &str = "event/";

/// All documents of the event as it stands, or stood `lag` ago; those that did not change are the ones of `before`, which has the same lag.
pub fn documents(event: Arc<Tournament>, lag: Lag, before: &Snapshot) -> Snapshot {
    let same_event = {
        let old = &before.tournament;
        (&old.name, &old.site, &old.uuid, &old.control) == (&event.name, &event.site, &event.uuid, &event.control)
    };
    let mut making = Making { before, lag, made: Vec::new() };
    let mut ranges = Vec::new();
    let cloud_root = format!("{CLOUD}{}/", event.uuid);
    let same_serials = before.tournament.serials == event.serials;
    for round in &event.rounds {
        let began = making.made.len();
        let max_age = if round.number == event.current { FRESH.0 } else { FRESH.1 };
        let (tree, cloud) = (format!("{TREE}round-{}/", round.number), format!("{cloud_root}round-{}/", round.number));
        let old = before.tournament.round(round.number).filter(|old| same_event && same_serials && old.date == round.date);
        let same_age = (before.tournament.current == round.number) == (event.current == round.number);
        // In a large hall most rounds are as they were.
        let stays = |old: &Round| {
            old.pairings.len() == round.pairings.len()
                && old.pairings.iter().zip(&round.pairings).all(|(o, n)| same(o, n) && o.uuid == n.uuid)
        };
        if same_age
            && old.is_some_and(stays)
            && before.of_round(round.number).is_some_and(|known| {
                making.made.extend_from_slice(known);
                true
            })
        {
            ranges.push(began..making.made.len());
            continue;
        }
        let (mut all, mut over) = (Vec::new(), Vec::new());
        for (i, pairing) in round.pairings.iter().enumerate() {
            let unchanged = old.and_then(|old| old.pairings.get(i)).is_some_and(|old| same(old, pairing));
            making.game(&event, round, pairing, unchanged, [&tree, &cloud], max_age);
            let alone = making.made.iter().rev().find(|d| d.path.ends_with(".pgn")).map(|d| d.bytes.clone()).unwrap_or_default();
            let cut = if i == 0 { 0 } else { alone.iter().position(|b| *b == b'\n').map_or(0, |end| end + 1) };
            all.extend_from_slice(&alone[cut..]);
            if archive::has(pairing) {
                let cut = if over.is_empty() { 0 } else { cut };
                over.extend_from_slice(&alone[cut..]);
            }
            making.played(round, pairing, unchanged, &alone);
        }
        // Never an empty file: a reader that polls takes it for a broken one.
        if !all.is_empty() {
            making.put(format!("{tree}games.pgn"), PGN, max_age, all);
        }
        making.put(format!("{tree}index.json"), JSON, max_age, pretty(&export::round(round)));
        making.put(format!("{EVENT}round-{}.json", round.number), JSON, max_age, compact(&spectators::round(round)));
        making.put(format!("{cloud}index.json"), JSON, max_age, compact(&cloud::round(round)));
        making.archived(round, over);
        ranges.push(began..making.made.len());
    }
    making.put(format!("{EVENT}event.json"), JSON, FRESH.0, compact(&spectators::event(&event)));
    making.put(format!("{TREE}tournament.json"), JSON, FRESH.0, pretty(&export::tournament(&event)));
    making.put(format!("{cloud_root}tournament.json"), JSON, FRESH.0, compact(&cloud::tournament(&event)));
    making.archive(&event);
    let made = making.made;
    Snapshot::new(event, made, ranges, before)
}

/// The documents as they are now, and the event they were made of.
#[derive(Clone, Debug)]
pub struct Broadcast {
    /// The event.
    pub event: Arc<crate::event_info::EventInfo>,
    /// Its documents.
    pub documents: Arc<Documents>,
}

impl Making<'_> {
    /// `game-M.pgn` and `game-M.json`. The JSON first, so that the last thing made is the game.
    fn game(&mut self, event: &Tournament, round: &Round, pairing: &Pairing, unchanged: bool, [tree, cloud]: [&str; 2], max_age: u32) {
        let paths = [format!("{cloud}game-{}.json", pairing.number), format!("{tree}game-{}.pgn", pairing.number)];
        if unchanged
            && let [Some(json), Some(pgn)] = [0, 1].map(|i| self.before.get(&paths[i]).filter(|old| old.max_age_s == max_age).cloned())
        {
            self.made.extend([json, pgn]);
            return;
        }
        let [json, pgn] = paths;
        self.put(json, JSON, max_age, compact(&cloud::game(event, pairing, self.lag)));
        self.put(pgn, PGN, max_age, broadcast::game(event, round, pairing, Style::LIVECHESS.delayed(self.lag), true).into_bytes());
    }
}

/// Whether documents of both are the same, without comparing move by move.
fn same(old: &Pairing, new: &Pairing) -> bool {
    let same_game = match (&old.game, &new.game) {
        (Some(old), Some(new)) => Arc::ptr_eq(old, new),
        (None, None) => true,
        _ => false,
    };
    same_game
        && (old.number, &old.label, &old.board, old.result, old.live, &old.white, &old.black)
            == (new.number, &new.label, &new.board, new.result, new.live, &new.white, &new.black)
}
