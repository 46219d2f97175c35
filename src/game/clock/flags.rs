//! Flags: what is down, and what that means (6.4, 6.8, 6.9, III.3.1).
use crate::clock::{Clock, Fact};
use dgt_protocol::clock::ClockTimes;
use flagfall_events::{Colour, Flag, Mono};

/// A clock that adds the next period at zero does so at once.
const NEXT_PERIOD_MS: u64 = 2_500;

impl Clock {
    pub(crate) fn flags_changed(&self, before: Option<&ClockTimes>, times: &ClockTimes) -> bool {
        let flags = |t: &ClockTimes| (self.fallen(&t.left), self.fallen(&t.right));
        before.is_some_and(|b| flags(b) != flags(times))
    }

    /// Moves that a player must have completed when his flag is down now; `None`: all.
    pub(crate) fn required(&self, by: Colour) -> Option<u32> {
        let periods = self.control.as_ref()?.periods();
        let index = self.judge.got[self.side(by)];
        if index + 1 >= periods.len() {
            return None;
        }
        Some(periods[..=index].iter().map(|p| p.moves.unwrap_or(0)).sum())
    }

    /// Immediately after a flag falls, the requirements are checked (6.4).
    pub(crate) fn judge_flags(&mut self, now: Mono) {
        let Some(reading) = self.reading else { return };
        let (white, black) = self.sides(&reading);
        let down = [self.fallen(white), self.fallen(black)];
        let bits = [white.flag(), black.flag()];
        let was = core::mem::replace(&mut self.flags.seen, down);
        if !self.progress.playing || !self.ran {
            return;
        }
        for (i, by) in [Colour::White, Colour::Black].into_iter().enumerate() {
            if !down[i] {
                self.flags.due[i] = None;
                continue;
            }
            if was[i] || self.flags.told[i] {
                continue;
            }
            let completed = self.progress.completed[i];
            // After a bonus at zero the flag shown is that of the period before.
            let added = self.judge.bonus_at_zero_now(self.side(by), now);
            let required = if added { self.required_before(by) } else { self.required(by) };
            if required.is_some_and(|moves| completed >= moves) {
                if !added {
                    self.flags.due[i] = Some(now + NEXT_PERIOD_MS);
                }
                continue;
            }
            self.flags.told[i] = true;
            // Both in one reading: nobody knows which came first.
            let together = down == [true; 2] && was == [false; 2];
            if !together && self.flags.first.is_none() {
                self.flags.first = Some(by);
            }
            if !down[1 - i] {
                self.facts.push_back(Fact::FlagFall { by, bit: bits[i], completed, required });
            }
        }
        if self.flag() == Some(Flag::Both) && self.flags.told == [true; 2] && !self.flags.both_told {
            self.flags.both_told = true;
            let last_period = [Colour::White, Colour::Black].iter().all(|&by| self.required(by).is_none());
            let first = self.flags.first;
            self.facts.push_back(Fact::BothFlags { first, last_period });
        }
    }

    /// The requirement of the period that has just ended.
    fn required_before(&self, by: Colour) -> Option<u32> {
        let periods = self.control.as_ref()?.periods();
        let index = self.judge.got[self.side(by)].min(periods.len());
        Some(periods[..index].iter().map(|p| p.moves.unwrap_or(0)).sum())
    }

    /// The time of the next period did not come at zero.
    pub(crate) fn flags_due(&mut self, now: Mono) {
        for (i, by) in [Colour::White, Colour::Black].into_iter().enumerate() {
            if self.flags.due[i].is_some_and(|at| at <= now) {
                self.flags.due[i] = None;
                self.bonus_did_not_come(now, self.side(by));
            }
        }
    }
}
