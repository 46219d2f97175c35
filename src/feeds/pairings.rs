//! Pairing lists and tournament reports as files: what is in them, or every mistake with its line.
//!
//! | file | reads |
//! |---|---|
//! | `pairings/pgn.rs` | a PGN of which only the tags count, as pairing programs write it |
//! | `pairings/csv.rs` | `board,white,black,…`, for people without a pairing program |
//! | `pairings/files.rs` | the files on disk, when they change |
//! | `pairings/trf.rs` | FIDE's tournament report (TRF16, TRF26): who the players are, not where they sit |
mod csv;
pub mod files;
mod pgn;
pub mod trf;

use crate::players::Player;
use flagfall_events::GameResult;
use std::fmt;

/// A pairing list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// The event's name, if the list says it.
    pub event: Option<String>,
    /// Where it is played, `City, Country`.
    pub site: Option<String>,
    /// In the order of the rounds and boards.
    pub pairings: Vec<Listed>,
    /// What was read otherwise than it stands there, with its line; nothing that keeps the list from being used.
    pub notes: Vec<Mistake>,
}

/// One line of a pairing list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// From 1; `None`: the list does not say.
    pub round: Option<u32>,
    /// The board or table.
    pub label: String,
    /// White; `None`: no name.
    pub white: Option<Player>,
    /// Black.
    pub black: Option<Player>,
    /// As far as the list knows.
    pub result: GameResult,
    /// `YYYY-MM-DD`.
    pub date: Option<String>,
    /// Where it stands in the file, from 1.
    pub line: usize,
}

/// Something wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// From 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub text: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

/// Reads a pairing list: PGN where the first thing in it is a tag, else CSV.
///
/// # Errors
/// Every mistake in it; never empty.
pub fn read(bytes: &[u8]) -> Result<List, Vec<Mistake>> {
    let text = text(bytes);
    let first = text.trim_start();
    if first.is_empty() {
        return Err(vec![Mistake {
            line: 1,
            text: String::from("the file is empty; a PGN with tags, or CSV with the header `board,white,black` is expected"),
        }]);
    }
    if ["001 ", "012 ", "###"].iter().any(|head| first.starts_with(head)) {
        let text = "this is a tournament report (TRF): it names players but does not seat them; give it as event.players, and a PGN or CSV as event.pairings";
        return Err(vec![Mistake { line: 1, text: String::from(text) }]);
    }
    let mut list = if first.starts_with('[') || first.starts_with('%') { pgn::read(&text)? } else { csv::read(&text)? };
    list.pairings.retain(|p| !p.label.is_empty());
    check(&list)?;
    list.pairings.sort_by_key(|p| (p.round, label_order(&p.label)));
    Ok(list)
}

/// 2 before 10, numbers before names.
fn label_order(label: &str) -> (u64, String) {
    (label.parse().unwrap_or(u64::MAX), label.to_lowercase())
}

fn check(list: &List) -> Result<(), Vec<Mistake>> {
    let mut mistakes = Vec::new();
    for (i, p) in list.pairings.iter().enumerate() {
        let before = &list.pairings[..i];
        let round = p.round.map_or_else(String::new, |r| format!(" of round {r}"));
        if let Some(twice) = before.iter().find(|q| q.round == p.round && q.label.eq_ignore_ascii_case(&p.label)) {
            mistakes.push(Mistake {
                line: p.line,
                text: format!("board {}{round} is already in line {}; each board once", p.label, twice.line),
            });
        }
        for player in [&p.white, &p.black].into_iter().flatten() {
            let same = |q: &&Listed| q.round == p.round && [&q.white, &q.black].into_iter().flatten().any(|other| other.same_name(player));
            if let Some(twice) = before.iter().find(same) {
                let name = player.pgn_name();
                mistakes
                    .push(Mistake { line: p.line, text: format!("{name}{round} plays in line {} already; each player once", twice.line) });
            }
        }
    }
    if list.pairings.is_empty() && mistakes.is_empty() {
        mistakes.push(Mistake { line: 1, text: String::from("there is no pairing in it") });
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
}

/// UTF-8 with or without its mark; what is not UTF-8 is read as Latin-1, which older programs write.
pub(crate) fn text(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|b| char::from(*b)).collect(), String::from)
}

/// A player that sits out: there is no game.
fn is_bye(name: &str) -> bool {
    ["bye", "spielfrei", "freilos", "exempt", "svobodno", "пропуск"].contains(&name.trim().to_lowercase().as_str())
}

/// The name, with a note where something stands there that is none.
fn player(text: &str, line: usize, notes: &mut Vec<Mistake>) -> Option<Player> {
    let player = Player::named(text);
    let given = text.trim();
    if player.is_none() && !given.is_empty() && given != "?" {
        notes.push(Mistake {
            line,
            text: format!("{given:?} is too short for a name, broadcast services would drop the game; the board's name is shown"),
        });
    }
    player
}

/// A result as PGN or people write it.
fn result(text: &str) -> GameResult {
    match text.replace(' ', "").as_str() {
        "1-0" | "1:0" | "+--" | "+:-" | "1-0F" => GameResult::WhiteWins,
        "0-1" | "0:1" | "--+" | "-:+" | "0-1F" => GameResult::BlackWins,
        "1/2-1/2" | "½-½" | "½:½" | "0.5-0.5" | "1/2" | "½" | "=" => GameResult::Draw,
        _ => GameResult::Open,
    }
}

#[cfg(test)]
#[path = "pairings/tests.rs"]
mod tests;
