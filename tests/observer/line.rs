//! Positions as squares, and what a hand can show while it makes a ply.
use shakmaty::{Chess, Color, Move, Piece, Position as _, Role, Square};

/// What stands on the squares, a1 first: codes of the wire; without identities 1 for any piece.
pub(super) type Placement = [u8; 64];

/// Squares that a ply touches, with what each can show meanwhile (a bit a code) and what it shows at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touches {
    squares: [(u8, u16, u8); 4],
    count: usize,
    promotes: bool,
}

/// The code of a piece on the wire.
pub(super) const fn code(piece: Piece, identified: bool) -> u8 {
    let role = match piece.role {
        Role::Pawn => 1,
        Role::Rook => 2,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::King => 5,
        Role::Queen => 6,
    };
    match piece.color {
        _ if !identified => 1,
        Color::White => role,
        Color::Black => role + 6,
    }
}

pub(super) fn placement(position: &Chess, identified: bool) -> Placement {
    let mut squares = [0; 64];
    for (square, piece) in position.board().iter() {
        squares[square.to_usize()] = code(piece, identified);
    }
    squares
}

impl Touches {
    pub(super) fn of(by: Color, m: Move, identified: bool) -> Self {
        let mut touches = Self { squares: [(0, 0, 0); 4], count: 0, promotes: m.promotion().is_some() };
        let code = |role: Role| code(role.of(by), identified);
        match m {
            Move::Normal { role, from, to, capture, promotion } => {
                touches.add(from, 0, 0);
                let stands = code(promotion.unwrap_or(role));
                touches.add(to, stands, stands);
                if promotion.is_some() {
                    touches.add(to, code(role), stands);
                }
                if capture.is_some() || promotion.is_some() {
                    touches.add(to, 0, stands);
                }
            }
            Move::EnPassant { from, to } => {
                touches.add(from, 0, 0);
                touches.add(to, code(Role::Pawn), code(Role::Pawn));
                touches.add(Square::from_coords(to.file(), from.rank()), 0, 0);
            }
            Move::Castle { king, rook } => {
                let side = shakmaty::CastlingSide::from_king_side(king < rook);
                touches.add(king, 0, 0);
                touches.add(rook, 0, 0);
                touches.add(side.king_to(by), code(Role::King), code(Role::King));
                touches.add(side.rook_to(by), code(Role::Rook), code(Role::Rook));
            }
            Move::Put { role, to } => touches.add(to, code(role), code(role)),
        }
        touches
    }

    fn add(&mut self, square: Square, shows: u8, stands: u8) {
        let number = square.to_u32() as u8;
        let count = self.count;
        if let Some(known) = self.squares[..count].iter_mut().find(|known| known.0 == number) {
            known.1 |= 1 << shows;
            known.2 = stands;
        } else {
            self.squares[count] = (number, 1 << shows, stands);
            self.count += 1;
        }
    }

    /// The square that its piece leaves, unless a pawn is promoted: that may go when the other piece stands.
    pub(super) fn leaves(&self) -> Option<usize> {
        (!self.promotes).then_some(usize::from(self.squares[0].0))
    }

    /// Its squares, with what each shows at the end.
    pub(super) fn squares(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        self.squares[..self.count].iter().map(|(square, _, stands)| (usize::from(*square), *stands))
    }

    /// A hand that makes the ply can show this.
    pub(super) fn shows(&self, square: usize, piece: u8) -> bool {
        self.squares[..self.count].iter().any(|known| usize::from(known.0) == square && known.1 & (1 << piece) != 0)
    }

    /// The placement after it.
    pub(super) fn after(&self, before: &Placement) -> Placement {
        let mut after = *before;
        for (square, stands) in self.squares() {
            after[square] = stands;
        }
        after
    }
}
