//! A position in four planes of 64 bits and its side to move: what makes two positions the same (9.2.3), nothing more, nothing less.
use core::num::NonZeroU32;
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position as _, PositionError, Setup,
};

/// Placement, side to move, castling rights, and en passant where it is legal.
///
/// A square's code is its bits in the first three planes: 0 empty, 1 to 6 pawn to king, 7 a rook that may castle. The fourth plane has White's
/// men, and on an empty square the en passant target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packed {
    pub(super) planes: [u64; 4],
    pub(super) black_to_move: bool,
}

impl Packed {
    /// No position: it has no men.
    pub(super) const NONE: Self = Self { planes: [0; 4], black_to_move: false };

    /// The identity of a position.
    pub fn of(position: &Chess) -> Self {
        let (roles, colors) = position.board().clone().into_bitboards();
        let castling = position.castles().castling_rights();
        let en_passant = position.ep_square(EnPassantMode::Legal).map_or(Bitboard::EMPTY, Bitboard::from_square);
        // Codes: pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6, rook that may castle 7.
        let planes = [
            roles.pawn | roles.bishop | roles.queen | castling,
            roles.knight | roles.bishop | roles.king | castling,
            roles.rook | roles.queen | roles.king,
            colors.white | en_passant,
        ];
        Self { planes: planes.map(u64::from), black_to_move: position.turn() == Color::Black }
    }

    /// The position again; `None` only for what [`Packed::of`] never made.
    pub(super) fn position(&self) -> Option<Chess> {
        let [a, b, c, white] = self.planes.map(Bitboard);
        let men = a | b | c;
        let castling = a & b & c;
        let roles =
            ByRole { pawn: a & !b & !c, knight: b & !a & !c, bishop: a & b & !c, rook: c & !(a ^ b), queen: a & c & !b, king: b & c & !a };
        let setup = Setup {
            board: Board::try_from_bitboards(roles, ByColor { white: white & men, black: men & !white }).ok()?,
            promoted: Bitboard::EMPTY,
            pockets: None,
            turn: Color::from_white(!self.black_to_move),
            castling_rights: castling,
            ep_square: (white & !men).first(),
            remaining_checks: None,
            halfmoves: 0,
            fullmoves: NonZeroU32::MIN,
        };
        // Chess960's rules of castling contain the standard ones. What was reached by legal moves needs no other check.
        Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    fn chess(fen: &str) -> Chess {
        super::super::position(fen, false).unwrap()
    }

    #[test]
    fn a_position_comes_out_as_it_went_in() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
        ] {
            let position = chess(fen);
            let again = Packed::of(&position).position().unwrap();
            assert_eq!(again, position, "{fen}");
            assert_eq!(Packed::of(&again), Packed::of(&position));
            assert_eq!(
                Fen::from_position(&again, EnPassantMode::Legal).to_string().split(' ').take(2).collect::<Vec<_>>(),
                fen.split(' ').take(2).collect::<Vec<_>>()
            );
        }
        assert_eq!(Packed::NONE.position(), None);
    }

    #[test]
    fn what_differs_by_9_2_3_is_another_position() {
        let base = Packed::of(&chess("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"));
        for fen in [
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk d6 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        ] {
            assert_ne!(Packed::of(&chess(fen)), base, "{fen}");
        }
        // An en passant square where nobody can take, and counters, are nothing.
        assert_eq!(Packed::of(&chess("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")), Packed::of(&chess("4k3/8/8/8/4P3/8/8/4K3 b - - 30 40")));
    }
}
