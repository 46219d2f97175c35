//! The exhaustive observer: does what a board showed determine the game that was played on it?
//!
//! It knows the rules of chess and the physics of a scanner, and no habits; it shares no code with what recognises moves, and judges no
//! recogniser: it is given the game and looks for another one that the stream cannot tell from it.
//!
//! **A reading** is what a square read at a pass of the scanner. A square is read once a period; what did not change was read as well, so
//! silence is a reading a pass.
//!
//! **A line** is a row of legal plies from the start position, each with the moment from which its position stands. It *explains* a reading
//! of a square if the position that stands then has this piece (or nothing) there, or if the ply that comes next touches the square and a
//! hand that is making it can show that: its square empty, the captured piece's square empty, the piece on its new square, at a promotion
//! the pawn or nothing there. Nobody lifts what he does not move: every other reading *speaks against* the line. Some readings speak
//! against the game itself: a piece adjusted, knocked over, set down on its way, lifted before it was its turn, or a frame that was lost.
//!
//! **Another line is as good** if it has as many plies and nothing speaks against it that does not speak against the game that was played,
//! with moments of its own choosing, but: a ply stands [`HAND_MS`] before its press was shown, and two plies after a press not earlier than
//! [`CLOCK_DELAY_MS`] before that was shown; a piece stands on its new square no sooner than [`HAND_MS`] after it was read on the old one,
//! and that long after it a player's hand is back for his next ply. The game is **determined** if no other line is as good.
//!
//! So a piece that stood for less than a pass and was never read may have stood on any other square that was not read meanwhile, if the
//! rest of the game is legal then. b2-b3 and b2-b4 are the same if c4xb3 follows within a scan. What was read and is left unexplained makes
//! a line worse, however usual it is among hands: a piece that was read on one square before it went to another where it never was read is
//! believed to have stood on the first one, and a game in which it was otherwise is not determined.
//!
//! **Bounds.** A position that stands for a whole pass before a hand comes is *quiet*: lines are matched from one quiet moment to the next,
//! where every square that was read as the game says must read so in the other line. Between two of them all legal rows of as many plies
//! are tried, up to [`NODES`] moves; of the lines that go on differently [`RIVALS`] are kept. What was beyond is counted in
//! [`Observed::cut`]. Lines of another length are not looked for.
#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod feed;
mod line;
mod moments;
mod played;
mod readings;
mod rivals;

use shakmaty::{CastlingMode, Chess, Color};

/// From a press to the last moment at which the clock has told of it, milliseconds; the hands of many people draw 700 at most.
pub(crate) const CLOCK_DELAY_MS: u64 = 1_000;

/// No hand carries a piece to another square, or is back for the next thing, in less, milliseconds; the fastest simulated ones need 30 to 40.
pub(crate) const HAND_MS: u64 = 30;

/// Moves that are tried between two quiet moments.
pub(crate) const NODES: usize = 100_000;

/// Lines kept that go on differently.
pub(crate) const RIVALS: usize = 256;

/// What a board showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A square, a1 = 0, h8 = 63, reads this now: a piece's code on the wire, 0 for nothing; without identities anything else means
    /// occupied.
    Square { square: u8, piece: u8 },
    /// All squares as they were last read.
    Dump(Box<[u8; 64]>),
    /// The clock tells that this player has pressed.
    Press(Color),
    /// A frame was damaged: any square may be stale until it is told again.
    Lost,
}

/// One ply of the game that was played.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    pub(crate) uci: String,
    /// When its last piece was down or off, milliseconds, where known.
    pub(crate) stood: Option<u64>,
    /// When it was pressed, where it was and that is known.
    pub(crate) pressed: Option<u64>,
}

/// A game and what the board showed of it; times are milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct Game<'a> {
    pub(crate) start: &'a Chess,
    pub(crate) mode: CastlingMode,
    pub(crate) plies: &'a [Ply],
    /// In the order of time.
    pub(crate) seen: &'a [(u64, Seen)],
    /// From when on the start position stood.
    pub(crate) began: u64,
    /// Until when the board was watched; what happened after the last ply speaks neither for nor against anything.
    pub(crate) until: u64,
    /// One pass of the scanner.
    pub(crate) scan_ms: u64,
    /// When in a pass each square is read, microseconds; `None`: found in the stream.
    pub(crate) phases: Option<[u64; 64]>,
    /// Squares tell which piece stands there.
    pub(crate) identified: bool,
    /// What a pawn became is known from elsewhere: a board without identities tells it only by how the piece goes on.
    pub(crate) promotions_known: bool,
}

/// What the stream tells of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No other line is as good.
    Determined,
    /// This one is: what is played from ply `from_ply` (from 1) on instead, up to its last ply that is another one.
    Undetermined { other: Vec<String>, from_ply: usize },
}

/// The verdict and how far it was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Observed {
    pub(crate) verdict: Verdict,
    /// Positions that were not quiet for a whole pass: what is matched line by line.
    pub(crate) hurried: usize,
    /// Places where a bound was met: nothing is proved there.
    pub(crate) cut: usize,
    /// Places where the game itself breaks what hands can do at all, as the bounds of this module have it.
    pub(crate) strange: usize,
}

/// Says whether the stream determines the game.
///
/// # Panics
///
/// If the game is not legal.
pub(crate) fn observe(game: &Game<'_>) -> Observed {
    let board = readings::Board::new(game);
    let played = played::Played::new(game, &board);
    rivals::search(game, &board, &played)
}
