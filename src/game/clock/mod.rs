//! The clock authority: what the chess clock shows, who pressed, what is wrong with it.
//!
//! | file | holds |
//! |---|---|
//! | `sides.rs` | left and right: the clock knows no colours |
//! | `attributed.rs` | which of them is White's as far as anybody is told |
//! | `state/` | what is known of one clock, each part's own |
//! | `progress.rs` | what a message changed; how far the game is |
//! | `track.rs`, `press.rs` | from reading to reading: fractions of a second, presses, edits, readings that do not fit |
//! | `turn.rs`, `instead.rs` | one turn as the clock showed it, and the kind of bonus that explains it |
//! | `drift.rs` | whether its seconds are as long as seconds are |
//! | `doubt.rs` | what late reports and whole seconds explain, and how sure a fault is |
//! | `sum.rs` | the clock sum: what each side should have |
//! | `judge.rs` | which fault explains what is left over (6.10) |
//! | `bonus.rs` | the next period's time |
//! | `lever.rs` | second presses, unpressed moves, which side is White's (6.5) |
//! | `flags.rs` | flags against the moves required (6.4, 6.8) |
//! | `unheard.rs` | presses that nobody heard, by their increments |
//! | `gone.rs` | whether a clock is there |
//! | `exchanged.rs` | a clock that was unplugged, against the record (6.10) |
//! | `watch.rs` | what only time shows: stale, stopped, late starts, default time (6.6, 6.7, 6.11) |
//! | `carried.rs` | what goes over from game to game |
//! | `publish.rs` | the `clock` event |
//! | `fact.rs` | what is found, as values |
//!
//! The game hands in readings ([`Clock::report`]), what the arbiter enters ([`Clock::entered`], [`Clock::ruled`]), and after every input how far
//! the game is ([`Clock::observe`]); then it drains [`Clock::next_fact`] and asks for [`Clock::deadline`].
mod attributed;
mod bonus;
mod carried;
mod doubt;
mod drift;
mod exchanged;
mod fact;
mod flags;
mod gone;
mod instead;
mod judge;
mod lever;
mod press;
mod progress;
mod publish;
mod sides;
mod state;
mod sum;
#[cfg(test)]
mod tests;
mod track;
mod turn;
mod unheard;
mod watch;

pub(crate) use fact::{Fact, Fault, FaultKind};
pub(crate) use progress::{Changed, Pressed, Progress};
pub(crate) use sides::Side;
pub(crate) use state::Clock;
pub(crate) use unheard::LastHeard;

use super::settings::ClockWhite;
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever};
use flagfall_events::Mono;
use state::{Flags, Levers};

/// A report that comes so long after the last that waited is one of its own time, milliseconds: a running clock reports every second.
const CAUGHT_UP_MS: u64 = 900;

impl Clock {
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
            self.waited_until = Some(now);
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
        // A lever that goes over while the clock is set presses nothing.
        let moved = over && (times.running || was_running && !seen.edited);
        self.ran |= times.running && self.is_set;
        if times.running {
            let up = if times.lever == Lever::LeftHigh { Side::Left } else { Side::Right };
            self.ran_last = Some((now, up));
        }
        let press = moved.then(|| {
            let side = match times.lever {
                Lever::LeftHigh => Side::Right,
                Lever::RightHigh => Side::Left,
            };
            let at = seen.press.map_or(now, |lift| lift.at);
            // What ran before the first reading is not known.
            let spent = seen.press.filter(|lift| lift.within_ms < track::UNKNOWN_MS).map(|lift| (lift.ran_ms, lift.within_ms));
            if was_running {
                if self.levers.nobody_pressed() {
                    self.pressed_first(side);
                }
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
        if before.is_none() {
            self.watch.returned = Some(now);
        }
        self.watch.set_anew = !times.running && (self.watch.set_anew || seen.edited);
        self.found_again(now, times);
        self.started_or_stopped(now, was_running, &seen, first);
        self.judge_reading(now, &seen, first);
        if over {
            let side = match times.lever {
                Lever::LeftHigh => Side::Right,
                Lever::RightHigh => Side::Left,
            };
            self.lever_moved(now, side, moved && was_running);
        }
        self.judge_flags(now);
        // Nothing follows from one reading.
        if !first && !seen.edited && press.is_none() {
            self.compare_with_record(now);
        }
        changed
    }

    /// The link was down: the lever may have moved any number of times while nobody listened.
    pub(crate) const fn forget_lever(&mut self) {
        (self.lever, self.ran_last) = (None, None);
        self.track.forget();
        self.watch.heard = None;
    }

    /// Moves were played that nobody saw: neither the first press that is seen nor the side that runs first says whose side it is.
    pub(crate) const fn presses_were_missed(&mut self) {
        self.levers.pressed = true;
    }

    /// The reader stood still; reports of this moment may have waited for it, in their order.
    pub(crate) fn fell_behind(&mut self, now: Mono) {
        (self.behind, self.waited_until) = (Some(now), Some(now));
        self.track.forget();
        self.judge.drift.forget();
        self.watch.heard = None;
    }

    /// A new game: the clock has not run in it.
    pub(crate) fn new_game(&mut self, now: Mono) {
        // What was found last was of the game before.
        self.facts.retain(|fact| matches!(fact, Fact::Alarm { .. }));
        self.is_set = self.reading.is_some_and(|r| shows_time(&r));
        self.ran = self.is_set && self.reading.is_some_and(|r| r.running);
        self.ran_last = self.ran_last.filter(|_| self.ran);
        self.track.new_game(now);
        self.progress = Progress::default();
        self.judge.new_game();
        self.levers = Levers::default();
        self.flags = Flags::default();
        self.attribute_anew();
        self.new_game_watched(now);
    }

    /// How far the game is now; called after every input.
    pub(crate) fn observe(&mut self, now: Mono, progress: Progress) {
        self.progress = progress;
        self.moves_made(now);
        self.watch_over(now);
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
}

/// Something is left on one side at least.
const fn shows_time(times: &ClockTimes) -> bool {
    times.left.total_seconds() > 0 || times.right.total_seconds() > 0
}
