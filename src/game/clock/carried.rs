//! What goes over from game to game, and into the next journal: when a clock was started last, who is there, alarms that stand.
use crate::clock::Clock;
use crate::clock::state::Watch;
use flagfall_events::{AlarmKey, Mono};

/// A game is started so long before its scheduled start at most, milliseconds.
const EARLY_MS: i64 = 300_000;

impl Clock {
    /// The scheduled start of the game that is on or comes, in our own time: none where that was an earlier game's.
    pub(crate) fn start_at(&self) -> Option<i64> {
        let used =
            |at: i64| self.watch.began_before.is_some_and(|began| i64::try_from(began.millis()).unwrap_or(i64::MAX) >= at - EARLY_MS);
        self.start_at.filter(|at| !used(*at))
    }

    /// When a clock was started for a game last.
    pub(crate) fn last_started(&self) -> Option<Mono> {
        self.watch.began.or(self.watch.began_before)
    }

    /// Who is there, as arbiters entered it.
    pub(crate) const fn who_arrived(&self) -> [bool; 2] {
        self.watch.arrived
    }

    /// The same where a journal begins between two games.
    pub(crate) const fn was_there(&mut self, answered: bool, started: Option<Mono>, arrived: [bool; 2]) {
        (self.watch.answered, self.watch.began_before, self.watch.arrived) = (answered, started, arrived);
    }

    /// This alarm was raised in a journal before.
    pub(crate) fn was_raised(&mut self, key: AlarmKey) {
        match key {
            AlarmKey::ClockLost => self.watch.lost = true,
            AlarmKey::ClockStale => self.watch.stale = true,
            AlarmKey::BatteryLow => (self.watch.battery, self.watch.battery_told) = (Some(true), true),
            _ => {}
        }
    }

    /// Something was entered or seen between two games that only what is still to come settles.
    pub(crate) fn waits_for_something(&self) -> bool {
        let Watch { gone, ruled, start_ruled, late_told, nobody_told, .. } = &self.watch;
        let told = (*late_told || *nobody_told) && self.start_at().is_some();
        gone.is_some() || ruled.is_some() || (start_ruled.is_some() && self.watch.began.is_none()) || told
    }
}
