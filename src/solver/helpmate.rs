//! `chasolver`, which finds helpmates: positions in, answers out. It has no deadline; `child.rs` gives it one.
use crate::rulebook::mating::Winner;
use chess::{Board, Color};
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
    /// Whether only the quick test is wanted: it proves that no mate is possible, or says nothing.
    pub quick: bool,
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
    pub fn new(position: &Chess, winner: Winner, quick: bool) -> Self {
        let mut setup = position.to_setup(EnPassantMode::Legal);
        if !is_exact(position) {
            setup.castling_rights.clear();
        }
        // The counters mean nothing, and some readers refuse large ones.
        (setup.halfmoves, setup.fullmoves) = (0, std::num::NonZeroU32::MIN);
        Self { fen: Fen::try_from_setup(setup).map_or_else(|_| String::new(), |fen| fen.to_string()), winner, quick }
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
        let mut none = true;
        for color in colors {
            if self.quick {
                if !chasolver::is_unwinnable_fast(&board, *color) {
                    return Said::Unknown;
                }
                continue;
            }
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

/// The quick test for both sides: `false` is no proof of anything, but nearly always right.
pub fn may_be_dead(position: &Chess) -> bool {
    Asked::new(position, Winner::Either, true).answer() == Said::None
}

/// Runs somebody else's code; `None` if it panics.
pub(super) fn contained<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(panic::AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulebook::mating::position;

    #[test]
    fn a_rook_that_has_to_be_taken_is_found_by_the_quick_test() {
        assert!(may_be_dead(&position("k7/1R6/8/8/8/8/8/1K6 b - - 0 1", false).unwrap()));
        assert!(!may_be_dead(&position("7k/1R6/8/8/8/8/8/1K6 b - - 0 1", false).unwrap()));
    }

    #[test]
    fn castling_rights_of_chess960_are_left_out() {
        let position = position("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", false).unwrap();
        assert!(!is_exact(&position));
        assert_eq!(Asked::new(&position, Winner::White, false).fen, "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1");
    }

    #[test]
    fn rubbish_is_unknown() {
        for fen in ["", "8/8/8/8/8/8/8/8 w - - 0 1", "nonsense"] {
            assert_eq!(Asked { fen: fen.into(), winner: Winner::White, quick: false }.answer(), Said::Unknown);
        }
    }
}
