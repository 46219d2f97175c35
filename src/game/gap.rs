//! After the link was down: what was played meanwhile, and whether its last move was pressed.
use super::completion::Completion;
use super::event::How;
use super::memory::{HAND_MS, Memory};
use super::placement::{Image, Placement};
use super::recognition::step::Step;
use super::{Game, Timer};

/// Plies from the certain position that were found.
pub(super) struct Found {
    pub(super) line: Vec<Step>,
    /// The board's move memory told.
    pub(super) logged: bool,
}

impl Game {
    /// What stands after the link was down, compared with what stood before.
    pub(super) fn after_gap(&mut self, placement: Placement) {
        let changed = self.image.placement().diff(&placement) != 0;
        self.image = Image::new(placement);
        self.memory = Memory::Unasked;
        self.recovering = !self.recover();
        self.set(Timer::Memory, self.recovering.then(|| self.now + HAND_MS));
        if changed {
            self.sensed();
        }
        self.after_made();
    }

    /// Finds what was played while the link was down. `false`: what stands is not a position that legal play comes to, perhaps because
    /// a piece is in somebody's hand; the next image may tell.
    pub(super) fn recover(&mut self) -> bool {
        if self.is_blind() {
            return true;
        }
        let logged = self.walked_line();
        let Some(play) = self.play.as_mut().filter(|p| !p.over) else { return true };
        let found = match (logged, &self.memory) {
            (None, Memory::Read(..)) => None,
            (None, _) => play.recovered_line(&self.image, self.scan_ms).map(|line| Found { line, logged: false }),
            (logged, _) => logged,
        };
        let Some(Found { line, logged }) = found else { return false };
        let mut said = Vec::new();
        play.announce(&line, &mut |b| said.push(b));
        let last = play.record.plies().len();
        for index in 0..last.saturating_sub(1) {
            play.complete(index, Completion::bare(How::Recovered), &mut |b| said.push(b));
        }
        play.freeze(line.len().saturating_sub(1), &mut self.image);
        self.gap_ply = play.record.plies().last().is_some_and(|p| !p.completed).then(|| last - 1);
        if logged {
            // The presses since the link came up were of these plies; the last one is known by where the lever stands.
            play.presses.clear();
            play.unanswered.clear();
        }
        self.say_all(said);
        if logged {
            self.memory = Memory::Spent;
            if self.clock.is_read() {
                self.close_gap();
            }
            self.after_made();
        }
        true
    }

    /// After a gap the lever tells whether the last move was pressed meanwhile.
    pub(super) fn close_gap(&mut self) {
        let Some(index) = self.gap_ply.take() else { return };
        let to_move = self.clock.to_move();
        let Some(play) = self.play.as_mut().filter(|p| !p.over) else { return };
        if play.record.plies().get(index).is_some_and(|p| to_move == Some(p.by.other())) {
            let mut said = Vec::new();
            play.complete(index, Completion::bare(How::Recovered), &mut |b| said.push(b));
            if index >= play.base() {
                let plies = index + 1 - play.base();
                play.freeze(plies, &mut self.image);
            }
            self.say_all(said);
        }
    }
}
