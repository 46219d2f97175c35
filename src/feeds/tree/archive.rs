//! The archive: a page with rounds, results and standings on which each game can be played through, as files that any web server serves.
//!
//! It holds what is over: files change when a result comes, not with every move. Its page: `src/web/page/archive.html`.
use super::making::{ARCHIVE, FRESH, JSON, Making, PGN, compact};
use super::spectators::{self, PlayerView};
use crate::event_info::{Pairing, Round, Tournament};
use flagfall_events::GameResult;
use flagfall_score::kept::{Cut, GameRecord};
use flagfall_web::assets;
use serde::Serialize;

/// A name has what is in the file: a cache may keep it for a year, seconds.
const FOR_EVER: u32 = 31_536_000;

/// `games/N-M.json`.
#[derive(Debug, Serialize)]
struct PlayedGame<'a> {
    round: u32,
    number: u32,
    label: &'a str,
    white: PlayerView<'a>,
    black: PlayerView<'a>,
    result: GameResult,
    reason: Option<&'a str>,
    time_control: Option<&'a str>,
    /// Missing where it is the usual one.
    start_fen: Option<&'a str>,
    /// UCI, SAN, the mover's display after the press and the time spent, in seconds; `None`: not known.
    moves: Vec<(&'a str, &'a str, Option<u32>, Option<u32>)>,
    /// What followed and is no legal play.
    comment: Option<String>,
}

/// Whether the archive has this pairing's game.
pub(super) fn has(pairing: &Pairing) -> bool {
    !pairing.live && pairing.game.as_ref().is_some_and(|game| game.has_begun())
}

fn game<'a>(round: &Round, pairing: &'a Pairing, record: &'a GameRecord) -> PlayedGame<'a> {
    PlayedGame {
        round: round.number,
        number: pairing.number,
        label: &pairing.label,
        white: spectators::player(&pairing.white),
        black: spectators::player(&pairing.black),
        result: pairing.result,
        // Of the board's own result; a list gives none.
        reason: record.reason.as_deref().filter(|_| record.result == pairing.result),
        time_control: record.time_control.as_deref(),
        start_fen: record.start.as_deref(),
        moves: record.moves.iter().map(|ply| (ply.uci.as_str(), ply.san.as_str(), ply.clk, ply.emt)).collect(),
        comment: record.cut.as_ref().and_then(Cut::told),
    }
}

impl Making<'_> {
    /// The game of a pairing, if it is over; `pgn` is what the tree has of it.
    pub(super) fn played(&mut self, round: &Round, pairing: &Pairing, unchanged: bool, pgn: &bytes::Bytes) {
        let Some(record) = pairing.game.as_deref().filter(|_| has(pairing)) else { return };
        let paths = ["json", "pgn"].map(|kind| format!("{ARCHIVE}games/{}-{}.{kind}", round.number, pairing.number));
        if unchanged && let [Some(json), Some(pgn)] = [0, 1].map(|i| self.before.get(&paths[i]).cloned()) {
            self.made.extend([json, pgn]);
            return;
        }
        let [json, text] = paths;
        self.put(json, JSON, FRESH.1, compact(&game(round, pairing, record)));
        self.put(text, PGN, FRESH.1, pgn.clone());
    }

    /// What the archive has of a round beside its games; `all`: those that are over, as PGN.
    pub(super) fn archived(&mut self, round: &Round, all: Vec<u8>) {
        let path = format!("{ARCHIVE}round-{}", round.number);
        if !all.is_empty() {
            self.put(format!("{path}.pgn"), PGN, FRESH.1, all);
        }
        self.put(format!("{path}.json"), JSON, FRESH.1, compact(&spectators::round(round)));
    }

    /// The event, and the page: the same for every event.
    pub(super) fn archive(&mut self, event: &Tournament) {
        self.put(format!("{ARCHIVE}event.json"), JSON, FRESH.1, compact(&spectators::event(event)));
        for (name, kind, bytes) in assets::archive() {
            let max_age = if name == assets::ARCHIVE_INDEX { FRESH.1 } else { FOR_EVER };
            let path = format!("{ARCHIVE}{name}");
            match self.before.get(&path).cloned() {
                Some(known) => self.made.push(known),
                None => self.put(path, kind, max_age, bytes.clone()),
            }
        }
    }
}
