//! A game as others replay it: one line of legal play from its start, as far as it goes, and what was played that no legal play leads to.
//!
//! Whoever writes moves that others replay takes them from here.
use crate::position::{find, is_at, position};
use crate::sheet::{Move, ScoreSheet};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position as _};

/// Why the line ends before the game did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutWhy {
    /// An illegal move stands.
    Illegal,
    /// The arbiter set a position that is not one of the game's.
    PositionSet,
    /// A move that does not follow from the position before it.
    NotLegalPlay,
    /// The game ended before the move was completed.
    NotCompleted,
}

/// The line of one game.
pub(crate) struct Line<'a> {
    /// Where it starts, FEN: as a position was set before the first move, else as the game began.
    pub(crate) start: Option<&'a str>,
    /// The position there.
    pub(crate) begins: Option<Chess>,
    /// Legal play from there, each move with the record's.
    pub(crate) played: Vec<(&'a Move, shakmaty::Move)>,
    /// Why it ends before the completed moves do.
    pub(crate) cut: Option<CutWhy>,
    /// What was completed from there on.
    pub(crate) rest: Vec<&'a Move>,
    /// What was made last, and never completed.
    pub(crate) open: &'a [Move],
}

impl<'a> Line<'a> {
    /// The line as the sheet has it now.
    pub(crate) fn of(sheet: &'a ScoreSheet) -> Self {
        let (game, moves) = (sheet.game(), sheet.moves());
        let mut line = LegalPlay::new(game.start_fen.as_deref(), game.chess960);
        // A move that was never completed stands where later ones were: the line has no holes.
        let completed = moves.iter().rposition(|m| m.completed).map_or(0, |last| last + 1);
        let mut set = sheet.positions_set().peekable();
        let (mut rest, mut cut): (Vec<&Move>, _) = (Vec::new(), None);
        for m in &moves[..completed] {
            while let Some((_, fen)) = set.next_if(|(before, _)| *before < m.ply) {
                if line.plies.is_empty() && rest.is_empty() {
                    line = LegalPlay::new(Some(fen), game.chess960);
                } else if line.back_to(fen) {
                    (rest, cut) = (Vec::new(), None);
                } else {
                    cut = cut.or(Some(CutWhy::PositionSet));
                }
            }
            if cut.is_none() {
                match m.legal.then(|| line.find(&m.uci)).flatten() {
                    Some(found) => line.push(m, found),
                    None => cut = Some(if m.legal { CutWhy::NotLegalPlay } else { CutWhy::Illegal }),
                }
            }
            if cut.is_some() {
                rest.push(m);
            }
        }
        for (_, fen) in set {
            // What was set last and not played from yet.
            if line.plies.is_empty() && rest.is_empty() {
                line = LegalPlay::new(Some(fen), game.chess960);
            } else if line.back_to(fen) {
                (rest, cut) = (Vec::new(), None);
            }
        }
        Self { start: line.start, begins: line.begins, played: line.plies, cut, rest, open: &moves[completed..] }
    }
}

/// Legal play from a start position, with every position on the way.
struct LegalPlay<'a> {
    start: Option<&'a str>,
    begins: Option<Chess>,
    now: Option<Chess>,
    plies: Vec<(&'a Move, shakmaty::Move)>,
    before: Vec<Chess>,
}

impl<'a> LegalPlay<'a> {
    fn new(start: Option<&'a str>, chess960: bool) -> Self {
        let begins = start.map_or_else(|| Some(Chess::default()), |fen| position(fen, chess960));
        Self { start, now: begins.clone(), begins, plies: Vec::new(), before: Vec::new() }
    }

    fn find(&self, uci: &str) -> Option<shakmaty::Move> {
        find(self.now.as_ref()?, uci)
    }

    fn push(&mut self, m: &'a Move, found: shakmaty::Move) {
        if let Some(now) = &mut self.now {
            self.before.push(now.clone());
            now.play_unchecked(found);
            self.plies.push((m, found));
        }
    }

    /// Takes the line back to where it had this position, the last time if it had it several times; never to its start, which would leave nothing of
    /// the game. False where it never did.
    fn back_to(&mut self, fen: &str) -> bool {
        if self.now.as_ref().is_some_and(|now| is_at(now, fen)) {
            return true;
        }
        let Some(ply) = self.before.iter().rposition(|position| is_at(position, fen)).filter(|ply| *ply > 0) else { return false };
        self.now = Some(self.before[ply].clone());
        self.before.truncate(ply);
        self.plies.truncate(ply);
        true
    }
}
