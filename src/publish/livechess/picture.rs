//! What this API knows of one board: a fold over its events, and an unchanging copy of it for the clients.
//!
//! Pure.
use super::line::{Line, Step};
use super::objects::Clock;
use crate::game::event::{Body, ClockSource, Colour, Event, GameResult, How, LinkState};
use std::sync::Arc;

/// One board at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    /// The board's name in flagfall.
    pub(crate) board: Arc<str>,
    /// What clients call it: its serial number, else its name.
    pub(crate) serialnr: Arc<str>,
    /// Grows with every picture of this board.
    pub(crate) version: u64,
    /// Where it is plugged in, as configured.
    pub(crate) link: Arc<str>,
    pub(crate) up: bool,
    pub(crate) placement: Option<Arc<str>>,
    /// The last reading of the device.
    pub(crate) clock: Option<Clock>,
    pub(crate) line: Arc<Line>,
    pub(super) seq: u64,
}

impl Picture {
    pub(crate) fn new(board: Arc<str>, link: &str) -> Self {
        Self {
            serialnr: board.clone(),
            board,
            version: 0,
            link: link.into(),
            up: false,
            placement: None,
            clock: None,
            line: Arc::default(),
            seq: 0,
        }
    }

    /// Takes the next event of this board; whether clients can see a difference. The serial number is the hall's to give.
    pub(crate) fn apply(&mut self, event: &Event) -> bool {
        if event.seq <= self.seq {
            return false;
        }
        self.seq = event.seq;
        let changed = match &event.body {
            Body::Link { state, .. } => {
                self.up = *state == LinkState::Up;
                true
            }
            Body::Identity { link, .. } => {
                self.link = link.as_str().into();
                self.up = true;
                true
            }
            Body::Placement { placement, .. } if self.placement.as_deref() == Some(placement) => false,
            Body::Placement { placement, .. } => {
                self.placement = Some(placement.as_str().into());
                true
            }
            Body::Clock(state) if state.source == ClockSource::Device => match (state.white_ms, state.black_ms) {
                (Some(white), Some(black)) => {
                    let run = state.running.map(|colour| colour == Colour::White);
                    let time = event.at.timestamp().as_millisecond();
                    self.clock = Some(Clock { white: white.max(0) / 1000, black: black.max(0) / 1000, run, time });
                    true
                }
                _ => false,
            },
            // The line is copied for those who still look at the old one: only where something may change.
            body if Line::concerns(body) => Arc::make_mut(&mut self.line).apply(event.t, body),
            _ => false,
        };
        self.version += u64::from(changed);
        changed
    }

    /// The word for the result, where there is one.
    pub(crate) fn result(&self) -> Option<&'static str> {
        match self.line.result? {
            GameResult::WhiteWins => Some("WHITEWIN"),
            GameResult::BlackWins => Some("BLACKWIN"),
            GameResult::Draw => Some("DRAW"),
            GameResult::Open => None,
        }
    }

    /// The record as REST and the cloud write it: `SAN`, `SAN clk`, `SAN +emt` or `SAN clk+emt`, whole seconds. The last one always
    /// has a number; another has none only where it was recovered or inferred.
    pub(crate) fn moves(&self) -> Vec<String> {
        let record = self.line.record();
        let last = record.len().saturating_sub(1);
        let mut before = self.line.began;
        let mut moves = Vec::with_capacity(record.len());
        for (i, (san, step)) in record.iter().enumerate() {
            let inferred = !step.completed || step.how == Some(How::Recovered);
            let shown = clk(step).or_else(|| if i == last { self.display_after(step) } else { None });
            let spent = step.spent_ms.map(|ms| ms.saturating_add(500) / 1000);
            // On a board without a clock the time between two moves is what can be measured.
            let spent = spent.or_else(|| (shown.is_none() && (i == last || !inferred)).then(|| step.at.since(before) / 1000));
            moves.push(match (shown, spent) {
                (Some(clk), Some(emt)) => format!("{san} {clk}+{emt}"),
                (Some(clk), None) => format!("{san} {clk}"),
                (None, Some(emt)) => format!("{san} +{emt}"),
                (None, None) => san.to_string(),
            });
            before = step.at;
        }
        moves
    }

    /// What the mover's side of the clock shows while the opponent's runs: its time after the move.
    fn display_after(&self, step: &Step) -> Option<i64> {
        let clock = self.clock?;
        match step.by {
            Colour::White if clock.run == Some(false) => Some(clock.white),
            Colour::Black if clock.run == Some(true) => Some(clock.black),
            _ => None,
        }
    }
}

fn clk(step: &Step) -> Option<i64> {
    let pair = step.clock?;
    let ms = match step.by {
        Colour::White => pair.white_ms,
        Colour::Black => pair.black_ms,
    };
    Some(ms.max(0) / 1000)
}
