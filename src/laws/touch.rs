//! Touch-move: which legal moves may replace an illegal one.
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, MoveList, Position, Role, Square};

/// A piece touched before the move (4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    /// Where it stood.
    pub(crate) square: Square,
    /// One of the mover's own.
    pub(crate) own: bool,
}

/// 4.3, 4.4 and 4.7, as 7.5.1 applies them to the move that replaces an illegal one: UCI, in a stable order.
pub(crate) fn replacement(position: &Chess, touched: &[Touched], chess960: bool) -> Vec<String> {
    let legal = position.legal_moves();
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut moves: Vec<String> = allowed(position, touched, &legal).iter().map(|m| UciMove::from_move(*m, mode).to_string()).collect();
    moves.sort();
    moves
}

fn allowed(position: &Chess, touched: &[Touched], legal: &MoveList) -> Vec<Move> {
    let moves = |ok: &dyn Fn(&Move) -> bool| legal.iter().copied().filter(|m| ok(m)).collect::<Vec<_>>();
    let own: Vec<Square> = touched.iter().filter(|t| t.own).map(|t| t.square).collect();
    let theirs: Vec<Square> = touched.iter().filter(|t| !t.own).map(|t| t.square).collect();
    let mut barred = None;
    if let (Some(&first), Some(&second)) = (own.first(), own.get(1)) {
        match (position.board().role_at(first), position.board().role_at(second)) {
            // 4.4.1 and 4.4.3: king, then rook: castle there; else another move of the king.
            (Some(Role::King), Some(Role::Rook)) => {
                let castling = moves(&|m| matches!(m, Move::Castle { rook, .. } if *rook == second));
                return if castling.is_empty() { some_or_all(moves(&|m| m.from() == Some(first)), legal) } else { castling };
            }
            // 4.4.2: rook, then king: no castling with that rook on this move.
            (Some(Role::Rook), Some(Role::King)) => barred = Some(first),
            _ => {}
        }
    }
    let may = |m: &Move| !matches!(m, Move::Castle { rook, .. } if Some(*rook) == barred);
    // 4.3.3: one piece of each colour: capture the one with the other.
    let captures = moves(&|m| m.from().is_some_and(|f| own.contains(&f)) && captured(m).is_some_and(|c| theirs.contains(&c)));
    if !captures.is_empty() {
        return captures;
    }
    // 4.3.1 and 4.3.2: the first piece touched that can be moved or captured.
    for t in touched {
        let found = moves(&|m| may(m) && if t.own { m.from() == Some(t.square) } else { captured(m) == Some(t.square) });
        if !found.is_empty() {
            return found;
        }
    }
    // 4.5: none of them can: any legal move.
    moves(&|_| true)
}

fn some_or_all(some: Vec<Move>, legal: &MoveList) -> Vec<Move> {
    if some.is_empty() { legal.iter().copied().collect() } else { some }
}

/// The square of the captured piece.
fn captured(m: &Move) -> Option<Square> {
    match m {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        m if m.is_capture() => Some(m.to()),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    fn after(fen: &str, touched: &[(Square, bool)]) -> Vec<String> {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let touched: Vec<Touched> = touched.iter().map(|&(square, own)| Touched { square, own }).collect();
        replacement(&position, &touched, false)
    }

    #[test]
    fn the_first_piece_touched_that_can_move_moves() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(after(start, &[(Square::A1, true), (Square::G1, true)]), ["g1f3", "g1h3"]);
    }

    #[test]
    fn a_piece_that_cannot_move_leaves_the_choice_free() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(after(start, &[(Square::A1, true)]).len(), 20);
    }

    #[test]
    fn own_piece_and_opponents_piece_mean_that_capture() {
        assert_eq!(after("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", &[(Square::D5, false), (Square::E4, true)]), ["e4d5"]);
    }

    #[test]
    fn a_touched_opponents_piece_is_captured_with_anything() {
        assert_eq!(after("4k3/8/8/3p4/4P3/8/8/3RK3 w - - 0 1", &[(Square::D5, false)]), ["d1d5", "e4d5"]);
    }

    #[test]
    fn the_pawn_beside_is_what_en_passant_captures() {
        assert_eq!(after("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &[(Square::E5, true), (Square::D5, false)]), ["e5d6"]);
    }

    #[test]
    fn king_then_rook_means_castling_and_rook_then_king_bars_it() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(after(fen, &[(Square::E1, true), (Square::H1, true)]), ["e1g1"]);
        assert!(!after(fen, &[(Square::H1, true), (Square::E1, true)]).contains(&String::from("e1g1")));
    }

    #[test]
    fn castling_that_is_illegal_leaves_the_king_to_move() {
        // f1 is attacked.
        let moves = after("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", &[(Square::E1, true), (Square::H1, true)]);
        assert_eq!(moves, ["e1d1", "e1d2", "e1e2"]);
    }
}
