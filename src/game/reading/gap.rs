//! After the link was down: what was played meanwhile, and whether its last move was pressed.
use crate::placement::Placement;
use crate::press::Completion;
use crate::reading::view::Reading;
use crate::recovery::found::Found;
use crate::recovery::memory::Memory;
use alloc::vec::Vec;
use flagfall_events::How;

/// So many plies that nobody saw are plain from what stands, though pieces were taken.
const PLAIN: usize = 2;

impl Reading<'_> {
    /// What stands after the link was down, compared with what stood before.
    pub(crate) fn after_gap(&mut self, placement: Placement) {
        let placement = if core::mem::take(&mut self.recovery.turn_unknown) { self.turned_as_the_game(placement) } else { placement };
        let changed = self.watcher.image.as_read().diff(&placement) != 0;
        self.watcher.image = self.watcher.image.renewed(placement);
        self.recovery.memory = Memory::Unasked;
        let told = self.recover();
        self.recovery.looked(self.now, told);
        if changed {
            self.sensed();
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
        // Two moves of one player may have come in either order, and a piece that is gone may have been taken otherwise; the board may know.
        let new = found.line.get(play.line().len()..).unwrap_or_default();
        let takes = new.len() > PLAIN && new.iter().any(|step| step.mv.is_capture());
        if found.open != 0 || (takes && !found.logged) {
            self.ask_memory();
            if !self.recovery.is_spent() {
                return false;
            }
        }
        self.take(found);
        true
    }

    /// Records what was played while the link was down: all but its last ply is completed, and what may have been another ply is left open.
    pub(crate) fn take(&mut self, found: Found) {
        let completed = found.completed();
        let Found { line, logged, open, pressed, follows } = found;
        let Some(play) = self.own.play.as_mut() else { return };
        let mut said = Vec::new();
        play.announce(&line, &mut |b| said.push(b));
        let (last, base) = (play.record.plies().len(), play.base());
        let mut known = completed;
        let before = play.assumed.len();
        play.follows = follows;
        // What is taken for what it most likely is says so.
        play.guess(if play.follows.is_some() { completed } else { 0 });
        let assumes = play.assumed.len() > before;
        for index in 0..last {
            let completion = Completion::bare(How::Recovered);
            if index.checked_sub(base).is_some_and(|ply| open & (1 << ply) != 0) {
                play.leave_open(index, completion);
                known = known.max(index + 1 - base);
            } else if index < base + completed {
                play.complete(index, completion, &mut |b| said.push(b));
            }
        }
        play.freeze(known, &mut self.watcher.image);
        let unpressed = play.record.plies().last().is_some_and(|p| !p.completed) && pressed.is_none();
        self.recovery.gap_ply = unpressed.then(|| last - 1);
        if logged || open != 0 {
            // The presses since the link came up were of these plies; the last one is known by where the lever stands.
            play.presses.clear();
            play.unanswered.clear();
        }
        self.say_all(said);
        if logged || open != 0 {
            self.recovery.memory = Memory::Spent;
            self.be_unsure(open != 0 || assumes);
            if self.clocks.is_read() {
                self.close_gap();
            }
            self.after_made();
        }
    }

    /// After a gap the lever tells whether the last move was pressed meanwhile.
    pub(crate) fn close_gap(&mut self) {
        let Some(index) = self.recovery.gap_ply.take() else { return };
        let to_move = self.clocks.to_move();
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over) else { return };
        if play.record.plies().get(index).is_some_and(|p| to_move == Some(p.by.other())) {
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
