//! A pairing list in PGN: only the tags count. `Round "R.B"`, `Board` or `Table` says where they sit; without them it is the order.
use super::label::Label;
use super::list::{Line, List, Mistake, Side};
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

    /// What the tags that begin with `name` say of a side.
    fn side(&self, name: &str) -> Side<'_> {
        let tag = |what: &str| self.tag(&format!("{name}{what}")).unwrap_or_default();
        let federation = [tag("Federation"), tag("Fed"), tag("Country")].into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        Side {
            name: tag(""),
            title: tag("Title"),
            elo: tag("Elo"),
            fideid: tag("FideId"),
            federation,
            gender: tag("Sex"),
            team: tag("Team"),
        }
    }
}

pub(super) fn read(text: &str) -> Result<List, Vec<Mistake>> {
    let (games, mut mistakes) = games(text);
    let mut list = List::default();
    let mut places: BTreeMap<Option<u32>, u32> = BTreeMap::new();
    // Boards of one match may share what follows the round.
    let mut shared: BTreeMap<&str, usize> = BTreeMap::new();
    for round in games.iter().filter(|game| game.tag("Board").is_some()).filter_map(|game| game.tag("Round")) {
        *shared.entry(round).or_default() += 1;
    }
    for game in &games {
        list.event = list.event.take().or_else(|| game.tag("Event").map(String::from));
        list.site = list.site.take().or_else(|| game.tag("Site").map(String::from));
        let given = game.tag("Round");
        let Some((round, rest)) = given.map_or(Some((None, None)), |text| round(text).map(|(round, rest)| (Some(round), rest))) else {
            let given = given.unwrap_or_default();
            mistakes.push(Mistake {
                line: game.line,
                text: format!("[Round {given:?}] is no round; write for example [Round \"3.1\"], round and board"),
            });
            continue;
        };
        let place = places.entry(round).or_default();
        *place += 1;
        let board = game.tag("Board");
        let of_match = board.zip(rest).filter(|_| given.is_some_and(|given| shared.get(given) > Some(&1)));
        let label = match (of_match, rest.or(board).or_else(|| game.tag("Table"))) {
            (Some((board, of)), _) => Label::in_match(of, board),
            (None, Some(label)) => Label::new(label),
            (None, None) => Label::new(&place.to_string()),
        };
        let [white, black] = ["White", "Black"].map(|name| game.side(name));
        let [result, date] = ["Result", "Date"].map(|name| game.tag(name).unwrap_or_default());
        list.take(&Line { round, label, white, black, result, date, line: game.line });
    }
    if mistakes.is_empty() { Ok(list) } else { Err(mistakes) }
}

/// `3`, `3.1`, `3.1.2` (match 1, board 2 of it: the whole rest names the board).
fn round(text: &str) -> Option<(u32, Option<&str>)> {
    let (round, rest) = text.split_once('.').map_or((text, None), |(round, rest)| (round, Some(rest.trim())));
    let round: u32 = round.trim().parse().ok().filter(|n| (1..=999).contains(n))?;
    Some((round, rest.filter(|b| !b.is_empty())))
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
