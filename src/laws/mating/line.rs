//! Mating lines: made short, replayed, written.
use super::answer::{Winner, mated_by};
use super::packed::Packed;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position as _};

/// The moves in UCI: castling by the king's step, in Chess960 by king and rook.
pub fn uci(root: &Chess, moves: &[Move]) -> Vec<String> {
    let mode = root.castles().mode();
    moves.iter().map(|m| m.to_uci(mode).to_string()).collect()
}

/// The line in SAN, if it is legal play from `root` to a mate that was asked for. Whatever found the line, nothing is shown without this.
pub fn replayed(root: &Chess, line: &[String], winner: Winner) -> Option<Vec<String>> {
    let mut position = root.clone();
    let mut sans = Vec::with_capacity(line.len());
    for uci in line {
        let m = uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        sans.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
    }
    let mate = position.legal_moves().is_empty() && mated_by(&position).is_some_and(|color| winner.is(color));
    mate.then_some(sans)
}

/// How far around a position of a line to look for a way that leads further on.
const LOOK_AROUND: usize = 16_384;

/// The same end with the detours left out: closure goes deep first, and its lines wander over thousands of moves. From each position that is
/// left the nearby ones are looked at, and the way to the one furthest on is taken.
pub(super) fn shortened(root: &Chess, moves: &[Move]) -> Vec<Move> {
    let mut position = root.clone();
    let mut last_at = BTreeMap::new();
    last_at.insert(Packed::of(&position), 0);
    for (i, m) in moves.iter().enumerate() {
        position.play_unchecked(*m);
        last_at.insert(Packed::of(&position), i + 1);
    }
    let (mut position, mut at, mut short) = (root.clone(), 0, Vec::new());
    while at < moves.len() {
        // The next move of the line itself is among what is found.
        let Some((i, way)) = furthest(&position, &last_at, moves.len()).filter(|(i, _)| *i > at) else { return moves.to_vec() };
        for m in way {
            position.play_unchecked(m);
            short.push(m);
        }
        at = i;
    }
    short
}

/// The way to the position nearby that comes last in the line.
fn furthest(from: &Chess, last_at: &BTreeMap<Packed, usize>, end: usize) -> Option<(usize, Vec<Move>)> {
    let mut seen = BTreeSet::from([Packed::of(from)]);
    // Breadth first: each with where it came from.
    let mut nearby: Vec<(Chess, Option<(usize, Move)>)> = vec![(from.clone(), None)];
    let mut best: Option<(usize, usize)> = None;
    let mut next = 0;
    while next < nearby.len() && nearby.len() < LOOK_AROUND && best.is_none_or(|(i, _)| i < end) {
        let position = nearby[next].0.clone();
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            let packed = Packed::of(&after);
            if !seen.insert(packed) {
                continue;
            }
            if let Some(&i) = last_at.get(&packed).filter(|i| best.is_none_or(|(known, _)| **i > known)) {
                best = Some((i, nearby.len()));
            }
            nearby.push((after, Some((next, m))));
        }
        next += 1;
    }
    let (i, mut node) = best?;
    let mut way = Vec::new();
    while let Some((before, m)) = nearby[node].1 {
        way.push(m);
        node = before;
    }
    way.reverse();
    Some((i, way))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_believed_only_if_it_is_legal_and_ends_in_the_mate_asked_for() {
        let root = Chess::default();
        let line = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let mate = line("f2f3 e7e5 g2g4 d8h4");
        assert_eq!(replayed(&root, &mate, Winner::Black).unwrap().last().unwrap(), "Qh4#");
        assert_eq!(replayed(&root, &mate, Winner::White), None);
        assert_eq!(replayed(&root, &mate[..3], Winner::Black), None);
        assert_eq!(replayed(&root, &line("f2f3 e7e5 g2g5 d8h4"), Winner::Black), None);
        assert_eq!(replayed(&root, &line("nonsense"), Winner::Black), None);
    }

    #[test]
    fn detours_are_left_out() {
        let root = Chess::default();
        let mut position = root.clone();
        let long = "b1c3 b8c6 c3b1 c6b8 f2f3 e7e5 g2g4 d8h4".split(' ').map(|uci| {
            let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
            m
        });
        let long: Vec<Move> = long.collect();
        assert_eq!(uci(&root, &shortened(&root, &long)).join(" "), "f2f3 e7e5 g2g4 d8h4");
    }
}
