//! Mating lines: made short, replayed, written.
use super::answer::Winner;
use super::facts;
use super::packed::Packed;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position as _};
use std::collections::HashMap;

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
    let mate = position.legal_moves().is_empty() && facts::mated_by(&position).is_some_and(|color| winner.is(color));
    mate.then_some(sans)
}

/// The same end with the detours left out: from each position the move that leads furthest on.
pub(super) fn shortened(root: &Chess, moves: &[Move]) -> Vec<Move> {
    let mut position = root.clone();
    let mut last_at = HashMap::with_capacity(moves.len() + 1);
    last_at.insert(Packed::of(&position), 0);
    for (i, m) in moves.iter().enumerate() {
        position.play_unchecked(*m);
        last_at.insert(Packed::of(&position), i + 1);
    }
    let (mut position, mut at, mut short) = (root.clone(), 0, Vec::new());
    while at < moves.len() {
        let furthest = position
            .legal_moves()
            .into_iter()
            .filter_map(|m| {
                let mut next = position.clone();
                next.play_unchecked(m);
                last_at.get(&Packed::of(&next)).map(|&i| (i, m))
            })
            .max_by_key(|(i, _)| *i);
        // The next move of the line itself is among them.
        let Some((i, m)) = furthest.filter(|(i, _)| *i > at) else { return moves.to_vec() };
        position.play_unchecked(m);
        short.push(m);
        at = i;
    }
    short
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
