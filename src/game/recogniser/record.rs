//! What was played: moves made and completed, and the positions that count for repetition.
use crate::press::Displays;
use crate::recognition::illegal::is_unpromoted;
use crate::recognition::step::{Step, san, uci};
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Body, ClockPair, Colour, GameResult, Mono};
use flagfall_hands::position::Position;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Move, Position as _};

/// One ply of the record.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    pub(crate) by: Colour,
    /// The position it was played in.
    pub(crate) before: Position,
    /// It may be legal, but for the piece a pawn should have become (7.5.2).
    pub(crate) unpromoted: bool,
    pub(crate) mv: Move,
    pub(crate) uci: String,
    /// Where it is legal.
    pub(crate) san: Option<String>,
    /// It obeys Article 3.
    pub(crate) legal: bool,
    /// FEN field 1 after it.
    pub(crate) placement: String,
    /// Identity of the position after it, where that is legal chess.
    key: Option<u64>,
    pub(crate) completed: bool,
    /// By a press of its player.
    pub(crate) pressed: bool,
    /// When that was.
    pub(crate) pressed_at: Option<Mono>,
    /// Both displays at that press.
    pub(crate) at_press: Option<Displays>,
    /// The same as they were told.
    pub(crate) told: Option<ClockPair>,
    /// Its player's think time.
    pub(crate) spent_ms: Option<u64>,
    /// What the press added, milliseconds.
    pub(crate) earned_ms: i64,
}

impl Ply {
    /// `before` is the position it was played in, `after` the one it led to.
    pub(crate) fn new(before: &Position, step: &Step, after: &Position, chess960: bool) -> Self {
        Self {
            by: before.turn(),
            before: before.clone(),
            unpromoted: !step.legal && is_unpromoted(before, step.mv),
            mv: step.mv,
            uci: uci(step.mv, chess960),
            san: san(before, step),
            legal: step.legal,
            placement: crate::placement::Placement::of(after.board()).fen(),
            key: key(after),
            completed: false,
            pressed: false,
            pressed_at: None,
            at_press: None,
            told: None,
            spent_ms: None,
            earned_ms: 0,
        }
    }

    /// That it was made; `number` counts from 1.
    pub(crate) fn made(&self, number: u32, provisional: bool) -> Body {
        Body::MoveMade {
            ply: number,
            by: self.by,
            uci: self.uci.clone(),
            san: self.san.clone(),
            legal: self.legal,
            placement: self.placement.clone(),
            provisional,
        }
    }
}

impl Ply {
    /// It counts as the one that it was read for before.
    pub(crate) fn counts_as(&mut self, was: &Self) {
        (self.completed, self.pressed, self.pressed_at) = (was.completed, was.pressed, was.pressed_at);
        (self.at_press, self.told, self.spent_ms, self.earned_ms) = (was.at_press, was.told, was.spent_ms, was.earned_ms);
    }

    /// That its clock is another one than was told, if it is.
    pub(crate) fn retimed(&mut self, number: u32) -> Option<Body> {
        let clock = self.at_press.filter(|_| self.completed).map(|displays| displays.pair)?;
        if self.told.replace(clock) == Some(clock) {
            return None;
        }
        let (uci, san, was) = (self.uci.clone(), self.san.clone(), self.uci.clone());
        Some(Body::MoveRevised { ply: number, uci, san, was, clock: Some(clock), spent_ms: self.spent_ms })
    }

    /// That it was another move before.
    pub(crate) fn revised(&self, number: u32, was: String) -> Body {
        Body::MoveRevised { ply: number, uci: self.uci.clone(), san: self.san.clone(), was, clock: None, spent_ms: None }
    }
}

/// The identity of a position by 9.2: side to move, castling rights, legal en passant.
fn key(position: &Position) -> Option<u64> {
    position.legal().map(|chess| chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0)
}

/// Why a move ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) result: GameResult,
    pub(crate) reason: &'static str,
    pub(crate) article: &'static str,
}

/// The moves of one game, in order.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    start_key: Option<u64>,
    plies: Vec<Ply>,
    /// The position that is proved to be dead (5.2.2).
    dead: Option<u64>,
}

impl Record {
    pub(crate) fn new(start: &Position) -> Self {
        Self { start_key: key(start), plies: Vec::new(), dead: None }
    }

    pub(crate) fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The index of this ply, counted from 1, where the record still has this move there.
    pub(crate) fn index_of(&self, ply: u32, uci: &str) -> Option<usize> {
        let index = usize::try_from(ply).ok()?.checked_sub(1)?;
        self.plies.get(index).filter(|known| known.uci == uci).map(|_| index)
    }

    pub(crate) fn push(&mut self, ply: Ply) {
        self.plies.push(ply);
    }

    pub(crate) fn pop(&mut self) -> Option<Ply> {
        self.plies.pop()
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut Ply> {
        self.plies.get_mut(index)
    }

    /// Nobody can mate from this position by any series of legal moves.
    pub(crate) fn is_dead(&mut self, position: &Position) {
        self.dead = key(position);
    }

    /// Whether the last move ended the game: 5.1.1, 5.2.1, 5.2.2; where the edition has `automatic_draws`, 9.6.1 and 9.6.2.
    pub(crate) fn end(&self, position: &Position, automatic_draws: bool) -> Option<End> {
        let dead = self.dead.is_some() && self.dead == key(position);
        let position = position.legal()?;
        let draw = |reason, article| Some(End { result: GameResult::Draw, reason, article });
        let last = self.plies.last()?;
        if position.is_checkmate() {
            let result = if last.by == Colour::White { GameResult::WhiteWins } else { GameResult::BlackWins };
            return Some(End { result, reason: "checkmate", article: "5.1.1" });
        }
        if position.is_stalemate() {
            return draw("stalemate", "5.2.1");
        }
        // Where material alone decides, no proof is waited for.
        if dead || position.is_insufficient_material() {
            return draw("dead position", "5.2.2");
        }
        if automatic_draws && self.times_seen(last.key) >= 5 {
            return draw("fivefold repetition", "9.6.1");
        }
        if automatic_draws && position.halfmoves() >= 150 {
            return draw("75 moves", "9.6.2");
        }
        None
    }

    /// After which plies, 0 being the start, the same position stood before the one after the ply with this index (9.2).
    pub(crate) fn same_before(&self, index: usize) -> Vec<u32> {
        let Some(key) = self.plies.get(index).and_then(|ply| ply.key) else { return Vec::new() };
        let keys = core::iter::once(self.start_key).chain(self.plies[..index].iter().map(|ply| ply.key));
        (0..).zip(keys).filter(|(_, earlier)| *earlier == Some(key)).map(|(ply, _)| ply).collect()
    }

    fn times_seen(&self, key: Option<u64>) -> usize {
        self.plies.iter().filter(|p| p.key == key).count() + usize::from(self.start_key == key)
    }
}

/// The ply of an index of the record.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}
