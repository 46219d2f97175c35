//! What a public reader knows of one board: a fold over the board's events, and the board object of the HTTP interface.
//!
//! Knows nothing of sockets, time or other boards: any source of events can feed it.
use super::score;
use super::stage::Ages;
use flagfall_events::{Body, ClockPair, ClockState, Colour, Event, GameResult, How, LinkState, Mono, Wall};
use serde::Serialize;
use shakmaty::{Chess, EnPassantMode, Position, fen::Fen, uci::UciMove};
use std::sync::Arc;

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
}

/// One move of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Move {
    /// From 1 at the game's first move.
    pub ply: u32,
    /// Who moved.
    pub by: Colour,
    /// UCI.
    pub uci: String,
    /// SAN, where the move is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Legal.
    pub legal: bool,
    /// It counts (6.2.1).
    pub completed: bool,
    /// How it was completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
    /// Both displays at the press.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockPair>,
    /// Think time, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// FEN field 1 after it, where an arbiter set another position before it: the move does not follow from the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
}

/// The clock as last reported, and when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClockReading {
    /// The event's fields.
    #[serde(flatten)]
    pub state: ClockState,
    /// When it was read, milliseconds since the board's journal opened.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
}

/// One board as its events left it.
#[derive(Clone, Debug)]
pub struct BoardState {
    board: Arc<str>,
    seq: u64,
    link: LinkState,
    game: GameInfo,
    placement: Option<String>,
    clock: Option<ClockReading>,
    moves: Vec<Move>,
    line: RecordPosition,
    /// The position that is being set: plies that lead to it may still be told.
    setting: Option<(Mono, String)>,
    pi: Option<Pi>,
}

/// The machine a board is plugged into, as a hall sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pi {
    /// Its name.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub name: Arc<str>,
    /// It is not heard any more: what is shown is what was heard last.
    pub away: bool,
}

impl BoardState {
    /// A board that has said nothing yet: link down, no game.
    pub fn new(board: Arc<str>) -> Self {
        let game = GameInfo {
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
        };
        Self {
            board,
            seq: 0,
            link: LinkState::Down,
            game,
            placement: None,
            clock: None,
            moves: Vec::new(),
            line: RecordPosition::default(),
            setting: None,
            pi: None,
        }
    }

    /// Takes the next event of this board. An event that is not news (its `seq` was seen) changes nothing; one that a public
    /// stream may not carry changes only `seq`, but for a position that was set, which the record needs.
    pub fn apply(&mut self, event: &Event) {
        let set = set_position(&event.body);
        // Where it is public it has no number of its own.
        if event.seq < self.seq || (event.seq == self.seq && set.is_none()) {
            return;
        }
        self.seq = event.seq;
        self.set_by(event);
        // What is said of another game, a result that was entered late, changes nothing of this one.
        if !matches!(event.body, Body::GameStart { .. }) && event.is_of_another(self.game.number) {
            return;
        }
        match &event.body {
            Body::Link { state, .. } => self.link = *state,
            Body::Placement { placement, .. } => self.placement = Some(placement.clone()),
            // What is set up after a game's end is none of its record.
            Body::Ruling(_) if !self.is_over() => {
                self.setting = set.map(|fen| (event.t, String::from(fen))).or_else(|| self.setting.take());
            }
            Body::Clock(state) => self.clock = Some(ClockReading { state: *state, t: event.t, at: event.at }),
            Body::GameStart { fen, rules, play, time_control, chess960 } => {
                self.game.number = event.game;
                self.game.rules = Some(rules.to_string());
                self.game.play = Some(play.to_string());
                self.game.time_control.clone_from(time_control);
                self.game.start_fen = Some(fen.clone());
                self.game.chess960 = *chess960;
                self.game.started_at = Some(event.at);
                self.game.result = GameResult::Open;
                self.game.reason = None;
                self.moves.clear();
                self.setting = None;
                self.line = RecordPosition::new(fen, *chess960);
            }
            Body::MoveMade { ply, by, uci, san, legal, placement, .. } => {
                self.placement = Some(placement.clone());
                let follows = !self.line.set.iter().any(|set| set.moved && set.ply + 1 == *ply);
                self.put(Move {
                    ply: *ply,
                    by: *by,
                    uci: uci.clone(),
                    san: san.clone(),
                    legal: *legal,
                    completed: false,
                    how: None,
                    clock: None,
                    spent_ms: None,
                    placement: Some(placement.clone()).filter(|_| !follows),
                });
            }
            Body::MoveRevised { ply, uci, san, .. } => {
                if let Some(m) = self.moves.iter_mut().find(|m| m.ply == *ply) {
                    m.uci.clone_from(uci);
                    m.san.clone_from(san);
                    m.legal = san.is_some();
                    m.placement = None;
                    self.line.replay(&self.moves);
                }
            }
            Body::MoveWithdrawn { ply, .. } => {
                self.moves.retain(|m| m.ply < *ply);
                self.line.set.retain(|set| set.ply < *ply);
                self.line.replay(&self.moves);
            }
            Body::MoveCompleted { ply, by, uci, san, legal, how, clock, spent_ms, .. } => {
                let made = self.moves.iter().find(|m| m.ply == *ply && m.uci == *uci);
                let placement = made.and_then(|made| made.placement.clone());
                self.put(Move {
                    ply: *ply,
                    by: *by,
                    uci: uci.clone(),
                    san: san.clone(),
                    legal: *legal,
                    completed: true,
                    how: Some(*how),
                    clock: *clock,
                    spent_ms: *spent_ms,
                    placement,
                });
            }
            Body::Result { result, reason, .. } => {
                self.game.result = *result;
                // One that is reopened goes on.
                self.game.reason = Some(reason.clone()).filter(|_| !event.reopens());
            }
            _ => {}
        }
    }

    /// A position that is being set is set once it stands, or once that moment is past: the plies that lead to it come before.
    fn set_by(&mut self, event: &Event) {
        let stands = |fen: &str| matches!(&event.body, Body::Placement { placement, .. } if fen.split(' ').next() == Some(placement));
        let Some((_, fen)) = self.setting.take_if(|(t, fen)| *t != event.t || stands(fen)) else { return };
        self.line.put(self.moves.last().map_or(0, |m| m.ply), fen);
    }

    /// The positions that were set in this game, each with the last ply before it.
    pub(super) fn positions_set(&self) -> impl Iterator<Item = (u32, &str)> {
        let last = self.moves.last().map_or(0, |m| m.ply);
        let set = self.line.set.iter().map(|set| (set.ply, set.fen.as_str()));
        set.chain(self.setting.iter().map(move |(_, fen)| (last, fen.as_str())))
    }

    /// Names the players, for the board object and the PGN tags.
    pub fn set_players(&mut self, white: Option<String>, black: Option<String>) {
        self.game.white = white;
        self.game.black = black;
    }

    /// The board's name.
    pub const fn board(&self) -> &Arc<str> {
        &self.board
    }

    /// Sequence number of the last event seen; 0 before the first.
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// Whether the board answers. Nobody knows it of a board whose Pi is away.
    pub const fn link(&self) -> LinkState {
        if self.is_away() { LinkState::Down } else { self.link }
    }

    /// The same board when its numbering begins anew: nothing but who plays, and where it is.
    pub fn anew(&self) -> Self {
        let mut anew = Self { pi: self.pi.clone(), ..Self::new(self.board.clone()) };
        anew.set_players(self.game.white.clone(), self.game.black.clone());
        anew
    }

    /// Says which Pi the board is at.
    pub fn set_pi(&mut self, pi: Pi) {
        self.pi = Some(pi);
    }

    const fn is_away(&self) -> bool {
        matches!(&self.pi, Some(Pi { away: true, .. }))
    }

    /// The game on the board.
    pub const fn game(&self) -> &GameInfo {
        &self.game
    }

    /// A game has begun and is not over.
    pub(super) fn is_playing(&self) -> bool {
        self.game.start_fen.is_some() && !self.is_over()
    }

    /// The game is over, with or without a result.
    pub fn is_over(&self) -> bool {
        self.game.result != GameResult::Open || self.game.reason.is_some()
    }

    /// The record, first move first.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The clock as last reported.
    pub const fn clock(&self) -> Option<&ClockReading> {
        self.clock.as_ref()
    }

    /// The position of the record; `None` before the first game, and from an illegal move on until a position is set.
    pub fn fen(&self) -> Option<String> {
        let position = self.line.now.as_ref()?;
        Some(Fen::from_position(position, EnPassantMode::Legal).to_string())
    }

    /// The board object. The clock's age says how long ago it was read; a reader whose own clock is wrong can extrapolate
    /// from it. Of a board whose Pi is away nobody knows that its clock runs. With `with_moves` it has the whole record.
    pub fn view(&self, ages: Ages, with_moves: bool) -> BoardView<'_> {
        let away = self.is_away();
        BoardView {
            board: &self.board,
            link: self.link(),
            game: &self.game,
            placement: self.placement.as_deref(),
            fen: self.fen(),
            plies_made: self.moves.last().map_or(0, |m| m.ply),
            plies_completed: self.moves.iter().rev().find(|m| m.completed).map_or(0, |m| m.ply),
            last: self.moves.last().map(|m| LastMove { ply: m.ply, uci: &m.uci, san: m.san.as_deref(), completed: m.completed }),
            clock: self.clock.map(|mut reading| {
                reading.state.running = reading.state.running.filter(|_| !away);
                AgedReading { reading, age_ms: ages.clock }
            }),
            pi: self.pi.as_ref().map(|pi| PiView { pi, silent_ms: ages.silent.filter(|_| away) }),
            seq: self.seq,
            moves: with_moves.then_some(&self.moves),
        }
    }

    /// Puts a move where its ply belongs: on top, or over what was there.
    fn put(&mut self, m: Move) {
        match self.moves.iter().position(|old| old.ply >= m.ply) {
            None => {
                self.line.push(&m);
                self.moves.push(m);
            }
            Some(i) if self.moves[i].ply == m.ply => {
                let same = self.moves[i].uci == m.uci && self.moves[i].legal == m.legal;
                self.moves[i] = m;
                if !same {
                    self.line.replay(&self.moves);
                }
            }
            Some(i) => {
                self.moves.insert(i, m);
                self.line.replay(&self.moves);
            }
        }
    }
}

/// The games of one board, one after the other, as a recording has them: a result that was entered late belongs to the game it names.
#[derive(Debug)]
pub struct Games {
    done: Vec<BoardState>,
    now: BoardState,
}

impl Games {
    /// A board that has said nothing yet.
    pub fn new(board: Arc<str>) -> Self {
        Self { done: Vec::new(), now: BoardState::new(board) }
    }

    /// Takes the board's next event.
    pub fn take(&mut self, event: &Event) {
        if matches!(event.body, Body::GameStart { .. }) && !self.now.moves().is_empty() {
            self.done.push(self.now.clone());
        } else if event.is_of_another(self.now.game.number) {
            let game = self.done.iter_mut().rev().find(|game| game.game.number == event.game);
            game.into_iter().for_each(|game| game.apply(event));
        }
        self.now.apply(event);
    }

    /// Those with moves, in the order in which they were played.
    pub fn played(&self) -> impl Iterator<Item = &BoardState> {
        self.done.iter().chain([&self.now]).filter(|game| !game.moves().is_empty())
    }
}

/// The board object of the HTTP interface.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BoardView<'a> {
    board: &'a str,
    link: LinkState,
    game: &'a GameInfo,
    placement: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    plies_made: u32,
    plies_completed: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<LastMove<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<AgedReading>,
    seq: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pi: Option<PiView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'a Vec<Move>>,
}

/// The board's Pi, in a hall.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct PiView<'a> {
    #[serde(flatten)]
    pi: &'a Pi,
    /// Since when it was not heard, where it is away, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    silent_ms: Option<u64>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct LastMove<'a> {
    ply: u32,
    uci: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<&'a str>,
    completed: bool,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct AgedReading {
    #[serde(flatten)]
    reading: ClockReading,
    #[serde(skip_serializing_if = "Option::is_none")]
    age_ms: Option<u64>,
}

/// The position of the record, kept move by move so that a snapshot costs no replay.
#[derive(Clone, Debug, Default)]
struct RecordPosition {
    start: Option<Chess>,
    chess960: bool,
    now: Option<Chess>,
    set: Vec<Set>,
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

impl RecordPosition {
    fn new(fen: &str, chess960: bool) -> Self {
        let start = score::position(fen, chess960);
        Self { now: start.clone(), start, chess960, set: Vec::new() }
    }

    fn push(&mut self, m: &Move) {
        self.now = self.now.take().filter(|_| m.legal).and_then(|position| {
            let found = find(&position, &m.uci)?;
            position.play(found).ok()
        });
    }

    fn put(&mut self, ply: u32, fen: String) {
        let moved = !self.now.as_ref().is_some_and(|now| score::is_at(now, &fen));
        if moved {
            self.now = score::position(&fen, self.chess960);
        }
        self.set.push(Set { ply, fen, moved });
    }

    fn replay(&mut self, moves: &[Move]) {
        self.now.clone_from(&self.start);
        let mut set = std::mem::take(&mut self.set).into_iter().peekable();
        for m in moves {
            while let Some(before) = set.next_if(|set| set.ply < m.ply) {
                self.put(before.ply, before.fen);
            }
            self.push(m);
        }
        set.for_each(|set| self.put(set.ply, set.fen));
    }
}

fn find(position: &Chess, uci: &str) -> Option<shakmaty::Move> {
    uci.parse::<UciMove>().ok()?.to_move(position).ok()
}

/// The position that an entry set.
pub(super) fn set_position(body: &Body) -> Option<&str> {
    match body {
        Body::Ruling(ruling) => ruling.sets_position(),
        _ => None,
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
