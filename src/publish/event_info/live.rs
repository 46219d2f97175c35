//! The game on one board, folded from its events, and the record that documents are made of.
//!
//! Beside the public state it knows what the arbiter set: moves after a position that was set do not follow from those before it.
use super::record::{Cut, CutWhy, GameRecord, LiveClock, Ply};
use crate::game::event::{Body, ClockSource, Colour, Event, How, ResultSource};
use crate::publish::state::{BoardState, Move};
use crate::time::{Mono, Wall};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, san::SanPlus, uci::UciMove};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where the usual game starts.
const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The game on one board.
#[derive(Clone, Debug)]
pub struct LiveGame {
    state: BoardState,
    /// Positions the arbiter set, each with the last ply before it.
    set: Vec<(u32, String)>,
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
        Self { state, set: Vec::new(), first_move_at: None, began: None, ended: None, done: BTreeMap::new() }
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
                self.set.clear();
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
            Body::MoveWithdrawn { ply, .. } => {
                self.done.retain(|p, _| p < ply);
                self.set.retain(|(p, _)| p < ply);
            }
            Body::Ruling { r#do, rest } if r#do == "set-position" => {
                let last = self.state.moves().last().map_or(0, |m| m.ply);
                if let Some(fen) = rest.get("fen").and_then(|fen| fen.as_str()) {
                    self.set.push((last, String::from(fen)));
                }
            }
            _ => {}
        }
        self.state.apply(event);
    }

    /// The game as documents need it.
    pub fn record(&self) -> GameRecord {
        let game = self.state.game();
        let mut start = game.start_fen.clone().filter(|fen| fen != USUAL_START);
        let mut line = Line::new(game.start_fen.as_deref().unwrap_or(USUAL_START), game.chess960);
        let moves = self.state.moves();
        // A move that was never completed stands where later ones were: the score has no holes.
        let completed = moves.iter().rposition(|m| m.completed).map_or(0, |last| last + 1);
        let mut set = self.set.iter().peekable();
        let mut rest: Vec<&Move> = Vec::new();
        let mut why = None;
        for (i, m) in moves.iter().enumerate() {
            while let Some((_, fen)) = set.next_if(|(before, _)| *before < m.ply) {
                if line.plies.is_empty() && rest.is_empty() {
                    // Before the first move it is where the game starts.
                    line = Line::new(fen, game.chess960);
                    start = Some(fen.clone()).filter(|fen| fen != USUAL_START);
                } else if line.back_to(fen) {
                    rest.clear();
                    why = None;
                } else {
                    why = why.or(Some(CutWhy::PositionSet));
                }
            }
            if i >= completed {
                break;
            }
            if why.is_none() {
                match m.legal.then(|| self.ply(m, &line)).flatten() {
                    Some((ply, found)) => line.push(ply, found),
                    None => why = Some(if m.legal { CutWhy::NotLegalPlay } else { CutWhy::Illegal }),
                }
            }
            if why.is_some() {
                rest.push(m);
            }
        }
        for (_, fen) in set {
            // What was set last and not played from yet.
            if line.plies.is_empty() && rest.is_empty() {
                start = Some(fen.clone()).filter(|fen| fen != USUAL_START);
                line = Line::new(fen, game.chess960);
            } else if line.back_to(fen) {
                rest.clear();
                why = None;
            }
        }
        let over = self.state.is_over();
        if over && why.is_none() && completed < moves.len() {
            why = Some(CutWhy::NotCompleted);
            rest.extend(&moves[completed..]);
        }
        let names = rest.iter().map(|m| m.san.as_deref().unwrap_or(&m.uci)).collect::<Vec<_>>().join(" ");
        GameRecord {
            board: self.state.board().to_string(),
            game: game.number,
            start: start.filter(|fen| fen.parse::<Fen>().is_ok()),
            chess960: game.chess960,
            started_at: game.started_at,
            first_move_at: self.first_move_at.or(game.started_at).filter(|_| !line.plies.is_empty() || !names.is_empty()),
            time_control: game.time_control.clone(),
            moves: line.plies,
            cut: why.map(|why| Cut { why, moves: names }),
            result: game.result,
            reason: game.reason.clone(),
            source: self.ended.filter(|_| over),
            clock: if over { None } else { self.clock() },
        }
    }

    fn ply(&self, m: &Move, line: &Line) -> Option<(Ply, shakmaty::Move)> {
        let position = line.now.as_ref()?;
        let found = m.uci.parse::<UciMove>().ok()?.to_move(position).ok()?;
        let san = SanPlus::from_move_and_play_unchecked(&mut position.clone(), found).to_string();
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
        let ply = Ply {
            by: m.by,
            san,
            uci: m.uci.clone(),
            clk: clk.and_then(|ms| u32::try_from(ms.max(0) / 1000).ok()),
            emt: spent.and_then(seconds),
            guessed,
        };
        Some((ply, found))
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

/// Legal play from a start position, with every position on the way.
struct Line {
    now: Option<Chess>,
    plies: Vec<Ply>,
    before: Vec<Chess>,
}

impl Line {
    fn new(fen: &str, chess960: bool) -> Self {
        let now = Fen::from_ascii(fen.as_bytes()).ok().and_then(|fen| {
            let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::detect(fen.as_setup()) };
            fen.into_position(mode).ok()
        });
        Self { now, plies: Vec::new(), before: Vec::new() }
    }

    fn push(&mut self, ply: Ply, found: shakmaty::Move) {
        if let Some(now) = &mut self.now {
            self.before.push(now.clone());
            now.play_unchecked(found);
            self.plies.push(ply);
        }
    }

    /// Takes the line back to where it had this position, the last time if it had it several times. False where it never did.
    fn back_to(&mut self, fen: &str) -> bool {
        let wanted = head(fen);
        let had = |position: &Chess| head(&Fen::from_position(position, EnPassantMode::Legal).to_string()) == wanted;
        if self.now.as_ref().is_some_and(had) {
            return true;
        }
        let Some(ply) = self.before.iter().rposition(had) else { return false };
        self.now = Some(self.before[ply].clone());
        self.before.truncate(ply);
        self.plies.truncate(ply);
        true
    }
}

/// Pieces and side to move.
fn head(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}
