//! A completed move that was read wrong, as a dump or the sensors show later: corrected by an event of its own, and said aloud.
use crate::placement::{Change, Squares, bit, each};
use crate::reading::view::Reading;
use crate::recognition::search;
use crate::recognition::step::{Ground, Step};
use crate::referee::facts::Fact;
use crate::watcher::pace::SLOW_MS;
use alloc::vec::Vec;
use flagfall_events::Mono;

/// Replies that may have been made since.
pub(crate) const MOST_REPLIES: usize = 2;

/// A completed move as it should have been read.
struct Correction {
    index: usize,
    step: Step,
    /// Squares that tell the two apart, and until when.
    apart: Squares,
    until: Mono,
}

impl Reading<'_> {
    /// All is quiet, and the board shows another move than the one that was pressed last, and so many replies at most: its piece went on while
    /// the sensors lagged behind the press.
    pub(crate) fn correct_what_came_late(&mut self, replies: usize) {
        if self.is_unreadable() || self.is_being_put_up() || self.recovery.is_catching_up() || self.is_explained_by_the_estimate() {
            return;
        }
        let Some(Correction { index, step, apart, until }) = self.came_late(replies) else { return };
        self.correct_ply(index, &step, |change| apart & bit(change.square) == 0 || change.at > until);
        self.after_made();
    }

    /// The completed ply with this index was another move; of what was sensed, `keep` says what is not its doing.
    pub(crate) fn correct_ply(&mut self, index: usize, step: &Step, keep: impl FnMut(&Change) -> bool) {
        let mut said = Vec::new();
        if let Some(play) = self.own.play.as_mut() {
            play.revise(index, step.mv, &mut |body| said.push(body));
        }
        self.watcher.image.forget(keep);
        self.say_all(said);
        self.be_unsure(true);
        self.tell(Fact::Recount);
    }

    /// The same at once, where it shows within a scan: the reply may be on its way.
    pub(crate) fn correct_what_lagged(&mut self) {
        let last = self.own.play.as_ref().and_then(|play| play.record.plies().last()?.pressed_at);
        if last.is_some_and(|press| self.now.since(press) <= self.watcher.scan_ms) {
            self.correct_what_came_late(0);
        }
    }

    fn came_late(&self, replies: usize) -> Option<Correction> {
        let play = self.own.play.as_ref().filter(|p| !p.over && p.lattice.is_none() && p.line().is_empty() && p.presses.is_empty())?;
        let last = play.record.plies().last().filter(|ply| ply.completed && ply.legal)?;
        let press = last.pressed_at?;
        // Whatever is known of the scan: one at half speed may not have been recognised yet.
        let until = press + SLOW_MS;
        let image = &self.watcher.image;
        let leads_here =
            |from: &Ground| from.placement == *image.placement() || !search::exact(from, &mut play.view(image), replies).is_empty();
        let mut view = play.view(image);
        let explained = leads_here(play.ground()) || search::under_way(play.ground(), &mut view).next().is_some();
        if explained || !view.may_visit() {
            return None;
        }
        let before = Ground::new(last.before.clone(), play.occupancy());
        let mut found = before.steps.iter().filter(|step| step.mv != last.mv).filter_map(|step| {
            let after = step.play(&before.placement);
            let apart = after.diff(&play.ground().placement);
            let in_time = |square: usize| {
                image.last_change_of(bit(square)) <= until || image.changes_of(square).any(|c| c.now == after.0[square] && c.at <= until)
            };
            let late = each(apart).any(|square| image.changes_of(square).any(|c| c.at > press));
            let told = late && each(apart).all(in_time) && leads_here(&before.next(step, play.occupancy()));
            told.then_some(Correction { index: play.record.plies().len() - 1, step: *step, apart, until })
        });
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    /// A dump contradicts what the messages said of these squares, so one of them was changed on its way. The move completed last may rest on
    /// it: another move of the same piece that explains what stands takes its place.
    pub(crate) fn correct_by_dump(&mut self, contradicted: Squares) {
        if self.is_explained_by_the_estimate() {
            return;
        }
        let Some((index, step)) = self.misread_last_move(contradicted) else { return };
        self.correct_ply(index, &step, |change| contradicted & bit(change.square) == 0);
    }

    fn misread_last_move(&self, contradicted: Squares) -> Option<(usize, Step)> {
        let play = self.own.play.as_ref().filter(|p| !p.over && p.lattice.is_none() && p.line().is_empty())?;
        let last = play.record.plies().last().filter(|ply| ply.completed)?;
        let before = Ground::new(last.before.clone(), play.occupancy());
        let sensed = self.watcher.image.placement();
        let stands = |ground: &Ground| {
            ground.placement == *sensed || search::under_way(ground, &mut play.view(&self.watcher.image)).next().is_some()
        };
        if contradicted & bit(last.mv.to().to_usize()) == 0 || stands(play.ground()) {
            return None;
        }
        let same_piece = |step: &&Step| last.mv.from().is_some_and(|from| step.from() == from.to_usize()) && step.mv != last.mv;
        let mut others = before.steps.iter().filter(same_piece).filter(|step| {
            contradicted & bit(step.to()) != 0 && sensed.0[step.to()] == step.piece() && stands(&before.next(step, play.occupancy()))
        });
        let only = *others.next()?;
        others.next().is_none().then_some((play.record.plies().len() - 1, only))
    }
}
