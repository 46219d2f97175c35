//! A pairing list from its bytes, whichever of the two kinds it is, and what cannot be true in it.
use super::label::{self, Label};
use super::list::{List, Listed, Mistake, text};
use super::{csv, pgn};
use crate::players::Player;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

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
