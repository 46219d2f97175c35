//! The game on one board, folded from its events, and the record that documents are made of.
use super::record::{Cut, CutWhy, GameRecord, LiveClock, Ply};
use crate::publish::score::Score;
use crate::publish::state::{BoardState, Move};
use flagfall_events::{Body, ClockSource, Colour, Event, How, Mono, ResultSource, Wall};
use shakmaty::{Chess, fen::Fen, san::SanPlus};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where the usual game starts.
const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The game on one board.
#[derive(Clone, Debug)]
pub struct LiveGame {
    state: BoardState,
    first_move_at: Option<Wall>,
    began: Option<Mono>,
    /// Where its end comes from, once it is over.
    ended: Option<ResultSource>,
    /// When each ply was completed.
    done: BTreeMap<u32, Mono>,
}

impl LiveGame {
    /// A board that goes on from `state`.
    pub const fn of(state: BoardState) -> Self {
        Self { state, first_move_at: None, began: None, ended: None, done: BTreeMap::new() }
    }

    /// A board that has said nothing yet.
    pub fn new(board: Arc<str>) -> Self {
        Self::of(BoardState::new(board))
    }

    /// The public state.
    pub const fn state(&self) -> &BoardState {
        &self.state
    }

    /// Takes the board's next event; the journal's order.
    pub fn apply(&mut self, event: &Event) {
        // A position that was set has no number of its own.
        if event.seq <= self.state.seq() && event.body.is_public() {
            return;
        }
        match &event.body {
            Body::GameStart { .. } => {}
            _ if event.is_of_another(self.state.game().number) => return self.state.apply(event),
            _ => {}
        }
        match &event.body {
            Body::GameStart { .. } => {
                self.done.clear();
                self.first_move_at = None;
                self.ended = None;
                self.began = Some(event.t);
            }
            Body::Result { source, .. } => self.ended = Some(*source).filter(|_| !event.reopens()),
            Body::MoveMade { ply: 1, .. } => self.first_move_at = Some(event.at),
            Body::MoveCompleted { ply, .. } => {
                self.done.insert(*ply, event.t);
                if *ply == 1 && self.first_move_at.is_none() {
                    self.first_move_at = Some(event.at);
                }
            }
            Body::MoveWithdrawn { ply, .. } => self.done.retain(|p, _| p < ply),
            _ => {}
        }
        self.state.apply(event);
    }

    /// The game as documents need it.
    pub fn record(&self) -> GameRecord {
        let (game, score) = (self.state.game(), Score::of(&self.state));
        let mut position = score.begins.clone().unwrap_or_default();
        let plies: Vec<Ply> = score.played.iter().map(|(m, found)| self.ply(m, *found, &mut position)).collect();
        let over = self.state.is_over();
        let (mut why, mut rest) = (score.cut, score.rest);
        if over && why.is_none() && !score.open.is_empty() {
            why = Some(CutWhy::NotCompleted);
            rest.extend(score.open);
        }
        let names = rest.iter().map(|m| m.san.as_deref().unwrap_or(&m.uci)).collect::<Vec<_>>().join(" ");
        let start = score.start.filter(|fen| *fen != USUAL_START && fen.parse::<Fen>().is_ok());
        GameRecord {
            board: self.state.board().to_string(),
            game: game.number,
            start: start.map(String::from),
            chess960: game.chess960,
            started_at: game.started_at,
            first_move_at: self.first_move_at.or(game.started_at).filter(|_| !plies.is_empty() || !names.is_empty()),
            time_control: game.time_control.clone(),
            moves: plies,
            cut: why.map(|why| Cut { why, moves: names }),
            result: game.result,
            reason: game.reason.clone(),
            source: self.ended.filter(|_| over),
            clock: if over { None } else { self.clock() },
        }
    }

    fn ply(&self, m: &Move, found: shakmaty::Move, position: &mut Chess) -> Ply {
        let san = SanPlus::from_move_and_play_unchecked(position, found).to_string();
        let clk = m.clock.map(|clock| match m.by {
            Colour::White => clock.white_ms,
            Colour::Black => clock.black_ms,
        });
        let guessed = matches!(m.how, Some(How::Recovered)) || !m.completed;
        // Without any reading the time between two completed moves is what was measured.
        let between = || {
            let before = if m.ply == 1 { self.began } else { self.done.get(&(m.ply - 1)).copied() };
            Some(self.done.get(&m.ply)?.since(before?))
        };
        let spent = m.spent_ms.or_else(|| if guessed || clk.is_some() { None } else { between() });
        let seconds = |ms: u64| u32::try_from(ms.saturating_add(500) / 1000).ok();
        Ply {
            by: m.by,
            san,
            uci: m.uci.clone(),
            clk: clk.and_then(|ms| u32::try_from(ms.max(0) / 1000).ok()),
            emt: spent.and_then(seconds),
            guessed,
        }
    }

    /// What the clock itself said last; nothing that was guessed or ruled.
    fn clock(&self) -> Option<LiveClock> {
        let reading = self.state.clock().filter(|reading| reading.state.source == ClockSource::Device)?;
        let seconds = |ms: Option<i64>| ms.and_then(|ms| u32::try_from(ms.max(0) / 1000).ok());
        Some(LiveClock {
            white: seconds(reading.state.white_ms),
            black: seconds(reading.state.black_ms),
            run: reading.state.running,
            at: reading.at,
        })
    }
}
