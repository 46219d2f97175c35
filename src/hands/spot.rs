//! A position as the sensors would show it, with every way on.
use crate::position::Position;
use crate::price::Nats;
use crate::sense;
use crate::sensed::{EMPTY, Eyes, Reading, Readings, Squares, bit};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicI32, Ordering};
use dgt_protocol::square::PieceCode;
use flagfall_events::Colour;
use once_cell::race::OnceBox;
use shakmaty::{CastlingSide, Color, Move, Piece, Rank, Role, Square, attacks};

/// A legal move and what it does to the readings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) mv: Move,
    /// Which of its position's moves it is.
    place: u16,
    /// The square that the moving piece leaves; of a castling king's.
    pub(crate) from: u8,
    /// Where it goes; of a castling king's, or of the rook's where the king stays.
    pub(crate) to: u8,
    /// What it reads there then.
    pub(crate) goal: Reading,
    /// Squares that it passes.
    pub(crate) way: Squares,
    /// Squares that its own pieces leave.
    pub(crate) leaves: Squares,
    /// Squares whose readings it changes, for these.
    changes: [(u8, Reading); 4],
    changed: u8,
    /// Its king castles.
    pub(crate) castles: bool,
    /// What was taken, and where it stood.
    pub(crate) taken: Option<(u8, Reading)>,
    /// What the moving piece is read as before a promotion.
    pub(crate) pawn: Option<Reading>,
}

impl Step {
    /// What the squares read after it.
    pub(crate) fn changes(&self) -> &[(u8, Reading)] {
        &self.changes[..usize::from(self.changed)]
    }

    /// The squares whose readings it changes.
    pub(crate) fn touched(&self) -> Squares {
        self.changes().iter().fold(0, |set, (square, _)| set | bit(*square))
    }
}

/// A position and what it reads as.
#[derive(Debug)]
pub(crate) struct Spot {
    pub(crate) position: Position,
    pub(crate) readings: Readings,
    /// Where pieces of the player to move stand.
    pub(crate) own: Squares,
    pub(crate) turn: Colour,
    /// The same for the same position with the same rights.
    pub(crate) key: u64,
    /// Where anything stands.
    pub(crate) occupied: Squares,
    eyes: Eyes,
    /// From most positions nobody goes on.
    ways: OnceBox<Ways>,
}

/// Every way on from a position.
#[derive(Debug)]
pub(crate) struct Ways {
    /// The legal moves.
    steps: Vec<Step>,
    /// On a board that does not know its pieces, what it costs that a move is foolish, by its place; less than 0 where nobody has asked.
    follies: Vec<AtomicI32>,
    /// The two squares that each castling leaves; nothing where it is not legal.
    pub(crate) castle: [Squares; 2],
    /// What squares read after castling, either way.
    pub(crate) castled: Vec<(u8, Reading)>,
    /// Where pieces pass, by where they stand: not those that castle.
    pub(crate) passed: Vec<(u8, Squares)>,
}

impl Spot {
    pub(crate) fn new(position: Position, eyes: Eyes) -> Arc<Self> {
        let mut readings = Readings([EMPTY; 64]);
        for (square, piece) in position.board().iter() {
            readings.set(index(square), eyes.read(code(piece)));
        }
        let turn = position.turn();
        let key = key(&position);
        let us = if turn == Colour::White { Color::White } else { Color::Black };
        let own = position.board().by_color(us).into();
        let occupied = position.board().occupied().into();
        Arc::new(Self { position, readings, own, turn, key, occupied, eyes, ways: OnceBox::new() })
    }

    /// Every way on.
    pub(crate) fn ways(&self) -> &Ways {
        self.ways.get_or_init(|| Box::new(Ways::from(self)))
    }

    /// The legal moves.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.ways().steps
    }

    /// What it costs on a board that does not know its pieces that this move, after which this is the position, is foolish.
    pub(crate) fn folly(&self, step: &Step, after: &Position) -> Nats {
        let ways = self.ways();
        let Some(known) = ways.follies.get(usize::from(step.place)) else { return 0 };
        let folly = known.load(Ordering::Relaxed);
        if folly >= 0 {
            return folly;
        }
        let folly = sense::price(&self.position, step.mv, after);
        known.store(folly, Ordering::Relaxed);
        folly
    }

    /// The same for the same position with the same rights.
    pub(crate) fn key_of(position: &Position) -> u64 {
        key(position)
    }
}

impl Ways {
    fn from(spot: &Spot) -> Self {
        let position = &spot.position;
        let step = |(place, mv)| Step { place, ..step(position, mv, spot.eyes, &spot.readings) };
        let steps: Vec<Step> = (0..).zip(position.legal_moves()).map(step).collect();
        let asked = if spot.eyes == Eyes::Occupancy { steps.len() } else { 0 };
        let follies = (0..asked).map(|_| AtomicI32::new(-1)).collect();
        let mut castle = [0; 2];
        let castling = steps.iter().filter(|step| step.castles).map(|step| step.leaves);
        castle.iter_mut().zip(castling).for_each(|(pair, leaves)| *pair = leaves);
        let castled = steps.iter().filter(|step| step.castles).flat_map(|step| step.changes()).copied().collect();
        let mut passed: Vec<(u8, Squares)> = Vec::new();
        for step in steps.iter().filter(|step| step.way != 0) {
            match passed.iter_mut().find(|(from, _)| *from == step.from) {
                Some((_, way)) => *way |= step.way,
                None => passed.push((step.from, step.way)),
            }
        }
        Self { steps, follies, castle, castled, passed }
    }
}

const fn index(square: Square) -> u8 {
    square as u8
}

/// The position's pieces, turn, castling rooks and en passant square as one number.
fn key(position: &Position) -> u64 {
    // FNV-1a over bytes that are the same on every processor.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |word: u64| {
        for byte in word.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let board = position.board();
    for role in Role::ALL {
        mix(u64::from(board.by_role(role)));
    }
    mix(u64::from(board.by_color(Color::White)));
    mix(u64::from(position.castling_rights()));
    let passant = position.passant().map_or(64, |square| u64::from(index(square)));
    mix(passant << 1 | u64::from(position.turn() == Colour::White));
    hash
}

fn step(position: &Position, mv: Move, eyes: Eyes, before: &Readings) -> Step {
    let us = mv.from().and_then(|from| position.board().color_at(from)).unwrap_or(Color::White);
    let read = |role: Role| eyes.read(code(Piece { color: us, role }));
    let mut step = Step {
        mv,
        place: 0,
        from: 0,
        to: 0,
        goal: 0,
        way: 0,
        leaves: 0,
        changes: [(0, EMPTY); 4],
        changed: 0,
        castles: false,
        taken: None,
        pawn: None,
    };
    let mut change = |square: Square, reading: Reading| {
        if before.at(index(square)) != reading {
            step.changes[usize::from(step.changed & 3)] = (index(square), reading);
            step.changed += 1;
        }
    };
    match mv {
        Move::Normal { role, from, capture, to, promotion } => {
            change(from, EMPTY);
            change(to, read(promotion.unwrap_or(role)));
            (step.from, step.to, step.leaves) = (index(from), index(to), bit(index(from)));
            step.way = attacks::between(from, to).into();
            step.taken = capture.map(|_| (index(to), before.at(index(to))));
            step.pawn = promotion.map(|_| read(Role::Pawn));
        }
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            change(from, EMPTY);
            change(to, read(Role::Pawn));
            change(taken, EMPTY);
            (step.from, step.to, step.leaves) = (index(from), index(to), bit(index(from)));
            step.taken = Some((index(taken), before.at(index(taken))));
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook > king);
            let rank: Rank = king.rank();
            let (king_to, rook_to) = (Square::from_coords(side.king_to_file(), rank), Square::from_coords(side.rook_to_file(), rank));
            if king != king_to && king != rook_to {
                change(king, EMPTY);
            }
            if rook != rook_to && rook != king_to {
                change(rook, EMPTY);
            }
            change(king_to, read(Role::King));
            change(rook_to, read(Role::Rook));
            (step.from, step.to) = if king == king_to { (index(rook), index(rook_to)) } else { (index(king), index(king_to)) };
            step.leaves = bit(index(king)) | bit(index(rook));
            step.castles = true;
        }
        Move::Put { .. } => {}
    }
    let changes_it = step.changes().iter().find(|(square, _)| *square == step.to);
    step.goal = changes_it.map_or_else(|| before.at(step.to), |(_, reading)| *reading);
    step
}

/// The code that a board sends for a piece.
pub const fn code(piece: Piece) -> PieceCode {
    match (piece.color, piece.role) {
        (Color::White, Role::Pawn) => PieceCode::WhitePawn,
        (Color::White, Role::Rook) => PieceCode::WhiteRook,
        (Color::White, Role::Knight) => PieceCode::WhiteKnight,
        (Color::White, Role::Bishop) => PieceCode::WhiteBishop,
        (Color::White, Role::King) => PieceCode::WhiteKing,
        (Color::White, Role::Queen) => PieceCode::WhiteQueen,
        (Color::Black, Role::Pawn) => PieceCode::BlackPawn,
        (Color::Black, Role::Rook) => PieceCode::BlackRook,
        (Color::Black, Role::Knight) => PieceCode::BlackKnight,
        (Color::Black, Role::Bishop) => PieceCode::BlackBishop,
        (Color::Black, Role::King) => PieceCode::BlackKing,
        (Color::Black, Role::Queen) => PieceCode::BlackQueen,
    }
}
