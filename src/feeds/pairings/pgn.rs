//! A pairing list in PGN: only the tags count. `Round "R.B"`, `Board` or `Table` says where they sit; without them it is the order.
use super::list::{List, Listed, Mistake, is_bye, player, result};
use crate::players::{self, Player};
use flagfall_config::date::date;
use flagfall_events::GameResult;
use std::collections::BTreeMap;

#[derive(Default)]
struct Game<'a> {
    tags: Vec<(&'a str, String)>,
    line: usize,
}

impl Game<'_> {
    fn tag(&self, name: &str) -> Option<&str> {
        let value = self.tags.iter().find(|(n, _)| n.eq_ignore_ascii_case(name))?.1.trim();
        Some(value).filter(|v| !v.is_empty() && *v != "?" && *v != "-")
    }
}

pub(super) fn read(text: &str) -> Result<List, Vec<Mistake>> {
    let (games, mut mistakes) = games(text);
    let mut list = List::default();
    let mut places: BTreeMap<Option<u32>, u32> = BTreeMap::new();
    for game in &games {
        list.event = list.event.take().or_else(|| game.tag("Event").map(String::from));
        list.site = list.site.take().or_else(|| game.tag("Site").map(String::from));
        let (round, board) = match game.tag("Round").map(round) {
            Some(Some((round, board))) => (Some(round), board),
            Some(None) => {
                let given = game.tag("Round").unwrap_or_default();
                let text = format!("[Round {given:?}] is no round; write for example [Round \"3.1\"], round and board");
                mistakes.push(Mistake { line: game.line, text });
                continue;
            }
            None => (None, None),
        };
        let place = places.entry(round).or_default();
        *place += 1;
        let label = board.or_else(|| game.tag("Board").or_else(|| game.tag("Table")).map(plain)).unwrap_or_else(|| place.to_string());
        let side = |name: &str, notes: &mut Vec<Mistake>| -> Option<Option<Player>> {
            let text = game.tag(name).unwrap_or_default();
            if is_bye(text) {
                return None;
            }
            let mut found = player(text, game.line, notes);
            if let Some(found) = &mut found {
                let more = |tag: &str| game.tag(&format!("{name}{tag}"));
                found.title = more("Title").and_then(|t| players::title(t, false));
                found.fideid = more("FideId").and_then(players::number);
                found.elo = more("Elo").and_then(players::number);
                found.federation = more("Federation").or_else(|| more("Country")).map(|f| f.to_uppercase()).filter(|f| f.len() == 3);
            }
            Some(found)
        };
        let (Some(white), Some(black)) = (side("White", &mut list.notes), side("Black", &mut list.notes)) else { continue };
        list.pairings.push(Listed {
            round,
            label,
            white,
            black,
            result: game.tag("Result").map_or(GameResult::Open, result),
            date: game.tag("Date").and_then(date),
            line: game.line,
        });
    }
    if mistakes.is_empty() { Ok(list) } else { Err(mistakes) }
}

/// `3`, `3.1`, `3.1.2` (match 1, board 2 of it: the whole rest names the board).
fn round(text: &str) -> Option<(u32, Option<String>)> {
    let (round, board) = text.split_once('.').map_or((text, None), |(round, board)| (round, Some(board.trim())));
    let round: u32 = round.trim().parse().ok().filter(|n| (1..=999).contains(n))?;
    Some((round, board.filter(|b| !b.is_empty()).map(plain)))
}

/// `07` is board 7.
fn plain(label: &str) -> String {
    label.parse::<u32>().map_or_else(|_| String::from(label), |n| n.to_string())
}

/// The tags of each game, and every tag that is broken. Movetext is skipped.
fn games(text: &str) -> (Vec<Game<'_>>, Vec<Mistake>) {
    let (mut games, mut mistakes): (Vec<Game<'_>>, Vec<Mistake>) = (Vec::new(), Vec::new());
    let mut in_tags = false;
    let mut in_comment = false;
    for (line, text) in text.lines().zip(1..).map(|(text, line)| (line, text.trim())) {
        if in_comment || !text.starts_with('[') {
            // A line of movetext or none at all; a comment may hold lines that look like tags.
            for c in text.chars() {
                in_comment = if in_comment { c != '}' } else { c == '{' };
            }
            in_tags &= text.is_empty() && !in_comment && games.last().is_some_and(|g| g.tags.is_empty());
            continue;
        }
        let Some((name, value)) = tag(text) else {
            mistakes.push(Mistake { line, text: format!("{text} is no tag; write for example [White \"Adams, Mary\"]") });
            continue;
        };
        let again = games.last().is_some_and(|game| game.tags.iter().any(|(n, _)| *n == name));
        if !in_tags || again {
            games.push(Game { tags: Vec::new(), line });
        }
        in_tags = true;
        if let Some(game) = games.last_mut() {
            game.tags.push((name, value));
        }
    }
    (games, mistakes)
}

/// `[Name "value"]`.
fn tag(text: &str) -> Option<(&str, String)> {
    let inside = text.strip_prefix('[')?.trim_end().strip_suffix(']')?.trim();
    let (name, value) = inside.split_once(|c: char| c.is_whitespace())?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}
