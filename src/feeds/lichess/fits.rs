//! Whether the rounds on Lichess that the configuration names have room for the pairings. Pure.
use super::round::MOST_GAMES;
use crate::pairings::List;
use flagfall_config::lichess::{Lichess, Push};
use std::collections::BTreeMap;

/// The boards of each round of a pairing list, in their order. A list that names no round has one.
pub fn boards(list: &List) -> BTreeMap<u32, Vec<String>> {
    let mut rounds: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for pairing in &list.pairings {
        rounds.entry(pairing.round.unwrap_or(1)).or_default().push(pairing.label.clone());
    }
    rounds
}

/// What does not fit, a sentence each with what to do.
pub fn refusals(settings: &[Lichess], list: &List) -> Vec<String> {
    let pushes: Vec<&Push> = settings.iter().filter_map(|one| if let Lichess::Push(push) = one { Some(push) } else { None }).collect();
    let mut said = Vec::new();
    for (round, boards) in boards(list) {
        let mut fed = vec![false; boards.len()];
        let mut any = false;
        for push in pushes.iter().filter(|push| push.event_round.is_none_or(|number| number == round)) {
            any = true;
            let mut games = 0;
            for (i, (label, fed)) in boards.iter().zip(&mut fed).enumerate() {
                let names = [label.clone(), (i + 1).to_string()];
                if push.boards.as_ref().is_none_or(|boards| names.iter().any(|name| boards.has(name))) {
                    games += 1;
                    *fed = true;
                }
            }
            if games > MOST_GAMES {
                said.push(format!(
                    "round {round} has {games} games for the round {} on Lichess, which takes {MOST_GAMES}: divide them with `boards` between two [[lichess]]; `flagfall lichess create` makes the rounds there and says what to write",
                    push.round
                ));
            }
        }
        let left: Vec<&str> = boards.iter().zip(&fed).filter(|(_, fed)| any && !**fed).map(|(label, _)| label.as_str()).collect();
        if let (Some(first), Some(last)) = (left.first(), left.last()) {
            said.push(format!(
                "round {round}: {} of {} boards, {first} to {last}, go to no round on Lichess: add them to `boards` of a [[lichess]]",
                left.len(),
                boards.len()
            ));
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_config::Config;

    fn list(rounds: &[(u32, usize)]) -> List {
        let mut text = String::from("round,board,white,black\n");
        for (round, games) in rounds {
            for board in 1..=*games {
                text += &format!("{round},{board},White {board},Black {board}\n");
            }
        }
        crate::pairings::read(text.as_bytes()).unwrap()
    }

    fn refused(sections: &[&str], list: &List) -> Vec<String> {
        let text =
            sections.iter().enumerate().map(|(i, more)| format!("[[lichess]]\nround = \"xVEzYJH{i}\"\ntoken_file = \"/t\"\n{more}\n"));
        refusals(&Config::parse("f.toml", &text.collect::<String>()).unwrap().lichess, list)
    }

    #[test]
    fn a_hundred_games_fit_and_one_more_is_refused_before_the_event() {
        assert_eq!(refused(&[""], &list(&[(1, 100), (2, 100)])), Vec::<String>::new());
        let found = refused(&[""], &list(&[(1, 101)]));
        assert!(
            found.len() == 1 && found[0].starts_with("round 1 has 101 games for the round xVEzYJH0 on Lichess, which takes 100"),
            "{found:?}"
        );
        let divided = ["event_round = 1\nboards = \"1-100\"", "event_round = 1\nboards = \"101-150\""];
        assert_eq!(refused(&divided, &list(&[(1, 150)])), Vec::<String>::new());
        let found = refused(&divided, &list(&[(1, 160)]));
        assert_eq!(found, ["round 1: 10 of 160 boards, 151 to 160, go to no round on Lichess: add them to `boards` of a [[lichess]]"]);
        assert_eq!(refused(&["event_round = 2"], &list(&[(1, 160)])), Vec::<String>::new(), "that round is not sent");
        assert_eq!(refused(&[], &list(&[(1, 160)])), Vec::<String>::new());
    }
}
