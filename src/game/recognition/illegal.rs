//! One illegal move that explains a picture, and why it is illegal.
use crate::placement::{Placement, Squares, code, each};
use crate::recognition::step::{Ground, Step};
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_hands::position::{Position, is_attacked};
use flagfall_laws::reason::Reason;
use shakmaty::{Bitboard, Board, CastlingSide, Color, File, Move, Piece, Rank, Role, Square, attacks};

/// A move changes at most four squares.
const MOST_SQUARES: u32 = 4;

/// The one move of the side to move, illegal by Article 3, after which the board looks exactly like this.
///
/// Legal moves are not found here, but a pawn on its last rank that was not exchanged is (7.5.2).
pub(crate) fn find(ground: &Ground, sensed: &Placement, occupancy: bool) -> Option<Step> {
    let changed = ground.placement.diff(sensed);
    if changed == 0 || changed.count_ones() > MOST_SQUARES {
        return None;
    }
    let position = &ground.position;
    let board = position.board();
    let mut left = Vec::new();
    let mut came = Vec::new();
    for index in each(changed) {
        let square = square(index)?;
        if sensed.0[index] == PieceCode::Empty {
            left.push((square, board.piece_at(square)?));
        } else {
            came.push((square, sensed.0[index]));
        }
    }
    let us = if ground.turn() == flagfall_events::Colour::White { Color::White } else { Color::Black };
    let mv = match (left.as_slice(), came.as_slice()) {
        (&[(from, piece)], &[(to, read)]) => carried(position, us, from, piece, to, read, occupancy)?,
        (&[(from, piece)], []) => vanished(position, us, from, piece, None)?,
        (&[a, b], []) => {
            let (pawn, taken) = if a.1 == (Piece { color: us, role: Role::Pawn }) { (a, b) } else { (b, a) };
            vanished(position, us, pawn.0, pawn.1, Some(taken.0))?
        }
        // The opponent's pieces may have been moved so as well.
        (&[a, b], &[(to, read)]) => [us, us.other()].into_iter().find_map(|side| en_passant(side, [a, b], to, read))?,
        (&[a, b], &[c, d]) => [us, us.other()].into_iter().find_map(|side| castling(side, [a, b], [c, d]))?,
        _ => return None,
    };
    let step = Step::illegal(position, mv, occupancy);
    let unpromoted = is_unpromoted(position, mv);
    let known = ground.steps.iter().any(|legal| legal.mv == mv);
    let step = if unpromoted { step.reading(sensed.0[step.to()]) } else { step };
    (!known && step.play(&ground.placement) == *sensed).then_some(step)
}

/// Whether a move is a pawn's to its last rank, legal but for the piece that it should have become (7.5.2).
pub(crate) fn is_unpromoted(position: &Position, mv: Move) -> bool {
    let Move::Normal { role: Role::Pawn, from, to, promotion: None, .. } = mv else { return false };
    promotes(position, from, to)
}

fn promotes(position: &Position, from: Square, to: Square) -> bool {
    position.legal_moves().into_iter().any(|legal| legal.is_promotion() && legal.from() == Some(from) && legal.to() == to)
}

fn square(index: usize) -> Option<Square> {
    u32::try_from(index).ok().map(Square::new)
}

/// One piece left a square, and one stands where there was none or another.
fn carried(position: &Position, us: Color, from: Square, piece: Piece, to: Square, read: PieceCode, occupancy: bool) -> Option<Move> {
    let capture = position.board().role_at(to);
    let normal = |promotion| Move::Normal { role: piece.role, from, capture, to, promotion };
    if occupancy || read == code(piece) {
        return Some(normal(None));
    }
    let Piece { color, role } = piece;
    if role != Role::Pawn || to.rank() != color.relative_rank(Rank::Eighth) {
        return None;
    }
    let became = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter().find(|&role| read == code(Piece { color, role }));
    (became.is_some() || (color == us && promotes(position, from, to))).then(|| normal(became))
}

/// A pawn left for its last rank, and nothing that can be read stands there.
fn vanished(position: &Position, us: Color, from: Square, piece: Piece, taken: Option<Square>) -> Option<Move> {
    if piece != (Piece { color: us, role: Role::Pawn }) {
        return None;
    }
    let ahead = || Some(Square::from_coords(from.file(), us.relative_rank(Rank::Eighth)));
    let to = taken.or_else(ahead)?;
    promotes(position, from, to).then(|| Move::Normal {
        role: Role::Pawn,
        from,
        capture: position.board().role_at(to),
        to,
        promotion: None,
    })
}

/// A pawn took another one beside it.
fn en_passant(us: Color, left: [(Square, Piece); 2], to: Square, read: PieceCode) -> Option<Move> {
    let pawn = |color| Piece { color, role: Role::Pawn };
    let own = left.iter().find(|(_, piece)| *piece == pawn(us))?.0;
    let taken = left.iter().find(|(_, piece)| *piece == pawn(us.other()))?.0;
    let beside = taken == Square::from_coords(to.file(), own.rank()) && attacks::pawn_attacks(us, own).contains(to);
    (beside && read == code(pawn(us))).then_some(Move::EnPassant { from: own, to })
}

/// King and rook went where castling brings them.
fn castling(us: Color, left: [(Square, Piece); 2], came: [(Square, PieceCode); 2]) -> Option<Move> {
    let man = |role| Piece { color: us, role };
    let king = left.iter().find(|(_, piece)| *piece == man(Role::King))?.0;
    let rook = left.iter().find(|(_, piece)| *piece == man(Role::Rook))?.0;
    let side = CastlingSide::from_king_side(rook > king);
    let stands = |role, file| came.contains(&(Square::from_coords(file, king.rank()), code(man(role))));
    let castled = king.rank() == rook.rank() && stands(Role::King, side.king_to_file()) && stands(Role::Rook, side.rook_to_file());
    castled.then_some(Move::Castle { king, rook })
}

/// Why a move breaks Article 3, in the position it was played in.
pub(crate) fn why(position: &Position, mv: Move) -> Reason {
    let us = if position.turn() == flagfall_events::Colour::White { Color::White } else { Color::Black };
    if let Some((from, piece)) = mv.from().and_then(|from| Some((from, position.board().piece_at(from)?)))
        && piece.color != us
    {
        return Reason::OpponentsPieceMoved { piece: piece.role, from };
    }
    match mv {
        Move::Castle { king, rook } => why_castling(position, us, king, rook),
        Move::EnPassant { to, .. } => {
            exposed(position, us, mv).filter(|_| is_legal_but_for_check(position, mv)).unwrap_or(Reason::NoEnPassant { to })
        }
        Move::Normal { from, to, promotion, .. } => {
            let board = position.board();
            let Some(piece) = board.piece_at(from) else { return Reason::Unclear };
            let wrong = match board.piece_at(to) {
                Some(taken) if taken.color == us => Some(Reason::OwnPieceCaptured { piece: taken.role, at: to }),
                Some(Piece { role: Role::King, .. }) => Some(Reason::KingCaptured { at: to }),
                _ => None,
            };
            wrong
                .or_else(|| path(board, piece, from, to))
                .or_else(|| exposed(position, us, mv))
                .or_else(|| promotion.map(|_| Reason::PromotedTooEarly { at: to }))
                .unwrap_or(Reason::Unclear)
        }
        Move::Put { .. } => Reason::Unclear,
    }
}

/// What is wrong with the way from one square to another, if anything is.
fn path(board: &Board, piece: Piece, from: Square, to: Square) -> Option<Reason> {
    if piece.role == Role::Pawn {
        return pawn_path(board, piece.color, from, to);
    }
    if attacks::attacks(from, piece, board.occupied()).contains(to) {
        return None;
    }
    let two_squares = piece.role == Role::King && from.rank() == to.rank() && from.file().distance(to.file()) == 2;
    if two_squares && from.rank() == piece.color.relative_rank(Rank::First) {
        let side = CastlingSide::from_king_side(to > from);
        let home = Bitboard::from_rank(from.rank()) & board.by_piece(Piece { color: piece.color, role: Role::Rook });
        let rook = home.into_iter().filter(|r| side.is_king_side() == (*r > from)).max_by_key(|r| r.file().distance(from.file()));
        return Some(rook.map_or(Reason::CannotReach { piece: piece.role, from, to }, |rook| Reason::CastlingRookNotMoved { rook }));
    }
    let on_an_empty_board = attacks::attacks(from, piece, Bitboard::EMPTY).contains(to);
    let standing = (attacks::between(from, to) & board.occupied()).into_iter().min_by_key(|s| s.distance(from));
    Some(match standing.filter(|_| on_an_empty_board) {
        Some(at) => Reason::Blocked { piece: piece.role, at },
        None => Reason::CannotReach { piece: piece.role, from, to },
    })
}

fn pawn_path(board: &Board, us: Color, from: Square, to: Square) -> Option<Reason> {
    if attacks::pawn_attacks(us, from).contains(to) {
        return board.piece_at(to).is_none().then_some(Reason::PawnCapturedNothing { to });
    }
    let ahead = if us == Color::White { 8 } else { -8 };
    let one = from.offset(ahead);
    let two = one.and_then(|s| s.offset(ahead));
    if one == Some(to) {
        return board.piece_at(to).is_some().then_some(Reason::PawnCapturedAhead { at: to });
    }
    if two != Some(to) {
        let sideways = us.relative_rank(from.rank()) >= us.relative_rank(to.rank());
        return Some(if sideways { Reason::PawnBackwards { from, to } } else { Reason::CannotReach { piece: Role::Pawn, from, to } });
    }
    if from.rank() != us.relative_rank(Rank::Second) {
        return Some(Reason::PawnTwoSquares { from });
    }
    let standing = one.into_iter().chain([to]).find(|s| board.piece_at(*s).is_some());
    standing.map(|at| if at == to { Reason::PawnCapturedAhead { at } } else { Reason::Blocked { piece: Role::Pawn, at } })
}

/// The own king can be taken after this move (3.9).
fn exposed(position: &Position, us: Color, mv: Move) -> Option<Reason> {
    let after = position.forced(mv);
    let king = after.board().king_of(us)?;
    let from = after.board().attacks_to(king, us.other(), after.board().occupied()).first()?;
    Some(if mv.role() == Role::King {
        Reason::KingIntoCheck { to: king }
    } else if position.is_check() {
        Reason::StaysInCheck { king }
    } else {
        Reason::LeavesKingInCheck { king, from }
    })
}

/// Whether the capture en passant was possible but for the check.
fn is_legal_but_for_check(position: &Position, mv: Move) -> bool {
    let Move::EnPassant { to, .. } = mv else { return false };
    match position.legal() {
        Some(chess) => shakmaty::Position::ep_square(chess, shakmaty::EnPassantMode::PseudoLegal) == Some(to),
        None => position.setup().ep_square == Some(to),
    }
}

/// 3.8.2: what forbids castling.
fn why_castling(position: &Position, us: Color, king: Square, rook: Square) -> Reason {
    let board = position.board();
    let side = CastlingSide::from_king_side(rook > king);
    let king_to = Square::from_coords(side.king_to_file(), king.rank());
    let rook_to = Square::from_coords(side.rook_to_file(), king.rank());
    if king.rank() != us.relative_rank(Rank::First) {
        return Reason::CastlingKingMoved;
    }
    if !position.castling_rights().contains(rook) {
        let others = position.castling_rights() & Bitboard::from_rank(king.rank());
        let home = king.file() == File::E;
        return if others.any() && home { Reason::CastlingRookMoved { rook } } else { Reason::CastlingKingMoved };
    }
    let crossed = attacks::between(king, king_to).with(king_to) | attacks::between(rook, rook_to).with(rook_to);
    let in_the_way = (crossed & board.occupied()).without(king).without(rook).into_iter().min_by_key(|s| s.distance(king));
    if let Some(at) = in_the_way {
        return Reason::CastlingBlocked { at };
    }
    if position.is_check() {
        return Reason::CastlingOutOfCheck;
    }
    let attacked = |square: Square| is_attacked(board, Bitboard::from_square(square), us.other());
    if let Some(at) = attacks::between(king, king_to).into_iter().find(|s| attacked(*s)) {
        return Reason::CastlingThroughCheck { at };
    }
    Reason::CastlingIntoCheck { at: king_to }
}

/// The picture with the pieces put back that were `lifted` for an answer and are still in the air.
pub(crate) fn without_answer(before: &Placement, sensed: &Placement, lifted: Squares) -> Placement {
    let mut placement = *sensed;
    for square in each(lifted).filter(|&square| sensed.0[square] == PieceCode::Empty) {
        placement.0[square] = before.0[square];
    }
    placement
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    fn ground(fen: &str) -> Ground {
        Ground::new(Position::of_setup(fen.parse::<Fen>().unwrap().into_setup()), false)
    }

    fn seen(fen: &str) -> Placement {
        Placement::of(&format!("{fen} w - - 0 1").parse::<Fen>().unwrap().as_setup().board)
    }

    fn found(before: &str, after: &str) -> Option<(String, Reason)> {
        let ground = ground(before);
        let step = find(&ground, &seen(after), false)?;
        assert!(!step.legal);
        Some((crate::recognition::step::uci(step.mv, false), why(&ground.position, step.mv)))
    }

    #[test]
    fn each_illegal_move_is_named_with_its_reason() {
        use Reason as R;
        let rook = Role::Rook;
        for (before, after, uci, reason) in [
            ("4k3/8/8/8/4p3/8/8/K3R3 w - - 0 1", "4k3/4R3/8/8/4p3/8/8/K7", "e1e7", R::Blocked { piece: rook, at: Square::E4 }),
            (
                "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
                "4k3/8/8/8/8/5R2/8/K7",
                "e1f3",
                R::CannotReach { piece: rook, from: Square::E1, to: Square::F3 },
            ),
            (
                "4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1",
                "4r1k1/8/8/8/8/3B4/8/4K3",
                "e2d3",
                R::LeavesKingInCheck { king: Square::E1, from: Square::E8 },
            ),
            ("4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", "4r1k1/8/8/8/8/P7/8/4K3", "a2a3", R::StaysInCheck { king: Square::E1 }),
            ("4r1k1/8/8/8/8/8/8/5K2 w - - 0 1", "4r1k1/8/8/8/8/8/4K3/8", "f1e2", R::KingIntoCheck { to: Square::E2 }),
            ("4k3/8/8/8/8/8/4q3/4RK2 b - - 0 1", "4k3/8/8/8/8/8/8/4Rq2", "e2f1", R::KingCaptured { at: Square::F1 }),
            (
                "4k3/8/8/8/8/8/3P4/3RK3 w - - 0 1",
                "4k3/8/8/8/8/8/3R4/4K3",
                "d1d2",
                R::OwnPieceCaptured { piece: Role::Pawn, at: Square::D2 },
            ),
            (
                "4k3/p7/8/8/8/8/8/4K3 w - - 0 1",
                "4k3/8/p7/8/8/8/8/4K3",
                "a7a6",
                R::OpponentsPieceMoved { piece: Role::Pawn, from: Square::A7 },
            ),
            ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/8/4K3", "e4e3", R::PawnBackwards { from: Square::E4, to: Square::E3 }),
            ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "4k3/8/8/4P3/8/8/8/4K3", "e3e5", R::PawnTwoSquares { from: Square::E3 }),
            ("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4K3", "e3e4", R::PawnCapturedAhead { at: Square::E4 }),
            ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "4k3/8/8/8/3P4/8/8/4K3", "e3d4", R::PawnCapturedNothing { to: Square::D4 }),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "4k3/8/3P4/8/8/8/8/4K3", "e5d6", R::NoEnPassant { to: Square::D6 }),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/5RK1", "e1g1", R::CastlingKingMoved),
            ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "4k3/8/8/8/8/8/8/R4RK1", "e1g1", R::CastlingRookMoved { rook: Square::H1 }),
            ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "4kr2/8/8/8/8/8/8/5RK1", "e1g1", R::CastlingThroughCheck { at: Square::F1 }),
            ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "4k1r1/8/8/8/8/8/8/5RK1", "e1g1", R::CastlingIntoCheck { at: Square::G1 }),
            ("3kr3/8/8/8/8/8/8/4K2R w K - 0 1", "3kr3/8/8/8/8/8/8/5RK1", "e1g1", R::CastlingOutOfCheck),
            ("3k4/8/8/8/8/8/8/4K2R w K - 0 1", "3k4/8/8/8/8/8/8/6KR", "e1g1", R::CastlingRookNotMoved { rook: Square::H1 }),
        ] {
            assert_eq!(found(before, after), Some((uci.to_owned(), reason)), "{before}");
        }
    }

    #[test]
    fn a_pawn_left_on_the_last_rank_is_found_whatever_reads_there() {
        let before = "6k1/4P3/8/8/8/8/8/4K3 w - - 0 1";
        for after in ["4P1k1/8/8/8/8/8/8/4K3", "6k1/8/8/8/8/8/8/4K3", "4q1k1/8/8/8/8/8/8/4K3"] {
            let ground = ground(before);
            let step = find(&ground, &seen(after), false).unwrap();
            assert!(is_unpromoted(&ground.position, step.mv), "{after}");
            assert_eq!(crate::recognition::step::uci(step.mv, false), "e7e8");
        }
    }

    #[test]
    fn legal_moves_and_disorder_are_no_illegal_move() {
        let before = "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1";
        for after in
            ["4k3/8/8/8/4P3/8/8/R3K3", "4k3/8/8/8/8/8/4P3/2KR4", "4k3/8/8/8/8/8/8/R3K3", "4k3/8/4P3/R7/8/8/8/4K3", "8/8/8/8/8/8/8/8"]
        {
            assert!(found(before, after).is_none(), "{after}");
        }
    }
}
