//! Why a move is illegal, in words.
use super::words::{piece_en, piece_ru};
use alloc::format;
use alloc::string::String;
use flagfall_events::Words;
use shakmaty::{Role, Square};

/// Why a move is illegal. Squares and pieces are those of the move that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The piece does not move that way (3.2 to 3.8).
    CannotReach {
        /// What moved.
        piece: Role,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// Something stands in the way (3.5).
    Blocked {
        /// What moved.
        piece: Role,
        /// The square that it cannot pass.
        at: Square,
    },
    /// The king was in check and still is (3.9).
    StaysInCheck {
        /// The king's square.
        king: Square,
    },
    /// The move exposes the own king (3.9): it was not in check before.
    LeavesKingInCheck {
        /// The king's square.
        king: Square,
        /// Where the checking piece stands.
        from: Square,
    },
    /// The king moved onto an attacked square (3.9).
    KingIntoCheck {
        /// That square.
        to: Square,
    },
    /// An own piece was captured (3.1).
    OwnPieceCaptured {
        /// What was captured.
        piece: Role,
        /// Where.
        at: Square,
    },
    /// The opponent's king was captured (1.4.1).
    KingCaptured {
        /// Where it stood.
        at: Square,
    },
    /// The opponent's piece was moved.
    OpponentsPieceMoved {
        /// What moved.
        piece: Role,
        /// From where.
        from: Square,
    },
    /// A pawn went backwards or sideways (3.7).
    PawnBackwards {
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// A pawn went two squares, not from its first square (3.7.2).
    PawnTwoSquares {
        /// From where.
        from: Square,
    },
    /// A pawn captured straight ahead (3.7.3).
    PawnCapturedAhead {
        /// Where.
        at: Square,
    },
    /// A pawn went diagonally and captured nothing (3.7.3).
    PawnCapturedNothing {
        /// Where it went.
        to: Square,
    },
    /// The pawn that was taken en passant did not come there by the last move (3.7.3.2).
    NoEnPassant {
        /// Where the capturing pawn went.
        to: Square,
    },
    /// A pawn became something that it cannot become (3.7.3.3).
    WrongPromotion {
        /// What stands there; `None`: the wrong colour.
        piece: Option<Role>,
        /// Where.
        at: Square,
    },
    /// A pawn was exchanged for another piece before the last rank.
    PromotedTooEarly {
        /// Where.
        at: Square,
    },
    /// Castling out of check (3.8.2.2).
    CastlingOutOfCheck,
    /// Castling through an attacked square (3.8.2.2).
    CastlingThroughCheck {
        /// That square.
        at: Square,
    },
    /// Castling into check (3.8.2.2).
    CastlingIntoCheck {
        /// Where the king came to stand.
        at: Square,
    },
    /// The king had moved (3.8.2.1).
    CastlingKingMoved,
    /// The rook had moved (3.8.2.1).
    CastlingRookMoved {
        /// Where that rook stood.
        rook: Square,
    },
    /// Something stands between king and rook (3.8.2.2).
    CastlingBlocked {
        /// Where.
        at: Square,
    },
    /// There is no rook to castle with.
    CastlingRookMissing {
        /// Where it should stand.
        rook: Square,
    },
    /// The king went two squares and the rook did not move: establish the facts.
    CastlingRookNotMoved {
        /// The rook that should have moved.
        rook: Square,
    },
    /// Castling with the pieces on wrong squares.
    CastlingWrongSquares,
    /// A piece vanished or was added besides the move.
    PieceAddedOrRemoved {
        /// Where.
        at: Square,
    },
    /// The board cannot tell more.
    Unclear,
}

impl Reason {
    /// The reason as half a sentence, to be put after a colon.
    pub fn words(&self) -> Words {
        let (en, ru) = match *self {
            Self::CannotReach { piece, from, to } => {
                (format!("a {} on {from} cannot go to {to}", piece_en(piece)), format!("{} с {from} не ходит на {to}", piece_ru(piece)))
            }
            Self::Blocked { piece, at } => {
                (format!("the {} cannot pass {at}", piece_en(piece)), format!("{} не может пройти через {at}", piece_ru(piece)))
            }
            Self::StaysInCheck { king } => (format!("the king on {king} stays in check"), format!("король на {king} остаётся под шахом")),
            Self::LeavesKingInCheck { king, from } => {
                (format!("it leaves the king on {king} in check from {from}"), format!("король на {king} оказывается под шахом с {from}"))
            }
            Self::KingIntoCheck { to } => (format!("the king moves into check on {to}"), format!("король встал под шах на {to}")),
            Self::OwnPieceCaptured { piece, at } => (
                format!("the captured {} on {at} is the player's own", piece_en(piece)),
                format!("на {at} взята своя фигура ({})", piece_ru(piece)),
            ),
            Self::KingCaptured { at } => (format!("the king on {at} was captured"), format!("взят король на {at}")),
            Self::OpponentsPieceMoved { piece, from } => (
                format!("the {} from {from} is the opponent's", piece_en(piece)),
                format!("{} с {from} принадлежит сопернику", piece_ru(piece)),
            ),
            Self::PawnBackwards { from, to } => {
                (format!("a pawn does not go from {from} to {to}"), format!("пешка не ходит с {from} на {to}"))
            }
            Self::PawnTwoSquares { from } => {
                (format!("the pawn on {from} may not go two squares"), format!("пешка с {from} не может пойти на два поля"))
            }
            Self::PawnCapturedAhead { at } => {
                (format!("a pawn does not capture straight ahead on {at}"), format!("пешка не бьёт прямо ({at})"))
            }
            Self::PawnCapturedNothing { to } => {
                (format!("the pawn went diagonally to {to} and captured nothing"), format!("пешка пошла по диагонали на {to} без взятия"))
            }
            Self::NoEnPassant { to } => {
                (format!("en passant on {to} is not possible now"), format!("взятие на проходе на {to} сейчас невозможно"))
            }
            Self::WrongPromotion { piece: Some(piece), at } => (
                format!("the pawn on {at} cannot become a {}", piece_en(piece)),
                format!("пешка на {at} не может превратиться: поставлена фигура «{}»", piece_ru(piece)),
            ),
            Self::WrongPromotion { piece: None, at } => (
                format!("the pawn on {at} became a piece of the wrong colour"),
                format!("на {at} вместо пешки поставлена фигура другого цвета"),
            ),
            Self::PromotedTooEarly { at } => (
                format!("the pawn was replaced on {at}, not on the last rank"),
                format!("пешка заменена на {at}, а не на последней горизонтали"),
            ),
            Self::CastlingOutOfCheck => (String::from("castling out of check"), String::from("рокировка из-под шаха")),
            Self::CastlingThroughCheck { at } => (format!("castling through check on {at}"), format!("рокировка через битое поле {at}")),
            Self::CastlingIntoCheck { at } => (format!("castling into check on {at}"), format!("рокировка под шах на {at}")),
            Self::CastlingKingMoved => (String::from("castling after the king has moved"), String::from("рокировка после хода королём")),
            Self::CastlingRookMoved { rook } => {
                (format!("castling with the rook on {rook}, which has moved"), format!("рокировка с ладьёй {rook}, которая уже ходила"))
            }
            Self::CastlingBlocked { at } => (format!("castling is blocked on {at}"), format!("рокировке мешает фигура на {at}")),
            Self::CastlingRookMissing { rook } => (format!("castling without a rook on {rook}"), format!("рокировка без ладьи на {rook}")),
            Self::CastlingRookNotMoved { rook } => (
                format!("the king went two squares and the rook on {rook} did not move; establish the facts"),
                format!("король передвинут на два поля, а ладья {rook} не переставлена; выясните обстоятельства"),
            ),
            Self::CastlingWrongSquares => (
                String::from("king and rook did not come to the squares of castling"),
                String::from("король и ладья встали не на поля рокировки"),
            ),
            Self::PieceAddedOrRemoved { at } => (format!("something else changed on {at}"), format!("кроме хода изменилось поле {at}")),
            Self::Unclear => (
                String::from("no legal move leads to this position; establish the facts"),
                String::from("ни один возможный ход не ведёт к этой позиции; выясните обстоятельства"),
            ),
        };
        Words { en, ru }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_the_piece_and_the_square() {
        let words = Reason::Blocked { piece: Role::Rook, at: Square::E4 }.words();
        assert_eq!(words.en, "the rook cannot pass e4");
        assert_eq!(words.ru, "ладья не может пройти через e4");
    }
}
