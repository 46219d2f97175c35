//! Lifts of one turn.
use crate::placement::{colour, piece};
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Mono, TouchedPiece};
use flagfall_laws::irregularity::TwoHands;

/// Lifts kept at most; more than anybody makes in one turn.
pub(crate) const MOST: usize = 64;
/// A hand cannot take one piece and then another within this time; what a scan shows a little later may well be one hand.
const BOTH_MS: u64 = 40;

/// One piece that left its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lift {
    pub(crate) square: usize,
    pub(crate) piece: PieceCode,
    pub(crate) at: Mono,
    /// It is still off its square, and nobody was told.
    pub(crate) up: bool,
    /// When it came down anywhere.
    pub(crate) down: Option<Mono>,
    /// When it came back.
    pub(crate) back: Option<Mono>,
}

/// Lifts since the last press.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touches {
    pub(crate) lifts: Vec<Lift>,
}

impl Touches {
    /// What was touched in this turn, in order, from one player's view; each square once.
    pub(crate) fn of(&self, by: Colour) -> Vec<TouchedPiece> {
        let mut list: Vec<TouchedPiece> = Vec::new();
        for lift in &self.lifts {
            let square = u8::try_from(lift.square).ok().and_then(flagfall_events::Square::new);
            let Some((square, piece)) = square.zip(piece(lift.piece)) else { continue };
            let own = colour(piece.color) == by;
            if !list.iter().any(|t| t.square == square) {
                list.push(TouchedPiece { by, piece: piece.char(), square, own, lifted: lift.at, returned: lift.back });
            }
        }
        list
    }

    /// What two hands would have done in this turn: two own pieces in the air at once, or a piece and the one it takes lifted at the same moment.
    pub(crate) fn two_hands(&self, by: Colour) -> Option<(TwoHands, u64)> {
        let is_own = |lift: &Lift| piece(lift.piece).is_some_and(|p| colour(p.color) == by);
        let pairs = || self.lifts.iter().enumerate().flat_map(|(i, a)| self.lifts[i + 1..].iter().map(move |b| (a, b)));
        let together = |(a, b): &(&Lift, &Lift)| is_own(a) && is_own(b) && a.square != b.square && a.down.is_none_or(|down| b.at < down);
        if let Some((a, b)) = pairs().find(together) {
            return Some((TwoHands::TwoOwnPieces, b.at.since(a.at)));
        }
        let (a, b) = pairs().find(|(a, b)| is_own(a) != is_own(b) && b.at.since(a.at) <= BOTH_MS)?;
        Some((TwoHands::Capture, b.at.since(a.at)))
    }

    /// Another turn begins; pieces still in the air go on being watched.
    pub(crate) fn next_turn(&mut self) {
        self.lifts.retain(|lift| lift.up);
    }

    pub(crate) fn clear(&mut self) {
        self.lifts.clear();
    }
}
