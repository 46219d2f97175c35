//! Which moves stand on the board, and what follows from a move that was made.
use crate::press::Completion;
use crate::reading::followed::ASSUMED_MS;
use crate::reading::view::Reading;
use crate::recogniser::completion;
use crate::recogniser::play::Play;
use crate::recognition::step::Step;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use alloc::vec::Vec;
use flagfall_events::{How, Mono};
use flagfall_laws::Edition;

/// Without a clock: how long a move stands that could not go on, and one that could.
const STANDS_MS: u64 = 3_000;
const COULD_GO_ON_MS: u64 = 3_500;
const ODD_STANDS_MS: u64 = 1_500;
/// What a line may leave odd that is found only when all is quiet.
const ODD_AFTER_ALL: u32 = 6;

impl Reading<'_> {
    /// Looks what stands on the board now, and announces it unless it may still go on.
    pub(crate) fn look(&mut self) {
        if self.is_blind() {
            self.weigh_hypotheses();
            return;
        }
        self.set(Timer::Made, None);
        if self.is_unreadable() || self.is_being_put_up() || self.recovery.is_catching_up() {
            return;
        }
        if self.is_brought_back() {
            self.put_right_by_hand();
            return;
        }
        self.look_at_what_is_believed();
    }

    /// The board is quiet and no short line leads to it: several plies may have gone by unread.
    pub(crate) fn find_the_thread(&mut self) {
        if self.is_unreadable() || self.is_blind() || self.recovery.is_catching_up() || self.is_followed() {
            return;
        }
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over && p.presses.is_empty()) else { return };
        if play.exact_line(&self.watcher.image).is_some() {
            return;
        }
        if !play.is_under_way(&self.watcher.image) {
            self.watcher.doubt = Some(self.watcher.doubt.unwrap_or_else(|| self.watcher.image.last_change()));
            self.ask_for_dump();
        }
        let Some(play) = self.own.play.as_ref() else { return };
        if let Some(line) = play.recovered_line(&self.watcher.image) {
            // A captured piece put aside for a moment may look like several plies.
            let stands = self.watcher.image.last_change() + ODD_STANDS_MS;
            if !self.clocks.in_use() && self.now < stands && play.has_unseen(&line, &self.watcher.image) {
                self.set(Timer::Made, Some(stands));
            } else if play.oddities(&line, &self.watcher.image) <= ODD_AFTER_ALL {
                self.make(&line);
            }
        }
    }

    pub(crate) fn made_for_sure(&mut self) {
        if self.is_blind() {
            self.weigh_hypotheses();
            return;
        }
        self.look();
    }

    pub(crate) fn make(&mut self, line: &[Step]) {
        let base = self.own.play.as_ref().map_or(0, Play::base);
        if !self.may_have(base + line.len()) {
            return;
        }
        let mut said = Vec::new();
        if let Some(play) = self.own.play.as_mut() {
            play.announce(line, &mut |b| said.push(b));
        }
        self.say_all(said);
        self.after_made();
    }

    /// What follows from a move that was made: it completes earlier ones (6.2.1.2), or ends the game (6.2.1.1).
    pub(crate) fn after_made(&mut self) {
        if self.is_blind() {
            return;
        }
        let in_use = self.clocks.in_use();
        let next_completes = Edition::of(self.settings.rules).next_move_completes;
        let (mut said, mut unpressed, mut served) = (Vec::new(), Vec::new(), Vec::new());
        let mut assumes = None;
        let doubted = self.first_doubted().min(self.first_pressed());
        let (open, assumed) = (self.first_open(), self.now.millis().checked_sub(ASSUMED_MS).map(Mono::from_millis));
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over) else { return };
        let total = play.record.plies().len();
        if !in_use {
            let upto = total.saturating_sub(1).min(doubted);
            assumes = play.guess_unpressed(upto);
            for index in play.base()..upto {
                play.complete(index, Completion::bare(How::NextMove), &mut |b| said.push(b));
            }
            play.freeze(upto.saturating_sub(play.base()), &mut self.watcher.image);
        } else if total > 2 {
            let mut certain = 0;
            for index in 0..(total - 2).min(doubted) {
                if next_completes {
                    if !play.record.plies()[index].completed {
                        unpressed.push(index);
                    }
                    play.complete(index, Completion::bare(How::NextMove), &mut |b| said.push(b));
                }
                certain = (index + 1).saturating_sub(play.base());
            }
            play.freeze(certain, &mut self.watcher.image);
        }
        if !play.unanswered.is_empty() && !play.line().is_empty() {
            served = completion::complete_unanswered(play, total, (open, assumed), &mut |b| said.push(b));
            let plies = served.last().map_or(0, |(index, _)| (index + 1).saturating_sub(play.base()));
            play.freeze(plies, &mut self.watcher.image);
        }
        self.say_all(said);
        self.tell(Fact::Unpressed(&unpressed));
        if served.iter().any(|&(ply, _)| ply >= open) {
            self.be_unsure(true);
        }
        if let Some(assumes) = assumes {
            self.be_unsure(assumes);
        }
        for (ply, press) in &served {
            self.tell(Fact::FoundLate { ply: *ply, press });
        }
        self.wait_for_the_last();
    }

    /// The last move made may end the game, or be completed by standing long enough where there is no clock.
    pub(crate) fn wait_for_the_last(&mut self) {
        self.set(Timer::Complete, None);
        self.set(Timer::End, None);
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over) else { return };
        let Some(last) = play.record.plies().last() else { return };
        let open = !last.completed && !play.line().is_empty();
        let goes_on = open && self.may_still_change(play);
        if let Some(end) = play.end() {
            if goes_on {
                let look = self.next_look(self.watcher.image.last_change());
                self.set(Timer::End, Some(look));
            } else {
                self.finish(end);
            }
        } else if open && !self.clocks.in_use() {
            let stood = play.line().last().map_or(0, |s| Play::age_of(s, &self.watcher.image, self.now));
            let wanted = if goes_on { COULD_GO_ON_MS } else { STANDS_MS };
            self.set(Timer::Complete, Some(self.now + wanted.saturating_sub(stood).max(1)));
        }
        self.tell(Fact::Position);
    }

    /// The first ply that may still be another one.
    fn first_doubted(&self) -> usize {
        let Some(play) = self.own.play.as_ref() else { return usize::MAX };
        (play.base()..play.record.plies().len()).find(|&index| !self.is_believed(index)).unwrap_or(usize::MAX)
    }

    /// The first ply whose press waits to be judged: no next move completes it.
    fn first_pressed(&self) -> usize {
        let Some(play) = self.own.play.as_ref().filter(|play| play.follows.is_some()) else { return usize::MAX };
        play.presses.iter().filter_map(|press| play.waiting(press.by).first().copied()).min().unwrap_or(usize::MAX)
    }

    /// Whether the piece that moved last may still be on its way.
    fn may_still_change(&self, play: &Play) -> bool {
        let last = play.line().len() - 1;
        play.may_go_on(play.line(), last, &self.watcher.image) && (play.follows.is_none() || !self.is_believed(play.base() + last))
    }

    pub(crate) fn stood_long_enough(&mut self) {
        self.follow();
        let stood = self.is_explained_by_the_estimate() && self.now >= self.watcher.image.last_change() + COULD_GO_ON_MS;
        if self.first_doubted() != usize::MAX && !stood {
            self.set(Timer::Complete, Some(self.next_look(self.watcher.image.last_change())));
            return;
        }
        // What stands whole for so long is believed after all.
        if stood {
            self.tell_what_stands();
        }
        let placement = *self.watcher.image.placement();
        let mut said = Vec::new();
        // What is analysed is completed by nothing.
        let Some(play) = self.own.play.as_mut().filter(|p| p.said && !p.over) else { return };
        let Some(step) = play.line().last() else { return };
        if step.after().any(|(square, piece)| placement.0[square] != piece) {
            self.set(Timer::Complete, Some(self.now + STANDS_MS));
            return;
        }
        let last = play.record.plies().len() - 1;
        let assumes = play.guess_unpressed(last + 1);
        for index in play.base()..last {
            play.complete(index, Completion::bare(How::NextMove), &mut |b| said.push(b));
        }
        play.complete(last, Completion::bare(How::Settled), &mut |b| said.push(b));
        play.freeze(play.line().len(), &mut self.watcher.image);
        self.say_all(said);
        self.be_unsure(assumes == Some(true));
    }
}
