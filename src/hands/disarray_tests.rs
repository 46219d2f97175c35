//! Pieces that stand anywhere: what is kept of each square, and what is still believed.
use crate::kinds::disagreements;
use crate::tests::Told;
use crate::{Estimator, Eyes, Press};
use dgt_protocol::square::PieceCode::{self, BlackPawn, Empty, WhitePawn};
use shakmaty::{Chess, Position as _, Square};

/// What is kept of every line's squares is what would be found now.
#[track_caller]
fn is_as_kept(estimator: &Estimator) {
    for (_, world) in &estimator.worlds {
        for line in &world.lines {
            let now = disagreements(line, &world.image, world.clock);
            let of = |all: &[crate::line::Disagreement]| {
                all.iter().map(|one| (one.square, one.kind, one.paid_as, one.since)).collect::<Vec<_>>()
            };
            assert_eq!(of(&line.disagrees), of(&now), "{:?}", world.moves(line));
            assert!(line.disagrees.iter().all(|one| one.paid.is_some()));
        }
    }
}

#[test]
fn what_is_kept_of_squares_is_what_would_be_found() {
    for (eyes, seed) in [(Eyes::Pieces, 1), (Eyes::Pieces, 2), (Eyes::Occupancy, 3)] {
        let mut told = Told::new(eyes);
        let mut random = seed;
        let mut next = |below: u32| {
            random = (random * 1_103_515_245 + 12_345) % 2_147_483_648_u64;
            ((random >> 8) % u64::from(below)) as u32
        };
        let pieces: Vec<PieceCode> = Chess::default().board().iter().map(|(_, piece)| crate::spot::code(piece)).collect();
        let mut hand = WhitePawn;
        for _ in 0..120 {
            told.after(u64::from(next(900)));
            let square = Square::new(next(64));
            match next(8) {
                0 => drop(told.presses(if next(2) == 0 { Press::Left } else { Press::Right })),
                1..=4 => drop(told.reads(square, Empty)),
                5 => hand = pieces[next(32) as usize],
                _ => drop(told.reads(square, hand)),
            }
            is_as_kept(&told.estimator);
        }
    }
}

#[test]
fn pieces_that_are_put_away_take_back_nothing() {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::E2, Square::E4, WhitePawn).presses(Press::Left).moves(Square::E7, Square::E5, BlackPawn).presses(Press::Right);
    let played = told.estimator.moves();
    assert_eq!(played.len(), 2);
    for square in Square::ALL.into_iter().take(30) {
        told.after(150).reads(square, Empty);
        assert!(told.estimator.moves().starts_with(&played), "{square}");
    }
}
