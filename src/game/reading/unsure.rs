//! Saying aloud that the record cannot be known (`alarm`, key `unsure`): it waits rather than guesses.
use crate::reading::view::Reading;
use crate::timers::Timer;
use flagfall_events::{AlarmKey, AlarmState, Body};

/// The alarm's key.
const UNSURE: AlarmKey = AlarmKey::Unsure;
/// A press that was not read within this time is told.
const UNREAD_MS: u64 = 5_000;

impl Reading<'_> {
    /// Raises or clears the alarm, once each.
    pub(crate) fn be_unsure(&mut self, unsure: bool) {
        let Some(play) = self.own.play.as_mut().filter(|play| play.said) else { return };
        let unread = !play.unanswered.is_empty();
        if !unsure && play.unsure && !unread {
            (play.unsure, play.unsure_of) = (false, None);
            self.say(Body::alarm(UNSURE, AlarmState::Cleared));
            return;
        }
        // Another ply is another question; a board that does not know its pieces would ask at every one.
        if !unsure || (play.unsure && play.occupancy()) {
            return;
        }
        let (ply, readings) = play.readings().map_or_else(Default::default, |(ply, readings)| (Some(ply), readings));
        if !play.unsure || (ply.is_some() && ply != play.unsure_of) {
            (play.unsure, play.unsure_of) = (true, ply);
            self.say(Body::Alarm { key: UNSURE.into(), state: AlarmState::Raised, ply, readings });
        }
    }

    /// Somebody says which of the readings it was.
    pub(crate) fn chosen(&mut self, ply: u32, uci: &str) {
        if self.own.play.as_mut().is_some_and(|play| play.choose(ply, uci)) {
            self.look();
            self.judge_presses();
            self.be_unsure(false);
        }
    }

    /// The position is known now, whatever was played before.
    pub(crate) fn forget_the_unread(&mut self) {
        if let Some(play) = self.own.play.as_mut() {
            play.unanswered.clear();
            play.unread_since = None;
        }
        self.set(Timer::Unread, None);
        self.be_unsure(false);
    }

    /// A press that no move was found for, and the board does not show what was certain before it.
    pub(crate) fn watch_the_unread(&mut self) {
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over && !p.occupancy()) else { return };
        if play.unanswered.is_empty() {
            play.unread_since = None;
        } else if play.unread_since.is_none() {
            play.unread_since = play.unanswered.first().map(|press| press.at);
        }
        let due = play.unread_since.filter(|_| !play.unsure).map(|since| since + UNREAD_MS);
        let unread = due.is_some_and(|due| self.now >= due) && play.expected() != self.watcher.image.placement();
        self.set(Timer::Unread, due.filter(|due| *due > self.now));
        if unread && !self.in_disorder() {
            self.be_unsure(true);
        }
    }
}
