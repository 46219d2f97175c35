//! What a list changes, in words: for whom, and what stays.
use super::{Pairing, Round, Tournament};
use crate::players::Player;
use flagfall_events::GameResult;

/// So many players whose titles, ratings or teams came are named one by one.
const NAMED: usize = 8;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// A sentence.
    pub text: String,
    /// Another player sits somewhere.
    pub persons: bool,
}

/// What differs, in the order of rounds and boards.
pub fn changes(before: &Tournament, after: &Tournament) -> Vec<Change> {
    let mut found = Vec::new();
    if before.name != after.name {
        found.push(plain(format!("the event is called {:?}, not {:?}", after.name, before.name)));
    }
    if before.current != after.current {
        found.push(plain(format!("round {} is played now", after.current)));
    }
    let nothing = Round::default();
    for round in &after.rounds {
        Comparison { number: round.number, before: before.round(round.number).unwrap_or(&nothing), after: round }.tell(&mut found);
    }
    found
}

fn plain(text: String) -> Change {
    Change { text, persons: false }
}

struct Comparison<'a> {
    number: u32,
    before: &'a Round,
    after: &'a Round,
}

impl Comparison<'_> {
    fn tell(&self, found: &mut Vec<Change>) {
        let named = |pairing: &&Pairing| is_named(&pairing.white) || is_named(&pairing.black);
        let (was, is) = (self.before.pairings.iter().filter(named).count(), self.after.pairings.iter().filter(named).count());
        if was == 0 {
            if let (true, Some(first), Some(last)) = (is > 0, self.after.pairings.first(), self.after.pairings.last()) {
                found.push(plain(format!("round {} is new: {is} pairings, boards {} to {}", self.number, first.label, last.label)));
            }
            return;
        }
        let mut completed = Vec::new();
        for pairing in &self.after.pairings {
            let Some(old) = at(self.before, &pairing.label) else {
                found.push(Change { text: format!("{} is new: {}", self.board(pairing), pair(pairing)), persons: true });
                continue;
            };
            match self.persons(old, pairing) {
                Some(text) => found.extend(text.map(|text| Change { text, persons: true })),
                None => completed.extend(self.details(old, pairing)),
            }
            if let (Some(one), Some(two)) = (&old.board, &pairing.board)
                && one != two
            {
                found.push(Change { text: format!("{} is played on e-board {two}, not {one}", self.board(pairing)), persons: true });
            }
            if old.result != pairing.result {
                let text = match pairing.result {
                    GameResult::Open => format!("{} has no result any more (it was {})", self.board(pairing), old.result.as_str()),
                    result => format!("{} has the result {}", self.board(pairing), result.as_str()),
                };
                found.push(plain(text));
            }
        }
        if completed.len() > NAMED {
            completed =
                vec![format!("round {}: names, titles, ratings, numbers or teams of {} players are others", self.number, completed.len())];
        }
        found.extend(completed.into_iter().map(plain));
        for old in self.before.pairings.iter().filter(|old| at(self.after, &old.label).is_none()) {
            found.push(Change { text: format!("{}: {} is no longer there", self.board(old), pair(old)), persons: true });
        }
    }

    fn board(&self, pairing: &Pairing) -> String {
        format!("round {}, board {}", self.number, pairing.label)
    }

    /// Who sits there now instead of whom; `None`: the same two. Boards that change places are told once.
    fn persons(&self, old: &Pairing, new: &Pairing) -> Option<Option<String>> {
        let same = [(&old.white, &new.white), (&old.black, &new.black)].map(|(one, two)| is_same(one, two));
        if same == [true, true] {
            return None;
        }
        let board = self.board(new);
        let stays = match (&new.board, new.game.as_ref().is_some_and(|game| game.has_begun())) {
            (Some(board), true) => format!("; the game on e-board {board} stays there"),
            _ => String::new(),
        };
        if is_same(&old.white, &new.black) && is_same(&old.black, &new.white) {
            return Some(Some(format!("{board}: the colours are turned, {} has White{stays}", new.white.pgn_name())));
        }
        let pair_of = |one: &Pairing, two: &Pairing| one.white.same_name(&two.white) && one.black.same_name(&two.black);
        if let Some(from) = self.before.pairings.iter().find(|from| from.label != new.label && pair_of(from, new)) {
            let there = at(self.after, &from.label);
            if there.is_some_and(|there| pair_of(there, old)) {
                let first = self
                    .after
                    .pairings
                    .iter()
                    .find(|p| p.label == new.label || p.label == from.label)
                    .is_some_and(|p| p.label == new.label);
                let text = format!(
                    "round {}: boards {} and {} change places, {} now at {}, {} at {}",
                    self.number,
                    new.label,
                    from.label,
                    pair(new),
                    new.label,
                    pair(old),
                    from.label
                );
                let games = if stays.is_empty() && !there.is_some_and(|p| p.game.as_ref().is_some_and(|g| g.has_begun())) {
                    ""
                } else {
                    "; the games stay on their e-boards"
                };
                return Some(first.then(|| text + games));
            }
            return Some(Some(format!("{board}: {} come here from board {}{stays}", pair(new), from.label)));
        }
        let mut told = Vec::new();
        for (side, old, new) in [("White", &old.white, &new.white), ("Black", &old.black, &new.black)] {
            if !is_same(old, new) {
                told.push(match (is_named(old), is_named(new)) {
                    (true, true) => format!("{} plays {side} instead of {}", new.pgn_name(), old.pgn_name()),
                    (_, false) => format!("{side} has no name any more ({})", old.pgn_name()),
                    (false, true) => format!("{side} is {}", new.pgn_name()),
                });
            }
        }
        Some(Some(format!("{board}: {}{stays}", told.join(", "))))
    }

    /// What is known of the same player otherwise.
    fn details(&self, old: &Pairing, new: &Pairing) -> Vec<String> {
        let mut told = Vec::new();
        for (old, player) in [(&old.white, &new.white), (&old.black, &new.black)] {
            let name = player.pgn_name();
            let mut parts = Vec::new();
            if old.pgn_name() != name {
                parts.push(format!("was written {}", old.pgn_name()));
            }
            let number = |number: Option<u32>| number.map(|n| n.to_string());
            for (what, one, two) in [
                ("title", old.title.clone(), player.title.clone()),
                ("rating", number(old.elo.map(u32::from)), number(player.elo.map(u32::from))),
                ("FIDE number", number(old.fideid), number(player.fideid)),
                ("federation", old.federation.clone(), player.federation.clone()),
                ("team", old.team.clone(), player.team.clone()),
            ] {
                if one != two {
                    parts.push(format!("{what} {} (was {})", two.as_deref().unwrap_or("none"), one.as_deref().unwrap_or("none")));
                }
            }
            if !parts.is_empty() {
                told.push(format!("{}, {name}: {}", self.board(new), parts.join(", ")));
            }
        }
        told
    }
}

fn at<'a>(round: &'a Round, label: &str) -> Option<&'a Pairing> {
    round.pairings.iter().find(|pairing| pairing.label == label)
}

fn is_named(player: &Player) -> bool {
    !player.is_of_board()
}

/// The same person, or nobody both times.
fn is_same(one: &Player, two: &Player) -> bool {
    match (is_named(one), is_named(two)) {
        (true, true) => one.may_be(two),
        (one, two) => one == two,
    }
}

fn pair(pairing: &Pairing) -> String {
    format!("{} - {}", pairing.white.pgn_name(), pairing.black.pgn_name())
}
