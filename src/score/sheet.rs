//! The score sheet: the one fold of what a board's events say of its games. Moves made and completed, revisions, take-backs, positions that were set,
//! results, one game after another are understood here; whoever shows, writes or judges a game asks the sheet.
pub use crate::played::Move;
use crate::plies::{Plies, Put};
use crate::position::{find, is_at, position, written};
use crate::times::Times;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use flagfall_events::{Body, Event, GameResult, Mono, ResultSource, Wall};
use serde::Serialize;
use shakmaty::{Chess, Position as _};

/// The game on a board. Everything is `null` until the first game begins, except `result`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameInfo {
    /// Which game of this board, from 1; `null` where it was recorded before games had numbers.
    pub number: Option<u32>,
    /// Edition of the Laws.
    pub rules: Option<String>,
    /// `standard`, `rapid` or `blitz`.
    pub play: Option<String>,
    /// PGN notation.
    pub time_control: Option<String>,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// `*` while the game goes on.
    pub result: GameResult,
    /// Why, one or two words, once there is a result.
    pub reason: Option<String>,
    /// Position before the first move, FEN.
    pub start_fen: Option<String>,
    /// Castling is written by king and rook.
    pub chess960: bool,
    /// When the game began.
    pub started_at: Option<Wall>,
    /// Twelve words by which the record of the game, up to its result, can be proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
}

impl Default for GameInfo {
    fn default() -> Self {
        Self {
            number: None,
            rules: None,
            play: None,
            time_control: None,
            white: None,
            black: None,
            result: GameResult::Open,
            reason: None,
            start_fen: None,
            chess960: false,
            started_at: None,
            receipt: None,
        }
    }
}

/// A position that was set.
#[derive(Clone, Debug)]
struct Set {
    /// The last ply before it.
    ply: u32,
    fen: String,
    /// It is not the one that the plies before it led to.
    moved: bool,
}

/// The game on a board as its events left it. Of the one before nothing is kept but the players' names.
#[derive(Clone, Debug, Default)]
pub struct ScoreSheet {
    game: GameInfo,
    /// Counts the games of this board that were seen; 0 before the first.
    epoch: u64,
    moves: Plies<Move>,
    /// The position that is being set: plies that lead to it may still be told.
    setting: Option<(Mono, String)>,
    set: Vec<Set>,
    /// The position before the first move, and that of the record, kept move by move so that a snapshot costs no replay.
    start: Option<Chess>,
    now: Option<Chess>,
    /// When the game began.
    began: Option<Mono>,
    first_move_at: Option<Wall>,
    /// Where its end comes from, once it is over.
    ended: Option<ResultSource>,
    /// Number of its last result.
    resulted: u64,
    /// What is known of its clock.
    times: Times,
}

impl ScoreSheet {
    /// Whether an event may change what was played; the clock's times are changed by others too.
    pub fn concerns(&self, body: &Body) -> bool {
        match body {
            Body::GameStart { .. }
            | Body::MoveMade { .. }
            | Body::MoveCompleted { .. }
            | Body::MoveRevised { .. }
            | Body::MoveWithdrawn { .. }
            | Body::Result { .. }
            | Body::Receipt(_) => true,
            Body::Ruling(ruling) => self.setting.is_some() || ruling.sets_position().is_some(),
            _ => self.setting.is_some(),
        }
    }

    /// Takes the board's next event; whether the sheet may be another one now. What is said of another game, a result that was entered late, changes
    /// nothing of this one. Whoever calls sees to it that no event comes twice.
    pub fn take(&mut self, event: &Event) -> bool {
        // What the clock shows after a game's end is none of its record.
        let over = self.is_over();
        let times = self.times.take(event, if over { &mut [] } else { &mut self.moves });
        let set = self.set_by(event) | times;
        if !matches!(event.body, Body::GameStart { .. }) && event.is_of_another(self.game.number) {
            return set;
        }
        match &event.body {
            Body::GameStart { .. } => self.begin(event),
            Body::MoveMade { ply, by, uci, san, legal, placement, .. } => {
                let follows = !self.set.iter().any(|set| set.moved && set.ply + 1 == *ply);
                if *ply == 1 {
                    self.first_move_at = Some(event.at);
                }
                self.put(Move {
                    placement: Some(placement.clone()).filter(|_| !follows),
                    stands: Some(placement.clone()),
                    done: self.moves.of(*ply).and_then(|known| known.done),
                    made: Some(event.t),
                    ..Move::of(*ply, *by, uci, san.as_deref(), *legal)
                });
            }
            Body::MoveCompleted { ply, by, uci, san, legal, how, clock, spent_ms, .. } => {
                if *ply == 1 {
                    self.first_move_at.get_or_insert(event.at);
                }
                let made = self.moves.of(*ply).filter(|made| made.uci == *uci);
                let (placement, stands) = made.map_or((None, None), |made| (made.placement.clone(), made.stands.clone()));
                let made = self.moves.of(*ply).and_then(|made| made.made);
                let (corrected_ms, doubt_ms) = self.times.completed(*by, *clock);
                self.put(Move {
                    completed: true,
                    how: Some(*how),
                    clock: *clock,
                    spent_ms: *spent_ms,
                    placement,
                    stands,
                    done: Some(event.t),
                    made,
                    read: *clock,
                    spent_read: *spent_ms,
                    corrected_ms,
                    doubt_ms,
                    ..Move::of(*ply, *by, uci, san.as_deref(), *legal)
                });
                self.times.fill(&mut self.moves);
            }
            Body::MoveRevised { ply, uci, san, clock, spent_ms, .. } => {
                let Some(known) = self.moves.of_mut(*ply) else { return true };
                let is_another = known.uci != *uci;
                if is_another {
                    known.uci.clone_from(uci);
                    known.san.clone_from(san);
                    known.legal = san.is_some();
                    (known.placement, known.stands) = (None, None);
                }
                if clock.is_some() {
                    (known.read, known.clock, known.corrected_ms) = (*clock, *clock, 0);
                    (known.spent_read, known.spent_ms) = (*spent_ms, *spent_ms);
                    self.times.fill(&mut self.moves);
                }
                if is_another {
                    self.replay();
                }
            }
            Body::MoveWithdrawn { ply, .. } => {
                drop(self.moves.take_back(*ply));
                self.set.retain(|set| set.ply < *ply);
                self.replay();
                self.times.fill(&mut self.moves);
            }
            Body::Result { result, reason, source, .. } => {
                self.game.result = *result;
                // One that is reopened goes on.
                let goes_on = event.reopens();
                self.game.reason = Some(reason.clone()).filter(|_| !goes_on);
                self.ended = Some(*source).filter(|_| !goes_on);
                (self.resulted, self.game.receipt) = (event.seq, None);
            }
            Body::Receipt(receipt) if receipt.of == self.resulted && self.is_over() => self.game.receipt = Some(receipt.words.clone()),
            // What is set up after a game's end is none of its record.
            Body::Ruling(ruling) if !self.is_over() => match ruling.sets_position() {
                Some(fen) => self.setting = Some((event.t, String::from(fen))),
                None => return set,
            },
            _ => return set,
        }
        true
    }

    fn begin(&mut self, event: &Event) {
        let Body::GameStart { fen, rules, play, time_control, chess960, began } = &event.body else { return };
        let start = position(fen, *chess960);
        let game = GameInfo {
            number: event.game,
            rules: Some(rules.to_string()),
            play: Some(play.to_string()),
            time_control: time_control.clone(),
            white: self.game.white.take(),
            black: self.game.black.take(),
            result: GameResult::Open,
            reason: None,
            start_fen: Some(fen.clone()),
            chess960: *chess960,
            started_at: Some(began.unwrap_or(event.at)),
            receipt: None,
        };
        let times = self.times.next_game(game.time_control.as_deref());
        *self = Self { game, epoch: self.epoch + 1, now: start.clone(), start, began: Some(event.t), times, ..Self::default() };
    }

    /// A position that is being set is set once it stands, or once that moment is past: the plies that lead to it come before. Whether it is now.
    fn set_by(&mut self, event: &Event) -> bool {
        let stands = |fen: &str| matches!(&event.body, Body::Placement { placement, .. } if fen.split(' ').next() == Some(placement));
        let Some((_, fen)) = self.setting.take_if(|(t, fen)| *t != event.t || stands(fen)) else { return false };
        self.put_set(self.plies(), fen);
        true
    }

    fn put_set(&mut self, ply: u32, fen: String) {
        let moved = !self.now.as_ref().is_some_and(|now| is_at(now, &fen));
        if moved {
            self.now = position(&fen, self.game.chess960);
        }
        self.set.push(Set { ply, fen, moved });
    }

    fn put(&mut self, played: Move) {
        let (ply, now) = (played.ply, self.now.take());
        let same = |known: &Move, old: &Move| known.uci == old.uci && known.legal == old.legal;
        match self.moves.put(played) {
            Put::OnTop => self.now = self.moves.last().and_then(|last| advance(now, last)),
            Put::Over(old) if self.moves.of(ply).is_some_and(|known| same(known, &old)) => self.now = now,
            Put::Over(_) | Put::Between => self.replay(),
        }
    }

    fn replay(&mut self) {
        self.now.clone_from(&self.start);
        let moves = core::mem::take(&mut self.moves);
        let mut set = core::mem::take(&mut self.set).into_iter().peekable();
        for played in moves.iter() {
            while let Some(before) = set.next_if(|set| set.ply < played.ply) {
                self.put_set(before.ply, before.fen);
            }
            self.now = advance(self.now.take(), played);
        }
        set.for_each(|set| self.put_set(set.ply, set.fen));
        self.moves = moves;
    }

    /// Names the players, of this game and those that follow.
    pub fn set_players(&mut self, white: Option<String>, black: Option<String>) {
        (self.game.white, self.game.black) = (white, black);
    }

    /// The game on the board.
    pub const fn game(&self) -> &GameInfo {
        &self.game
    }

    /// Counts the games of this board that were seen; 0 before the first.
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The record, first move first.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Number of the last ply; 0 before the first.
    pub fn plies(&self) -> u32 {
        self.moves.last().map_or(0, |last| last.ply)
    }

    /// A game has begun and is not over.
    pub fn is_playing(&self) -> bool {
        self.game.start_fen.is_some() && !self.is_over()
    }

    /// The game is over, with or without a result.
    pub fn is_over(&self) -> bool {
        self.game.result != GameResult::Open || self.game.reason.is_some()
    }

    /// Where its end comes from, once it is over.
    pub fn ended(&self) -> Option<ResultSource> {
        self.ended.filter(|_| self.is_over())
    }

    /// When the ply before this one was completed; before the first, when the game began.
    pub(crate) fn done_before(&self, ply: u32) -> Option<Mono> {
        if ply == 1 { self.began } else { self.moves.of(ply.checked_sub(1)?)?.done }
    }

    /// When its first move was made.
    pub(crate) const fn first_move_at(&self) -> Option<Wall> {
        self.first_move_at
    }

    /// The positions that were set in this game, each with the last ply before it.
    pub(crate) fn positions_set(&self) -> impl Iterator<Item = (u32, &str)> {
        let last = self.plies();
        self.positions_that_stand().chain(self.setting.iter().map(move |(_, fen)| (last, fen.as_str())))
    }

    /// The same without the one that is being set.
    pub(crate) fn positions_that_stand(&self) -> impl Iterator<Item = (u32, &str)> {
        self.set.iter().map(|set| (set.ply, set.fen.as_str()))
    }

    /// The position of the record, FEN; `None` before the first game, and from an illegal move on until a position is set.
    pub fn fen(&self) -> Option<String> {
        self.now.as_ref().map(written)
    }
}

fn advance(now: Option<Chess>, played: &Move) -> Option<Chess> {
    let position = now.filter(|_| played.legal)?;
    let found = find(&position, &played.uci)?;
    position.play(found).ok()
}

/// The position that an entry set.
pub fn set_position(body: &Body) -> Option<&str> {
    match body {
        Body::Ruling(ruling) => ruling.sets_position(),
        _ => None,
    }
}
