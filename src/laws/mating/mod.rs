//! Can this side still give mate by any series of legal moves, both sides cooperating? (5.1.2, 5.2.2, 6.9, 7.5.5)
//!
//! Castling rights and an en passant capture that is legal belong to a position; move counters and history do not. The side to move never
//! says who is meant to win.
//!
//! | file | holds |
//! |---|---|
//! | `answer.rs` | who is meant to win, the answers, what proves them, why there is none |
//! | `facts.rs` | what needs no search: mate on the board, material, forced moves |
//! | `closure.rs` | the proof: every position that legal play can reach |
//! | `packed.rs`, `table.rs` | positions in 33 bytes; the set of those seen |
//! | `line.rs` | mating lines: made short, replayed, written |
pub mod answer;
pub mod closure;
pub mod facts;
pub mod line;
mod packed;
mod table;

pub use answer::{Answer, Proof, Why, Winner};
pub use closure::{Closure, Limits, Progress};
pub use packed::Packed;
pub use table::Key;

use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist128;
use shakmaty::{CastlingMode, Chess};

/// The set that answers questions: 128-bit keys, of which two among a million are equal with a chance below 10⁻²⁶.
pub type Quick = Closure<Zobrist128>;

/// The set that checks an answer again: whole positions.
pub type Exact = Closure<Packed>;

/// The position of a question; `chess960` where castling is named by king and rook.
///
/// # Errors
/// [`Why::IllegalPosition`] for what stands but is not legal chess (A.5.2, A.5.4), and for what is no FEN.
pub fn position(fen: &str, chess960: bool) -> Result<Chess, Why> {
    let fen: Fen = fen.parse().map_err(|_| Why::IllegalPosition)?;
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::detect(fen.as_setup()) };
    fen.into_position(mode).map_err(|_| Why::IllegalPosition)
}

/// Runs a closure of the whole question until it ends; for re-checks and tests, where nobody waits.
pub fn close<K: Key>(closure: &mut Closure<K>, root: &Chess, winner: Winner) -> Answer {
    closure.start(root, winner);
    loop {
        if let Some(answer) = closure.run(u32::MAX).answer(root) {
            return answer;
        }
    }
}
