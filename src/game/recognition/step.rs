//! One ply as the sensors can see it: which squares change to what, and what they may read while it is under way.
use crate::placement::{Placement, Squares, bit, blind, code, each};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::Colour;
use flagfall_hands::position::Position;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Move, Piece, Role, Square, attacks};

/// A move with the squares it changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The move.
    pub(crate) mv: Move,
    /// It obeys Article 3.
    pub(crate) legal: bool,
    /// Squares and what they read afterwards; the mover's origin first.
    after: [(u8, PieceCode); 4],
    count: u8,
    /// Squares that the move changes.
    pub(crate) touched: Squares,
    /// Squares that the piece may touch on its way.
    via: Squares,
    /// The piece that moves (the king, when castling), as it reads before the move.
    mover: PieceCode,
    /// The rook of a castling move, else `Empty`.
    rook: PieceCode,
    /// What a promoting pawn reads as on the last rank, else `Empty`.
    pawn: PieceCode,
    /// The square that reads the moved piece afterwards, and as what; for castling the king's.
    to: (u8, PieceCode),
}

impl Step {
    fn new(position: &Position, mv: Move, legal: bool, see: fn(PieceCode) -> PieceCode) -> Self {
        let us = mv.from().and_then(|from| position.board().color_at(from)).unwrap_or(shakmaty::Color::White);
        let seen = |role: Role| see(code(Piece { color: us, role }));
        let mut step = Self {
            mv,
            legal,
            after: [(0, PieceCode::Empty); 4],
            count: 0,
            touched: 0,
            via: 0,
            mover: seen(mv.role()),
            rook: PieceCode::Empty,
            pawn: PieceCode::Empty,
            to: (0, PieceCode::Empty),
        };
        match mv {
            Move::Normal { role, from, to, promotion, .. } => {
                step.change(from, PieceCode::Empty);
                step.change(to, seen(promotion.unwrap_or(role)));
                step.via = attacks::between(from, to).into();
                if promotion.is_some() {
                    step.pawn = seen(Role::Pawn);
                }
            }
            Move::EnPassant { from, to } => {
                step.change(from, PieceCode::Empty);
                step.change(Square::from_coords(to.file(), from.rank()), PieceCode::Empty);
                step.change(to, seen(Role::Pawn));
            }
            Move::Castle { king, rook } => {
                let short = rook > king;
                let king_to = Square::from_coords(if short { shakmaty::File::G } else { shakmaty::File::C }, king.rank());
                let rook_to = Square::from_coords(if short { shakmaty::File::F } else { shakmaty::File::D }, king.rank());
                step.change(king, PieceCode::Empty);
                step.change(rook, PieceCode::Empty);
                step.change(king_to, seen(Role::King));
                step.change(rook_to, seen(Role::Rook));
                step.via = u64::from(attacks::between(king, king_to)) | u64::from(attacks::between(rook, rook_to));
                step.via &= !step.touched;
                step.rook = seen(Role::Rook);
            }
            Move::Put { .. } => {}
        }
        let to = match mv {
            Move::Castle { .. } => step.after().find(|(_, p)| *p == step.mover).map_or(0, |(s, _)| s),
            _ => mv.to().to_usize(),
        };
        let reads = step.after().find(|(s, _)| *s == to).map_or(step.mover, |(_, p)| p);
        step.to = (u8::try_from(to).unwrap_or(0), reads);
        step
    }

    /// A move that breaks Article 3.
    pub(crate) fn illegal(position: &Position, mv: Move, occupancy: bool) -> Self {
        Self::new(position, mv, false, eyes(occupancy))
    }

    /// The same move where another piece reads on the square it ends on.
    pub(crate) fn reading(mut self, piece: PieceCode) -> Self {
        let to = self.to();
        for (square, reads) in &mut self.after[..self.count as usize] {
            if usize::from(*square) == to {
                *reads = piece;
                self.to.1 = piece;
            }
        }
        self
    }

    fn change(&mut self, square: Square, piece: PieceCode) {
        let index = square.to_usize();
        // Chess960: the king or rook may arrive where the other one started.
        if let Some(slot) = self.after[..self.count as usize].iter_mut().find(|(s, _)| usize::from(*s) == index) {
            slot.1 = piece;
        } else {
            self.after[self.count as usize] = (u8::try_from(index).unwrap_or(0), piece);
            self.count += 1;
        }
        self.touched |= bit(index);
    }

    /// Squares that the piece may touch on its way.
    pub(crate) const fn crosses(&self) -> Squares {
        self.via
    }

    /// Squares and what they read afterwards.
    pub(crate) fn after(&self) -> impl Iterator<Item = (usize, PieceCode)> + '_ {
        self.after[..self.count as usize].iter().map(|&(s, p)| (usize::from(s), p))
    }

    /// The square that reads the moved piece afterwards; for castling the king's.
    pub(crate) fn to(&self) -> usize {
        usize::from(self.to.0)
    }

    /// Castling.
    pub(crate) const fn is_castling(&self) -> bool {
        matches!(self.mv, Move::Castle { .. })
    }

    /// Whether these changed squares can be its doing: its piece left, and where it must be certain, arrived.
    pub(crate) fn may_have_moved(&self, changed: Squares, left_is_enough: bool) -> bool {
        if self.rook != PieceCode::Empty {
            // Castling in Chess960 may leave the king or the rook where it stands.
            return self.touched & changed != 0;
        }
        bit(self.from()) & changed != 0 && (left_is_enough || bit(self.to()) & changed != 0)
    }

    /// What the moved piece reads as on `to`.
    pub(crate) const fn piece(&self) -> PieceCode {
        self.to.1
    }

    /// The piece that moves (the king, when castling), as it reads before the move.
    pub(crate) const fn mover(&self) -> PieceCode {
        self.mover
    }

    /// The square the move starts from; for castling the king's.
    pub(crate) fn from(&self) -> usize {
        usize::from(self.after[0].0)
    }

    /// What people call it by: from where to where, and what a pawn became.
    pub(crate) fn name(&self) -> (usize, usize, Option<Role>) {
        (self.from(), self.to(), self.mv.promotion())
    }

    /// Whether this move may show this piece on this square at some moment.
    pub(crate) fn may_show(&self, square: usize, piece: PieceCode) -> bool {
        let here = bit(square);
        if (self.touched | self.via) & here == 0 {
            return false;
        }
        let own = piece == self.mover || (self.rook != PieceCode::Empty && piece == self.rook);
        self.after().any(|(s, p)| s == square && p == piece)
            || (self.via & here != 0 && own)
            || (self.rook != PieceCode::Empty && self.touched & here != 0 && own)
            || (self.pawn != PieceCode::Empty && self.touched & here != 0 && piece == self.pawn)
    }

    /// The placement after the move.
    pub(crate) fn play(&self, before: &Placement) -> Placement {
        let mut placement = *before;
        for (square, piece) in self.after() {
            placement.0[square] = piece;
        }
        placement
    }

    /// Which of these squares may read as they do while this move is under way from `before`.
    pub(crate) fn explains(&self, before: &Placement, sensed: &Placement, squares: Squares) -> Squares {
        let reads = |i: usize| sensed.0[i];
        let mut ok = 0;
        for (i, end) in self.after() {
            let now = reads(i);
            let in_transit = now == PieceCode::Empty || now == end || now == before.0[i];
            // A king or rook on its way past the other one's square; a pawn that waits for its queen.
            let passing = self.rook != PieceCode::Empty && (now == self.mover || now == self.rook);
            let waiting = self.pawn != PieceCode::Empty && now == self.pawn && end != PieceCode::Empty;
            if squares & bit(i) != 0 && (in_transit || passing || waiting) {
                ok |= bit(i);
            }
        }
        for i in each(self.via & squares) {
            let now = reads(i);
            if now == PieceCode::Empty || now == self.mover || (self.rook != PieceCode::Empty && now == self.rook) {
                ok |= bit(i);
            }
        }
        ok
    }
}

/// A position with its placement as the board would read it and its legal moves.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) position: Position,
    pub(crate) placement: Placement,
    pub(crate) steps: Vec<Step>,
}

impl Ground {
    pub(crate) fn new(position: Position, occupancy: bool) -> Self {
        let placement = Placement::of(position.board());
        let placement = if occupancy { placement.occupancy() } else { placement };
        let steps = steps(&position, occupancy);
        Self { position, placement, steps }
    }

    /// The position after a move, with what the board reads then.
    pub(crate) fn next(&self, step: &Step, occupancy: bool) -> Self {
        let position = played(&self.position, step);
        let steps = steps(&position, occupancy);
        Self { placement: step.play(&self.placement), steps, position }
    }

    pub(crate) fn turn(&self) -> Colour {
        self.position.turn()
    }
}

/// All legal moves as steps.
pub(crate) fn steps(position: &Position, occupancy: bool) -> Vec<Step> {
    steps_where(position, occupancy, |_| true).collect()
}

/// Legal moves that may be meant as steps.
fn steps_where(position: &Position, occupancy: bool, meant: impl Fn(&Move) -> bool) -> impl Iterator<Item = Step> {
    position.legal_moves().into_iter().filter(meant).map(move |mv| Step::new(position, mv, true, eyes(occupancy)))
}

/// Legal moves that leave, cross or reach one of these squares: the only ones that can explain what reads there.
pub(crate) fn steps_near(position: &Position, squares: Squares, occupancy: bool) -> Vec<Step> {
    steps_where(position, occupancy, |mv| passes(*mv) & squares != 0).collect()
}

/// Legal moves of pieces that stood on these squares, and castling: the only ones that can have been made where nothing else has changed.
pub(crate) fn steps_from(position: &Position, squares: Squares, occupancy: bool) -> Vec<Step> {
    let left = |mv: &Move| mv.is_castle() || mv.from().is_none_or(|from| bit(from.to_usize()) & squares != 0);
    steps_where(position, occupancy, left).collect()
}

/// Legal moves that leave, cross, reach or empty all of these squares: the only ones that can explain all of what reads there.
pub(crate) fn steps_over(position: &Position, squares: Squares, occupancy: bool) -> impl Iterator<Item = Step> {
    steps_where(position, occupancy, move |mv| squares & !passes(*mv) == 0)
}

/// Squares that a move leaves, crosses, reaches or empties.
fn passes(mv: Move) -> Squares {
    match mv {
        Move::Normal { from, to, .. } => attacks::between(from, to).with(from).with(to).into(),
        Move::EnPassant { from, to } => {
            bit(from.to_usize()) | bit(to.to_usize()) | bit(Square::from_coords(to.file(), from.rank()).to_usize())
        }
        Move::Castle { .. } | Move::Put { .. } => Squares::MAX,
    }
}

/// What a board that reads pieces, or only that there is one, makes of a piece.
fn eyes(occupancy: bool) -> fn(PieceCode) -> PieceCode {
    if occupancy { blind } else { |piece| piece }
}

/// The position after a move.
pub(crate) fn played(position: &Position, step: &Step) -> Position {
    if step.legal { position.played(step.mv) } else { position.forced(step.mv) }
}

/// UCI: castling by the king's step, except in Chess960.
pub(crate) fn uci(mv: Move, chess960: bool) -> String {
    mv.to_uci(if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }).to_string()
}

/// SAN of a legal move in the position before it; there is none where the position is not legal chess.
pub(crate) fn san(position: &Position, step: &Step) -> Option<String> {
    position.legal().filter(|_| step.legal).map(|chess| SanPlus::from_move(chess.clone(), step.mv).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    fn ground(fen: &str) -> Ground {
        Ground::new(Position::of_setup(fen.parse::<Fen>().unwrap().into_setup()), false)
    }

    #[test]
    fn a_step_gives_the_placement_that_shakmaty_gives() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        ] {
            let ground = ground(fen);
            for step in &ground.steps {
                assert_eq!(step.play(&ground.placement), Placement::of(played(&ground.position, step).board()), "{}", uci(step.mv, false));
                let after = step.play(&ground.placement);
                let changed = after.diff(&ground.placement);
                assert_eq!(step.explains(&ground.placement, &after, changed), changed);
            }
        }
    }

    #[test]
    fn a_rook_on_its_way_is_explained_only_by_moves_that_go_on() {
        let ground = ground("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        let a3 = ground.steps.iter().find(|s| uci(s.mv, false) == "a1a3").unwrap();
        let sensed = a3.play(&ground.placement);
        let squares = sensed.diff(&ground.placement);
        let explaining: Vec<String> =
            ground.steps.iter().filter(|s| s.explains(&ground.placement, &sensed, squares) == squares).map(|s| uci(s.mv, false)).collect();
        assert_eq!(explaining.len(), 6, "{explaining:?}");
        assert!(explaining.contains(&String::from("a1a8")) && !explaining.contains(&String::from("a1a2")));
    }
}
