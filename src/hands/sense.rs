//! How sensible a move is as chess, by exchanges alone. It proves nothing and decides nothing: among hypotheses that nothing tells apart it
//! only says which one to show until something does.
use crate::position::Position;
use crate::price::{NAT, Nats};
use alloc::vec::Vec;
use shakmaty::{Board, Color, Move, Role, Square, attacks};

/// A move that looks worse than this looks no worse.
const WORST: i32 = 9;

/// What a pawn thrown away costs: too little to outweigh anything that was sensed.
const FOLLY: Nats = NAT / 8;

/// What it costs to believe that somebody played so foolishly.
pub(crate) fn price(before: &Position, mv: Move, after: &Position) -> Nats {
    FOLLY * Nats::try_from(folly(before, mv, after)).unwrap_or(0)
}

/// How much material a move seems to throw away, in pawns; 0 is as good as any.
fn folly(before: &Position, mv: Move, after: &Position) -> u32 {
    if after.is_check() && after.legal_moves().is_empty() {
        return 0;
    }
    let taken = mv.capture().map_or(0, value);
    let board = after.board();
    let us = before.board().color_at(mv.from().unwrap_or_else(|| mv.to())).unwrap_or(Color::White);
    let threatened = (board.by_color(us) & !board.by_role(Role::King)).into_iter().map(|square| exchange(board, square, us.other()));
    let loss = threatened.max().unwrap_or(0) - taken;
    u32::try_from((loss + WORST).clamp(0, 2 * WORST)).unwrap_or(0)
}

const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 50,
    }
}

/// What `by` wins on this square if both take there as long as it pays, cheapest piece first.
fn exchange(board: &Board, square: Square, by: Color) -> i32 {
    let Some(target) = board.role_at(square) else { return 0 };
    let mut occupied = board.occupied();
    let (mut gains, mut stands, mut side) = (Vec::with_capacity(8), value(target), by);
    loop {
        let attackers = attackers(board, square, side, occupied) & occupied;
        let Some((from, role)) = attackers.into_iter().filter_map(|s| Some((s, board.role_at(s)?))).min_by_key(|(_, r)| value(*r)) else {
            break;
        };
        gains.push(stands);
        stands = value(role);
        occupied.discard(from);
        side = side.other();
    }
    gains.into_iter().rev().fold(0, |later, gain| (gain - later).max(0))
}

fn attackers(board: &Board, square: Square, by: Color, occupied: shakmaty::Bitboard) -> shakmaty::Bitboard {
    let of = |role: Role| board.by_role(role);
    let rays = (attacks::rook_attacks(square, occupied) & (of(Role::Rook) | of(Role::Queen)))
        | (attacks::bishop_attacks(square, occupied) & (of(Role::Bishop) | of(Role::Queen)));
    let steps = (attacks::knight_attacks(square) & of(Role::Knight))
        | (attacks::king_attacks(square) & of(Role::King))
        | (attacks::pawn_attacks(by.other(), square) & of(Role::Pawn));
    (rays | steps) & board.by_color(by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

    fn folly_of(fen: &str, uci: &str) -> u32 {
        let chess: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mv = uci.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
        let before = Position::Legal(chess);
        folly(&before, mv, &before.played(mv))
    }

    #[test]
    fn taking_a_guarded_pawn_with_a_queen_is_more_foolish_than_taking_a_rook() {
        let fen = "4k3/1p6/p4r2/8/2Q5/8/8/4K3 w - - 0 1";
        assert!(folly_of(fen, "c4a6") > folly_of(fen, "c4f1"));
    }

    #[test]
    fn a_piece_left_hanging_is_folly() {
        let fen = "4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1";
        assert!(folly_of(fen, "e1e2") > folly_of(fen, "e4c3"));
    }
}
