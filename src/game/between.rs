//! Between two games: what of a board goes over into the next journal, which begins where the pieces of another game stand.
use crate::Game;
use crate::board::Stands;
use crate::reading::observe::CALM_MS;
use crate::reading::parts::Parts;
use crate::referee::state::Resigned;
use crate::timers::Timer;
use alloc::vec::Vec;
use flagfall_events::{AlarmKey, LinkState, Mono, Word};

impl Game {
    /// How many games were played on the board: what stands on it now may be the next one.
    pub(crate) fn played_so_far(&self) -> u32 {
        self.parts.recogniser.last_begun().unwrap_or(0)
    }

    /// Nothing is going on: the pieces of another game stand, nothing of it was said, and nothing that was said before waits for anything.
    pub(crate) fn is_between_games(&self) -> bool {
        let Parts { watcher, clocks, recogniser, recovery, referee } = &self.parts;
        let waits = |play: &crate::recogniser::play::Play| !play.over && play.record.plies().is_empty() && play.presses.is_empty();
        let stands = recogniser.play.as_ref().is_some_and(waits);
        let certain = watcher.doubt.is_none() && !recovery.gap && !recovery.recovering && watcher.is_answered();
        stands
            && certain
            && recogniser.is_unsaid()
            && recogniser.last_begun().is_some()
            && watcher.link == Some(LinkState::Up)
            && clocks.running().is_none()
            && self.lights.are_dark()
            && referee.findings.open().next().is_none()
            && !referee.findings.earlier_waits()
            && !referee.asks_of_a_resignation()
            && !clocks.waits_for_something()
            && self.undo.is_none()
    }

    /// What stands.
    pub(crate) fn standing(&self, t: Mono) -> Stands {
        let Parts { watcher, clocks, recogniser, .. } = &self.parts;
        Stands {
            t,
            placement: watcher.image.placement().fen(),
            slow: watcher.pace.is_slow(),
            unclocked: recogniser.stage.unclocked,
            usual: clocks.stood_as_usual(),
            chatters_until: watcher.timers.get(Timer::Chatter),
            clock: clocks.answers(),
            started: clocks.last_started(),
            arrived: clocks.who_arrived(),
        }
    }

    /// What stood when its journal began.
    pub(crate) fn stand(&mut self, stands: &Stands) {
        let Stands { t, slow, unclocked, usual, chatters_until, clock, started, arrived, .. } = *stands;
        self.parts.recogniser.stage.unclocked = unclocked;
        self.parts.clocks.stands_as(usual);
        self.parts.clocks.was_there(clock, started, arrived);
        (self.now, self.parts.watcher.link) = (t, Some(LinkState::Up));
        if slow {
            self.parts.watcher.pace.is_known_slow();
            if let Some(lag_ms) = self.parts.watcher.lags_anew() {
                self.parts.clocks.lag_by(lag_ms);
            }
        }
        self.parts.watcher.timers.set(Timer::Chatter, chatters_until);
    }

    /// The alarms that stand on the board, whoever raised them.
    pub(crate) fn raised(&self) -> Vec<Word<AlarmKey>> {
        self.told.raised()
    }

    /// These alarms stood when its journal began: what they are about goes on, or is over once that is seen.
    pub(crate) fn was_raised(&mut self, keys: &[Word<AlarmKey>]) {
        for key in keys {
            self.told.was_raised(key);
            let Some(key) = key.known() else { continue };
            let Parts { watcher, clocks, recogniser, referee, .. } = &mut self.parts;
            match key {
                AlarmKey::ClockLost | AlarmKey::ClockStale | AlarmKey::BatteryLow => clocks.was_raised(key),
                AlarmKey::RecordBroken => recogniser.stage.broken = true,
                AlarmKey::Unsure => recogniser.stage.unsure = true,
                AlarmKey::ResignationUnwinnable => referee.resigned = Some(Resigned::told_before()),
                AlarmKey::BoardChatters => {
                    let until = watcher.timers.get(Timer::Chatter).unwrap_or(self.now + CALM_MS);
                    watcher.timers.set(Timer::Chatter, Some(until));
                }
                // No game ends these: the journal's keeper does, or nobody.
                AlarmKey::SolverContradiction
                | AlarmKey::JournalFailing
                | AlarmKey::JournalDamaged
                | AlarmKey::JournalCut
                | AlarmKey::GameTakenOver => {}
            }
        }
    }
}
