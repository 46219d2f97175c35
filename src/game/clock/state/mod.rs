//! What is known of one clock, and what follows from it at once; what is made of it stands in the files above.
mod attributed;
mod flags;
mod judge;
mod levers;
mod sum;
mod watch;

pub(crate) use attributed::Attributed;
pub(crate) use flags::Flags;
pub(crate) use judge::Judge;
pub(crate) use levers::{Check, Levers, QUIET_MS, Second, Unsettled};
pub(crate) use watch::{Ruled, Unplugged, Watch};

use crate::clock::fact::Fact;
use crate::clock::progress::Progress;
use crate::clock::sides::{Side, Sides};
use crate::clock::track::{self, Expected, Track};
use crate::clock::turn::Model;
use crate::settings::{ClockWhite, Settings};
use alloc::collections::VecDeque;
use dgt_protocol::clock::{ClockTimes, Lever, SideTime};
use flagfall_events::{AlarmKey, AlarmState, ClockPair, ClockState, Colour, Flag, Mono, Shown, TimeControl};
use flagfall_laws::Edition;

/// One clock.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    pub(crate) setting: ClockWhite,
    /// How far the sensors may lag behind the pieces, milliseconds.
    pub(crate) lag_ms: u64,
    pub(crate) white: Side,
    pub(crate) attributed: Attributed,
    pub(crate) control: Option<TimeControl>,
    /// 0: none.
    pub(crate) default_time_ms: u64,
    /// It counts from the scheduled start.
    pub(crate) default_from_schedule: bool,
    /// Scheduled start, milliseconds of our own time; below 0: before it began.
    pub(crate) start_at: Option<i64>,
    pub(crate) reading: Option<ClockTimes>,
    pub(crate) read_at: Mono,
    pub(crate) lever: Option<Lever>,
    pub(crate) ran: bool,
    /// When the clock was read running last, and whose side ran.
    pub(crate) ran_last: Option<(Mono, Side)>,
    /// A display has shown time in this game: until then nobody has set the clock.
    pub(crate) is_set: bool,
    pub(crate) sent: Option<(Mono, ClockState)>,
    pub(crate) track: Track,
    pub(crate) progress: Progress,
    pub(crate) judge: Judge,
    pub(crate) levers: Levers,
    pub(crate) flags: Flags,
    pub(crate) watch: Watch,
    /// When the reader was last known to have fallen behind.
    pub(crate) behind: Option<Mono>,
    /// Nothing that is known to have waited was read after this.
    pub(crate) waited_until: Option<Mono>,
    pub(crate) facts: VecDeque<Fact>,
    /// When its silence means something.
    pub(crate) due: Option<Mono>,
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
            attributed: Attributed::new(white, settings.clock_white),
            control: settings.time_control.clone(),
            default_time_ms: settings.default_time.map_or(edition.default_time_ms, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX)),
            default_from_schedule: edition.default_time_from_schedule,
            start_at: None,
            reading: None,
            read_at: Mono::ZERO,
            lever: None,
            ran: false,
            ran_last: None,
            is_set: false,
            sent: None,
            track: Track::new(jitter_ms(scan_ms)),
            progress: Progress::default(),
            judge: Judge::new(quantum_ms(scan_ms)),
            levers: Levers::default(),
            flags: Flags::default(),
            watch: Watch::default(),
            behind: None,
            waited_until: None,
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

    /// What was agreed for each side's present period.
    pub(crate) fn expected(&self) -> Sides<Expected> {
        Sides::of(|side| {
            let Some(control) = &self.control else { return Expected { model: None, next_base: None } };
            let index = self.judge.period(side);
            let periods = control.periods();
            let period = periods[index.min(periods.len() - 1)];
            Expected { model: Some(Model::of(&period)), next_base: periods.get(index + 1).map(|next| i64::from(next.base_s)) }
        })
    }

    /// What is said at this very moment waited for its reader.
    pub(crate) fn waited(&self, now: Mono) -> bool {
        self.behind == Some(now)
    }

    /// What is read now may have waited: it says what happened, in which order, and not when.
    pub(crate) const fn is_behind(&self) -> bool {
        self.behind.is_some()
    }

    /// What was read then, or something since, had waited: how long after each other things happened is not known.
    pub(crate) fn waited_since(&self, then: Mono) -> bool {
        self.waited_until.is_some_and(|until| then <= until)
    }

    /// The lever was read since it was forgotten.
    pub(crate) const fn is_read(&self) -> bool {
        self.lever.is_some()
    }

    /// The default time of this game, milliseconds; 0: none.
    pub(crate) const fn default_time_ms(&self) -> u64 {
        self.default_time_ms
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

    /// Somebody has pressed in this game.
    pub(crate) const fn was_pressed(&self) -> bool {
        !self.levers.nobody_pressed()
    }

    /// Presses on a running clock in this game.
    pub(crate) fn presses(&self) -> u32 {
        Side::BOTH.into_iter().map(|side| self.track.presses[side]).sum()
    }

    /// Whether what was played makes it as likely that White's side is the other one.
    pub(crate) const fn doubt_sides(&mut self, doubted: bool) {
        self.watch.sides_doubted = doubted;
    }

    /// White's side is the other one.
    pub(crate) fn exchange(&mut self) {
        self.white = self.white.other();
        if !self.sides_open() && !core::mem::replace(&mut self.levers.told_sides, true) {
            self.facts.push_back(Fact::Sides { configured_left: self.setting == ClockWhite::Left });
        }
    }

    pub(crate) fn is_white_left(&self) -> bool {
        self.white == Side::Left
    }

    /// Whose side this is.
    pub(crate) fn colour(&self, side: Side) -> Colour {
        if side == self.white { Colour::White } else { Colour::Black }
    }

    pub(crate) fn side(&self, colour: Colour) -> Side {
        if colour == Colour::White { self.white } else { self.white.other() }
    }

    /// Whose time runs now.
    pub(crate) fn running(&self) -> Option<Colour> {
        let reading = self.reading.filter(|r| r.running)?;
        Some(self.high(&reading))
    }

    /// The player whose side is up: the one to move as the clock has it.
    pub(crate) fn high(&self, reading: &ClockTimes) -> Colour {
        self.colour(match reading.lever {
            Lever::LeftHigh => Side::Left,
            Lever::RightHigh => Side::Right,
        })
    }

    /// The player to move as the lever has it, running or not.
    pub(crate) fn to_move(&self) -> Option<Colour> {
        self.reading.map(|r| self.high(&r))
    }

    /// The player whose clock ran last, where it ran since then: a lever that stands otherwise now was put so for the next game. Else as the lever has it.
    pub(crate) fn turn_since(&self, at: Mono) -> Option<Colour> {
        self.ran_since(at).or_else(|| self.to_move().filter(|_| !self.watch.set_anew))
    }

    /// The player whose clock ran last, where it ran since then.
    pub(crate) fn ran_since(&self, at: Mono) -> Option<Colour> {
        self.ran_last.filter(|(ran, _)| *ran >= at).map(|(_, side)| self.colour(side))
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
    pub(crate) const fn fallen(&self, side: &SideTime) -> bool {
        self.is_set && (side.flag_shown || (self.ran && side.total_seconds() == 0) || (side.flag_blocked && side.total_seconds() == 0))
    }

    pub(crate) const fn sides<'a>(&self, reading: &'a ClockTimes) -> (&'a SideTime, &'a SideTime) {
        match self.white {
            Side::Left => (&reading.left, &reading.right),
            Side::Right => (&reading.right, &reading.left),
        }
    }

    pub(crate) const fn pair(&self, reading: &ClockTimes) -> ClockPair {
        let (white, black) = self.sides(reading);
        ClockPair { white_ms: shown(white).millis(), black_ms: shown(black).millis() }
    }

    pub(crate) fn of_pair<'a>(&self, pair: &'a mut ClockPair, side: Side) -> &'a mut i64 {
        if side == self.white { &mut pair.white_ms } else { &mut pair.black_ms }
    }

    pub(crate) fn pair_of(&self, value: impl Fn(Side) -> i64) -> ClockPair {
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

    pub(crate) fn say_alarm(&mut self, key: AlarmKey, state: AlarmState) {
        self.facts.push_back(Fact::Alarm { key, state });
    }
}

const fn shown(side: &SideTime) -> Shown {
    Shown::from_seconds(side.total_seconds())
}
