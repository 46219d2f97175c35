//! After a lost link the picture told some plies. Where the first press since then has none, one more had been made, and waited for it.
use crate::placement::{Image, colour, piece};
use crate::reading::view::Reading;
use crate::recogniser::record::number;
use crate::recovery::found::Found;
use crate::recovery::shorter::Shorter;
use alloc::boxed::Box;
use flagfall_events::{Body, Colour, Mono};

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
        let longer = shorter.plies + 1 - shorter.before.base();
        let Some((line, open)) = shorter.before.lines_of(longer, &self.watcher.image.renewed(shorter.picture)) else { return };
        let base = shorter.before.base();
        let known = play.record.plies().iter().skip(base);
        let same = base + line.iter().zip(known).take_while(|(step, ply)| step.mv == ply.mv).count();
        let withdrawn = (same..shorter.plies).rev();
        let said = withdrawn.map(|index| Body::MoveWithdrawn { ply: number(index), uci: play.record.plies()[index].uci.clone() });
        let said = said.collect();
        let presses = play.presses.iter().skip(1).copied().collect();
        let (unsure, sides) = (play.unsure, play.sides);
        let mut before = *shorter.before;
        (before.presses, before.unsure, before.sides) = (presses, unsure, sides);
        self.own.play = Some(before);
        self.say_all(said);
        self.take_as(Found::of(line, false, open), true);
        self.look();
        self.after_made();
    }
}

/// Whether a piece of this player was seen to move between these moments.
fn has_moved(image: &Image, by: Colour, (from, to): (Mono, Mono)) -> bool {
    let his = |code| piece(code).is_some_and(|piece| colour(piece.color) == by);
    image.changes().iter().any(|change| change.at > from && change.at <= to && (his(change.was) || his(change.now)))
}
