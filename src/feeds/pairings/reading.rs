//! A pairing list from its bytes, whichever kind it is, and what cannot be true in it.
use super::label::{self, Label};
use super::list::{List, Listed, Mistake, text};
use super::{csv, json, pgn, report, trf};
use crate::players::Player;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

/// What a list is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Tags alone count.
    Pgn,
    /// A header line, then a line a board.
    Csv,
    /// As programs post it.
    Json,
    /// A tournament report.
    Trf,
}

/// What a text is, by the first thing in it.
fn kind(first: &str) -> Kind {
    let record = |head: &str| head.len() == 3 && head.chars().all(|c| c.is_ascii_digit());
    if first.starts_with('[') || first.starts_with('%') {
        Kind::Pgn
    } else if first.starts_with('{') {
        Kind::Json
    } else if first.starts_with("###") || first.split_once(' ').is_some_and(|(head, _)| record(head)) {
        Kind::Trf
    } else {
        Kind::Csv
    }
}

/// Reads a pairing list: PGN where the first thing in it is a tag, JSON where it is a brace, TRF where it is a record of three digits, else CSV.
///
/// # Errors
/// Every mistake in it; never empty.
pub fn read(bytes: &[u8]) -> Result<List, Vec<Mistake>> {
    let text = text(bytes);
    let first = text.trim_start();
    let wrong = |text: &str| Err(vec![Mistake { line: 1, text: String::from(text) }]);
    if first.is_empty() {
        return wrong("the list is empty; a PGN with tags, or CSV with the header `board,white,black` is expected");
    }
    if first.starts_with('<') {
        return wrong(
            "this is a web page and no list; give the address of the file itself (CSV, PGN or TRF), often behind \"download\" or \"export\"",
        );
    }
    let mut list = match kind(first) {
        Kind::Pgn => pgn::read(&text)?,
        Kind::Json => json::read(&text)?,
        Kind::Trf => report::list(&trf::read(bytes)?)?,
        Kind::Csv => csv::read(&text)?,
    };
    list.pairings.retain(|p| !p.label.is_empty());
    matches(&mut list);
    check(&list)?;
    list.pairings.sort_by_cached_key(|p| (p.round, label::order(&p.label)));
    Ok(list)
}

/// Where board numbers begin anew with every match of a team event, the matches are counted as they stand in the list: board 2 of the third is 3.2.
fn matches(list: &mut List) {
    let rounds: BTreeSet<Option<u32>> = list.pairings.iter().map(|p| p.round).collect();
    for round in rounds {
        let mut of_round: Vec<&mut Listed> = list.pairings.iter_mut().filter(|p| p.round == round).collect();
        let mut labels = BTreeSet::new();
        let again = of_round.iter().any(|p| !labels.insert(p.label.clone()));
        let teams = |p: &Listed| {
            let mut teams = [p.white.as_ref()?.team.clone()?, p.black.as_ref()?.team.clone()?];
            teams.sort_unstable();
            Some(teams)
        };
        let Some(pairs) = of_round.iter().map(|p| teams(p)).collect::<Option<Vec<_>>>().filter(|_| again) else { continue };
        if of_round.iter().any(|p| p.label.parse::<u32>().is_err()) {
            continue;
        }
        let mut known: Vec<[String; 2]> = Vec::new();
        for (pairing, pair) in of_round.iter_mut().zip(pairs) {
            let of = known.iter().position(|other| *other == pair).unwrap_or(known.len());
            if of == known.len() {
                known.push(pair);
            }
            pairing.label = Label::in_match(&(of + 1).to_string(), &pairing.label).to_string();
        }
        let line = of_round.first().map_or(1, |p| p.line);
        let text = format!(
            "board numbers begin anew with every match: the {} matches are counted as they stand in the list, board 2 of the third is 3.2",
            known.len()
        );
        list.remarks.push(Mistake { line, text });
    }
}

/// Something that a round has once.
type Key = (Option<u32>, String);

fn check(list: &List) -> Result<(), Vec<Mistake>> {
    let mut mistakes = Vec::new();
    // By round: labels; players by number and by name.
    let mut labels: HashMap<Key, usize> = HashMap::new();
    let mut players: HashMap<Key, Vec<(&Player, usize)>> = HashMap::new();
    for p in &list.pairings {
        let round = p.round.map_or_else(String::new, |r| format!(" of round {r}"));
        match labels.entry((p.round, p.label.to_lowercase())) {
            Entry::Occupied(twice) => {
                let text = format!("board {}{round} is already in line {}; each board once", p.label, twice.get());
                mistakes.push(Mistake { line: p.line, text });
            }
            Entry::Vacant(new) => _ = new.insert(p.line),
        }
        for player in [&p.white, &p.black].into_iter().flatten() {
            let keys = player.fideid.map(|id| id.to_string()).into_iter().chain([player.key()]);
            let keys: Vec<_> = keys.map(|key| (p.round, key)).collect();
            let twice = keys.iter().filter_map(|key| players.get(key)).flatten().find(|(other, _)| other.same_name(player));
            if let Some((_, line)) = twice {
                let name = player.pgn_name();
                mistakes.push(Mistake { line: p.line, text: format!("{name}{round} plays in line {line} already; each player once") });
            }
            keys.into_iter().for_each(|key| players.entry(key).or_default().push((player, p.line)));
        }
    }
    if list.pairings.is_empty() && mistakes.is_empty() {
        mistakes.push(Mistake { line: 1, text: String::from("there is no pairing in it") });
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
}
