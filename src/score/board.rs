//! What a reader knows of one board: its score sheet, link, clock and placement, and the board object of the HTTP interface.
//!
//! Knows nothing of sockets, time or other boards: any source of events can feed it.
use crate::sheet::{GameInfo, Move, ScoreSheet, set_position};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use flagfall_events::{Body, ClockState, Event, LinkState, Mono, ResultSource, Wall};
use serde::Serialize;

/// How old what is shown is, milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ages {
    /// The clock's reading.
    pub clock: Option<u64>,
    /// Since the board's Pi was heard last, where it is silent.
    pub silent: Option<u64>,
    /// Where it is shown with a delay.
    pub delay: Option<Delayed>,
}

/// How far behind what is shown is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delayed {
    /// Milliseconds.
    pub ms: u64,
    /// Games are shown when they are over, so long after their results.
    pub until_end: bool,
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

/// What kind of board it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Identity {
    /// `dgt`, `occupancy`, `pegasus`.
    pub kind: String,
    /// Serial number.
    pub serial: Option<String>,
    /// Firmware version.
    pub firmware: Option<String>,
    /// Where it is plugged in.
    pub link: String,
}

/// One board as its events left it.
#[derive(Clone, Debug)]
pub struct BoardState {
    board: Arc<str>,
    seq: u64,
    link: LinkState,
    placement: Option<String>,
    clock: Option<ClockReading>,
    sheet: ScoreSheet,
    identity: Option<Identity>,
    pi: Option<Pi>,
}

impl BoardState {
    /// A board that has said nothing yet: link down, no game.
    pub fn new(board: Arc<str>) -> Self {
        Self { board, seq: 0, link: LinkState::Down, placement: None, clock: None, sheet: ScoreSheet::default(), identity: None, pi: None }
    }

    /// Whether an event would change anything: its `seq` was not seen. A position that was set has no number of its own where it is public.
    pub fn is_news(&self, event: &Event) -> bool {
        event.seq > self.seq || (event.seq == self.seq && set_position(&event.body).is_some())
    }

    /// Takes the next event of this board; whether its record may be another one. An event that is not news changes nothing; one that a public
    /// stream may not carry changes only `seq`, but for a position that was set, which the record needs.
    pub fn apply(&mut self, event: &Event) -> bool {
        if !self.is_news(event) {
            return false;
        }
        self.seq = event.seq;
        let changed = self.sheet.take(event);
        if event.is_of_another(self.sheet.game().number) {
            return changed;
        }
        match &event.body {
            Body::Link { state, .. } => self.link = *state,
            Body::Placement { placement, .. } | Body::MoveMade { placement, .. } => self.placement = Some(placement.clone()),
            Body::Identity { kind, serial, firmware, link } => {
                let (kind, link) = (kind.to_string(), link.clone());
                self.identity = Some(Identity { kind, serial: serial.clone(), firmware: firmware.clone(), link });
            }
            Body::Clock(state) => self.clock = Some(ClockReading { state: *state, t: event.t, at: event.at }),
            _ => {}
        }
        changed
    }

    /// Everything up to this event was heard.
    pub(crate) fn heard(&mut self, seq: u64) {
        self.seq = self.seq.max(seq);
    }

    /// What no event tells is as there: who plays, where it is, how far it was heard.
    pub(crate) fn beside_events_as(&mut self, other: Self) {
        self.heard(other.seq);
        self.set_players(other.game().white.clone(), other.game().black.clone());
        self.pi = other.pi;
    }

    /// Names the players, for the board object and the PGN tags.
    pub fn set_players(&mut self, white: Option<String>, black: Option<String>) {
        self.sheet.set_players(white, black);
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
        anew.set_players(self.game().white.clone(), self.game().black.clone());
        anew
    }

    /// Says which Pi the board is at.
    pub fn set_pi(&mut self, pi: Pi) {
        self.pi = Some(pi);
    }

    const fn is_away(&self) -> bool {
        matches!(&self.pi, Some(Pi { away: true, .. }))
    }

    /// The score sheet of the game on the board.
    pub const fn sheet(&self) -> &ScoreSheet {
        &self.sheet
    }

    /// The game on the board.
    pub const fn game(&self) -> &GameInfo {
        self.sheet.game()
    }

    /// A game has begun and is not over.
    pub fn is_playing(&self) -> bool {
        self.sheet.is_playing()
    }

    /// The game is over, with or without a result.
    pub fn is_over(&self) -> bool {
        self.sheet.is_over()
    }

    /// Where its end comes from, once it is over.
    pub fn ended(&self) -> Option<ResultSource> {
        self.sheet.ended()
    }

    /// The record, first move first.
    pub fn moves(&self) -> &[Move] {
        self.sheet.moves()
    }

    /// Number of the last ply; 0 before the first.
    pub fn plies(&self) -> u32 {
        self.sheet.plies()
    }

    /// FEN field 1, as it was told last.
    pub fn placement(&self) -> Option<&str> {
        self.placement.as_deref()
    }

    /// What kind of board it is, once it has said so.
    pub const fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }

    /// The clock as last reported.
    pub const fn clock(&self) -> Option<&ClockReading> {
        self.clock.as_ref()
    }

    /// The position of the record; `None` before the first game, and from an illegal move on until a position is set.
    pub fn fen(&self) -> Option<String> {
        self.sheet.fen()
    }

    /// The board object. The clock's age says how long ago it was read; a reader whose own clock is wrong can extrapolate
    /// from it. Of a board whose Pi is away nobody knows that its clock runs. With `with_moves` it has the whole record.
    pub fn view(&self, ages: Ages, with_moves: bool) -> BoardView<'_> {
        let (away, moves) = (self.is_away(), self.moves());
        BoardView {
            board: &self.board,
            link: self.link(),
            game: self.game(),
            placement: self.placement(),
            fen: self.fen(),
            plies_made: self.plies(),
            plies_completed: moves.iter().rev().find(|m| m.completed).map_or(0, |m| m.ply),
            last: moves.last().map(|m| LastMove { ply: m.ply, uci: &m.uci, san: m.san.as_deref(), completed: m.completed }),
            clock: self.clock.map(|mut reading| {
                reading.state.running = reading.state.running.filter(|_| !away);
                // Whoever counts from it sees what the clock showed then.
                reading.at = reading.at.after(Mono::from_millis(ages.delay.map_or(0, |delay| delay.ms)));
                AgedReading { reading, age_ms: ages.clock }
            }),
            pi: self.pi.as_ref().map(|pi| PiView { pi, silent_ms: ages.silent.filter(|_| away) }),
            seq: self.seq,
            delay_ms: ages.delay.map(|delay| delay.ms),
            until: ages.delay.filter(|delay| delay.until_end).map(|_| "end"),
            moves: with_moves.then_some(moves),
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
        } else if event.is_of_another(self.now.game().number) {
            let game = self.done.iter_mut().rev().find(|game| game.game().number == event.game);
            game.into_iter().for_each(|game| _ = game.apply(event));
        }
        if matches!(event.body, Body::Receipt(_)) {
            self.done.iter_mut().for_each(|game| _ = game.apply(event));
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
    /// What is shown stood so this long ago, milliseconds; missing where nothing is delayed. The clock's `at` is moved on by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    delay_ms: Option<u64>,
    /// `end`: a game is shown when it is over, a delay after its result.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Move>>))]
    moves: Option<&'a [Move]>,
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

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
