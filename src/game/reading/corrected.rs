//! A completed move that was read wrong: corrected by an event of its own, and said aloud.
use crate::placement::Change;
use crate::reading::view::Reading;
use crate::recognition::step::{Ground, Step};
use crate::referee::facts::Fact;
use alloc::vec::Vec;
use shakmaty::Move;

/// Several completed plies are corrected together no further back than this.
const FAR: usize = 8;
/// Two moves under way and a piece beside them; where more squares are in disorder the board is put in order, and tells nothing of what was played.
const AT_WORK: u32 = 6;

/// How a completed ply is known to have been another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// Hardly anything else can be.
    Plainly,
    /// Nothing has told for too long, or nothing more comes that could: what is likeliest is taken for it.
    Enough,
}

impl Reading<'_> {
    /// From the completed ply with this index on other moves were played, so many as these.
    pub(crate) fn correct_plies(&mut self, index: usize, moves: &[Move]) {
        let mut said = Vec::new();
        if let Some(play) = self.own.play.as_mut() {
            play.rewrite(index, moves, &mut |body| said.push(body));
        }
        self.watcher.image.forget(|_| false);
        self.say_all(said);
        self.be_unsure(true);
        self.tell(Fact::Recount);
    }

    /// The completed ply with this index was another move; of what was sensed, `keep` says what is not its doing.
    pub(crate) fn correct_ply(&mut self, index: usize, step: &Step, keep: impl FnMut(&Change) -> bool) {
        let mut said = Vec::new();
        if let Some(play) = self.own.play.as_mut() {
            // What was only made on top of it is read again.
            play.announce(&[], &mut |body| said.push(body));
            play.revise(index, step.mv, &mut |body| said.push(body));
        }
        self.watcher.image.forget(keep);
        self.say_all(said);
        self.be_unsure(true);
        self.tell(Fact::Recount);
    }

    /// What was completed so long ago is fact, whatever is believed of it by now.
    fn believe_what_is_long_ago(&mut self) {
        let Some(play) = self.own.play.as_mut().filter(|play| !play.occupancy()) else { return };
        if play.first_disbelieved().is_some_and(|index| index + FAR < play.base()) {
            play.follows = None;
            self.follow();
        }
    }

    /// A completed ply was another one.
    pub(crate) fn correct_what_is_believed(&mut self) -> bool {
        self.put_right(Told::Plainly)
    }

    /// The same where a press has waited too long for it, or nobody has a piece in the hand any more.
    pub(crate) fn correct_to_what_is_likeliest(&mut self) -> bool {
        self.may_be_legal() && self.put_right(Told::Enough)
    }

    /// On a board that does not know its pieces, and may never tell: the first ply that is believed to be another one than was completed stays what it is
    /// where that is hardly less likely.
    fn stays_as_recorded(&mut self) -> bool {
        let Some(play) = self.own.play.as_mut().filter(|play| play.occupancy()) else { return false };
        let Some((index, follows)) = play.first_disbelieved().zip(play.follows.as_mut()) else { return false };
        let Some(mv) = play.record.plies().get(index).map(|ply| ply.mv).filter(|mv| follows.may_as_well_be(index, mv)) else {
            return false;
        };
        follows.was(index, &mv) && follows.ply(index) == Some(&mv)
    }

    fn put_right(&mut self, told: Told) -> bool {
        self.believe_what_is_long_ago();
        if told == Told::Enough && self.stays_as_recorded() {
            return true;
        }
        let Some((play, follows)) = self.own.play.as_ref().and_then(|play| Some((play, play.follows.as_ref()?))) else { return false };
        if follows.belief().wrong.count_ones() > AT_WORK {
            return false;
        }
        let Some(index) = play.first_disbelieved() else { return false };
        let whole = self.stands_whole() && !play.occupancy();
        let enough = |index: usize| follows.is_certain(index) || (whole && follows.is_made(index));
        // A board that does not know its pieces may never tell what was played instead.
        let ruled_out = play.occupancy() && follows.rules_out(index, play.record.plies()[index..play.base()].iter().map(|ply| ply.mv));
        if told == Told::Plainly && !ruled_out && !(index..play.base().min(follows.plies())).all(enough) {
            return false;
        }
        let same_after = (index + 1..play.base()).all(|i| follows.ply(i) == play.record.plies().get(i).map(|ply| &ply.mv));
        if same_after {
            let before = Ground::new(play.record.plies()[index].before.clone(), play.occupancy());
            let step = follows.ply(index).and_then(|mv| before.steps.iter().find(|step| step.mv == *mv)).copied();
            step.inspect(|step| self.correct_ply(index, step, |_| false));
            return step.is_some();
        }
        // More than one: only what stands on the board as it is believed tells that.
        let last = follows.plies().saturating_sub(1);
        if !self.stands_whole() || !(ruled_out || told != Told::Plainly || follows.is_certain(last)) {
            return false;
        }
        let pressed = if self.clocks.in_use() { follows.base() + follows.belief().pressed as usize } else { follows.plies() };
        let upto = play.base().min(follows.plies()).min(pressed);
        let moves: Option<Vec<Move>> = (index..upto).map(|index| follows.ply(index).copied()).collect();
        let Some(moves) = moves else { return false };
        // What was completed stays, as another move at most: only a ruling takes it back.
        if index + moves.len() < play.kept() {
            return false;
        }
        self.correct_plies(index, &moves);
        true
    }
}
