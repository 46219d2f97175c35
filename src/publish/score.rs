//! The score of a game: one line of legal play from its start, as far as it goes, and what was played that no legal play leads to.
//!
//! Whoever writes moves that others replay takes them from here.
use super::event_info::record::CutWhy;
use super::state::{BoardState, Move};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup as _, Position as _, PositionError};

/// The score of one game.
pub(super) struct Score<'a> {
    /// Where it starts, FEN: as a position was set before the first move, else as the game began.
    pub(super) start: Option<&'a str>,
    /// The position there.
    pub(super) begins: Option<Chess>,
    /// Legal play from there, each move with the record's.
    pub(super) played: Vec<(&'a Move, shakmaty::Move)>,
    /// Why it ends before the completed moves do.
    pub(super) cut: Option<CutWhy>,
    /// What was completed from there on.
    pub(super) rest: Vec<&'a Move>,
    /// What was made last, and never completed.
    pub(super) open: &'a [Move],
}

impl<'a> Score<'a> {
    /// The score as the record has it now.
    pub(super) fn of(state: &'a BoardState) -> Self {
        let (game, moves) = (state.game(), state.moves());
        let mut line = LegalPlay::new(game.start_fen.as_deref(), game.chess960);
        // A move that was never completed stands where later ones were: the score has no holes.
        let completed = moves.iter().rposition(|m| m.completed).map_or(0, |last| last + 1);
        let mut set = state.positions_set().peekable();
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

/// A position as it was set or begun with; what is not quite legal chess as well, as far as it can be played on from.
pub(super) fn position(fen: &str, chess960: bool) -> Option<Chess> {
    let setup = Fen::from_ascii(fen.as_bytes()).ok()?.into_setup();
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::detect(&setup) };
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// Whether a position has the pieces and the side to move that a FEN names.
pub(super) fn is_at(position: &Chess, fen: &str) -> bool {
    let head = |fen: &str| fen.split(' ').take(2).map(String::from).collect::<Vec<_>>();
    head(&Fen::from_position(position, EnPassantMode::Legal).to_string()) == head(fen)
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
        uci.parse::<UciMove>().ok()?.to_move(self.now.as_ref()?).ok()
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
