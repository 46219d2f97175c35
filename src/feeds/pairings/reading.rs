//! A pairing list from its bytes, whichever of the two kinds it is, and what cannot be true in it.
use super::list::{List, Listed, Mistake, text};
use super::{csv, pgn};

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
