//! One move as a hand makes it: which piece is lifted and put down when. No thinking, no clock; times count from the first touch.
use super::pace::{Kind, Pace};
use super::script::{Act, Squares, code};
use dgt_protocol::square::PieceCode;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, Move, Piece, Position as _, Role, Square, attacks};

/// What one hand does, in order; milliseconds from the first touch.
#[derive(Debug)]
pub(crate) struct Gesture<'a> {
    pub(crate) acts: Vec<(u64, Act)>,
    pub(crate) now: u64,
    rng: &'a mut ChaCha8Rng,
    pace: Pace,
}

impl<'a> Gesture<'a> {
    pub(crate) const fn new(rng: &'a mut ChaCha8Rng, pace: Pace) -> Self {
        Self { acts: Vec::new(), now: 0, rng, pace }
    }

    pub(crate) fn lift(&mut self, square: Square) {
        self.acts.push((self.now, Act::Lift(square)));
    }

    pub(crate) fn put(&mut self, square: Square, piece: PieceCode) {
        self.acts.push((self.now, Act::Put(square, piece)));
    }

    /// Waits some milliseconds of this range.
    pub(crate) fn wait(&mut self, range: (u64, u64)) {
        self.now += self.rng.random_range(range.0..=range.1);
    }

    /// The way through the air.
    pub(crate) fn carry(&mut self) {
        self.wait(self.pace.carry);
    }

    /// From one piece to the next one.
    pub(crate) fn reach(&mut self) {
        self.wait(self.pace.reach);
    }

    fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.rng.random_bool(probability)
    }

    /// Makes the move, with the habits of this kind of hands.
    pub(crate) fn play(&mut self, position: &Chess, m: Move) {
        let by = position.turn();
        match m {
            Move::Castle { king, rook } => self.castle(by, king, rook),
            Move::EnPassant { from, to } => self.en_passant(by, from, to),
            Move::Normal { from, to, capture, promotion: Some(role), .. } => {
                self.promote(by, from, to, capture.is_some(), role);
            }
            Move::Normal { role, from, to, capture: Some(taken), .. } => {
                self.capture(position, role.of(by), taken.of(by.other()), from, to);
            }
            Move::Normal { role, from, to, .. } => self.step(position, role.of(by), from, to),
            Move::Put { role, to } => self.put(to, code(role.of(by))),
        }
    }

    fn step(&mut self, position: &Chess, piece: Piece, from: Square, to: Square) {
        self.lift(from);
        if self.chance(self.pace.hold) {
            self.wait(self.pace.holding);
        }
        if self.chance(self.pace.change_mind)
            && let Some(other) = self.other_square(position, piece, from, to)
        {
            self.carry();
            self.put(other, code(piece));
            self.wait(self.pace.doubt);
            self.lift(other);
        } else if self.chance(self.pace.slide) {
            self.slide(piece, from, to);
        }
        self.carry();
        self.put(to, code(piece));
    }

    /// Touches down on squares between; ends in the air before `to`.
    fn slide(&mut self, piece: Piece, from: Square, to: Square) {
        if piece.role == Role::Knight {
            return;
        }
        let mut between: Vec<Square> = attacks::between(from, to).into_iter().collect();
        between.sort_by_key(|square| square.distance(from));
        let pause = self.chance(self.pace.pause).then(|| self.rng.random_range(0..between.len().max(1)));
        for (i, square) in between.into_iter().enumerate() {
            if pause != Some(i) && !self.rng.random_bool(0.6) {
                continue;
            }
            self.wait((5, 40));
            self.put(square, code(piece));
            self.wait(if pause == Some(i) { self.pace.doubt } else { self.pace.touch });
            self.lift(square);
        }
    }

    /// Where a hand may put the piece first, before it changes its mind: an empty square, mostly one it may go to.
    pub(crate) fn other_square(&mut self, position: &Chess, piece: Piece, from: Square, to: Square) -> Option<Square> {
        let legal = position.legal_moves();
        let mut squares: Vec<Square> = legal
            .iter()
            .filter(|m| m.from() == Some(from) && !m.is_capture() && !m.is_castle() && !m.is_promotion() && m.to() != to)
            .map(|m| m.to())
            .collect();
        if squares.is_empty() || self.chance(0.25) {
            let occupied = position.board().occupied();
            let last = |s: &Square| piece.role == Role::Pawn && (s.rank().to_u32() == 0 || s.rank().to_u32() == 7);
            squares = Square::ALL.into_iter().filter(|s| !occupied.contains(*s) && s.distance(to) <= 2 && *s != to && !last(s)).collect();
        }
        if squares.is_empty() { None } else { Some(squares[self.rng.random_range(0..squares.len())]) }
    }

    fn capture(&mut self, position: &Chess, piece: Piece, taken: Piece, from: Square, to: Square) {
        let habit = if self.pace.kind == Kind::Clean { 0 } else { self.rng.random_range(0..100) };
        match habit {
            // The captured piece comes off first.
            0..40 => {
                self.lift(to);
                self.reach();
                self.lift(from);
                if self.chance(self.pace.slide) {
                    self.slide(piece, from, to);
                }
                self.carry();
            }
            // The capturer is lifted first, then both are in the hand.
            40..65 => {
                self.lift(from);
                self.reach();
                self.lift(to);
                self.carry();
            }
            // The capturer pushes it off: the square never reads empty.
            65..88 => {
                self.lift(from);
                if self.chance(self.pace.slide) {
                    self.slide(piece, from, to);
                }
                self.carry();
            }
            // It is pushed to a neighbouring square and taken from there.
            _ => {
                self.lift(from);
                self.carry();
                let occupied = position.board().occupied();
                let aside = Square::ALL.into_iter().find(|s| s.distance(to) == 1 && !occupied.contains(*s) && *s != from);
                self.lift(to);
                if let Some(aside) = aside {
                    self.put(aside, code(taken));
                    self.wait((10, 60));
                    self.put(to, code(piece));
                    self.wait(self.pace.reach);
                    self.lift(aside);
                    return;
                }
            }
        }
        self.put(to, code(piece));
    }

    fn en_passant(&mut self, by: Color, from: Square, to: Square) {
        let taken = Square::from_coords(to.file(), from.rank());
        let pawn = code(by.pawn());
        let habit = if self.pace.kind == Kind::Clean { 0 } else { self.rng.random_range(0..100) };
        match habit {
            0..50 => {
                self.lift(from);
                self.carry();
                self.put(to, pawn);
                self.reach();
                self.lift(taken);
            }
            50..75 => {
                self.lift(taken);
                self.reach();
                self.lift(from);
                self.carry();
                self.put(to, pawn);
            }
            _ => {
                self.lift(from);
                self.reach();
                self.lift(taken);
                self.carry();
                self.put(to, pawn);
            }
        }
    }

    fn castle(&mut self, by: Color, king: Square, rook: Square) {
        let long = rook.file() < king.file();
        let rank = king.rank();
        let king_to = Square::from_coords(if long { shakmaty::File::C } else { shakmaty::File::G }, rank);
        let rook_to = Square::from_coords(if long { shakmaty::File::D } else { shakmaty::File::F }, rank);
        let (k, r) = (code(by.king()), code(by.rook()));
        let crossed = king_to == rook || rook_to == king;
        let habit = match self.pace.kind {
            _ if crossed => 75,
            Kind::Clean => 0,
            Kind::Human | Kind::Blitz => self.rng.random_range(0..100),
        };
        let transfer = |g: &mut Self, from: Square, to: Square, piece| {
            if from != to {
                g.lift(from);
                g.carry();
                g.put(to, piece);
            }
        };
        match habit {
            // The king first.
            0..70 => {
                transfer(self, king, king_to, k);
                self.reach();
                transfer(self, rook, rook_to, r);
            }
            // Both are in the hand.
            70..83 => {
                self.lift(king);
                self.reach();
                self.lift(rook);
                self.carry();
                self.put(king_to, k);
                self.wait((40, 250));
                self.put(rook_to, r);
            }
            // The rook first.
            83..92 => {
                transfer(self, rook, rook_to, r);
                self.reach();
                transfer(self, king, king_to, k);
            }
            // The rook late.
            _ => {
                transfer(self, king, king_to, k);
                self.wait(self.pace.doubt);
                transfer(self, rook, rook_to, r);
            }
        }
    }

    /// The king alone; its rook follows later.
    pub(crate) fn castle_king_only(&mut self, by: Color, king: Square, rook: Square) {
        let file = if rook.file() < king.file() { shakmaty::File::C } else { shakmaty::File::G };
        self.lift(king);
        self.carry();
        self.put(Square::from_coords(file, king.rank()), code(by.king()));
    }

    /// The rook first, whatever the habit says.
    pub(crate) fn castle_rook_first(&mut self, by: Color, king: Square, rook: Square) {
        let long = rook.file() < king.file();
        let (king_file, rook_file) = if long { (shakmaty::File::C, shakmaty::File::D) } else { (shakmaty::File::G, shakmaty::File::F) };
        self.lift(rook);
        self.carry();
        self.put(Square::from_coords(rook_file, rook.rank()), code(by.rook()));
        self.reach();
        self.lift(king);
        self.carry();
        self.put(Square::from_coords(king_file, king.rank()), code(by.king()));
    }

    fn promote(&mut self, by: Color, from: Square, to: Square, takes: bool, role: Role) {
        let (pawn, piece) = (code(by.pawn()), code(role.of(by)));
        let habit = if self.pace.kind == Kind::Clean { 0 } else { self.rng.random_range(0..100) };
        if takes && habit < 60 {
            self.lift(to);
            self.reach();
        }
        match habit {
            // The pawn comes off, the piece is put down.
            0..40 => {
                self.lift(from);
                self.fetch();
                self.put(to, piece);
            }
            // The piece is there first.
            40..55 => {
                self.put(to, piece);
                self.reach();
                self.lift(from);
            }
            // The pawn goes to the last rank and is replaced.
            55..85 => {
                self.lift(from);
                self.carry();
                self.put(to, pawn);
                self.fetch();
                self.lift(to);
                self.reach();
                self.put(to, piece);
            }
            // The same, and the square never reads empty.
            _ => {
                self.lift(from);
                self.carry();
                self.put(to, pawn);
                self.fetch();
                self.put(to, piece);
            }
        }
    }

    /// A piece is fetched from beside the board.
    fn fetch(&mut self) {
        self.wait(self.pace.fetch);
    }

    /// Lifts and puts back one of the player's own pieces that stands on its square.
    pub(crate) fn adjust(&mut self, board: &Squares, by: Color) {
        let own: Vec<Square> = Square::ALL.into_iter().filter(|s| is_colour(board[s.to_usize()], by)).collect();
        let Some(square) = (!own.is_empty()).then(|| own[self.rng.random_range(0..own.len())]) else { return };
        self.lift(square);
        self.wait(self.pace.adjusting);
        self.put(square, board[square.to_usize()]);
    }
}

/// Whether this code is a piece of that colour.
pub(crate) const fn is_colour(piece: PieceCode, by: Color) -> bool {
    match by {
        Color::White => matches!(piece as u8, 1..=6),
        Color::Black => matches!(piece as u8, 7..=12),
    }
}
