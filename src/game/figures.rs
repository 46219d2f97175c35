//! Figures for two decisions that are the arbiter's alone, never alarms: how long after his moves each side's presses come (6.2.6), and how often
//! the clocks of a board were stopped, and whose ran (6.11.4). A fold over one board's events.
use alloc::vec::Vec;
use flagfall_events::{Body, ClockSide, Colour, Event, How, Mono, Wall};
use serde::Serialize;

/// Kept at most of each list: more than a game has.
const MOST: usize = 1000;

/// How one side pressed in this game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Presses {
    /// Moves completed by a press of their player.
    pub count: u32,
    /// Moves completed otherwise, though a clock was in use: by the next move, or by the end of the game.
    pub without: u32,
    /// From the move made to the press, milliseconds: half of them came sooner. Sensors tell of a move up to half a second late, so little is 0.
    pub median_ms: Option<u64>,
    /// The longest.
    pub longest_ms: Option<u64>,
    /// All of them together.
    pub total_ms: u64,
    #[serde(skip)]
    each: Vec<u64>,
}

impl Presses {
    fn pressed(&mut self, after_ms: u64) {
        self.count += 1;
        if self.each.len() < MOST {
            let place = self.each.partition_point(|known| *known <= after_ms);
            self.each.insert(place, after_ms);
        }
        self.median_ms = self.each.get(self.each.len() / 2).copied();
        self.longest_ms = self.longest_ms.max(Some(after_ms));
        self.total_ms = self.total_ms.saturating_add(after_ms);
    }
}

/// The clocks were stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Stop {
    /// When.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// Plies made.
    pub ply: u32,
    /// Whose time had run.
    pub ran: Colour,
    /// How long they stood, milliseconds; `None`: they stand.
    pub for_ms: Option<u64>,
}

/// The figures of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Figures {
    /// White's presses.
    pub white: Presses,
    /// Black's.
    pub black: Presses,
    /// Every stop while the game was on.
    pub stops: Vec<Stop>,
    /// When each ply was made.
    #[serde(skip)]
    made: Vec<Mono>,
    #[serde(skip)]
    running: Option<Colour>,
    /// White's side of the clock, once that was told.
    #[serde(skip)]
    side: Option<ClockSide>,
    #[serde(skip)]
    ran: bool,
    #[serde(skip)]
    over: bool,
    /// Which game of the board.
    #[serde(skip)]
    game: Option<u32>,
}

impl Figures {
    /// Takes the board's next event.
    pub fn apply(&mut self, event: &Event) {
        match &event.body {
            Body::GameStart { .. } => {
                *self = Self { running: self.running, ran: self.running.is_some(), game: event.game, ..Self::default() };
            }
            _ if event.is_of_another(self.game) => {}
            Body::MoveMade { ply, .. } | Body::MoveRevised { ply, .. } => self.made(*ply, event.t),
            Body::MoveWithdrawn { ply, .. } => self.made.truncate(index(*ply)),
            Body::MoveCompleted { ply, by, how, .. } => self.completed(*ply, *by, *how, event.t),
            Body::Result { .. } => self.over = !event.reopens(),
            Body::Clock(state) => self.clock(event, state.running),
            Body::Sides { white, .. } => self.turned(*white),
            _ => {}
        }
    }

    /// One side's.
    pub const fn of(&self, by: Colour) -> &Presses {
        match by {
            Colour::White => &self.white,
            Colour::Black => &self.black,
        }
    }

    fn made(&mut self, ply: u32, t: Mono) {
        // A move read anew was made when it was first seen.
        if self.made.len() <= index(ply) {
            self.made.resize(index(ply), t);
            self.made.push(t);
        }
    }

    fn completed(&mut self, ply: u32, by: Colour, how: How, t: Mono) {
        let after_ms = self.made.get(index(ply)).map_or(0, |made| t.since(*made));
        let presses = match by {
            Colour::White => &mut self.white,
            Colour::Black => &mut self.black,
        };
        match how {
            How::Press => presses.pressed(after_ms),
            How::NextMove | How::GameEnd if self.ran => presses.without += 1,
            _ => {}
        }
    }

    /// White's side of the clock; where another one was told before, whose time ran was the other player's.
    fn turned(&mut self, white: ClockSide) {
        if self.side.replace(white).is_some_and(|was| was != white) {
            self.running = self.running.map(Colour::other);
            self.stops.iter_mut().for_each(|stop| stop.ran = stop.ran.other());
        }
    }

    fn clock(&mut self, event: &Event, running: Option<Colour>) {
        self.ran |= running.is_some();
        let was = core::mem::replace(&mut self.running, running);
        match (was, running) {
            (Some(ran), None) if !self.over && !self.made.is_empty() && self.stops.len() < MOST => {
                let ply = u32::try_from(self.made.len()).unwrap_or(u32::MAX);
                self.stops.push(Stop { t: event.t, at: event.at, ply, ran, for_ms: None });
            }
            (None, Some(_)) => {
                if let Some(stop) = self.stops.last_mut().filter(|stop| stop.for_ms.is_none()) {
                    stop.for_ms = Some(event.t.since(stop.t));
                }
            }
            _ => {}
        }
    }
}

/// The index of a ply; they count from 1.
fn index(ply: u32) -> usize {
    usize::try_from(ply).unwrap_or(usize::MAX).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_events::{ClockSource, ClockState, GameResult};

    fn told(events: &[(u64, Body)]) -> Figures {
        let mut figures = Figures::default();
        for (seq, (t, body)) in (1..).zip(events) {
            let t = Mono::from_millis(*t);
            figures.apply(&Event { seq, t, at: Wall::EPOCH.after(t), board: "1".into(), game: Some(1), body: body.clone() });
        }
        figures
    }

    fn made(ply: u32) -> Body {
        let by = if ply % 2 == 1 { Colour::White } else { Colour::Black };
        let (uci, placement) = (String::from("e2e4"), String::new());
        Body::MoveMade { ply, by, uci, san: None, legal: true, placement, provisional: true }
    }

    fn completed(ply: u32, how: How) -> Body {
        let by = if ply % 2 == 1 { Colour::White } else { Colour::Black };
        let uci = String::from("e2e4");
        Body::MoveCompleted { ply, by, uci, san: None, legal: true, how, clock: None, spent_ms: None, assumed: false }
    }

    fn runs(running: Option<Colour>) -> Body {
        let (white_ms, black_ms) = (Some(1), Some(1));
        Body::Clock(ClockState { white_ms, black_ms, running, flag: None, source: ClockSource::Device, uncertainty_ms: 0 })
    }

    #[test]
    fn how_long_after_his_moves_each_presses() {
        let figures = told(&[
            (0, runs(Some(Colour::White))),
            (1000, made(1)),
            (1700, completed(1, How::Press)),
            (3000, made(2)),
            (3000, completed(2, How::Press)),
            (4000, made(3)),
            (8000, completed(3, How::Press)),
            (9000, made(4)),
            (10_000, made(5)),
            (11_000, made(6)),
            (11_000, completed(4, How::NextMove)),
        ]);
        let white = figures.of(Colour::White);
        assert_eq!((white.count, white.median_ms, white.longest_ms, white.total_ms), (2, Some(4000), Some(4000), 4700));
        let black = figures.of(Colour::Black);
        assert_eq!((black.count, black.without, black.longest_ms), (1, 1, Some(0)));
    }

    #[test]
    fn how_often_the_clocks_were_stopped_and_whose_ran() {
        let figures = told(&[
            (0, runs(Some(Colour::White))),
            (500, runs(None)),
            (600, runs(Some(Colour::White))),
            (1000, made(1)),
            (2000, runs(None)),
            (9000, runs(Some(Colour::Black))),
            (20_000, runs(None)),
        ]);
        let stops: Vec<_> = figures.stops.iter().map(|stop| (stop.t.millis(), stop.ply, stop.ran, stop.for_ms)).collect();
        assert_eq!(stops, [(2000, 1, Colour::White, Some(7000)), (20_000, 1, Colour::Black, None)], "not before the first move");
    }

    #[test]
    fn a_result_of_an_earlier_game_ends_nothing_and_one_that_is_reopened_goes_on() {
        let event = |seq: u64, game: u32, body: Body| {
            let t = Mono::from_millis(seq * 1000);
            Event { seq, t, at: Wall::EPOCH.after(t), board: "1".into(), game: Some(game), body }
        };
        let result = |result, reason: &str| Body::Result {
            result,
            reason: String::from(reason),
            article: None,
            source: flagfall_events::ResultSource::Operator,
        };
        let start = Body::GameStart {
            fen: String::new(),
            rules: flagfall_events::Rules::default().into(),
            play: flagfall_events::Play::default().into(),
            time_control: None,
            chess960: false,
            began: None,
        };
        let mut figures = Figures::default();
        let white = Some(Colour::White);
        let told = [
            (2, start),
            (2, made(1)),
            (2, runs(white)),
            (1, result(GameResult::WhiteWins, "entered")),
            (2, runs(None)),
            (2, runs(white)),
            (2, result(GameResult::WhiteWins, "entered")),
            (2, runs(None)),
            (2, runs(white)),
            (2, result(GameResult::Open, "reopened")),
            (2, runs(None)),
        ];
        for (seq, (game, body)) in (1..).zip(told) {
            figures.apply(&event(seq, game, body));
        }
        let stops: Vec<_> = figures.stops.iter().map(|stop| stop.t.millis()).collect();
        assert_eq!(stops, [5000, 11_000], "not while the game had a result");
    }
}
