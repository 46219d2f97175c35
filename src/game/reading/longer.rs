//! After a lost link the picture told some plies. Where the first press since then has none, one more had been made, and waited for it.
use crate::placement::{Image, bit, colour, piece};
use crate::press::Completion;
use crate::reading::view::Reading;
use crate::recovery::found::Found;
use crate::recovery::shorter::Shorter;
use alloc::boxed::Box;
use alloc::vec::Vec;
use flagfall_events::{Colour, How, Mono};
use shakmaty::Move;

impl Reading<'_> {
    /// The picture alone tells these plies of this game. One more may have been made: a piece that went on shows nothing of where it stood.
    pub(crate) fn may_be_too_short(&mut self, found: &Found) {
        let plain = !found.logged && !found.roundabout && found.open == 0;
        let before = self.own.play.as_ref().filter(|play| plain && !play.occupancy() && found.line.len() > play.line().len());
        self.recovery.shorter = before.map(|play| {
            let mut before = play.clone();
            (before.follows, before.followed) = (None, None);
            let plies = play.base() + found.line.len();
            Shorter { before: Box::new(before), picture: *self.watcher.image.as_read(), at: self.now, plies }
        });
    }

    /// Somebody has pressed for the first time since then. Where that player has moved nothing that was seen, what he pressed had stood already.
    pub(crate) fn look_for_a_longer_line(&mut self) {
        let Some(shorter) = self.recovery.shorter.take() else { return };
        let Some(play) = self.own.play.as_ref().filter(|play| play.said && !play.over && !self.recovery.is_unknown()) else { return };
        if play.record.plies().len() != shorter.plies {
            return;
        }
        let Some(press) = play.presses.front().copied() else {
            self.recovery.shorter = Some(shorter);
            return;
        };
        let scanned = press.at + self.watcher.scan_ms;
        if press.at < shorter.at || press.by != play.top().turn() || has_moved(&self.watcher.image, press.by, (shorter.at, scanned)) {
            return;
        }
        if self.now < scanned {
            self.recovery.shorter = Some(shorter);
            return;
        }
        let base = shorter.before.base();
        let Some((line, open)) = shorter.before.lines_of(shorter.plies + 1 - base, &self.watcher.image.renewed(shorter.picture)) else {
            return;
        };
        let kept = play.kept().max(base);
        let record = play.record.plies();
        let other = (base..kept).find(|&index| record[index].mv != line[index - base].mv);
        if let Some(first) = other {
            let moves: Vec<Move> = line[first - base..kept - base].iter().map(|step| step.mv).collect();
            self.correct_plies(first, &moves);
        }
        let may_be_another = (base..=shorter.plies).filter(|index| index - base < 64 && open & bit(index - base) != 0);
        let mut said = Vec::new();
        if let Some(play) = self.own.play.as_mut() {
            // It began with fewer plies.
            (play.follows, play.followed) = (None, None);
            play.announce(&line[play.base() - base..], &mut |body| said.push(body));
            play.assumed.extend(may_be_another);
            for index in kept..shorter.plies {
                play.complete(index, Completion::bare(How::Recovered), &mut |body| said.push(body));
            }
            play.freeze(shorter.plies.saturating_sub(play.base()), &mut self.watcher.image);
            play.found = shorter.plies + 1;
        }
        self.say_all(said);
        if open != 0 {
            self.be_unsure(true);
        }
        self.follow();
    }
}

/// Whether a piece of this player was seen to move between these moments.
fn has_moved(image: &Image, by: Colour, (from, to): (Mono, Mono)) -> bool {
    let his = |code| piece(code).is_some_and(|piece| colour(piece.color) == by);
    image.changes().iter().any(|change| change.at > from && change.at <= to && (his(change.was) || his(change.now)))
}
