//! Whether a clock is there: one that is gone for more than a moment is told, and of what nobody heard nothing follows.
use crate::clock::Clock;
use dgt_protocol::clock::ClockTimes;
use flagfall_events::{AlarmKey, AlarmState, Mono};

/// A move is read so long after it was made at most, milliseconds: two scans of a slow board, and 0.6 s for what stands.
const READ_MS: u64 = 1_500;
/// A clock that is there speaks again by then.
const GONE_MS: u64 = 1_500;

impl Clock {
    /// A clock is there, or was when the journal began.
    pub(crate) const fn answers(&self) -> bool {
        self.reading.is_some() || self.watch.answered
    }

    /// The board says that no clock is there. One bit may lie; the next second tells.
    pub(crate) fn may_be_lost(&mut self, now: Mono) {
        self.watch.heard = Some(now);
        if self.answers() && self.watch.gone.is_none() {
            self.watch.gone = Some(now);
        }
    }

    /// No clock was seen when a move was made that was read at this moment, or later: who pressed meanwhile is not known.
    pub(crate) fn was_gone_since(&self, read: Mono) -> bool {
        self.watch.lost || self.watch.returned.is_some_and(|returned| returned + READ_MS > read)
    }

    /// The board says that there is none.
    pub(crate) const fn is_lost(&self) -> bool {
        self.watch.lost
    }

    /// When it is gone for good.
    pub(crate) fn gone_deadline(&self) -> Option<Mono> {
        self.watch.gone.map(|at| at + GONE_MS)
    }

    /// It has not spoken since.
    pub(crate) fn gone_for_good(&mut self, now: Mono) {
        if self.gone_deadline().is_some_and(|at| now >= at) {
            self.watch.gone = None;
            self.lost();
        }
    }

    fn lost(&mut self) {
        self.is_unplugged();
        (self.reading, self.watch.answered) = (None, false);
        self.lever = None;
        self.track.forget();
        if !core::mem::replace(&mut self.watch.lost, true) {
            self.say_alarm(AlarmKey::ClockLost, AlarmState::Raised);
        }
        self.not_stale();
    }

    /// A reading: the clock is there, and says how its battery is.
    pub(crate) fn found_again(&mut self, now: Mono, times: &ClockTimes) {
        if self.watch.gone.take().is_some() {
            // When it was pressed meanwhile is not known.
            self.waited_until = Some(now);
        }
        if core::mem::take(&mut self.watch.lost) {
            self.say_alarm(AlarmKey::ClockLost, AlarmState::Cleared);
        }
        let low = times.battery_low;
        // Twice the same: bits flip.
        if self.watch.battery == Some(low) && self.watch.battery_told != low {
            self.watch.battery_told = low;
            self.say_alarm(AlarmKey::BatteryLow, if low { AlarmState::Raised } else { AlarmState::Cleared });
        }
        self.watch.battery = Some(low);
    }
}
