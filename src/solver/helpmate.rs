//! `chasolver`, which finds helpmates: positions in, answers out. It has no deadline; `child.rs` gives it one.
use chess::{Board, Color};
use flagfall_laws::mating::Winner;
use serde::{Deserialize, Serialize};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::panic;

/// What is asked; one line on the way to a child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The position, en passant only where it is legal.
    pub fen: String,
    /// Who must be able to mate.
    pub winner: Winner,
    /// How hard to search.
    pub effort: Effort,
}

/// How hard to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// The quick test: it proves that no mate is possible, or says nothing.
    Quick,
    /// The quick test, and the search where it says nothing.
    Both,
    /// The search for a mate.
    Search,
}

/// What it says; one line on the way back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// These moves mate, UCI.
    Mate(Vec<String>),
    /// There is no such mate.
    None,
    /// It does not know.
    Unknown,
}

impl Asked {
    /// The question for a position; `chess` does not know the castling of Chess960, so those rights are left out.
    pub fn new(position: &Chess, winner: Winner, effort: Effort) -> Self {
        let mut setup = position.to_setup(EnPassantMode::Legal);
        if !is_exact(position) {
            setup.castling_rights.clear();
        }
        // The counters mean nothing, and some readers refuse large ones.
        (setup.halfmoves, setup.fullmoves) = (0, std::num::NonZeroU32::MIN);
        Self { fen: Fen::try_from_setup(setup).map_or_else(|_| String::new(), |fen| fen.to_string()), winner, effort }
    }

    /// Did the last move end the game (5.2.2)? The quick test misses dead positions that no real game is known to have had; most of them are
    /// walls of pawns, or have hardly a move left. There the search is worth its time: less than a hundredth of all moves.
    pub fn whether_dead(position: &Chess) -> Self {
        let board = position.board();
        let walled = (board.knights() | board.rooks_and_queens()).is_empty() || position.legal_moves().len() <= 2;
        Self::new(position, Winner::Either, if walled { Effort::Both } else { Effort::Quick })
    }

    /// The answer; takes microseconds in most positions, seconds in a few.
    pub fn answer(&self) -> Said {
        // That crate looks for kings without asking whether they are there.
        let placement = self.fen.split(' ').next().unwrap_or_default();
        if ['K', 'k'].iter().any(|king| placement.matches(*king).count() != 1) {
            return Said::Unknown;
        }
        // What it refuses is nobody's proof.
        let Ok(board) = self.fen.parse::<Board>() else { return Said::Unknown };
        let colors: &[Color] = match self.winner {
            Winner::White => &[Color::White],
            Winner::Black => &[Color::Black],
            Winner::Either => &[Color::White, Color::Black],
        };
        if self.effort != Effort::Search {
            let none = colors.iter().all(|color| chasolver::is_unwinnable_fast(&board, *color));
            if none || self.effort == Effort::Quick {
                return if none { Said::None } else { Said::Unknown };
            }
        }
        let mut none = true;
        for color in colors {
            match chasolver::winnability(&board, *color) {
                Some(chasolver::Winnability::Winnable { helpmate }) => {
                    return Said::Mate(helpmate.iter().map(ToString::to_string).collect());
                }
                Some(chasolver::Winnability::Unwinnable) => {}
                None => none = false,
            }
        }
        if none { Said::None } else { Said::Unknown }
    }
}

/// Whether the question means this very position, and not one without its castling rights: only then does "none" prove anything.
pub(super) fn is_exact(position: &Chess) -> bool {
    position.castles().mode() == CastlingMode::Standard || position.castles().is_empty()
}

/// The check after every move for both sides: `true` still wants a proof, `false` is no proof of anything, but nearly always right.
pub fn may_be_dead(position: &Chess) -> bool {
    Asked::whether_dead(position).answer() == Said::None
}

/// Runs somebody else's code; `None` if it panics.
pub(super) fn contained<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(panic::AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_laws::mating::position;

    #[test]
    fn a_rook_that_has_to_be_taken_is_found_by_the_quick_test() {
        assert!(may_be_dead(&position("k7/1R6/8/8/8/8/8/1K6 b - - 0 1", false).unwrap()));
        assert!(!may_be_dead(&position("7k/1R6/8/8/8/8/8/1K6 b - - 0 1", false).unwrap()));
    }

    #[test]
    fn walls_of_pawns_that_the_quick_test_does_not_see_through_are_found() {
        for fen in ["6k1/8/6p1/6P1/6PK/6P1/6PP/8 w - - 0 1", "8/2p5/1pP5/1P6/1P6/KP6/PP6/1k6 w - - 0 1"] {
            let position = position(fen, false).unwrap();
            assert_eq!(Asked::new(&position, Winner::Either, Effort::Quick).answer(), Said::Unknown, "{fen}");
            assert!(may_be_dead(&position), "{fen}");
        }
    }

    #[test]
    fn castling_rights_of_chess960_are_left_out() {
        let position = position("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", false).unwrap();
        assert!(!is_exact(&position));
        assert_eq!(Asked::new(&position, Winner::White, Effort::Search).fen, "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1");
    }

    #[test]
    fn rubbish_is_unknown() {
        for fen in ["", "8/8/8/8/8/8/8/8 w - - 0 1", "nonsense"] {
            assert_eq!(Asked { fen: fen.into(), winner: Winner::White, effort: Effort::Search }.answer(), Said::Unknown);
        }
    }
}
