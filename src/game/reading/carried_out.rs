//! What a ruling does to the game: positions put up again, pawns that become queens, results, times.
use crate::placement::Placement;
use crate::questions::Verdict;
use crate::reading::view::Reading;
use crate::referee::Told;
use crate::referee::facts::{Fact, Restored, Ruled};
use crate::referee::irregular::with_queen;
use alloc::vec::Vec;
use flagfall_events::{Body, SetClock};
use flagfall_hands::position::position_of;

impl Reading<'_> {
    /// What was ruled, in order.
    pub(crate) fn carry_out(&mut self, ruled: Vec<Ruled>) {
        for ruled in ruled {
            match ruled {
                Ruled::Clock(clock) => self.ruled_clock(clock),
                Ruled::Restore(restored) => self.restore(&restored),
                Ruled::Queen { ply, uci } => self.put_queen(ply, &uci),
                Ruled::Declare { result, reason, article, source, restore, finding } => {
                    if self.own.play.as_ref().is_none_or(|p| p.over) {
                        continue;
                    }
                    if let Some(restored) = restore {
                        self.restore(&restored);
                    }
                    self.over(result, reason, Some(&article), source);
                    if let Some(play) = self.own.play.as_mut() {
                        play.ended_by = Some(finding);
                    }
                }
                Ruled::Reopen(source) => self.reopen(source),
            }
        }
    }

    /// The solver answered: proposals that waited for it are judged again, and what was ruled meanwhile is carried out.
    pub(crate) fn verdict(&mut self, verdict: Verdict) {
        match self.hearing().verdict(verdict) {
            Told::Nothing => {}
            Told::Dead(fen) => self.dead_position(&fen),
            Told::Answered => {
                self.hearing().resignation_decided();
                for (id, question) in self.hearing().waiting() {
                    let ruled = self.hearing().answered(id, &question);
                    self.carry_out(ruled);
                    self.hearing().judge_one_again(id);
                }
            }
        }
    }

    /// The last move ended the game if its position still stands (5.2.2).
    fn dead_position(&mut self, fen: &str) {
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over && p.top().position.fen() == fen) else { return };
        play.is_dead();
        self.wait_for_the_last();
    }

    /// The position before the irregularity is the game's again (7.5.1, 7.6), and is put up on the board: every ply since is taken back.
    fn restore(&mut self, restored: &Restored) {
        let Some((position, _)) = position_of(&restored.fen) else { return };
        let placement = Placement::of(position.board()).fen();
        if self.own.play.as_ref().is_some_and(|play| play.over) {
            return;
        }
        let kept = self.kept(restored);
        let mut said = Vec::new();
        if let Some(play) = self.own.play.as_mut() {
            let plies = play.record.plies().len();
            match kept {
                Some(kept) if kept < plies => play.take_back(kept, &mut |body| said.push(body)),
                // It is where the record stands.
                Some(_) => {}
                // It was never in the record: it was set up, or stood wrong from the start.
                None if plies > 0 => play.set_position(position),
                None => {}
            }
        }
        if !said.is_empty() {
            self.watcher.image.look_at_all();
            self.watcher.image.forget(|_| false);
            self.say_all(said);
            self.tell(Fact::Restored { kept: u32::try_from(kept.unwrap_or_default()).unwrap_or(u32::MAX) });
        }
        self.say(Body::Placement { placement, settled: true });
        self.own.restoring = self.is_to_be_put_up();
        self.tell(Fact::FromHere);
        self.wait_for_the_last();
    }

    /// The board does not show yet what was ruled.
    fn is_to_be_put_up(&self) -> bool {
        self.own.play.as_ref().is_some_and(|p| !p.over && p.expected() != self.watcher.image.as_read())
    }

    /// How many plies a restoration keeps; `None`: the position is not one of the record.
    fn kept(&self, Restored { fen, offence }: &Restored) -> Option<usize> {
        let play = self.own.play.as_ref()?;
        let plies = play.record.plies();
        let there = |kept: usize| plies.get(kept).map_or_else(|| play.top().position.fen(), |ply| ply.before.fen()) == *fen;
        let offence = offence.as_ref().and_then(|(ply, uci)| play.record.index_of(*ply, uci));
        offence.filter(|&index| there(index)).or_else(|| (0..=plies.len()).rev().find(|&kept| there(kept)))
    }

    /// 7.5.2: the pawn is a queen, and the move is completed as such.
    fn put_queen(&mut self, ply: u32, uci: &str) {
        let Some(play) = self.own.play.as_ref() else { return };
        let index = play.record.index_of(ply, uci).filter(|&index| play.record.plies()[index].unpromoted);
        if let Some(index) = index {
            self.exchange_pawn(index);
            self.own.restoring = self.is_to_be_put_up();
        }
    }

    /// The pawn move with this index of the record becomes a promotion to a queen.
    fn exchange_pawn(&mut self, index: usize) {
        let mut said = Vec::new();
        if let Some(play) = self.own.play.as_mut() {
            let Some(mv) = play.record.plies().get(index).map(|ply| with_queen(ply.mv)) else { return };
            play.revise(index, mv, &mut |body| said.push(body));
            self.watcher.image.forget(|_| false);
        }
        self.say_all(said);
        self.after_made();
    }

    /// Times that an arbiter ruled: what the clock shows when it runs again is compared with them.
    pub(crate) fn ruled_clock(&mut self, clock: SetClock) {
        self.clocks.ruled(self.now, clock);
        self.tell(Fact::ClockRuled);
    }
}
