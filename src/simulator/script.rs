//! What hands do, as a timed list of physical acts; and what a game really was, for tests to compare with.
use super::clock_fault::ClockFault;
use super::deeds::{Deed, How};
use super::habits::{Around, Ended};
use super::incident::Incident;
use super::person::Person;
use dgt_protocol::square::{PieceCode, WireSquare};
use flagfall_events::{ClockPair, Colour, GameResult};
use shakmaty::{Board, Color, Piece, Role, Square};

/// The pieces on the 64 squares, a1 first, as they physically stand.
pub type Squares = [PieceCode; 64];

/// One physical act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The square is empty now.
    Lift(Square),
    /// This piece stands on the square now; what stood there is gone.
    Put(Square, PieceCode),
    /// A player presses his side of the clock. `ply` is the move it completes, if one.
    Press {
        /// Who.
        by: Colour,
        /// Which ply of the truth, from 1.
        ply: Option<u32>,
    },
    /// The clock is started.
    StartClock,
    /// The clock is stopped.
    StopClock,
    /// The clock is set to its first times and stopped, with White to move.
    ResetClock,
    /// Something is wrong with the clock from now on, at this player's side where that matters.
    FailClock(ClockFault, Colour),
    /// The cable is pulled.
    Unplug,
    /// The cable is plugged in again.
    Replug,
}

/// One act at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedAct {
    /// Milliseconds since the script began.
    pub at: u64,
    /// What happens.
    pub act: Act,
}

/// All that hands do in one game.
#[derive(Clone, Debug)]
pub struct Script {
    /// What stands on the board when it begins.
    pub before: Squares,
    /// The acts; times never decrease.
    pub steps: Vec<TimedAct>,
    /// What it means; presses and clocks are filled in by the device that plays it.
    pub truth: Truth,
    /// When it is over, milliseconds since it began.
    pub end: u64,
}

impl Script {
    /// What stands on the board when it is over.
    pub fn after(&self) -> Squares {
        let mut squares = self.before;
        for step in &self.steps {
            match step.act {
                Act::Lift(square) => squares[square.to_usize()] = PieceCode::Empty,
                Act::Put(square, piece) => squares[square.to_usize()] = piece,
                _ => {}
            }
        }
        squares
    }
}

/// What was really played.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// The plies, the first one first.
    pub plies: Vec<PlyTruth>,
    /// How it ended.
    pub result: GameResult,
    /// The result was shown with the kings.
    pub kings_shown: bool,
    /// How the players ended it.
    pub ended: Ended,
    /// What they did besides.
    pub around: Vec<Around>,
    /// What went wrong on purpose.
    pub incidents: Vec<Incident>,
    /// When the clock was started, in the same time as the plies'.
    pub began: u64,
    /// When nobody played on: the clock was stopped, or left, or a flag fell.
    pub over: u64,
    /// White's and Black's habits, where many people play.
    pub people: Option<Box<[Person; 2]>>,
    /// What hands did besides, in no order; only those of many people tell it.
    pub deeds: Vec<Deed>,
}

impl Truth {
    /// The same so many milliseconds later, and no press yet: the device that plays the script says when there was one.
    pub(super) fn later(&mut self, ms: u64) {
        self.began += ms;
        self.over += ms;
        for ply in &mut self.plies {
            ply.last_down += ms;
            ply.press = None;
            ply.how.iter_mut().for_each(|how| how.later(ms));
        }
        for deed in &mut self.deeds {
            deed.at += ms;
            deed.until += ms;
        }
    }

    /// From this millisecond on the players waited for so many.
    pub(super) fn wait(&mut self, since: u64, ms: u64) {
        self.over += ms;
        for ply in self.plies.iter_mut().filter(|ply| ply.press.is_none() && ply.last_down > since) {
            ply.last_down += ms;
            ply.how.iter_mut().for_each(|how| how.later(ms));
        }
        for deed in self.deeds.iter_mut().filter(|deed| deed.at > since) {
            deed.at += ms;
            deed.until += ms;
        }
    }

    /// The moves that stand at the end, in UCI: illegal ones were taken back.
    pub fn uci(&self) -> Vec<String> {
        self.plies.iter().filter(|p| p.legal).map(|p| p.uci.clone()).collect()
    }
}

/// One ply as it really was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyTruth {
    /// From 1.
    pub ply: u32,
    /// Who moved.
    pub by: Colour,
    /// UCI; castling by the king's step, in Chess960 by king and rook.
    pub uci: String,
    /// SAN; empty for an illegal move.
    pub san: String,
    /// The move was legal.
    pub legal: bool,
    /// When the last piece of the move was put down, milliseconds of the device's time (of the script's, before it is played).
    pub last_down: u64,
    /// When its player pressed, in the same time; `None` if he did not.
    pub press: Option<u64>,
    /// What the clock showed right after the press.
    pub clock: Option<ClockPair>,
    /// How it was made; only the hands of many people tell it.
    pub how: Option<How>,
}

/// The colour as events name it.
pub(crate) const fn colour(color: Color) -> Colour {
    match color {
        Color::White => Colour::White,
        Color::Black => Colour::Black,
    }
}

/// The code a board sends for this piece.
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

/// A position's pieces as they stand on the squares.
pub fn squares_of(board: &Board) -> Squares {
    let mut squares = [PieceCode::Empty; 64];
    for (square, piece) in board.iter() {
        squares[square.to_usize()] = code(piece);
    }
    squares
}

/// The number the board gives to a square; `turned` when White sits at the board's other side.
pub fn wire_of(square: Square, turned: bool) -> WireSquare {
    let normal = square.flip_vertical().to_usize();
    let index = if turned { 63 - normal } else { normal };
    WireSquare::new(u8::try_from(index).unwrap_or(0)).expect("a chess square has an index below 64")
}
