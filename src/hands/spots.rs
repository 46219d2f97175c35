//! Positions that were looked at: the ways on from them are found once for all lines, both sides of the clock, and every copy of a game.
use crate::position::Position;
use crate::sensed::Eyes;
use crate::spot::Spot;
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};
use once_cell::race::OnceBox;

/// Positions that are known at once beside those of the lines, some two kilobytes each; then others are kept, as they come.
const MOST: usize = 1_024;
/// They lie by their keys on so many shelves.
const SHELVES: usize = 256;

/// What everybody who holds it may add to, and nobody takes anything from.
#[derive(Debug)]
pub(crate) struct Spots {
    shelves: [OnceBox<Kept>; SHELVES],
    many: AtomicUsize,
    /// Where those lie that come when this is full.
    next: OnceBox<Arc<Self>>,
}

#[derive(Debug)]
struct Kept {
    spot: Arc<Spot>,
    next: OnceBox<Self>,
}

impl Spots {
    /// None yet.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { shelves: [const { OnceBox::new() }; SHELVES], many: AtomicUsize::new(0), next: OnceBox::new() })
    }

    /// This one, or the one that is filled after it.
    pub(crate) fn with_room(self: &Arc<Self>) -> Arc<Self> {
        let is_full = self.many.load(Ordering::Relaxed) >= MOST;
        if is_full { self.next.get_or_init(|| Box::new(Self::new())).clone() } else { self.clone() }
    }

    /// The position as it is known here, or from now on.
    pub(crate) fn of(&self, position: Position, eyes: Eyes) -> Arc<Spot> {
        let key = Spot::key_of(&position);
        let mut place = &self.shelves[key as usize % SHELVES];
        while let Some(kept) = place.get() {
            if kept.spot.key == key {
                return kept.spot.clone();
            }
            place = &kept.next;
        }
        let spot = Spot::new(position, eyes);
        // Where two come at once, the second finds this place taken, and does without.
        if place.set(Box::new(Kept { spot: spot.clone(), next: OnceBox::new() })).is_ok() {
            self.many.fetch_add(1, Ordering::Relaxed);
        }
        spot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    fn position(fen: &str) -> Position {
        fen.parse::<Fen>().unwrap().into_position::<Chess>(CastlingMode::Standard).unwrap().into()
    }

    #[test]
    fn a_position_is_known_to_all_who_share_them() {
        let spots = Spots::new();
        let copy = spots.clone();
        let start = spots.of(Chess::default().into(), Eyes::Pieces);
        assert!(Arc::ptr_eq(&start, &copy.of(Chess::default().into(), Eyes::Pieces)));
        let without_castling = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
        assert!(!Arc::ptr_eq(&start, &spots.of(without_castling, Eyes::Pieces)));
    }

    #[test]
    fn when_it_is_full_all_go_on_with_the_same_empty_one() {
        let spots = Spots::new();
        for (white, black) in (0..64).flat_map(|white| (0..64).map(move |black| (white, black))) {
            let king = |at: usize, piece: &'static str| (0..64).map(move |square| if square == at { piece } else { "1" });
            let (kings, other): (Vec<_>, Vec<_>) = (king(white, "K").collect(), king(black, "k").collect());
            let squares: Vec<&str> = kings.iter().zip(&other).map(|(a, b)| if *a == "1" { *b } else { *a }).collect();
            let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.concat()).collect();
            let fen = format!("{} w - - 0 1", ranks.join("/"));
            if let Ok(chess) = fen.parse::<Fen>().unwrap().into_position::<Chess>(CastlingMode::Standard) {
                spots.of(chess.into(), Eyes::Pieces);
            }
        }
        let (one, other) = (spots.with_room(), spots.with_room());
        assert!(!Arc::ptr_eq(&spots, &one) && Arc::ptr_eq(&one, &other));
        assert!(Arc::ptr_eq(&one, &one.with_room()));
    }
}
