//! What this API knows of one board: a fold over its events, and an unchanging copy of it for the clients.
//!
//! Pure.
use super::objects::Clock;
use crate::delay::Lag;
use flagfall_events::{Body, ClockSource, ClockState, Colour, Event, LinkState, Wall};
use flagfall_score::board::BoardState;
use flagfall_score::sheet::ScoreSheet;
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
    /// In a hall: its Pi is not heard any more, and nobody knows whether its clock runs.
    pub(crate) silent: bool,
    /// The board's own battery, percent, where it has one and told it when it was plugged in.
    pub(crate) battery: Option<u8>,
    pub(crate) placement: Option<Arc<str>>,
    /// The last reading of the device.
    pub(crate) clock: Option<Clock>,
    pub(crate) sheet: Arc<ScoreSheet>,
    /// Which game of the board `sheet` is, from 1.
    pub(super) game: Option<u32>,
    pub(super) seq: u64,
    /// When what clients see changed last.
    pub(super) at: Option<Wall>,
    /// How long ago what clients are shown stood so.
    pub(super) lag: Lag,
}

impl Picture {
    pub(crate) fn new(board: Arc<str>, link: &str, lag: Lag) -> Self {
        Self {
            lag,
            serialnr: board.clone(),
            board,
            version: 0,
            link: link.into(),
            up: false,
            silent: false,
            battery: None,
            placement: None,
            clock: None,
            sheet: Arc::default(),
            game: None,
            seq: 0,
            at: None,
        }
    }

    /// The board's numbering begins anew.
    pub(crate) fn anew(&mut self) {
        let Self { board, serialnr, version, link, silent, battery, lag, .. } = self.clone();
        *self = Self { serialnr, version, silent, battery, ..Self::new(board, &link, lag) };
    }

    /// The clock as clients may reckon on from it.
    pub(crate) fn clock(&self) -> Option<Clock> {
        self.clock.map(|clock| Clock { run: clock.run.filter(|_| !self.silent), ..clock })
    }

    /// Takes the next event of this board; whether clients can see a difference. The serial number is the hall's to give.
    pub(crate) fn apply(&mut self, event: &Event) -> bool {
        // A position that was set has no number of its own.
        if event.seq <= self.seq && event.body.is_public() {
            return false;
        }
        self.seq = event.seq;
        if matches!(event.body, Body::GameStart { .. }) {
            self.game = event.game;
        } else if event.is_of_another(self.game) {
            return false;
        }
        // The sheet is copied for those who still look at the old one: only where something may change.
        let set = self.sheet.concerns(&event.body) && Arc::make_mut(&mut self.sheet).take(event);
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
            Body::Placement { placement, .. } => {
                let moved = self.placement.as_deref() != Some(placement);
                if moved {
                    self.placement = Some(placement.as_str().into());
                }
                moved || set
            }
            Body::Clock(state) => self.read(state, event.at),
            _ => set,
        };
        if changed {
            self.version += 1;
            self.at = Some(self.lag.moved(event.at));
        }
        changed
    }

    /// The board as it stands now, where events of it were not told. Whoever calls counts the version.
    pub(crate) fn again(&mut self, state: &BoardState) {
        if state.seq() <= self.seq {
            return;
        }
        (self.seq, self.game, self.up) = (state.seq(), state.game().number, state.link() == LinkState::Up);
        self.placement = state.placement().map(Arc::from);
        self.sheet = Arc::new(state.sheet().clone());
        if let Some(identity) = state.identity() {
            self.link = identity.link.as_str().into();
        }
        if let Some(reading) = state.clock() {
            self.read(&reading.state, reading.at);
        }
    }

    /// What the device itself says, or was ruled to show; whether that is so.
    fn read(&mut self, state: &ClockState, at: Wall) -> bool {
        let (Some(white), Some(black)) = (state.white_ms, state.black_ms) else { return false };
        if !matches!(state.source, ClockSource::Device | ClockSource::Arbiter) {
            return false;
        }
        let run = state.running.map(|colour| colour == Colour::White);
        let time = self.lag.moved(at).timestamp().as_millisecond();
        self.clock = Some(Clock { white: white.max(0) / 1000, black: black.max(0) / 1000, run, time });
        true
    }
}
