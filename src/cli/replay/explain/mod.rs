//! `flagfall replay --explain PLY`: what could have been played at that ply's press and at its decision, what each reading cost, and what decided.
//!
//! | file | holds |
//! |---|---|
//! | `mod.rs` | goes through the events of a recording |
//! | `found.rs` | the ply's events, and what was believed when they came |
//! | `decided.rs` | what decided, in a sentence |
//! | `told.rs` | the explanation as it is told; as JSON it is printed so |
//! | `readings.rs` | hypotheses as they are told |
//! | `words.rs` | moves, pieces and numbers in words |
//! | `text.rs` | the explanation for people |
mod decided;
mod found;
mod readings;
mod text;
mod told;
mod words;

use super::super::ExitError;
use super::super::watch::Lang;
use decided::Decided;
use flagfall_events::{Body, Colour, Event, How, Mono};
use flagfall_game::board::Board;
use found::{Completion, Found, Moment};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use told::Told;

/// Presses that are remembered: one waits until the second ply after it at most.
const PRESSES: usize = 16;

/// Which ply of which game is asked for, and what has been seen of it.
#[derive(Debug)]
pub(super) struct Explain {
    ply: u32,
    /// `None`: the last one that has it.
    game: Option<u32>,
    lang: Lang,
    /// Of every game, how many plies it had at most.
    plies: BTreeMap<u32, u32>,
    /// By time, White's and Black's.
    presses: BTreeMap<(Mono, bool), Moment>,
    found: Option<Found>,
}

impl Explain {
    pub(super) const fn new(ply: u32, game: Option<u32>, lang: Lang) -> Self {
        Self { ply, game, lang, plies: BTreeMap::new(), presses: BTreeMap::new(), found: None }
    }

    /// Takes the next event; `board` is as it is after what the event came of.
    pub(super) fn take(&mut self, board: &Board, event: &Event) {
        if let Body::Press { by } = event.body {
            self.presses.insert((event.t, by == Colour::White), Moment::new(board, event));
            while self.presses.len() > PRESSES {
                self.presses.pop_first();
            }
        }
        let Some(game) = event.game else { return };
        if let Body::MoveMade { ply, .. } | Body::MoveCompleted { ply, .. } = event.body {
            let most = self.plies.entry(game).or_default();
            *most = ply.max(*most);
        }
        if self.game.is_some_and(|asked| asked != game) {
            return;
        }
        match &event.body {
            Body::MoveMade { ply, by, uci, san, legal, .. } if *ply == self.ply => {
                let (uci, san, made) = (uci.clone(), san.clone(), Moment::new(board, event));
                let (ply, by, legal) = (*ply, *by, *legal);
                let (press, completed, corrected, withdrawn) = (None, None, None, None);
                self.found = Some(Found { game, ply, by, uci, san, legal, made, press, completed, corrected, withdrawn });
            }
            Body::MoveCompleted { ply, how, assumed, by, uci, san, legal, .. } if *ply == self.ply => {
                let now = Moment::new(board, event);
                let press =
                    board.pressed_at(*ply).filter(|_| *how == How::Press).and_then(|at| self.presses.get(&(at, *by == Colour::White)));
                let found = self.found.take().filter(|found| found.game == game);
                let made = found.map_or_else(|| now.clone(), |found| found.made);
                let (uci, san, press) = (uci.clone(), san.clone(), press.cloned());
                let completed = Some(Completion { how: *how, assumed: *assumed, legal: *legal, at: now });
                let (ply, by, legal) = (*ply, *by, *legal);
                self.found = Some(Found { game, ply, by, uci, san, legal, made, press, completed, corrected: None, withdrawn: None });
            }
            Body::MoveRevised { ply, uci, san, was, .. } if *ply == self.ply && uci != was => {
                let Some(found) = self.found.as_mut().filter(|found| found.game == game) else { return };
                // Only a legal move has SAN.
                (found.uci, found.san, found.legal) = (uci.clone(), san.clone(), san.is_some());
                let now = Moment::new(board, event);
                if found.completed.is_some() {
                    found.corrected = Some((was.clone(), now));
                } else {
                    found.made = now;
                }
            }
            Body::MoveWithdrawn { ply, .. } if *ply == self.ply => {
                if let Some(found) = self.found.as_mut().filter(|found| found.game == game) {
                    found.withdrawn = Some((event.t, event.seq));
                }
            }
            _ => {}
        }
    }

    /// Prints the explanation; `differs` is the journal's line from which on its events are not those of the replay.
    pub(super) fn print(&self, path: &Path, differs: Option<u64>, json: bool, out: &mut Vec<u8>) -> Result<(), ExitError> {
        let Some(found) = &self.found else { return Err(self.missing(path)) };
        let told = Told::new(path, found, &Decided::of(found, self.lang), differs, self.lang);
        if json {
            serde_json::to_writer(&mut *out, &told).map_err(ExitError::bug)?;
            out.push(b'\n');
        } else {
            write!(out, "{}", text::Text(&told, self.lang))?;
        }
        Ok(())
    }

    /// The ply is not there.
    fn missing(&self, path: &Path) -> ExitError {
        let (path, ply) = (path.display(), self.ply);
        let has = |game: u32, plies: u32| format!("game {game} has {plies} {}", if plies == 1 { "ply" } else { "plies" });
        let of = self.game.map(|game| format!(" of game {game}")).unwrap_or_default();
        let there: Vec<String> = match self.game.and_then(|game| Some((game, self.plies.get(&game)?))) {
            Some((game, plies)) => Vec::from([has(game, *plies)]),
            None => self.plies.iter().map(|(game, plies)| has(*game, *plies)).collect(),
        };
        let there = if there.is_empty() { String::from("no move was made") } else { there.join(", ") };
        ExitError::usage(format_args!("{path}: there is no ply {ply}{of}: {there}"))
    }
}
