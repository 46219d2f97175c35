//! More than one ply between two readings, as small streams by hand.
use crate::{Estimator, Eyes, Press};
use dgt_protocol::square::PieceCode::{self, BlackBishop, BlackKnight, BlackPawn, Empty, WhiteBishop, WhiteKnight, WhitePawn};
use flagfall_events::Mono;
use shakmaty::{CastlingMode, Chess, Square};
use std::string::{String, ToString};
use std::vec::Vec;

/// A board that is told what to say.
struct Told {
    estimator: Estimator,
    now: u64,
    clock: bool,
}

impl Told {
    fn new(clock: bool) -> Self {
        Self { estimator: Estimator::new(Eyes::Pieces, Chess::default(), Mono::ZERO), now: 1_000, clock }
    }

    /// So much later squares read otherwise, the one right after the other.
    fn reads(&mut self, after: u64, readings: &[(Square, PieceCode)]) -> &mut Self {
        self.now += after;
        for (square, piece) in readings {
            self.now += 5;
            self.estimator.read(Mono::from_millis(self.now), square.to_u32() as u8, *piece);
        }
        self
    }

    fn presses(&mut self, after: u64, side: Press) -> &mut Self {
        self.now += after;
        if self.clock {
            self.estimator.press(Mono::from_millis(self.now), side);
        }
        self
    }

    fn moves(&mut self, from: Square, to: Square, piece: PieceCode, side: Press) -> &mut Self {
        self.reads(2_000, &[(from, Empty)]).reads(300, &[(to, piece)]).presses(600, side)
    }

    fn read(&mut self) -> String {
        self.now += 8_000;
        self.estimator.advance(Mono::from_millis(self.now));
        let uci = |mv: &shakmaty::Move| mv.to_uci(CastlingMode::Standard).to_string();
        self.estimator.moves().iter().map(uci).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn what_is_taken_back_on_one_square_between_two_readings_is_three_plies() {
    for clock in [true, false] {
        let mut told = Told::new(clock);
        told.moves(Square::E2, Square::E4, WhitePawn, Press::Left).moves(Square::E7, Square::E5, BlackPawn, Press::Right);
        told.moves(Square::G1, Square::F3, WhiteKnight, Press::Left).moves(Square::B8, Square::C6, BlackKnight, Press::Right);
        told.reads(2_000, &[(Square::D2, Empty)]).presses(60, Press::Left).reads(60, &[(Square::E5, Empty)]).presses(60, Press::Right);
        told.reads(60, &[(Square::F3, Empty), (Square::D4, WhiteKnight)]).presses(100, Press::Left);
        told.moves(Square::A7, Square::A6, BlackPawn, Press::Right).moves(Square::A2, Square::A3, WhitePawn, Press::Left);
        assert_eq!(told.read(), "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 a7a6 a2a3", "clock: {clock}");
    }
}

/// Without a clock after 1.e4 e5 both bishops are read on a square from which they go on, so long after the squares before.
fn two_bishops(after: u64) -> String {
    let mut told = Told::new(false);
    told.moves(Square::E2, Square::E4, WhitePawn, Press::Left).moves(Square::E7, Square::E5, BlackPawn, Press::Right);
    told.reads(2_000, &[(Square::F1, Empty), (Square::E2, WhiteBishop)]).reads(after, &[(Square::F8, Empty), (Square::E7, BlackBishop)]);
    told.reads(after, &[(Square::E2, Empty), (Square::C4, WhiteBishop)]).reads(after, &[(Square::E7, Empty), (Square::C5, BlackBishop)]);
    told.read()
}

#[test]
fn two_slides_at_the_same_time_are_two_plies() {
    assert_eq!(two_bishops(130), "e2e4 e7e5 f1c4 f8c5");
}

#[test]
fn pieces_that_go_on_after_both_have_stood_are_four() {
    assert_eq!(two_bishops(4_000), "e2e4 e7e5 f1e2 f8e7 e2c4 e7c5");
}
