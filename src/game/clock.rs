//! What the clock shows: readings, the lever, presses, and what is published of them.
use super::event::{ClockPair, ClockSource, ClockState, Colour, Flag};
use super::settings::ClockWhite;
use crate::time::{Mono, Shown};
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever, SideTime};

/// A side of the clock, seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// What a clock message changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    /// This side was pressed.
    pub(crate) press: Option<Side>,
    /// The clock started or stopped.
    pub(crate) running: bool,
    /// A flag fell or rose.
    pub(crate) flag: bool,
    /// The first reading, or the clock came or went.
    pub(crate) presence: bool,
}

/// Between two messages of a running clock at least one event says what it shows.
const REPEAT_EVERY_MS: u64 = 10_000;
/// A display shows whole seconds and reaches the host up to a second late.
const UNCERTAINTY_MS: u64 = 1_000;
/// A reading further from the extrapolation than this is told at once.
const TOLERANCE_MS: i64 = 1_500;

#[derive(Clone, Debug)]
pub(crate) struct Clock {
    setting: ClockWhite,
    white: Side,
    reading: Option<ClockTimes>,
    lever: Option<Lever>,
    ran: bool,
    sent: Option<(Mono, ClockState)>,
}

impl Clock {
    pub(crate) const fn new(setting: ClockWhite) -> Self {
        let white = match setting {
            ClockWhite::Right => Side::Right,
            _ => Side::Left,
        };
        Self { setting, white, reading: None, lever: None, ran: false, sent: None }
    }

    /// Takes a report; null messages and acknowledgements say nothing about times.
    pub(crate) fn report(&mut self, report: &ClockReport) -> Changed {
        if self.setting == ClockWhite::None {
            return Changed::default();
        }
        match report {
            ClockReport::Null | ClockReport::Ack(_) => Changed::default(),
            ClockReport::NoClock => {
                let presence = self.reading.take().is_some();
                self.lever = None;
                Changed { presence, ..Changed::default() }
            }
            ClockReport::Time(times) => {
                let before = self.reading.replace(*times);
                let lever = self.lever.replace(times.lever);
                self.ran |= times.running;
                let was_running = before.is_some_and(|b| b.running);
                let press = (lever.is_some_and(|l| l != times.lever) && (was_running || times.running)).then_some(match times.lever {
                    Lever::LeftHigh => Side::Right,
                    Lever::RightHigh => Side::Left,
                });
                let flags = |t: &ClockTimes| (fallen(&t.left), fallen(&t.right));
                Changed {
                    press,
                    running: before.is_some_and(|b| b.running != times.running),
                    flag: before.is_some_and(|b| flags(&b) != flags(times)),
                    presence: before.is_none(),
                }
            }
        }
    }

    /// The lever may have moved any number of times while nobody listened.
    pub(crate) const fn forget_lever(&mut self) {
        self.lever = None;
    }

    /// The lever was read since it was forgotten.
    pub(crate) const fn is_read(&self) -> bool {
        self.lever.is_some()
    }

    /// A new game: the clock has not run in it.
    pub(crate) fn new_game(&mut self) {
        self.ran = self.reading.is_some_and(|r| r.running);
    }

    /// A clock is there and has run in this game, so that a press completes a move.
    pub(crate) const fn in_use(&self) -> bool {
        self.reading.is_some() && self.ran
    }

    /// Which side of the clock is White's, as far as is known.
    pub(crate) const fn white(&self) -> Side {
        self.white
    }

    /// Whether the sides may still be exchanged by what is seen.
    pub(crate) const fn sides_open(&self) -> bool {
        matches!(self.setting, ClockWhite::Auto)
    }

    pub(crate) const fn set_white(&mut self, side: Side) {
        self.white = side;
    }

    /// White's side is the other one.
    pub(crate) const fn exchange(&mut self) {
        self.white = match self.white {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        };
    }

    /// Whose side this is.
    pub(crate) fn colour(&self, side: Side) -> Colour {
        if side == self.white { Colour::White } else { Colour::Black }
    }

    /// Whose time runs now.
    pub(crate) fn running(&self) -> Option<Colour> {
        let reading = self.reading.filter(|r| r.running)?;
        Some(self.high(&reading))
    }

    /// The player whose side is up: the one to move as the clock has it.
    fn high(&self, reading: &ClockTimes) -> Colour {
        self.colour(match reading.lever {
            Lever::LeftHigh => Side::Left,
            Lever::RightHigh => Side::Right,
        })
    }

    /// The player to move as the lever has it, running or not.
    pub(crate) fn to_move(&self) -> Option<Colour> {
        self.reading.map(|r| self.high(&r))
    }

    /// Whose flag is down.
    pub(crate) fn flag(&self) -> Option<Flag> {
        let reading = self.reading?;
        let (white, black) = self.sides(&reading);
        match (fallen(white), fallen(black)) {
            (false, false) => None,
            (true, false) => Some(Flag::White),
            (false, true) => Some(Flag::Black),
            (true, true) => Some(Flag::Both),
        }
    }

    const fn sides<'a>(&self, reading: &'a ClockTimes) -> (&'a SideTime, &'a SideTime) {
        match self.white {
            Side::Left => (&reading.left, &reading.right),
            Side::Right => (&reading.right, &reading.left),
        }
    }

    /// Both displays.
    pub(crate) fn shown(&self) -> Option<ClockPair> {
        let reading = self.reading?;
        let (white, black) = self.sides(&reading);
        Some(ClockPair { white_ms: shown(white).millis(), black_ms: shown(black).millis() })
    }

    /// The state to publish now.
    fn state(&self) -> ClockState {
        let Some(pair) = self.shown() else {
            return ClockState { white_ms: None, black_ms: None, running: None, flag: None, source: ClockSource::None, uncertainty_ms: 0 };
        };
        ClockState {
            white_ms: Some(pair.white_ms),
            black_ms: Some(pair.black_ms),
            running: self.running(),
            flag: self.flag(),
            source: ClockSource::Device,
            uncertainty_ms: UNCERTAINTY_MS,
        }
    }

    /// The state to publish if anybody would otherwise believe something wrong, or has waited long enough.
    pub(crate) fn publish(&mut self, now: Mono, changed: Changed) -> Option<ClockState> {
        let state = self.state();
        let due = changed != Changed::default()
            || self.sent.is_none_or(|(at, sent)| {
                let elapsed = i64::try_from(now.since(at)).unwrap_or(i64::MAX);
                let off = |was: Option<i64>, is: Option<i64>, runs: bool| match (was, is) {
                    (Some(was), Some(is)) => (was - if runs { elapsed } else { 0 } - is).abs() > TOLERANCE_MS,
                    (was, is) => was != is,
                };
                off(sent.white_ms, state.white_ms, sent.running == Some(Colour::White))
                    || off(sent.black_ms, state.black_ms, sent.running == Some(Colour::Black))
                    || (state.running.is_some() && now.since(at) >= REPEAT_EVERY_MS)
            });
        due.then(|| {
            self.sent = Some((now, state));
            state
        })
    }
}

const fn fallen(side: &SideTime) -> bool {
    side.flag_blocked || side.flag_shown
}

const fn shown(side: &SideTime) -> Shown {
    Shown::from_seconds(side.total_seconds())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(left: u8, right: u8, running: bool, lever: Lever) -> ClockReport {
        let side = |minutes| SideTime { minutes, ..SideTime::default() };
        ClockReport::Time(ClockTimes { right: side(right), left: side(left), running, lever, battery_low: false, turn_bits: 0 })
    }

    #[test]
    fn the_side_that_goes_down_was_pressed() {
        let mut clock = Clock::new(ClockWhite::Left);
        assert_eq!(clock.report(&times(5, 5, true, Lever::LeftHigh)).press, None);
        assert_eq!(clock.running(), Some(Colour::White));
        assert_eq!(clock.report(&times(5, 5, true, Lever::RightHigh)).press, Some(Side::Left));
        assert_eq!(clock.running(), Some(Colour::Black));
    }

    #[test]
    fn a_lever_moved_on_a_stopped_clock_is_no_press() {
        let mut clock = Clock::new(ClockWhite::Left);
        clock.report(&times(5, 5, false, Lever::LeftHigh));
        assert_eq!(clock.report(&times(5, 5, false, Lever::RightHigh)).press, None);
    }

    #[test]
    fn a_running_clock_is_told_every_ten_seconds_and_not_every_tick() {
        let mut clock = Clock::new(ClockWhite::Left);
        let mut sent = 0;
        for s in 0..60u64 {
            let left = SideTime { minutes: 4, seconds: u8::try_from(59 - s).unwrap(), ..SideTime::default() };
            let report = ClockReport::Time(ClockTimes {
                right: SideTime::default(),
                left,
                running: true,
                lever: Lever::LeftHigh,
                battery_low: false,
                turn_bits: 0,
            });
            let changed = clock.report(&report);
            sent += usize::from(clock.publish(Mono::from_millis(s * 1000), changed).is_some());
        }
        assert_eq!(sent, 6);
    }
}
