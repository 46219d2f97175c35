//! An illegal move that was pressed, and that the players put right themselves before anybody ruled.
use crate::placement::{Placement, bit, colour, each, piece};
use crate::reading::view::Reading;
use crate::recognition::step::Ground;
use crate::referee::facts::Fact;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use shakmaty::Move;

impl Reading<'_> {
    /// The opponent's piece that was moved and pressed stands where it stood before: brought back, though its owner might have moved it there.
    pub(crate) fn is_brought_back(&self) -> bool {
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over && p.presses.is_empty()) else { return false };
        let Some(ply) = play.record.plies().last().filter(|ply| ply.completed && !ply.legal) else { return false };
        let of_the_other = ply.mv.from().and_then(|from| ply.before.board().color_at(from)).is_some_and(|c| colour(c) != ply.by);
        // The next piece may be in the hand already.
        let (before, sensed) = (Placement::of(ply.before.board()), self.watcher.image.placement());
        let in_hand = |s: usize| sensed.0[s] == PieceCode::Empty && piece(before.0[s]).is_some_and(|p| colour(p.color) == ply.by);
        of_the_other && each(before.diff(sensed)).all(in_hand)
    }

    /// An illegal move that was pressed is put right before anybody ruled: taken back, with all that was played on top of it, replaced by a
    /// legal one, or the pawn exchanged.
    pub(crate) fn put_right_by_hand(&mut self) {
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over && p.presses.is_empty()) else { return };
        let sensed = *self.watcher.image.placement();
        if sensed == *play.expected() {
            return;
        }
        let plies = play.record.plies();
        let offences = plies.iter().enumerate().filter(|(_, ply)| ply.completed && !ply.legal).map(|(index, _)| index);
        let Some(index) = offences.rev().find(|&index| self.is_put_right(index)) else { return };
        let brought_back = self.is_brought_back();
        let Some(play) = self.own.play.as_mut() else { return };
        let ply = &play.record.plies()[index];
        let before = Ground::new(ply.before.clone(), play.occupancy());
        let replaced = before.steps.iter().find(|step| step.play(&before.placement) == sensed).copied();
        let on_top = index + 1 == play.record.plies().len();
        let exchanged =
            replaced.filter(|step| on_top && ply.unpromoted && (step.from(), step.to()) == (from_of(ply.mv), ply.mv.to().to_usize()));
        let in_hand = before.placement.diff(&sensed);
        let mut said = Vec::new();
        if let Some(step) = exchanged {
            play.revise(index, step.mv, &mut |body| said.push(body));
        } else {
            play.take_back(index, &mut |body| said.push(body));
            self.watcher.image.look_at_all();
        }
        self.watcher.image.forget(|change| {
            (brought_back && in_hand & bit(change.square) != 0)
                || replaced.is_some_and(|step| exchanged.is_none() && step.touched & bit(change.square) != 0)
        });
        self.say_all(said);
        if exchanged.is_none() {
            self.tell(Fact::TakenBack(crate::recogniser::record::number(index)));
        }
        self.own.restoring = false;
        self.tell(Fact::Recount);
        self.look();
    }

    /// Whether the board shows the position before the illegal move with this index, or one legal move from there, and no play from where the
    /// record stands leads to it; or an opponent's piece that was brought back.
    fn is_put_right(&self, index: usize) -> bool {
        let Some(play) = self.own.play.as_ref() else { return false };
        let Some(ply) = play.record.plies().get(index) else { return false };
        let on_top = index + 1 == play.record.plies().len();
        let sensed = self.watcher.image.placement();
        let before = Ground::new(ply.before.clone(), play.occupancy());
        if before.placement == *sensed {
            return on_top || !play.is_explained(&self.watcher.image);
        }
        let replaced = before.steps.iter().any(|step| step.play(&before.placement) == *sensed);
        on_top && if replaced { !play.is_explained(&self.watcher.image) } else { self.is_brought_back() }
    }
}

/// Where a move begins.
fn from_of(mv: Move) -> usize {
    mv.from().map_or(64, |square| square.to_usize())
}
