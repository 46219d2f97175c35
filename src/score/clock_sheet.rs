//! The clock sheet: both displays at every press, stop and setting, and how far their sum is from what it should be.
//!
//! While a clock runs the sum falls by the time that passes; a press adds its increment; a period adds its time. What is left over, the
//! residual, names the fault: minus one increment for each missed press, a slope for drift, a step for a power cut or a setting.
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use flagfall_events::{BonusKind, ClockSide, ClockSource, ClockState, Colour, Mono, Period, TimeControl, Wall};
use serde::Serialize;

/// Rows kept at most: more than any game has presses.
const MOST: usize = 1000;

/// Why a row was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Occasion {
    /// The first reading of the game.
    Start,
    /// A player pressed.
    Press,
    /// The clock was stopped, started or turned over without a press, or a flag fell.
    Change,
    /// An arbiter set it.
    Set,
    /// The newest reading; the next one replaces it.
    Now,
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Row {
    /// When it was read.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// Why.
    pub occasion: Occasion,
    /// Plies made.
    pub ply: u32,
    /// White's display, milliseconds.
    pub white_ms: i64,
    /// Black's display.
    pub black_ms: i64,
    /// Whose time runs.
    pub running: Option<Colour>,
    /// What the sum should be, milliseconds, counted from the first reading or the last setting.
    pub expected_ms: i64,
    /// The displayed sum less the expected one. Displays show whole seconds, so two seconds either way say nothing.
    pub residual_ms: i64,
}

/// What is known between two readings.
#[derive(Clone, Copy, Debug)]
struct Reading {
    t: Mono,
    running: Option<Colour>,
    flag: bool,
}

/// The sheet of one game.
#[derive(Clone, Debug, Default)]
pub struct ClockSheet {
    control: Option<TimeControl>,
    rows: VecDeque<Row>,
    now: Option<Row>,
    last: Option<Reading>,
    expected: Option<i64>,
    pressed: Option<Colour>,
    /// Since the opponent's press, milliseconds of each side's time.
    turn_ms: u64,
    completed: [u32; 2],
    /// White's side of the clock, once that was told.
    white: Option<ClockSide>,
    /// Periods whose time was seen on the display, of both sides together.
    periods: u32,
}

impl ClockSheet {
    /// Before the first game.
    pub(crate) const NEW: Self = Self {
        control: None,
        rows: VecDeque::new(),
        now: None,
        last: None,
        expected: None,
        pressed: None,
        turn_ms: 0,
        completed: [0; 2],
        white: None,
        periods: 0,
    };

    pub(crate) fn new(time_control: Option<&str>) -> Self {
        Self { control: time_control.and_then(|text| text.parse().ok()), ..Self::default() }
    }

    /// The rows, the newest reading last.
    pub fn rows(&self) -> Vec<Row> {
        self.rows.iter().chain(&self.now).copied().collect()
    }

    pub(crate) fn completed(&mut self, ply: u32, by: Colour) {
        self.completed[side(by)] = ply.div_ceil(2);
    }

    pub(crate) fn pressed(&mut self, t: Mono, by: Colour) {
        self.run(t);
        if let Some(last) = &mut self.last {
            last.t = t;
            if last.running == Some(by) {
                last.running = Some(by.other());
            }
        }
        let spent = i64::try_from(self.turn_ms).unwrap_or(i64::MAX);
        self.turn_ms = 0;
        if let (Some(expected), Some(period)) = (&mut self.expected, period(self.control.as_ref(), self.completed[side(by)])) {
            let bonus = i64::from(period.bonus_s).saturating_mul(1000);
            *expected = expected.saturating_add(match period.kind {
                BonusKind::Fischer => bonus,
                BonusKind::Delay | BonusKind::Bronstein => bonus.min(spent),
            });
        }
        self.pressed = Some(by);
    }

    /// White's side of the clock. Where another one was told before, the rows from that ply on show each display under the other player.
    pub(crate) fn turned(&mut self, white: ClockSide, from: u32) {
        if self.white.replace(white).is_none_or(|was| was == white) {
            return;
        }
        for row in self.rows.iter_mut().chain(&mut self.now).filter(|row| row.ply >= from.saturating_sub(1)) {
            core::mem::swap(&mut row.white_ms, &mut row.black_ms);
            row.running = row.running.map(Colour::other);
        }
        if let Some(last) = &mut self.last {
            last.running = last.running.map(Colour::other);
        }
        self.pressed = self.pressed.map(Colour::other);
    }

    /// A reading of this moment.
    pub(crate) fn read(&mut self, (t, at): (Mono, Wall), state: &ClockState, ply: u32) {
        let (Some(white_ms), Some(black_ms)) = (state.white_ms, state.black_ms) else { return };
        self.run(t);
        let sum = white_ms.saturating_add(black_ms);
        let reading = Reading { t, running: state.running, flag: state.flag.is_some() };
        let occasion = match (self.last.replace(reading), state.source) {
            (None, _) => Occasion::Start,
            (_, ClockSource::Arbiter) => Occasion::Set,
            _ if self.pressed.take().is_some() => Occasion::Press,
            (Some(was), _) if was.running != reading.running || was.flag != reading.flag => Occasion::Change,
            _ => Occasion::Now,
        };
        let mut expected = match (occasion, self.expected) {
            (Occasion::Start | Occasion::Set, _) | (_, None) => sum,
            (_, Some(expected)) => expected,
        };
        // Clocks add the next period's time at its move or at zero: both are right, so it is expected once it is there.
        while let Some(time) = self.next_period().filter(|time| sum.saturating_sub(expected) > time / 2) {
            expected = expected.saturating_add(time);
            self.periods = self.periods.saturating_add(1);
        }
        self.expected = Some(expected);
        let row = Row {
            t,
            at,
            occasion,
            ply,
            white_ms,
            black_ms,
            running: state.running,
            expected_ms: expected,
            residual_ms: sum.saturating_sub(expected),
        };
        if occasion == Occasion::Now {
            self.now = Some(row);
            return;
        }
        self.now = None;
        if self.rows.len() >= MOST {
            self.rows.pop_front();
        }
        self.rows.push_back(row);
    }

    /// Time passes.
    fn run(&mut self, t: Mono) {
        let Some(last) = self.last.as_mut().filter(|last| last.running.is_some()) else { return };
        let passed = t.since(last.t);
        last.t = last.t.max(t);
        self.turn_ms = self.turn_ms.saturating_add(passed);
        let passed = i64::try_from(passed).unwrap_or(i64::MAX);
        self.expected = self.expected.map(|expected| expected.saturating_sub(passed));
    }

    /// The time that the next period brings to one side, milliseconds.
    fn next_period(&self) -> Option<i64> {
        let index = usize::try_from(self.periods / 2).ok()?.checked_add(1)?;
        let period = self.control.as_ref()?.periods().get(index)?;
        Some(i64::from(period.base_s).saturating_mul(1000)).filter(|time| *time > 0)
    }
}

const fn side(by: Colour) -> usize {
    match by {
        Colour::White => 0,
        Colour::Black => 1,
    }
}

/// The period in which a player is who has completed this many moves.
fn period(control: Option<&TimeControl>, completed: u32) -> Option<Period> {
    let periods = control?.periods();
    let mut left = completed;
    for period in periods {
        match period.moves {
            Some(moves) if left >= moves => left -= moves,
            _ => return Some(*period),
        }
    }
    periods.last().copied()
}

#[cfg(test)]
#[path = "clock_sheet_tests.rs"]
mod tests;
