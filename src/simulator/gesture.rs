//! One move as a hand makes it: which piece is lifted and put down when. No thinking, no clock; times count from the first touch.
use super::deeds::{Castling, Passing, Promoting, Stay, Taking};
use super::pace::{Kind, Pace, log_uniform};
use super::script::{Act, Squares, code};
use dgt_protocol::square::PieceCode;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, Piece, Position as _, Role, Square, attacks};

/// Where a piece stood for a while besides: on its way, where it was moved first, and where it was only seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    Slid,
    Rested,
    Revised,
    Glimpsed,
}

/// What one hand does, in order; milliseconds from the first touch.
#[derive(Debug)]
pub(crate) struct Gesture<'a> {
    pub(crate) acts: Vec<(u64, Act)>,
    pub(crate) now: u64,
    /// Squares on which the moving piece stood besides.
    pub(crate) notes: Vec<(Note, Stay)>,
    /// How long the piece was held in the air before it moved on.
    pub(crate) held: Option<u64>,
    /// Empty squares that are not free: something lies there that the position does not know.
    pub(crate) avoid: Bitboard,
    pub(crate) rng: &'a mut ChaCha8Rng,
    pub(crate) pace: Pace,
}

impl<'a> Gesture<'a> {
    pub(crate) const fn new(rng: &'a mut ChaCha8Rng, pace: Pace) -> Self {
        Self { acts: Vec::new(), now: 0, notes: Vec::new(), held: None, avoid: Bitboard::EMPTY, rng, pace }
    }

    pub(crate) fn lift(&mut self, square: Square) {
        self.acts.push((self.now, Act::Lift(square)));
    }

    pub(crate) fn put(&mut self, square: Square, piece: PieceCode) {
        self.acts.push((self.now, Act::Put(square, piece)));
    }

    /// Waits some milliseconds of this range.
    pub(crate) fn wait(&mut self, range: (u64, u64)) {
        self.now += if self.pace.by_ratio { log_uniform(self.rng, range) } else { self.rng.random_range(range.0..=range.1) };
    }

    /// The piece stands on a square for a while and is taken up again.
    pub(crate) fn stand(&mut self, note: Note, square: Square, piece: PieceCode, range: (u64, u64)) {
        let from = self.now;
        self.put(square, piece);
        self.wait(range);
        self.lift(square);
        self.notes.push((note, Stay { square, from, until: self.now }));
    }

    /// The way through the air.
    pub(crate) fn carry(&mut self) {
        self.wait(self.pace.carry);
    }

    /// From one piece to the next one.
    pub(crate) fn reach(&mut self) {
        self.wait(self.pace.reach);
    }

    pub(crate) fn chance(&mut self, probability: f64) -> bool {
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

    pub(crate) fn step(&mut self, position: &Chess, piece: Piece, from: Square, to: Square) {
        self.lift(from);
        if self.chance(self.pace.hold) {
            let from = self.now;
            self.wait(self.pace.holding);
            self.held = Some(self.now - from);
        }
        if self.chance(self.pace.change_mind)
            && let Some(other) = self.other_square(position, piece, from, to)
        {
            self.carry();
            self.stand(Note::Revised, other, code(piece), self.pace.doubt);
        } else if self.chance(self.pace.slide) {
            self.slide(piece, from, to);
        }
        self.glimpse(code(piece), from, to);
        self.carry();
        self.put(to, code(piece));
    }

    /// Touches down on squares between; ends in the air before `to`.
    pub(crate) fn slide(&mut self, piece: Piece, from: Square, to: Square) {
        if piece.role == Role::Knight {
            return;
        }
        let mut between: Vec<Square> = (attacks::between(from, to) & !self.avoid).into_iter().collect();
        between.sort_by_key(|square| square.distance(from));
        let pause = self.chance(self.pace.pause).then(|| self.rng.random_range(0..between.len().max(1)));
        for (i, square) in between.into_iter().enumerate() {
            if pause != Some(i) && !self.rng.random_bool(0.6) {
                continue;
            }
            self.wait((5, 40));
            let (note, range) = if pause == Some(i) { (Note::Rested, self.pace.doubt) } else { (Note::Slid, self.pace.touch) };
            self.stand(note, square, code(piece), range);
        }
    }

    /// Where a hand may put the piece first, before it changes its mind: an empty square, mostly one it may go to.
    pub(crate) fn other_square(&mut self, position: &Chess, piece: Piece, from: Square, to: Square) -> Option<Square> {
        let legal = position.legal_moves();
        let mut squares: Vec<Square> = legal
            .iter()
            .filter(|m| m.from() == Some(from) && !m.is_capture() && !m.is_castle() && !m.is_promotion() && m.to() != to)
            .filter(|m| !self.avoid.contains(m.to()))
            .map(|m| m.to())
            .collect();
        if squares.is_empty() || self.chance(0.25) {
            let occupied = position.board().occupied() | self.avoid;
            let last = |s: &Square| piece.role == Role::Pawn && (s.rank().to_u32() == 0 || s.rank().to_u32() == 7);
            squares = Square::ALL.into_iter().filter(|s| !occupied.contains(*s) && s.distance(to) <= 2 && *s != to && !last(s)).collect();
        }
        if squares.is_empty() { None } else { Some(squares[self.rng.random_range(0..squares.len())]) }
    }

    fn capture(&mut self, position: &Chess, piece: Piece, taken: Piece, from: Square, to: Square) {
        let habit = if self.pace.kind == Kind::Clean { 0 } else { self.rng.random_range(0..100) };
        match habit {
            0..40 => self.take(piece, from, to, Taking::VictimFirst),
            40..65 => self.take(piece, from, to, Taking::MoverFirst),
            65..88 => self.take(piece, from, to, Taking::Replaced),
            _ => {
                self.lift(from);
                self.carry();
                let aside = self.beside(position, from, to);
                self.lift(to);
                if let Some(aside) = aside {
                    self.put(aside, code(taken));
                    self.wait((10, 60));
                    self.put(to, code(piece));
                    self.wait(self.pace.reach);
                    self.lift(aside);
                    return;
                }
                self.put(to, code(piece));
            }
        }
    }

    /// Takes what stands on `to`, and nothing of it is seen on another square.
    pub(crate) fn take(&mut self, piece: Piece, from: Square, to: Square, way: Taking) {
        match way {
            // The captured piece comes off first.
            Taking::VictimFirst | Taking::Parked => {
                self.lift(to);
                self.reach();
                self.lift(from);
                if self.chance(self.pace.slide) {
                    self.slide(piece, from, to);
                }
                self.carry();
            }
            // The capturer is lifted first, then both are in the hand.
            Taking::MoverFirst => {
                self.lift(from);
                self.reach();
                self.lift(to);
                self.carry();
            }
            // The capturer pushes it off: the square never reads empty.
            Taking::Replaced | Taking::PushedAside => {
                self.lift(from);
                if self.chance(self.pace.slide) {
                    self.slide(piece, from, to);
                }
                self.carry();
            }
        }
        self.put(to, code(piece));
    }

    /// A free square beside this one.
    pub(crate) fn beside(&self, position: &Chess, from: Square, to: Square) -> Option<Square> {
        let occupied = position.board().occupied() | self.avoid;
        Square::ALL.into_iter().find(|s| s.distance(to) == 1 && !occupied.contains(*s) && *s != from)
    }

    fn en_passant(&mut self, by: Color, from: Square, to: Square) {
        let habit = if self.pace.kind == Kind::Clean { 0 } else { self.rng.random_range(0..100) };
        let way = match habit {
            0..50 => Passing::VictimLast,
            50..75 => Passing::VictimFirst,
            _ => Passing::MoverFirst,
        };
        self.pass(by, from, to, way);
    }

    /// Takes a pawn in passing.
    pub(crate) fn pass(&mut self, by: Color, from: Square, to: Square, way: Passing) {
        let taken = Square::from_coords(to.file(), from.rank());
        let pawn = code(by.pawn());
        match way {
            Passing::VictimLast => {
                self.lift(from);
                self.carry();
                self.put(to, pawn);
                self.reach();
                self.lift(taken);
            }
            Passing::VictimFirst => {
                self.lift(taken);
                self.reach();
                self.lift(from);
                self.carry();
                self.put(to, pawn);
            }
            Passing::MoverFirst => {
                self.lift(from);
                self.reach();
                self.lift(taken);
                self.carry();
                self.put(to, pawn);
            }
        }
    }

    fn castle(&mut self, by: Color, king: Square, rook: Square) {
        let habit = match self.pace.kind {
            Kind::Clean => 0,
            _ if crossed(king, rook) => 75,
            Kind::Human | Kind::Blitz => self.rng.random_range(0..100),
        };
        let way = match habit {
            _ if crossed(king, rook) => Castling::InHand,
            0..70 => Castling::KingFirst,
            70..83 => Castling::InHand,
            83..92 => Castling::RookFirst,
            _ => Castling::RookLate,
        };
        self.castle_so(by, king, rook, way);
    }

    /// Castles in this way.
    pub(crate) fn castle_so(&mut self, by: Color, king: Square, rook: Square, way: Castling) {
        let (king_to, rook_to) = castled(king, rook);
        let (k, r) = (code(by.king()), code(by.rook()));
        let transfer = |g: &mut Self, from: Square, to: Square, piece| {
            if from != to {
                g.lift(from);
                g.carry();
                g.put(to, piece);
            }
        };
        match way {
            Castling::KingFirst => {
                transfer(self, king, king_to, k);
                self.reach();
                transfer(self, rook, rook_to, r);
            }
            // Both are in the hand.
            Castling::InHand => {
                self.lift(king);
                self.reach();
                self.lift(rook);
                self.carry();
                self.put(king_to, k);
                self.wait((40, 250));
                self.put(rook_to, r);
            }
            // A hand each, within an instant of one another.
            Castling::BothHands => {
                let mut pieces = [(king, king_to, k), (rook, rook_to, r)];
                if self.rng.random_bool(0.5) {
                    pieces.reverse();
                }
                for (from, ..) in pieces {
                    self.lift(from);
                    self.wait((1, 80));
                }
                self.carry();
                if self.rng.random_bool(0.5) {
                    pieces.reverse();
                }
                for (index, (_, to, piece)) in pieces.into_iter().enumerate() {
                    if index > 0 {
                        self.wait((1, 150));
                    }
                    self.put(to, piece);
                }
            }
            Castling::RookFirst => {
                transfer(self, rook, rook_to, r);
                self.reach();
                transfer(self, king, king_to, k);
            }
            Castling::RookLate => {
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
        let habit = if self.pace.kind == Kind::Clean { 0 } else { self.rng.random_range(0..100) };
        if takes && habit < 60 {
            self.lift(to);
            self.reach();
        }
        let way = match habit {
            0..40 => Promoting::PawnOff,
            40..55 => Promoting::PieceFirst,
            55..85 => Promoting::PawnFirst,
            _ => Promoting::PawnReplaced,
        };
        self.promote_so(by, from, to, role, way);
    }

    /// Promotes in this way; what was taken is off already, or pushed off.
    pub(crate) fn promote_so(&mut self, by: Color, from: Square, to: Square, role: Role, way: Promoting) {
        let (pawn, piece) = (code(by.pawn()), code(role.of(by)));
        match way {
            // The pawn comes off, the piece is put down.
            Promoting::PawnOff => {
                self.lift(from);
                self.fetch();
                self.put(to, piece);
            }
            // The piece is there first.
            Promoting::PieceFirst => {
                self.put(to, piece);
                self.reach();
                self.lift(from);
            }
            // The pawn goes to the last rank and is replaced.
            Promoting::PawnFirst => {
                self.lift(from);
                self.carry();
                self.put(to, pawn);
                self.fetch();
                self.lift(to);
                self.reach();
                self.put(to, piece);
            }
            // The same, and the square never reads empty.
            Promoting::PawnReplaced => {
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

/// Where king and rook stand after castling.
pub(crate) fn castled(king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::from_king_side(rook > king);
    (Square::from_coords(side.king_to_file(), king.rank()), Square::from_coords(side.rook_to_file(), king.rank()))
}

/// One of them stands where the other goes, as it may be in Chess960.
pub(crate) fn crossed(king: Square, rook: Square) -> bool {
    let (king_to, rook_to) = castled(king, rook);
    king_to == rook || rook_to == king
}

/// Whether this code is a piece of that colour.
pub(crate) const fn is_colour(piece: PieceCode, by: Color) -> bool {
    match by {
        Color::White => matches!(piece as u8, 1..=6),
        Color::Black => matches!(piece as u8, 7..=12),
    }
}
