//! The clock authority: what the chess clock shows, who pressed, what is wrong with it.
//!
//! | file | holds |
//! |---|---|
//! | `sides.rs` | left and right: the clock knows no colours |
//! | `track.rs`, `press.rs` | from reading to reading: fractions of a second, presses, edits, readings that do not fit |
//! | `turn.rs` | one turn as the clock showed it, and the kind of bonus that explains it |
//! | `drift.rs` | whether its seconds are as long as seconds are |
//! | `sum.rs` | the clock sum: what each side should have |
//! | `judge.rs` | which fault explains what is left over (6.10) |
//! | `bonus.rs` | the next period's time |
//! | `lever.rs` | second presses, unpressed moves, which side is White's (6.5) |
//! | `flags.rs` | flags against the moves required (6.4, 6.8) |
//! | `watch.rs` | what only time shows: stale, stopped, late starts, default time (6.6, 6.7, 6.11) |
//! | `publish.rs` | the `clock` event |
//! | `fact.rs` | what is found, as values |
//!
//! The game hands in readings ([`Clock::report`]), what the arbiter enters ([`Clock::entered`], [`Clock::ruled`]), and after every input how far
//! the game is ([`Clock::observe`]); then it drains [`Clock::next_fact`] and asks for [`Clock::deadline`].
mod bonus;
mod drift;
mod fact;
mod flags;
mod judge;
mod lever;
mod press;
mod publish;
mod sides;
mod sum;
#[cfg(test)]
mod tests;
mod track;
mod turn;
mod watch;

pub(crate) use fact::{Fact, Fault, FaultKind};
pub(crate) use sides::Side;

use super::settings::{ClockWhite, Settings};
use alloc::collections::VecDeque;
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever, SideTime};
use flagfall_events::{AlarmState, ClockPair, ClockState, Colour, Flag, Mono, Shown, TimeControl};
use flagfall_laws::Edition;
use sides::Sides;
use track::{Expected, Track};
use turn::Model;

/// A press as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pressed {
    pub(crate) side: Side,
    /// When the lever went over: the report's stamp, or earlier where a report was lost.
    pub(crate) at: Mono,
    /// The presser's time since the other side's press, less the time the clocks stood, and how far that may be off; milliseconds.
    pub(crate) spent: Option<(u64, u64)>,
    /// Both displays before the press: what an arbiter restores.
    pub(crate) before: ClockPair,
}

/// A report that comes so long after the last that waited is one of its own time, milliseconds: a running clock reports every second.
const CAUGHT_UP_MS: u64 = 900;

/// What a clock message changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    /// This side was pressed.
    pub(crate) press: Option<Pressed>,
    /// The clock started or stopped.
    pub(crate) running: bool,
    /// A flag fell or rose.
    pub(crate) flag: bool,
    /// The first reading, or the clock came or went.
    pub(crate) presence: bool,
    /// Times were set while the clock stood.
    pub(crate) edited: bool,
}

/// How far the game is, as the clock's judgement needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// A game is on.
    pub(crate) playing: bool,
    /// White had the first move.
    pub(crate) white_first: bool,
    /// Moves made: White, Black.
    pub(crate) made: [u32; 2],
    /// Moves completed.
    pub(crate) completed: [u32; 2],
    /// Who made the last one.
    pub(crate) last: Option<Colour>,
    /// When a square read something else last.
    pub(crate) touched_at: Mono,
}

impl Progress {
    const fn total(&self) -> u32 {
        self.made[0] + self.made[1]
    }
}

/// One clock.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    setting: ClockWhite,
    /// How far the sensors may lag behind the pieces, milliseconds.
    lag_ms: u64,
    white: Side,
    control: Option<TimeControl>,
    /// 0: none.
    default_time_ms: u64,
    /// It counts from the scheduled start.
    default_from_schedule: bool,
    /// Scheduled start, milliseconds of our own time; below 0: before it began.
    start_at: Option<i64>,
    reading: Option<ClockTimes>,
    read_at: Mono,
    lever: Option<Lever>,
    ran: bool,
    /// A display has shown time in this game: until then nobody has set the clock.
    is_set: bool,
    sent: Option<(Mono, ClockState)>,
    track: Track,
    progress: Progress,
    judge: judge::Judge,
    levers: lever::Levers,
    flags: flags::Flags,
    watch: watch::Watch,
    /// When the reader was last known to have fallen behind.
    behind: Option<Mono>,
    facts: VecDeque<Fact>,
    /// When its silence means something.
    due: Option<Mono>,
}

/// What a scan of this length may add to the time of one reading.
const fn jitter_ms(scan_ms: u64) -> u64 {
    scan_ms / 2
}

/// What it may add to the time between two.
const fn quantum_ms(scan_ms: u64) -> u64 {
    scan_ms + 50
}

impl Clock {
    pub(crate) fn new(settings: &Settings, scan_ms: u64) -> Self {
        let edition = Edition::of(settings.rules);
        let white = match settings.clock_white {
            ClockWhite::Right => Side::Right,
            _ => Side::Left,
        };
        Self {
            setting: settings.clock_white,
            lag_ms: scan_ms,
            white,
            control: settings.time_control.clone(),
            default_time_ms: settings.default_time.map_or(edition.default_time_ms, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX)),
            default_from_schedule: edition.default_time_from_schedule,
            start_at: None,
            reading: None,
            read_at: Mono::ZERO,
            lever: None,
            ran: false,
            is_set: false,
            sent: None,
            track: Track::new(jitter_ms(scan_ms)),
            progress: Progress::default(),
            judge: judge::Judge::new(quantum_ms(scan_ms)),
            levers: lever::Levers::default(),
            flags: flags::Flags::default(),
            watch: watch::Watch::default(),
            behind: None,
            facts: VecDeque::new(),
            due: None,
        }
    }

    /// The board is scanned in another time than was thought.
    pub(crate) const fn lag_by(&mut self, scan_ms: u64) {
        self.lag_ms = scan_ms;
        self.track.jitter_ms = jitter_ms(scan_ms);
        self.judge.drift.lag_by(quantum_ms(scan_ms));
    }

    /// The scheduled start of the game, in our own time.
    pub(crate) const fn schedule(&mut self, start_at: Option<i64>) {
        self.start_at = start_at;
    }

    /// Takes a report; null messages and acknowledgements say nothing about times.
    pub(crate) fn report(&mut self, now: Mono, report: &ClockReport) -> Changed {
        if self.setting == ClockWhite::None {
            self.watch.heard = Some(now);
            return Changed::default();
        }
        match report {
            ClockReport::Null | ClockReport::Ack(_) => Changed::default(),
            ClockReport::NoClock => {
                self.may_be_lost(now);
                Changed::default()
            }
            ClockReport::Time(times) => self.time(now, times),
        }
    }

    fn time(&mut self, now: Mono, times: &ClockTimes) -> Changed {
        if self.behind.is_some_and(|since| now.since(since) >= CAUGHT_UP_MS) {
            self.behind = None;
        }
        let changed = self.read(now, times);
        if self.behind.is_some() {
            // Nobody knows when a report that waited was made, so not what has run since then.
            self.track.forget();
        }
        changed
    }

    fn read(&mut self, now: Mono, times: &ClockTimes) -> Changed {
        let expected = self.expected();
        // A clock that is set only now begins to say something.
        if shows_time(times) && !core::mem::replace(&mut self.is_set, true) {
            self.track.forget();
        }
        let first = self.track.shown().is_none();
        let seen = self.track.read(now, times, &expected);
        if !seen.trusted {
            self.silence_is_over(now);
            return Changed::default();
        }
        let before = self.reading.replace(*times);
        let lever = self.lever.replace(times.lever);
        self.read_at = now;
        let was_running = before.is_some_and(|b| b.running);
        let over = lever.is_some_and(|l| l != times.lever);
        let moved = over && (was_running || times.running);
        self.ran |= times.running && self.is_set;
        let press = moved.then(|| {
            let side = match times.lever {
                Lever::LeftHigh => Side::Right,
                Lever::RightHigh => Side::Left,
            };
            let at = seen.press.map_or(now, |lift| lift.at);
            // What ran before the first reading is not known.
            let spent = seen.press.filter(|lift| lift.within_ms < track::UNKNOWN_MS).map(|lift| (lift.ran_ms, lift.within_ms));
            if was_running {
                self.settle_sides(side);
            }
            let mut pair = self.pair(times);
            if let (Some(lift), Some(before)) = (seen.press, &before) {
                pair = self.pair(before);
                *self.of_pair(&mut pair, side) = lift.before * 1000;
            }
            Pressed { side, at, spent, before: pair }
        });
        let changed = Changed {
            press,
            running: before.is_some_and(|b| b.running != times.running),
            flag: self.flags_changed(before.as_ref(), times),
            presence: before.is_none(),
            edited: seen.edited,
        };
        self.found_again(times);
        self.started_or_stopped(now, was_running, &seen);
        self.judge_reading(now, &seen, first);
        if over {
            let side = match times.lever {
                Lever::LeftHigh => Side::Right,
                Lever::RightHigh => Side::Left,
            };
            self.lever_moved(now, side, moved && was_running);
        }
        self.judge_flags(now);
        changed
    }

    /// What was agreed for each side's present period.
    fn expected(&self) -> Sides<Expected> {
        Sides::of(|side| {
            let Some(control) = &self.control else { return Expected { model: None, next_base: None } };
            let index = self.judge.period(side);
            let periods = control.periods();
            let period = periods[index.min(periods.len() - 1)];
            Expected { model: Some(Model::of(&period)), next_base: periods.get(index + 1).map(|next| i64::from(next.base_s)) }
        })
    }

    /// The link was down: the lever may have moved any number of times while nobody listened.
    pub(crate) const fn forget_lever(&mut self) {
        self.lever = None;
        self.track.forget();
        self.watch.heard = None;
    }

    /// The reader stood still; reports of this moment may have waited for it, in their order.
    pub(crate) fn fell_behind(&mut self, now: Mono) {
        self.behind = Some(now);
        self.track.forget();
        self.judge.drift.forget();
        self.watch.heard = None;
    }

    /// What is read now may have waited: it says what happened, in which order, and not when.
    pub(crate) const fn is_behind(&self) -> bool {
        self.behind.is_some()
    }

    /// The lever was read since it was forgotten.
    pub(crate) const fn is_read(&self) -> bool {
        self.lever.is_some()
    }

    /// A new game: the clock has not run in it.
    pub(crate) fn new_game(&mut self, now: Mono) {
        // What was found last was of the game before.
        self.facts.retain(|fact| matches!(fact, Fact::Alarm { .. }));
        self.is_set = self.reading.is_some_and(|r| shows_time(&r));
        self.ran = self.is_set && self.reading.is_some_and(|r| r.running);
        self.track.new_game(now);
        self.progress = Progress::default();
        self.judge.new_game();
        self.levers = lever::Levers::default();
        self.flags = flags::Flags::default();
        self.new_game_watched(now);
    }

    /// How far the game is now; called after every input.
    pub(crate) fn observe(&mut self, now: Mono, progress: Progress) {
        self.progress = progress;
        self.moves_made(now);
        self.watch_over(now);
    }

    /// The default time of this game, milliseconds; 0: none.
    pub(crate) const fn default_time_ms(&self) -> u64 {
        self.default_time_ms
    }

    /// The next fact, until there is none.
    pub(crate) fn next_fact(&mut self) -> Option<Fact> {
        self.facts.pop_front()
    }

    /// Everything was looked at: when its silence means something. A deadline that has come was acted upon just now.
    pub(crate) fn wait(&mut self, now: Mono) {
        self.due = self.deadline().map(|at| at.max(now + 1));
    }

    /// When it wants to be looked at again.
    pub(crate) const fn due(&self) -> Option<Mono> {
        self.due
    }

    /// That moment has come.
    pub(crate) const fn is_looked_at(&mut self) {
        self.due = None;
    }

    /// A clock is there and has run in this game, so that a press completes a move.
    pub(crate) const fn in_use(&self) -> bool {
        self.reading.is_some() && self.ran
    }

    /// A clock is there.
    pub(crate) const fn is_there(&self) -> bool {
        self.reading.is_some()
    }

    /// Whether the sides may still be exchanged by what is seen.
    pub(crate) const fn sides_open(&self) -> bool {
        matches!(self.setting, ClockWhite::Auto)
    }

    pub(crate) const fn set_white(&mut self, side: Side) {
        self.white = side;
    }

    /// Somebody has pressed in this game.
    pub(crate) const fn was_pressed(&self) -> bool {
        !self.levers.nobody_pressed()
    }

    /// White's side is the other one.
    pub(crate) const fn exchange(&mut self) {
        self.white = self.white.other();
    }

    /// Whose side this is.
    pub(crate) fn colour(&self, side: Side) -> Colour {
        if side == self.white { Colour::White } else { Colour::Black }
    }

    fn side(&self, colour: Colour) -> Side {
        if colour == Colour::White { self.white } else { self.white.other() }
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
        match (self.fallen(white), self.fallen(black)) {
            (false, false) => None,
            (true, false) => Some(Flag::White),
            (false, true) => Some(Flag::Black),
            (true, true) => Some(Flag::Both),
        }
    }

    /// A flag bit, or nothing left on a clock that has run. No flag can fall on a clock that was never set.
    const fn fallen(&self, side: &SideTime) -> bool {
        self.is_set && (side.flag_shown || (self.ran && side.total_seconds() == 0) || (side.flag_blocked && side.total_seconds() == 0))
    }

    const fn sides<'a>(&self, reading: &'a ClockTimes) -> (&'a SideTime, &'a SideTime) {
        match self.white {
            Side::Left => (&reading.left, &reading.right),
            Side::Right => (&reading.right, &reading.left),
        }
    }

    const fn pair(&self, reading: &ClockTimes) -> ClockPair {
        let (white, black) = self.sides(reading);
        ClockPair { white_ms: shown(white).millis(), black_ms: shown(black).millis() }
    }

    fn of_pair<'a>(&self, pair: &'a mut ClockPair, side: Side) -> &'a mut i64 {
        if side == self.white { &mut pair.white_ms } else { &mut pair.black_ms }
    }

    fn pair_of(&self, value: impl Fn(Side) -> i64) -> ClockPair {
        ClockPair { white_ms: value(self.white), black_ms: value(self.white.other()) }
    }

    /// Both displays as last read.
    pub(crate) fn shown(&self) -> Option<ClockPair> {
        Some(self.pair(&self.reading?))
    }

    /// Since the other side's press, less the time the clocks stood, and how far that may be off: of the turn that is going on.
    pub(crate) fn thinking(&self, now: Mono) -> Option<(u64, u64)> {
        self.track.thinking(now).filter(|(_, within)| *within < track::UNKNOWN_MS)
    }

    fn say_alarm(&mut self, key: &'static str, state: AlarmState) {
        self.facts.push_back(Fact::Alarm { key, state });
    }
}

/// Something is left on one side at least.
const fn shows_time(times: &ClockTimes) -> bool {
    times.left.total_seconds() > 0 || times.right.total_seconds() > 0
}

const fn shown(side: &SideTime) -> Shown {
    Shown::from_seconds(side.total_seconds())
}
