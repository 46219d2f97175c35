//! The facts of irregularities, one variant a meaning. The game fills them in; the rulebook only reads them.
use super::finding::PressCounter;
use super::reason::Reason;
use crate::game::event::{ClockPair, Colour};
use shakmaty::{Chess, Square};

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Irregularity {
    /// 7.5.1: a press with a position that one illegal move explains.
    IllegalMove(IllegalMove),
    /// 7.5.3: a press by the side to move, the placement unchanged.
    PressWithoutMove(PressWithoutMove),
    /// 7.5.2: a pawn, nothing or an unreadable piece on the last rank at the press.
    UnpromotedPawn(UnpromotedPawn),
    /// 7.4.1, 7.6: squares that no legal move explains.
    DisplacedPieces(DisplacedPieces),
    /// 6.9: one flag is down.
    FlagFall(FlagFall),
    /// III.3.1: both flags are down.
    BothFlags(BothFlags),
}

/// The position to go back to, and what the irregular press did to the clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// The position immediately before the irregularity, or the last one identified. FEN.
    pub fen: String,
    /// It is the one immediately before.
    pub immediate: bool,
    /// Both displays right after the irregular press, with the increment it earned. `None`: not known.
    pub at_press: Option<ClockPair>,
    /// What the irregular press added to its player's display, milliseconds.
    pub earned_ms: i64,
    /// Moves made on top of the irregular one.
    pub later_moves: u32,
    /// Presses that the clock has counted since, the irregular one included.
    pub presses: PressCounter,
}

/// A piece touched before the move (4.3), in the order of the lifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Where it stood.
    pub square: Square,
    /// One of the mover's own.
    pub own: bool,
}

/// Facts of 7.5.1.
#[derive(Clone, Debug, PartialEq)]
pub struct IllegalMove {
    /// The offender.
    pub by: Colour,
    /// Its ply, from 1 at the game's first move.
    pub ply: u32,
    /// The move as played.
    pub uci: String,
    /// Why it is illegal.
    pub reason: Reason,
    /// Where to go back to.
    pub before: Before,
    /// The same position, for the replacement moves; `None` where it is no legal chess.
    pub position: Option<Chess>,
    /// Castling in UCI by king and rook.
    pub chess960: bool,
    /// What was touched, in order; empty: nothing but the move itself is known.
    pub touched: Vec<Touched>,
    /// The square that the moved piece came from, if the touches say nothing.
    pub from: Option<Square>,
}

/// Facts of 7.5.3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressWithoutMove {
    /// The offender.
    pub by: Colour,
    /// The ply that should have been played.
    pub ply: u32,
    /// Nothing moved since this position.
    pub before: Before,
}

/// Facts of 7.5.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpromotedPawn {
    /// The offender.
    pub by: Colour,
    /// Its ply.
    pub ply: u32,
    /// The move as the pawn went, without a piece: `e7e8`.
    pub uci: String,
    /// The last square.
    pub square: Square,
    /// What stands there; `None`: nothing, or nothing that can be read.
    pub stands: Option<char>,
    /// The position with the queen on it, its player's opponent to move. FEN.
    pub queen_fen: String,
    /// The position before the move (used where the edition restores it).
    pub before: Before,
}

/// A square that must be put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// Which.
    pub square: Square,
    /// What stands there, FEN's letter; `None`: nothing.
    pub is: Option<char>,
    /// What should.
    pub should: Option<char>,
}

/// Facts of 7.4.1 and 7.6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplacedPieces {
    /// Who displaced them, if it is known.
    pub by: Option<Colour>,
    /// What is still to be put right.
    pub squares: Vec<Misplaced>,
    /// The position that should stand. FEN.
    pub fen: String,
    /// It is the one immediately before (else the last one identified).
    pub immediate: bool,
    /// Found later, nobody saw it happen (7.6); else 7.4.1.
    pub found_later: bool,
    /// A knocked-over pattern: several pieces within moments.
    pub knocked_over: bool,
}

/// How a fallen flag was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagSeen {
    /// The clock says so.
    FlagBit,
    /// The display is at 0:00.
    Zero,
    /// The arbiter saw it, or a player claimed it.
    Arbiter,
}

/// Facts of 6.9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagFall {
    /// Whose flag.
    pub by: Colour,
    /// How it was seen.
    pub seen: FlagSeen,
    /// Moves this player has completed.
    pub completed: u32,
    /// Moves he had to complete by now, counted from move 1; `None`: all of them.
    pub required: Option<u32>,
    /// The position on the board, moves made included. FEN.
    pub fen: String,
    /// The opponent's flag is down as well.
    pub both_down: bool,
}

/// Facts of III.3.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BothFlags {
    /// Whose flag fell first, if it is known.
    pub first: Option<Colour>,
    /// All remaining moves have to be played in this period.
    pub last_period: bool,
}
