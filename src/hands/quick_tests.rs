//! More than one ply between two readings, as small streams by hand.
use crate::tests::Told;
use crate::{Eyes, Press};
use dgt_protocol::square::PieceCode::{self, BlackBishop, BlackKnight, BlackPawn, Empty, WhiteBishop, WhiteKnight, WhitePawn, WhiteQueen};
use shakmaty::Square;
use std::string::String;

/// So much later squares read otherwise, the one right after the other.
fn change(told: &mut Told, after: u64, readings: &[(Square, PieceCode)]) {
    told.after(after);
    for (square, piece) in readings {
        told.after(5).reads(*square, *piece);
    }
}

/// The same, and then a press.
fn press(told: &mut Told, readings: &[(Square, PieceCode)], side: Press) {
    change(told, 60, readings);
    let at = told.after(60).at();
    told.estimator.press(at, side);
}

#[test]
fn what_is_taken_back_on_one_square_between_two_readings_is_three_plies() {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::E2, Square::E4, WhitePawn).presses(Press::Left).moves(Square::E7, Square::E5, BlackPawn).presses(Press::Right);
    told.moves(Square::G1, Square::F3, WhiteKnight).presses(Press::Left).moves(Square::B8, Square::C6, BlackKnight).presses(Press::Right);
    told.after(2_000);
    press(&mut told, &[(Square::D2, Empty)], Press::Left);
    press(&mut told, &[(Square::E5, Empty)], Press::Right);
    press(&mut told, &[(Square::F3, Empty), (Square::D4, WhiteKnight)], Press::Left);
    told.moves(Square::A7, Square::A6, BlackPawn).presses(Press::Right).moves(Square::A2, Square::A3, WhitePawn).presses(Press::Left);
    assert_eq!(told.after(8_000).read(), "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 a7a6 a2a3");
}

#[test]
fn it_is_also_where_nobody_presses() {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::E2, Square::E4, WhitePawn).moves(Square::E7, Square::E5, BlackPawn);
    told.moves(Square::G1, Square::F3, WhiteKnight).moves(Square::B8, Square::C6, BlackKnight).after(2_000);
    change(&mut told, 60, &[(Square::D2, Empty)]);
    change(&mut told, 120, &[(Square::E5, Empty)]);
    change(&mut told, 120, &[(Square::F3, Empty), (Square::D4, WhiteKnight)]);
    told.moves(Square::A7, Square::A6, BlackPawn).moves(Square::A2, Square::A3, WhitePawn);
    assert_eq!(told.after(8_000).read(), "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 a7a6 a2a3");
}

/// Without a clock after 1.e4 e5 both bishops are read on a square from which they go on, so long after the squares before.
fn two_bishops(after: u64) -> String {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::E2, Square::E4, WhitePawn).moves(Square::E7, Square::E5, BlackPawn);
    change(&mut told, 2_000, &[(Square::F1, Empty), (Square::E2, WhiteBishop)]);
    change(&mut told, after, &[(Square::F8, Empty), (Square::E7, BlackBishop)]);
    change(&mut told, after, &[(Square::E2, Empty), (Square::C4, WhiteBishop)]);
    change(&mut told, after, &[(Square::E7, Empty), (Square::C5, BlackBishop)]);
    told.after(8_000).read()
}

#[test]
fn two_slides_at_the_same_time_are_two_plies() {
    assert_eq!(two_bishops(130), "e2e4 e7e5 f1c4 f8c5");
}

#[test]
fn pieces_that_go_on_after_both_have_stood_are_four() {
    assert_eq!(two_bishops(4_000), "e2e4 e7e5 f1e2 f8e7 e2c4 e7c5");
}

/// After 1.e4 e5 2.Nf3 Nc6 3.d3 White has let go of the pawn, takes the other one up before he presses, and puts it down while Black's bishop is in the
/// air.
#[test]
fn a_reply_may_be_read_before_the_move_that_it_answers() {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::E2, Square::E4, WhitePawn).presses(Press::Left).moves(Square::E7, Square::E5, BlackPawn).presses(Press::Right);
    told.moves(Square::G1, Square::F3, WhiteKnight).presses(Press::Left).moves(Square::B8, Square::C6, BlackKnight).presses(Press::Right);
    change(&mut told, 1_000, &[(Square::D2, Empty), (Square::D3, WhitePawn)]);
    change(&mut told, 220, &[(Square::F8, Empty), (Square::A2, Empty)]);
    press(&mut told, &[], Press::Left);
    change(&mut told, 20, &[(Square::A4, WhitePawn)]);
    press(&mut told, &[(Square::C5, BlackBishop)], Press::Right);
    press(&mut told, &[], Press::Left);
    told.moves(Square::G8, Square::F6, BlackKnight).presses(Press::Right);
    assert_eq!(told.after(8_000).read(), "e2e4 e7e5 g1f3 b8c6 d2d3 f8c5 a2a4 g8f6");
}

/// The queen is read on her way when her player presses, and goes on along the same line after a reply that was pressed.
#[test]
fn a_piece_that_goes_on_after_a_pressed_reply_had_stopped() {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::E2, Square::E4, WhitePawn).presses(Press::Left).moves(Square::E7, Square::E5, BlackPawn).presses(Press::Right);
    change(&mut told, 1_000, &[(Square::E2, WhiteQueen), (Square::D1, Empty)]);
    change(&mut told, 130, &[]);
    press(&mut told, &[], Press::Left);
    change(&mut told, 15, &[(Square::F3, WhiteQueen), (Square::E2, Empty)]);
    change(&mut told, 80, &[(Square::B8, Empty)]);
    press(&mut told, &[(Square::C6, BlackKnight)], Press::Right);
    press(&mut told, &[(Square::F3, Empty), (Square::H5, WhiteQueen)], Press::Left);
    told.moves(Square::G8, Square::F6, BlackKnight).presses(Press::Right);
    assert_eq!(told.after(8_000).read(), "e2e4 e7e5 d1f3 b8c6 f3h5 g8f6");
}
