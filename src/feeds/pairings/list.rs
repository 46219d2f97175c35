//! What is in a pairing list, and how its words are read whatever the file is.
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

/// UTF-8 with or without its mark; what is not UTF-8 is read as Latin-1, which older programs write.
pub(super) fn text(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|b| char::from(*b)).collect(), String::from)
}

/// A player that sits out: there is no game.
pub(super) fn is_bye(name: &str) -> bool {
    ["bye", "spielfrei", "freilos", "exempt", "svobodno", "пропуск"].contains(&name.trim().to_lowercase().as_str())
}

/// The name, with a note where something stands there that is none.
pub(super) fn player(text: &str, line: usize, notes: &mut Vec<Mistake>) -> Option<Player> {
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
pub(super) fn result(text: &str) -> GameResult {
    match text.replace(' ', "").as_str() {
        "1-0" | "1:0" | "+--" | "+:-" | "1-0F" => GameResult::WhiteWins,
        "0-1" | "0:1" | "--+" | "-:+" | "0-1F" => GameResult::BlackWins,
        "1/2-1/2" | "½-½" | "½:½" | "0.5-0.5" | "1/2" | "½" | "=" => GameResult::Draw,
        _ => GameResult::Open,
    }
}
