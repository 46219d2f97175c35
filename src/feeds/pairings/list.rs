//! What is in a pairing list, and how its words are read whatever the file is.
use super::label::Label;
use super::scored::Scored;
use crate::players::{self, Player, is_placeholder};
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
    /// Who is named without an opponent, in the order of the list: no board is kept for them.
    pub byes: Vec<Bye>,
    /// Everybody's points, where the list is a tournament report.
    pub scores: Vec<Scored>,
    /// What was read otherwise than it stands there, with its line; nothing that keeps the list from being used.
    pub notes: Vec<Mistake>,
    /// How the list was read where it could be read otherwise; nothing to mend.
    pub remarks: Vec<Mistake>,
}

/// One line of a pairing list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// From 1; `None`: the list does not say.
    pub round: Option<u32>,
    /// The board or table; in team events match and board, `3.2`.
    pub label: String,
    /// White; `None`: no name.
    pub white: Option<Player>,
    /// Black.
    pub black: Option<Player>,
    /// As far as the list knows.
    pub result: GameResult,
    /// Decided without play: one of them, or both, did not come.
    pub forfeit: bool,
    /// `YYYY-MM-DD`.
    pub date: Option<String>,
    /// Where it stands in the file, from 1.
    pub line: usize,
}

/// Somebody who does not play in a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Bye {
    /// From 1; `None`: the list does not say.
    pub round: Option<u32>,
    /// Who.
    pub player: Player,
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

/// What stands where nothing is known.
fn is_blank(text: &str) -> bool {
    ["", "?", "-", "–", "*"].contains(&text.trim())
}

/// What lists write where nobody sits.
const BYES: [&str; 15] = [
    "bye",
    "not paired",
    "absent",
    "no player",
    "spielfrei",
    "freilos",
    "nicht gelost",
    "exempt",
    "exempté",
    "descansa",
    "svobodno",
    "пропуск",
    "свободен",
    "выходной",
    "отсутствует",
];

/// One side of a pairing as any list writes it, each field in its own words; empty where nothing is known.
#[derive(Debug, Default)]
pub(super) struct Side<'a> {
    pub(super) name: &'a str,
    pub(super) title: &'a str,
    pub(super) elo: &'a str,
    pub(super) fideid: &'a str,
    pub(super) federation: &'a str,
    pub(super) gender: &'a str,
    pub(super) team: &'a str,
}

impl Side<'_> {
    /// Nobody sits there: there is no game.
    pub(super) fn is_bye(&self) -> bool {
        BYES.contains(&self.name.trim().trim_matches(['(', ')', '[', ']', '*']).to_lowercase().as_str())
    }

    /// Who sits there; with a note for each field that is none.
    fn player(&self, line: usize, notes: &mut Vec<Mistake>) -> Option<Player> {
        let name = self.name.trim();
        let mut player = Player::named(name).filter(|_| !is_placeholder(name));
        if player.is_none()
            && !is_blank(name)
            && !is_placeholder(name)
            && !["nn", "n.n.", "unknown"].contains(&name.to_lowercase().as_str())
        {
            notes.push(Mistake {
                line,
                text: format!("{name:?} is too short for a name, broadcast services would drop the game; the board's name is shown"),
            });
        }
        let found = player.as_mut()?;
        let mut wrong = |value: &str, what: &str| {
            notes.push(Mistake { line, text: format!("{value:?} is no {what} of {name}; it is left out, correct it in the list") });
        };
        found.gender = gender(self.gender);
        found.title = players::title(self.title, found.gender.as_deref() == Some("F"));
        found.elo = players::number(self.elo);
        if found.elo.is_none() && !nothing(self.elo) {
            wrong(self.elo, "rating");
        }
        found.fideid = players::number(self.fideid);
        if found.fideid.is_none() && !nothing(self.fideid) {
            wrong(self.fideid, "FIDE number");
        }
        found.federation = Some(self.federation.trim().to_uppercase()).filter(|f| f.chars().count() == 3);
        found.team = Some(self.team.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|team| !is_blank(team));
        player
    }
}

/// How lists write that there is no number.
fn nothing(text: &str) -> bool {
    is_blank(text)
        || text.trim().chars().all(|c| c == '0')
        || ["unr", "unrated", "nor", "none"].contains(&text.trim().to_lowercase().as_str())
}

/// One line of a list before it is known what it comes to.
#[derive(Debug, Default)]
pub(super) struct Line<'a> {
    pub(super) round: Option<u32>,
    pub(super) label: Label,
    pub(super) white: Side<'a>,
    pub(super) black: Side<'a>,
    pub(super) result: &'a str,
    pub(super) date: &'a str,
    pub(super) line: usize,
}

impl List {
    /// Takes a line: a pairing, or somebody who does not play.
    pub(super) fn take(&mut self, given: &Line<'_>) {
        let Line { round, line, .. } = *given;
        match (given.white.is_bye(), given.black.is_bye()) {
            (true, true) => return,
            (false, false) => {}
            (white, _) => {
                let side = if white { &given.black } else { &given.white };
                self.byes.extend(side.player(line, &mut self.notes).map(|player| Bye { round, player, line }));
                return;
            }
        }
        let (white, black) = (given.white.player(line, &mut self.notes), given.black.player(line, &mut self.notes));
        let mut note = |text: String| self.notes.push(Mistake { line, text });
        let missing = |name: &str, other: &Option<Player>| is_blank(name) && other.is_some();
        for (side, missing) in [("White", missing(given.white.name, &black)), ("Black", missing(given.black.name, &white))] {
            if missing {
                note(format!("{side} has no name, the board's name is shown; where nobody plays write bye"));
            }
        }
        let outcome = Outcome::of(given.result);
        if outcome.is_none() {
            note(format!("{:?} is no result and is left out; write 1-0, 0-1, 1/2-1/2, or + - for a forfeit", given.result.trim()));
        }
        let date = flagfall_config::date::date(given.date);
        if date.is_none() && !is_blank(given.date) && !given.date.contains('?') {
            note(format!("{:?} is no day and is left out; write 2026-11-21", given.date.trim()));
        }
        let Outcome { result, forfeit } = outcome.unwrap_or(Outcome { result: GameResult::Open, forfeit: false });
        self.pairings.push(Listed { round, label: given.label.to_string(), white, black, result, forfeit, date, line });
    }
}

/// A result as lists write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outcome {
    result: GameResult,
    forfeit: bool,
}

impl Outcome {
    /// `None`: no result, whatever it is.
    fn of(text: &str) -> Option<Self> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_uppercase().replace(['–', '−'], "-");
        let (result, forfeit) = match plain.as_str() {
            "1-0" | "1:0" => (GameResult::WhiteWins, false),
            "0-1" | "0:1" => (GameResult::BlackWins, false),
            "1/2-1/2" | "½-½" | "½:½" | "0.5-0.5" | "0,5-0,5" | "0.5:0.5" | "1/2:1/2" | "1/2" | "½" | "=" | "=-=" => {
                (GameResult::Draw, false)
            }
            "+--" | "+:-" | "+/-" | "+-" | "1-0F" | "1-0K" | "1F-0F" => (GameResult::WhiteWins, true),
            "--+" | "-:+" | "-/+" | "-+" | "0-1F" | "0-1K" | "0F-1F" => (GameResult::BlackWins, true),
            "---" | "-:-" | "-/-" | "--" | "0-0" | "0:0" | "0-0F" | "0F-0F" => (GameResult::Open, true),
            "" | "*" | "?" | "-" | ":" | "VS" | "VS." => (GameResult::Open, false),
            _ => return None,
        };
        Some(Self { result, forfeit })
    }
}

/// `M` or `F`.
pub(super) fn gender(text: &str) -> Option<String> {
    match text.trim().to_lowercase().as_str() {
        "m" => Some(String::from("M")),
        "w" | "f" => Some(String::from("F")),
        _ => None,
    }
}
