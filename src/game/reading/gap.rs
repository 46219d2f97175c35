//! After the link was down: what was played meanwhile, and whether its last move was pressed.
use crate::placement::{Placement, bit};
use crate::press::Completion;
use crate::reading::view::Reading;
use crate::recovery::HAND_MS;
use crate::recovery::found::Found;
use crate::recovery::memory::Memory;
use alloc::vec::Vec;
use flagfall_events::{Colour, How};

/// So many plies that nobody saw are plain from what stands, though pieces were taken.
const PLAIN: usize = 2;

impl Reading<'_> {
    /// What stands after the link was down, compared with what stood before.
    pub(crate) fn after_gap(&mut self, placement: Placement) {
        let placement = if core::mem::take(&mut self.recovery.turn_unknown) { self.turned_as_the_game(placement) } else { placement };
        let changed = self.watcher.image.as_read().diff(&placement) != 0;
        self.watcher.image = self.watcher.image.renewed(placement);
        // A log that is on its way, or came with this picture, tells of this as well.
        if self.recovery.is_spent() {
            self.recovery.memory = Memory::Unasked;
        }
        self.recovery.waits_for_clock(self.now);
        let told = self.recover();
        self.recovery.looked(self.now, told);
        if !told {
            self.clocks.presses_were_missed();
        } else if self.own.play.as_ref().is_some_and(|play| !play.over) {
            self.recovery.unseen = false;
        }
        if changed {
            self.sensed();
        }
        self.after_made();
    }

    /// The clock was read, or says nothing: what the picture told counts, unless more was pressed.
    pub(crate) fn is_counted(&mut self) {
        if let Some(last) = self.recovery.last_heard.take().filter(|_| !self.recovery.unread) {
            self.recovery.presses = self.clocks.presses_since(last, self.now);
            self.recovery.presses_at_most = self.clocks.presses_at_most(last, self.now);
        }
        if !self.recovery.waited() || !self.recovery.recovering {
            return;
        }
        let told = self.recover();
        self.recovery.looked(self.now, told);
        if told && self.own.play.as_ref().is_some_and(|play| !play.over) {
            self.recovery.unseen = false;
        }
        self.after_made();
    }

    /// Finds what was played while the link was down. `false`: what stands is not a position that legal play comes to, perhaps because
    /// a piece is in somebody's hand; the next image may tell.
    pub(crate) fn recover(&mut self) -> bool {
        if self.is_blind() {
            return true;
        }
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over) else { return true };
        self.recovery.sees(play, &self.watcher.image);
        let found = self.recovery.found(self.now, play, &self.watcher.image, self.watcher.scan_ms);
        let Some(found) = found else { return false };
        if self.recovery.is_to_be_counted() {
            self.recovery.keep(play.base(), found);
            return false;
        }
        // Two moves of one player may have come in either order, and a piece that is gone may have been taken otherwise; the board may know.
        let same = play.line().iter().zip(&found.line).take_while(|(known, told)| known.mv == told.mv).count();
        let new = &found.line[same..];
        // A piece that is gone may be in a hand, and nobody saw it move to where it would have been taken.
        let unseen = new.windows(2).any(|pair| pair[1].mv.is_capture() && pair[1].to() == pair[0].to());
        // A move that stood before the gap was another one by this, and was answered: its piece may have gone on since then.
        let denied = (same < play.line().len() && new.len() >= 2) || self.recovery.told_otherwise(play.base(), &found);
        // One that waited for its press was under way when the link went down: where its piece went on from there, it may have gone elsewhere at once.
        let waited = |ply: usize| play.record.plies().get(play.base() + ply).is_some_and(|ply| !ply.pressed && !ply.completed);
        let under_way = play.line()[..same].iter().enumerate().filter(|(ply, _)| waited(*ply));
        let went_on = under_way.map(|(_, made)| made.mv.to()).any(|square| new.iter().any(|step| step.mv.from() == Some(square)));
        let takes = unseen || denied || went_on || (new.len() > PLAIN && new.iter().any(|step| step.mv.is_capture()));
        // Not as many plies as were pressed, or more, and what stands came about otherwise.
        let pressed = play.record.plies()[play.base()..].iter().filter(|ply| ply.pressed).count();
        let otherwise = self.recovery.is_too_short(&found) || self.recovery.is_too_long(&found, pressed);
        if found.open != 0 || found.roundabout || ((otherwise || takes) && !found.logged) {
            let base = play.base();
            // A piece that is in a hand may look as if it had gone on: time is given to it.
            if !found.roundabout {
                self.ask_memory();
            }
            let in_hand = found.roundabout && self.now < self.watcher.image.last_change() + HAND_MS;
            if !self.recovery.is_spent() || in_hand {
                self.recovery.keep(base, found);
                return false;
            }
        }
        self.take(found);
        true
    }

    /// Records what was played while the link was down: all but its last ply is completed, and what may have been another ply is left open.
    pub(crate) fn take(&mut self, found: Found) {
        self.may_be_too_short(&found);
        self.take_as(found, false);
    }

    /// `ends`: nothing else will tell of it; of plies that may have been others the likeliest counts, and says so.
    pub(crate) fn take_as(&mut self, found: Found, ends: bool) {
        let completed = found.completed();
        if completed > 0 {
            self.clocks.presses_were_missed();
        }
        self.recovery.unseen = false;
        let Found { line, logged, open, roundabout, pressed, follows } = found;
        let known_otherwise = logged || roundabout || open != 0;
        // A log may tell more plies than there are bits, and leaves none of them open.
        let may_be_another = |ply: usize| ply < 64 && open & bit(ply) != 0;
        let Some(play) = self.own.play.as_mut() else { return };
        let mut said = Vec::new();
        play.announce(&line, &mut |b| said.push(b));
        let (last, base) = (play.record.plies().len(), play.base());
        play.found = last;
        let mut known = completed;
        let before = play.assumed.len();
        play.follows = follows;
        // What is taken for what it most likely is says so.
        play.guess(if play.follows.is_some() { completed } else { 0 });
        if ends {
            play.assumed.extend((0..completed).filter(|ply| may_be_another(*ply)).map(|ply| base + ply));
        }
        let assumes = play.assumed.len() > before;
        for index in 0..last {
            let completion = Completion::bare(How::Recovered);
            if !ends && index.checked_sub(base).is_some_and(may_be_another) {
                play.leave_open(index, completion);
                known = known.max(index + 1 - base);
            } else if index < base + completed {
                play.complete(index, completion, &mut |b| said.push(b));
            }
        }
        play.freeze(known, &mut self.watcher.image);
        let unpressed = play.record.plies().last().is_some_and(|p| !p.completed) && pressed.is_none();
        self.recovery.gap_ply = unpressed.then(|| last - 1);
        if known_otherwise {
            // The presses since the link came up were of these plies; the last one is known by where the lever stands.
            play.presses.clear();
            play.unanswered.clear();
        }
        self.say_all(said);
        if known_otherwise {
            self.recovery.memory = Memory::Spent;
            self.be_unsure(open != 0 || roundabout || assumes);
        }
        // A clock that stands says nothing more; what it said before it fell silent tells nothing of it.
        if self.clocks.is_read() && self.recovery.hears_clock {
            self.close_gap();
        }
        if known_otherwise {
            self.after_made();
        }
    }

    /// The game ends while the log is on its way, or is not understood yet: what it most likely tells, or else the picture, is its end.
    pub(crate) fn take_what_the_picture_told(&mut self) {
        let Some(play) = self.own.play.as_ref().filter(|play| self.recovery.recovering && !play.over) else { return };
        let before_kings = self.recovery.likeliest_before_kings(play, &self.watcher.image, self.now);
        let now = before_kings.or_else(|| self.recovery.likeliest(play));
        let told = self.recovery.told_by_the_log(play);
        let kept = self.recovery.kept(play);
        let as_long = |told: &Found| kept.as_ref().is_none_or(|kept| kept.line.len() <= told.line.len());
        let Some(found) = now.or_else(|| told.filter(as_long)).or(kept) else { return };
        let pressed = self.recovery.pressed_since();
        self.recovery.recovering = false;
        self.take_as(found, true);
        // The clock may have been put back for the next game: the press tells what the lever told.
        if let Some((index, _)) = self.waits_for_its_press().filter(|(_, by)| pressed == Some(*by)) {
            self.was_pressed_in_the_gap(index);
        }
    }

    /// No clock was seen for a while, and moves were made. Whose clock runs now tells whether the last one was pressed.
    pub(crate) fn clock_is_there_again(&mut self) {
        if self.own.play.as_ref().is_none_or(|play| play.over || play.record.plies().is_empty()) {
            return;
        }
        self.clocks.presses_were_missed();
        let runs = self.clocks.running();
        let (now, blind) = (self.now, self.is_blind());
        if let Some((follows, runs)) = self.own.play.as_mut().and_then(|play| play.follows.as_mut()).zip(runs) {
            if blind {
                follows.hears_of(runs, now);
            } else {
                follows.hears(self.clocks.side(runs), now);
            }
        }
        let last = self.waits_for_its_press().filter(|(_, by)| runs == Some(by.other()));
        if let Some((index, _)) = last.filter(|(index, _)| self.is_believed(*index)) {
            self.recovery.gap_ply = Some(index);
        }
    }

    /// The last ply, where it was not completed, and whose it is.
    fn waits_for_its_press(&self) -> Option<(usize, Colour)> {
        let plies = self.own.play.as_ref().filter(|play| !play.over)?.record.plies();
        plies.last().filter(|ply| !ply.completed).map(|ply| (plies.len() - 1, ply.by))
    }

    /// The game ends: who moves presses, unless the clock said since then that it is still his turn.
    pub(crate) fn close_gap_for_good(&mut self) {
        let asked = self.recovery.asked();
        let turn = self.clocks.ran_since(asked).or_else(|| self.clocks.turn_since(asked).filter(|_| self.recovery.hears_clock));
        let gap_ply = self.recovery.gap_ply.take();
        if let Some((index, _)) = self.waits_for_its_press().filter(|(index, by)| gap_ply == Some(*index) && turn != Some(*by)) {
            self.was_pressed_in_the_gap(index);
        }
    }

    fn was_pressed_in_the_gap(&mut self, index: usize) {
        self.recovery.gap_ply = None;
        let Some(play) = self.own.play.as_mut() else { return };
        let mut said = Vec::new();
        play.complete(index, Completion::bare(How::Recovered), &mut |b| said.push(b));
        self.say_all(said);
    }

    /// After a gap the lever tells whether the last move was pressed meanwhile.
    pub(crate) fn close_gap(&mut self) {
        // A clock that was set for the next game says nothing of it.
        let Some(to_move) = self.clocks.turn_since(self.recovery.asked()) else { return };
        let Some(index) = self.recovery.gap_ply.take() else { return };
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over) else { return };
        if play.record.plies().get(index).is_some_and(|p| to_move == p.by.other()) {
            let mut said = Vec::new();
            play.complete(index, Completion::bare(How::Recovered), &mut |b| said.push(b));
            if index >= play.base() {
                let plies = index + 1 - play.base();
                play.freeze(plies, &mut self.watcher.image);
            }
            self.say_all(said);
        }
    }
}
