//! Incidents beside a move: pieces exchanged, a piece nudged, the opponent's piece moved, a rook that follows the press.
use super::players::{Disturbed, Players};
use super::script::{Act, Squares, code, squares_of};
use dgt_protocol::square::PieceCode;
use rand::Rng as _;
use shakmaty::{CastlingSide, Color, Move, Position as _, Role, Square, attacks};

/// Plies for which disturbed pieces stay as they are.
const STAYS: usize = 2;

impl Players<'_> {
    /// Squares that this many moves from the ply with this index on leave, cross or reach.
    fn touched(&self, index: usize) -> Vec<Square> {
        let mut squares = Vec::new();
        for m in self.moves.iter().skip(index).take(STAYS) {
            match *m {
                Move::Normal { from, to, .. } => squares.extend(attacks::between(from, to).with(from).with(to)),
                Move::EnPassant { from, to } => squares.extend([from, to, Square::from_coords(to.file(), from.rank())]),
                Move::Castle { king, rook } => squares.extend(attacks::between(king, rook).with(king).with(rook)),
                Move::Put { to, .. } => squares.push(to),
            }
        }
        squares
    }

    /// Some element, the same for the same seed.
    pub(super) fn one_of<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        (!choices.is_empty()).then(|| choices[self.rng.random_range(0..choices.len())])
    }

    /// The player exchanges two of his pieces while he thinks; they are put right two plies later.
    pub(super) fn exchange(&mut self, ply: u32, by: Color) {
        let board = squares_of(self.position.board());
        let touched = self.touched(ply as usize - 1);
        let own: Vec<Square> = (self.position.board().by_color(by)).into_iter().filter(|s| !touched.contains(s)).collect();
        let apart = |a: Square, b: Square| a < b && board[a.to_usize()] != board[b.to_usize()];
        let pairs: Vec<(Square, Square)> = own.iter().flat_map(|a| own.iter().map(|b| (*a, *b))).filter(|(a, b)| apart(*a, *b)).collect();
        let Some((a, b)) = self.one_of(&pairs) else { return };
        let mut at = self.turn_since + self.some((500, 1500));
        for act in [Act::Lift(a), Act::Lift(b), Act::Put(a, board[b.to_usize()]), Act::Put(b, board[a.to_usize()])] {
            self.act(at, act);
            at += self.some((250, 600));
        }
        self.turn_since = at;
        self.disturb(ply, &board, &[a, b]);
    }

    /// The hand that made this move pushes a piece to the next square; it is put right two plies later. `down` is when the move stood.
    pub(super) fn nudge(&mut self, ply: u32, m: Move, down: u64) {
        let board = squares_of(self.position.board());
        let touched = self.touched(ply as usize - 1);
        let free = |s: Square| !touched.contains(&s);
        let mut pushes = Vec::new();
        for from in self.position.board().occupied().into_iter().filter(|s| free(*s) && s.distance(m.to()) <= 2) {
            for to in attacks::king_attacks(from).into_iter().filter(|s| free(*s) && board[s.to_usize()] == PieceCode::Empty) {
                let last_rank = self.position.board().role_at(from) == Some(Role::Pawn) && matches!(to.rank().to_u32(), 0 | 7);
                if !last_rank {
                    pushes.push((from, to));
                }
            }
        }
        let Some((from, to)) = self.one_of(&pushes) else { return };
        self.act(down + 3, Act::Lift(from));
        self.act(down + 8, Act::Put(to, board[from.to_usize()]));
        self.disturb(ply, &board, &[from, to]);
    }

    fn disturb(&mut self, ply: u32, board: &Squares, squares: &[Square]) {
        let squares = squares.iter().map(|s| (*s, board[s.to_usize()])).collect();
        self.disturbed = Some(Disturbed { until: ply + STAYS as u32, squares });
    }

    /// Squares that stand wrong now: no hand adjusts what stands there.
    pub(super) fn without_disturbed(&self, board: &mut Squares) {
        for (square, _) in self.disturbed.iter().flat_map(|disturbed| &disturbed.squares) {
            board[square.to_usize()] = PieceCode::Empty;
        }
    }

    /// Puts right what stands wrong, once it is time for it.
    pub(super) fn put_right(&mut self, ply: u32) {
        let Some(disturbed) = self.disturbed.take_if(|disturbed| disturbed.until <= ply) else { return };
        let mut at = self.turn_since + self.some((400, 1200));
        for (square, _) in &disturbed.squares {
            self.act(at, Act::Lift(*square));
            at += self.some((150, 400));
        }
        for (square, piece) in disturbed.squares.into_iter().filter(|(_, piece)| *piece != PieceCode::Empty) {
            self.act(at, Act::Put(square, piece));
            at += self.some((250, 600));
        }
        self.turn_since = at;
    }

    /// A piece of the opponent's is moved and pressed; he presses back and it is taken back.
    pub(super) fn opponents_piece(&mut self, ply: u32, by: Color) {
        let Ok(again) = self.position.clone().swap_turn() else { return };
        let plain = |m: &Move| matches!(m, Move::Normal { capture: None, promotion: None, .. });
        let moves: Vec<(Square, Square)> =
            again.legal_moves().into_iter().filter(plain).filter_map(|m| Some((m.from()?, m.to()))).collect();
        let Some((from, to)) = self.one_of(&moves) else { return };
        self.moved_and_taken_back(ply, by, from, to);
    }

    /// Where the rook of this castling goes after the press, if this incident waits for one.
    pub(super) fn rook_after_the_press(&mut self, m: Move, by: Color, pressed: u64) -> Option<u64> {
        let Move::Castle { king, rook } = m else { return None };
        if !std::mem::take(&mut self.rook_is_late) {
            return None;
        }
        let side = CastlingSide::from_king_side(rook > king);
        let lifted = pressed + self.some((500, 1500));
        let down = lifted + self.some((150, 400));
        self.act(lifted, Act::Lift(rook));
        self.act(down, Act::Put(Square::from_coords(side.rook_to_file(), rook.rank()), code(by.rook())));
        Some(down)
    }
}
