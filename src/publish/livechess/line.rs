//! The game on a board as the clients of this API see it: what was made and completed, in steps that can be replayed from any position of it.
//!
//! Pure: a fold over the board's events.
use flagfall_events::{Body, GameResult, REOPENED, Ruling};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, FromSetup as _, Position as _, PositionError, Setup};
use std::sync::Arc;

/// More squares than this between the board and the game, and they do not belong together: castling touches four.
const APART: usize = 4;

/// One move of the record.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    ply: u32,
    pub(crate) uci: String,
    legal: bool,
    completed: bool,
    /// FEN field 1 after it.
    stands: Option<Arc<str>>,
}

#[derive(Clone, Debug)]
enum Entry {
    Move(Step),
    /// An arbiter set another position: no legal play leads across.
    Set(Box<Chess>),
}

/// One game.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScoreSheet {
    /// Counts the games of this board; 0 before the first.
    pub(crate) epoch: u64,
    start: Option<Chess>,
    pub(crate) result: Option<GameResult>,
    entries: Vec<Entry>,
    /// A position that is being set: the plies that lead to it come first.
    setting: Option<Box<Chess>>,
}

/// A position of a line: how many entries lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor(usize);

/// What was played from a position on, as far as legal play and completed moves go.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) sans: Vec<Arc<str>>,
    /// The position after them.
    pub(crate) position: Chess,
}

impl ScoreSheet {
    /// Whether an event may change the line.
    pub(crate) const fn concerns(&self, body: &Body) -> bool {
        match body {
            Body::GameStart { .. }
            | Body::MoveMade { .. }
            | Body::MoveCompleted { .. }
            | Body::MoveRevised { .. }
            | Body::MoveWithdrawn { .. }
            | Body::Result { .. }
            | Body::Ruling(_) => true,
            Body::Placement { .. } => self.setting.is_some(),
            _ => false,
        }
    }

    /// Takes an event; whether the line is another one now.
    pub(crate) fn apply(&mut self, body: &Body) -> bool {
        match body {
            Body::GameStart { fen, .. } => {
                let start = setup(fen).and_then(position);
                *self = Self { epoch: self.epoch + 1, start, ..Self::default() };
            }
            Body::MoveMade { ply, uci, legal, placement, .. } => {
                let stands = Some(placement.as_str().into());
                self.put(Step { ply: *ply, uci: uci.clone(), legal: *legal, completed: false, stands });
            }
            Body::MoveCompleted { ply, uci, legal, .. } => {
                let stands = self.steps().find(|s| s.ply == *ply && s.uci == *uci).and_then(|s| s.stands.clone());
                self.put(Step { ply: *ply, uci: uci.clone(), legal: *legal, completed: true, stands });
            }
            Body::MoveRevised { ply, uci, san, .. } => {
                for entry in &mut self.entries {
                    if let Entry::Move(step) = entry
                        && step.ply == *ply
                    {
                        step.uci.clone_from(uci);
                        step.legal = san.is_some();
                        step.stands = None;
                    }
                }
            }
            Body::MoveWithdrawn { ply, .. } => {
                if let Some(first) = self.entries.iter().position(|e| matches!(e, Entry::Move(step) if step.ply >= *ply)) {
                    self.entries.truncate(first);
                }
            }
            Body::Result { result, reason, .. } => self.result = Some(*result).filter(|_| reason != REOPENED),
            Body::Ruling(ruling) => return self.ruled(ruling),
            // What was set stands.
            Body::Placement { .. } => match self.setting.take() {
                Some(set) => self.entries.push(Entry::Set(set)),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    fn ruled(&mut self, ruling: &Ruling) -> bool {
        let Some(fen) = ruling.sets_position() else { return false };
        if !self.is_live() {
            return false;
        }
        self.setting = setup(fen).and_then(position).map(Box::new);
        self.setting.is_some()
    }

    /// Puts a move where its ply belongs: on top, or over what was there.
    fn put(&mut self, step: Step) {
        let ply = step.ply;
        let there = self.entries.iter().position(|e| matches!(e, Entry::Move(old) if old.ply >= ply));
        match there {
            None => self.entries.push(Entry::Move(step)),
            Some(i) => match &mut self.entries[i] {
                Entry::Move(old) if old.ply == ply => *old = step,
                _ => self.entries.insert(i, Entry::Move(step)),
            },
        }
    }

    fn steps(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Move(step) => Some(step),
            Entry::Set(_) => None,
        })
    }

    /// A game is going on.
    pub(crate) fn is_live(&self) -> bool {
        self.epoch > 0 && self.result.is_none()
    }

    /// The place of a position in this game, its latest one where it occurred more than once; one whose move number is the same goes first.
    pub(crate) fn find(&self, wanted: &Chess) -> Option<Anchor> {
        let mut best: Option<(bool, bool, usize)> = None;
        let mut look = |index: usize, position: Option<&Chess>| {
            if let Some(position) = position.filter(|p| same(p, wanted)) {
                let same_rights = position.castles().castling_rights() == wanted.castles().castling_rights();
                let rank = (same_rights, position.fullmoves() == wanted.fullmoves(), index);
                best = best.max(Some(rank));
            }
        };
        let mut now = self.start.clone();
        look(0, now.as_ref());
        for (i, entry) in self.entries.iter().enumerate() {
            now = advance(now, entry);
            look(i + 1, now.as_ref());
        }
        best.map(|(_, _, index)| Anchor(index))
    }

    /// Whether the position is still where it was found.
    pub(crate) fn holds(&self, anchor: Anchor, wanted: &Chess) -> bool {
        let Some(before) = self.entries.get(..anchor.0) else { return false };
        before.iter().fold(self.start.clone(), advance).is_some_and(|position| same(&position, wanted))
    }

    /// What was played from `anchor` on, told from the client's own position: legal moves without a gap, up to the last completed one.
    pub(crate) fn played(&self, anchor: Anchor, from: &Chess) -> Played {
        let mut played = Played { sans: Vec::new(), position: from.clone() };
        // A move that was never completed counts where a later one does: the list has no holes.
        let counted = self.entries.iter().rposition(|e| matches!(e, Entry::Move(step) if step.completed)).map_or(0, |last| last + 1);
        for entry in self.entries.get(anchor.0..counted).unwrap_or_default() {
            match entry {
                Entry::Move(step) => {
                    let Some(found) = step.legal.then(|| find(&played.position, &step.uci)).flatten() else { break };
                    played.sans.push(SanPlus::from_move_and_play_unchecked(&mut played.position, found).to_string().into());
                }
                Entry::Set(set) if same(set, &played.position) => {}
                Entry::Set(_) => break,
            }
        }
        played
    }

    /// The record from the start, as far as [`ScoreSheet::played`] goes.
    pub(crate) fn record(&self) -> Vec<(Arc<str>, &Step)> {
        let Some(start) = &self.start else { return Vec::new() };
        self.played(Anchor(0), start).sans.into_iter().zip(self.steps()).collect()
    }

    /// An illegal move stands among the completed ones. A position that was set is none: what is played on from there may be legal.
    pub(crate) fn is_cut(&self) -> bool {
        let counted = self.entries.iter().rposition(|e| matches!(e, Entry::Move(step) if step.completed)).map_or(0, |last| last + 1);
        let Some(mut now) = self.start.clone() else { return false };
        self.entries.iter().take(counted).any(|entry| match advance(Some(now.clone()), entry) {
            Some(next) => {
                now = next;
                false
            }
            None => true,
        })
    }

    /// FEN field 1 as the game has it; `None` where that is not known.
    pub(crate) fn expected(&self) -> Option<Arc<str>> {
        match self.entries.last() {
            Some(Entry::Set(set)) => Some(set.board().to_string().into()),
            Some(Entry::Move(Step { stands: Some(stands), .. })) => Some(stands.clone()),
            // After a take-back only replaying tells.
            _ => self.entries.iter().fold(self.start.clone(), advance).map(|p| Arc::from(p.board().to_string())),
        }
    }

    /// Whether what stands on the board can be this game: a piece or two may be in the air.
    pub(crate) fn stands_on(&self, placement: &str) -> bool {
        self.expected().is_none_or(|expected| squares_between(&expected, placement) <= APART)
    }
}

fn advance(now: Option<Chess>, entry: &Entry) -> Option<Chess> {
    match entry {
        Entry::Move(step) => {
            let position = now.filter(|_| step.legal)?;
            let found = find(&position, &step.uci)?;
            position.play(found).ok()
        }
        Entry::Set(set) => Some(set.as_ref().clone()),
    }
}

/// The same pieces on the same squares, the same side to move.
fn same(one: &Chess, other: &Chess) -> bool {
    one.board() == other.board() && one.turn() == other.turn()
}

fn find(position: &Chess, uci: &str) -> Option<shakmaty::Move> {
    uci.parse::<UciMove>().ok()?.to_move(position).ok()
}

/// A position as a client or an arbiter writes it; castling letters in any order, Chess960 letters too.
pub(crate) fn setup(fen: &str) -> Option<Setup> {
    Some(fen.trim().parse::<Fen>().ok()?.into_setup())
}

/// Legal chess, or what is close to it: rights that cannot be are dropped.
pub(crate) fn position(setup: Setup) -> Option<Chess> {
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
pub(crate) fn squares(placement: &str) -> impl Iterator<Item = char> {
    placement.chars().filter(|c| *c != '/').flat_map(|c| {
        let (piece, times) = c.to_digit(10).map_or((c, 1), |n| (' ', n as usize));
        std::iter::repeat_n(piece, times)
    })
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
