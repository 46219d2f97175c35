//! Between two games: what of a board goes over into the next journal, which begins where the pieces of another game stand.
use super::{Game, Timer};
use alloc::string::String;
use flagfall_events::{LinkState, Mono};

impl Game {
    /// How many games were played on the board: what stands on it now may be the next one.
    pub(crate) fn played_so_far(&self) -> u32 {
        self.last_begun().unwrap_or(0)
    }

    /// Nothing is going on: the pieces of another game stand, nothing of it was said, and nothing that was said before waits for anything.
    pub(crate) fn is_between_games(&self) -> bool {
        let stands = self.play.as_ref().is_some_and(|play| !play.over && play.record.plies().is_empty() && play.presses.is_empty());
        let certain = self.doubt.is_none() && !self.gap && !self.recovering && self.asked_for_dump.is_none();
        stands
            && certain
            && self.is_unsaid()
            && self.last_begun().is_some()
            && self.link == Some(LinkState::Up)
            && self.clock.running().is_none()
            && self.lights == 0
            && self.findings.open().next().is_none()
            && !self.findings.earlier_waits()
    }

    /// What stands: the pieces, whether the board is scanned at half speed, whether its clock is not used, when it will not have said too much
    /// for long.
    pub(crate) fn standing(&self) -> (String, bool, bool, Option<Mono>) {
        (self.image.placement().fen(), self.pace.is_slow(), self.stage.unclocked, self.timer(Timer::Chatter))
    }

    /// What stood when its journal began.
    pub(crate) fn stand(&mut self, t: Mono, slow: bool, unclocked: bool, chatters_until: Option<Mono>) {
        self.stage.unclocked = unclocked;
        (self.now, self.link) = (t, Some(LinkState::Up));
        if slow {
            self.pace.is_known_slow();
            self.keep_pace();
        }
        self.set(Timer::Chatter, chatters_until);
    }
}
