//! Saying aloud that the record cannot be known (`alarm`, key `unsure`): it waits rather than guesses.
use super::Game;
use super::event::{AlarmState, Body};

/// The alarm's key.
const UNSURE: &str = "unsure";
/// A press that was not read within this time is told.
const UNREAD_MS: u64 = 5_000;

impl Game {
    /// Raises or clears the alarm, once each.
    pub(super) fn be_unsure(&mut self, unsure: bool) {
        let Some(play) = self.play.as_mut() else { return };
        let unread = !play.unanswered.is_empty();
        if play.unsure != unsure && (unsure || !unread) {
            play.unsure = unsure;
            let state = if unsure { AlarmState::Raised } else { AlarmState::Cleared };
            self.say(Body::Alarm { key: String::from(UNSURE), state });
        }
    }

    /// The position is known now, whatever was played before.
    pub(super) fn forget_the_unread(&mut self) {
        if let Some(play) = self.play.as_mut() {
            play.unanswered.clear();
        }
        self.be_unsure(false);
    }

    /// A press that no move was found for, and the board does not show what was certain before it.
    pub(super) fn watch_the_unread(&mut self) {
        let Some(play) = self.play.as_ref().filter(|p| !p.over) else { return };
        let unread = play.unanswered.first().is_some_and(|press| self.now >= press.at + UNREAD_MS);
        if unread && play.expected() != self.image.placement() && !self.in_disorder() {
            self.be_unsure(true);
        }
    }
}
