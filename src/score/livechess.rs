//! The game on a board as clients of the LiveChess API see it: what was made and completed, in steps that can be replayed from any position of it.
use crate::position::find;
use crate::sheet::{Move, ScoreSheet};
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, FromSetup as _, Position as _, PositionError, Setup};

/// More squares than this between the board and the game, and they do not belong together: castling touches four.
const APART: usize = 4;

/// What leads from one position of a game to the next.
enum Step<'a> {
    Move(&'a Move),
    /// An arbiter set another position: no legal play leads across.
    Set(Box<Chess>),
}

/// A position of a line: how many steps lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor(usize);

/// What was played from a position on, as far as legal play and completed moves go.
#[derive(Clone, Debug)]
pub struct Played {
    /// The moves, English letters.
    pub sans: Vec<Arc<str>>,
    /// The position after them.
    pub position: Chess,
}

impl ScoreSheet {
    /// A game going on.
    pub fn is_live(&self) -> bool {
        self.epoch() > 0 && !self.is_over()
    }

    fn beginning(&self) -> Option<Chess> {
        setup(self.game().start_fen.as_deref()?).and_then(position)
    }

    fn steps(&self) -> Vec<Step<'_>> {
        let stands = |fen: &str| setup(fen).and_then(position).map(|set| Step::Set(Box::new(set)));
        let mut steps = Vec::new();
        // What is set up before the first game belongs to none.
        let mut set = self.positions_that_stand().filter(|_| self.epoch() > 0).peekable();
        for played in self.moves() {
            while let Some((_, fen)) = set.next_if(|(before, _)| *before < played.ply) {
                steps.extend(stands(fen));
            }
            steps.push(Step::Move(played));
        }
        steps.extend(set.filter_map(|(_, fen)| stands(fen)));
        steps
    }

    /// The place of a position in this game, its latest one where it occurred more than once; one whose move number is the same goes first.
    pub fn find(&self, wanted: &Chess) -> Option<Anchor> {
        let mut best: Option<(bool, bool, usize)> = None;
        let mut look = |index: usize, position: Option<&Chess>| {
            if let Some(position) = position.filter(|p| same(p, wanted)) {
                let same_rights = position.castles().castling_rights() == wanted.castles().castling_rights();
                let rank = (same_rights, position.fullmoves() == wanted.fullmoves(), index);
                best = best.max(Some(rank));
            }
        };
        let mut now = self.beginning();
        look(0, now.as_ref());
        for (i, step) in self.steps().iter().enumerate() {
            now = advance(now, step);
            look(i + 1, now.as_ref());
        }
        best.map(|(_, _, index)| Anchor(index))
    }

    /// Whether the position is still where it was found.
    pub fn holds(&self, anchor: Anchor, wanted: &Chess) -> bool {
        let steps = self.steps();
        let Some(before) = steps.get(..anchor.0) else { return false };
        before.iter().fold(self.beginning(), advance).is_some_and(|position| same(&position, wanted))
    }

    /// What was played from `anchor` on, told from the client's own position: legal moves without a gap, up to the last completed one, or to
    /// the ply that has `stood` where that is later ([`crate::standing`]; 0: none).
    pub fn played(&self, anchor: Anchor, from: &Chess, stood: u32) -> Played {
        let mut played = Played { sans: Vec::new(), position: from.clone() };
        let steps = self.steps();
        for step in steps.get(anchor.0..counted(&steps, stood)).unwrap_or_default() {
            match step {
                Step::Move(step) => {
                    let Some(found) = step.legal.then(|| find(&played.position, &step.uci)).flatten() else { break };
                    played.sans.push(SanPlus::from_move_and_play_unchecked(&mut played.position, found).to_string().into());
                }
                Step::Set(set) if same(set, &played.position) => {}
                Step::Set(_) => break,
            }
        }
        played
    }

    /// The record from the start, as far as [`ScoreSheet::played`] goes.
    pub fn line(&self, stood: u32) -> Vec<(Arc<str>, &Move)> {
        let Some(start) = self.beginning() else { return Vec::new() };
        self.played(Anchor(0), &start, stood).sans.into_iter().zip(self.moves()).collect()
    }

    /// An illegal move stands among the completed ones. A position that was set is none: what is played on from there may be legal.
    pub fn is_cut(&self) -> bool {
        let steps = self.steps();
        let Some(mut now) = self.beginning() else { return false };
        steps[..counted(&steps, 0)].iter().any(|step| match advance(Some(now.clone()), step) {
            Some(next) => {
                now = next;
                false
            }
            None => true,
        })
    }

    /// FEN field 1 as the game has it; `None` where that is not known.
    pub fn expected(&self) -> Option<Arc<str>> {
        let steps = self.steps();
        match steps.last() {
            Some(Step::Set(set)) => Some(set.board().to_string().into()),
            Some(Step::Move(Move { stands: Some(stands), .. })) => Some(stands.as_str().into()),
            // After a take-back only replaying tells.
            _ => steps.iter().fold(self.beginning(), advance).map(|p| Arc::from(p.board().to_string())),
        }
    }

    /// Whether what stands on the board can be this game: a piece or two may be in the air.
    pub fn stands_on(&self, placement: &str) -> bool {
        self.expected().is_none_or(|expected| squares_between(&expected, placement) <= APART)
    }
}

/// How many steps count. A move that was never completed counts where a later one does: the list has no holes.
fn counted(steps: &[Step<'_>], stood: u32) -> usize {
    steps.iter().rposition(|step| matches!(step, Step::Move(played) if played.completed || played.ply == stood)).map_or(0, |last| last + 1)
}

fn advance(now: Option<Chess>, step: &Step<'_>) -> Option<Chess> {
    match step {
        Step::Move(step) => {
            let position = now.filter(|_| step.legal)?;
            let found = find(&position, &step.uci)?;
            position.play(found).ok()
        }
        Step::Set(set) => Some(set.as_ref().clone()),
    }
}

/// The same pieces on the same squares, the same side to move.
fn same(one: &Chess, other: &Chess) -> bool {
    one.board() == other.board() && one.turn() == other.turn()
}

/// A position as a client or an arbiter writes it; castling letters in any order, Chess960 letters too.
pub fn setup(fen: &str) -> Option<Setup> {
    Some(fen.trim().parse::<Fen>().ok()?.into_setup())
}

/// Legal chess, or what is close to it: rights that cannot be are dropped.
pub fn position(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

fn squares_between(one: &str, other: &str) -> usize {
    squares(one).zip(squares(other)).filter(|(a, b)| a != b).count()
}

/// The 64 squares of FEN field 1, a blank for an empty one.
pub fn squares(placement: &str) -> impl Iterator<Item = char> {
    placement.chars().filter(|c| *c != '/').flat_map(|c| {
        let (piece, times) = c.to_digit(10).map_or((c, 1), |n| (' ', n as usize));
        core::iter::repeat_n(piece, times)
    })
}

#[cfg(test)]
#[path = "livechess_tests.rs"]
mod tests;
