//! Which e-board a pairing is played on.
//!
//! In this order, each board once:
//! 1. the one that `[event.seats]` gives to the label, or to its match;
//! 2. the one whose name is the label;
//! 3. in team events the one whose name is the running number: with N boards a match board B of match M is number (M − 1) × N + B;
//! 4. where none of this fits any pairing: the first boards of the hall in their order, in team events by the running number.
//!
//! A pairing that is missing in a list moves no other one in team events, nor where boards have their labels as names.
use super::seats::Seat;
use crate::pairings::label::{Label, of_match};
use flagfall_config::event::Seating;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// From a pairing's label to its board.
type Way<'a> = &'a dyn Fn(&str) -> Option<Arc<str>>;

/// Gives every pairing its own, as far as there is one. A pairing whose game has begun stays where it is.
pub(super) fn seat(seats: &mut [Seat], boards: &[Arc<str>], seating: &Seating) {
    let largest = seats.iter().filter_map(|seat| of_match(&seat.label)).map(|(_, board)| board).max().unwrap_or(1);
    let a_match = seating.match_boards.unwrap_or(largest);
    let number = |label: &str| {
        let (of, board) = of_match(label)?;
        Some((of - 1).saturating_mul(a_match).saturating_add(board))
    };
    let plain = |name: &str| Label::new(name).to_string().to_lowercase();
    let by_name: HashMap<String, &Arc<str>> = boards.iter().rev().map(|board| (plain(board), board)).collect();
    let named = |name: &str| by_name.get(&plain(name)).map(|board| Arc::clone(board));
    let ways: [Way<'_>; 3] = [&|label| named(seating.table(label)?), &named, &|label| named(&number(label)?.to_string())];
    let mut taken: HashSet<Arc<str>> = HashSet::new();
    for seat in &mut *seats {
        seat.board = seat.board.take().filter(|_| seat.has_begun());
        taken.extend(seat.board.clone());
    }
    let mut fits = false;
    for way in ways {
        for seat in &mut *seats {
            let wanted = way(&seat.label);
            fits |= wanted.is_some();
            if seat.board.is_none() {
                seat.board = wanted.filter(|board| taken.insert(board.clone()));
            }
        }
    }
    if !fits {
        for (seat, place) in seats.iter_mut().zip(1..).filter(|(seat, _)| seat.board.is_none()) {
            let place = number(&seat.label).map_or(Some(place), |n| usize::try_from(n).ok());
            let board = place.and_then(|place| boards.get(place.checked_sub(1)?)).cloned();
            seat.board = board.filter(|board| taken.insert(board.clone()));
        }
    }
    for seat in seats.iter_mut().filter(|seat| !seat.has_begun()) {
        // What only stands on a board that is another pairing's now comes back there.
        let board = seat.board.clone();
        seat.games.retain(|game| Some(game.board.as_str()) == board.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn seated(labels: &[&str], boards: &[&str], seating: &Seating) -> Vec<String> {
        let mut seats: Vec<Seat> = labels.iter().map(|label| Seat::new(label, None)).collect();
        let boards: Vec<Arc<str>> = boards.iter().map(|name| Arc::from(*name)).collect();
        seat(&mut seats, &boards, seating);
        seats.into_iter().map(|seat| seat.board.map_or_else(|| String::from("-"), |board| String::from(&*board))).collect()
    }

    #[test]
    fn each_rule_in_its_turn() {
        let numbers: Vec<String> = (1..=12).map(|n| n.to_string()).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        let serials = ["30011", "30012", "30013", "30014", "30015", "30016", "30017", "30018"];
        let none = Seating::default();
        // By name, whatever the order and however it is written.
        assert_eq!(seated(&["2", "7", "99"], &numbers, &none), ["2", "7", "-"]);
        assert_eq!(seated(&["3.2"], &["3-2", "x"], &none), ["3-2"]);
        // In order where no name fits.
        assert_eq!(seated(&["1", "2", "3"], &["a", "b"], &none), ["a", "b", "-"]);
        // Matches, with a pairing that is missing.
        assert_eq!(seated(&["1.1", "1.4", "2.2", "3.1", "3.4"], &numbers, &none), ["1", "4", "6", "9", "12"]);
        assert_eq!(seated(&["1.1", "1.4", "2.2", "3.1"], &serials, &none), ["30011", "30014", "30016", "-"]);
        // More boards a match than the list shows.
        let six = Seating { match_boards: Some(6), ..Seating::default() };
        assert_eq!(seated(&["1.1", "2.1"], &numbers, &six), ["1", "7"]);
    }

    #[test]
    fn tables_that_are_not_in_order_are_named() {
        let names = |names: &[&str]| names.iter().map(|name| String::from(*name)).collect::<Vec<_>>();
        let tables = BTreeMap::from([(String::from("2"), names(&["4", "3"])), (String::from("1.2"), names(&["7"]))]);
        let seating = Seating { tables, match_boards: None };
        let boards = ["1", "2", "3", "4", "7"];
        assert_eq!(seated(&["1.1", "1.2", "2.1", "2.2"], &boards, &seating), ["1", "7", "4", "3"]);
        // A board that is given away is nobody else's.
        assert_eq!(seated(&["1.2", "7"], &boards, &seating), ["7", "-"]);
    }
}
