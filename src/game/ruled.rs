//! What an arbiter's ruling changes: moves taken back or replaced, offences counted, results.
use super::Game;
use super::entry::{Decision, SetClock};
use super::event::{Action, Body, FindingUpdate, GameResult, Proposal, ResultSource, Status};
use super::findings::Found;
use super::irregular::with_queen;
use super::placement::Placement;
use crate::rulebook::irregularity::Reported;
use crate::rulebook::{Irregularity, Key};

impl Game {
    /// Rules on a finding: as proposed, with other times, or not at all.
    pub(super) fn rule(&mut self, id: u64, decision: Decision, clock: Option<SetClock>) {
        let Some(found) = self.findings.found.iter().find(|found| found.id == id).cloned() else { return };
        let status = match decision {
            Decision::Dismiss => Status::Dismissed,
            Decision::Amend if clock.is_some() => Status::Amended,
            Decision::Confirm | Decision::Amend => Status::Confirmed,
        };
        if self.findings.get(id).is_none() {
            self.rule_anew(&found, status);
            return;
        }
        self.close(id, status);
        if status == Status::Dismissed {
            self.judge_again();
            return;
        }
        self.carry_out(&found, clock);
        self.judge_again();
    }

    /// Undoing a ruling is a new ruling: the offence counts, or does not count any more; what was played since is not touched.
    fn rule_anew(&mut self, found: &Found, status: Status) {
        let counted = |status: Option<Status>| matches!(status, Some(Status::Confirmed | Status::Amended));
        let (was, is) = (counted(found.closed), counted(Some(status)));
        self.say(Body::FindingUpdate(Box::new(FindingUpdate { id: found.id, status, proposal: None, facts: None, summary: None })));
        if let Some(known) = self.findings.found.iter_mut().find(|known| known.id == found.id) {
            known.closed = Some(status);
        }
        match (was, is) {
            (false, true) => self.count_offence(found, 1),
            (true, false) => self.count_offence(found, -1),
            _ => {}
        }
        self.judge_again();
    }

    fn count_offence(&mut self, found: &Found, by_how_many: i32) {
        let counts = found.judgement.proposal.as_ref().is_some_and(|proposal| proposal.offence.is_some());
        let (Some(by), true) = (found.judgement.by, counts && !found.same_move_counted) else { return };
        self.findings.offences.add(by, by_how_many);
    }

    /// What a confirmed proposal does to the game.
    pub(super) fn carry_out(&mut self, found: &Found, clock: Option<SetClock>) {
        self.count_offence(found, 1);
        let Some(proposal) = found.judgement.proposal.clone() else { return };
        if let Some(clock) = clock.or(proposal.clock) {
            self.ruled_clock(clock);
        }
        match proposal.action {
            Action::RestorePosition => self.restore(found, &proposal),
            Action::ReplaceWithQueen => self.put_queen(found),
            Action::DeclareLoss | Action::DeclareDraw => {
                if let Some(result) = proposal.result {
                    self.declare(found, &proposal, result);
                }
            }
            Action::CancelGame => self.declare(found, &proposal, GameResult::Open),
            Action::SetClock | Action::Warn | Action::Continue | Action::None => {}
        }
    }

    /// The position before the irregularity is the game's again (7.5.1), and is put up on the board.
    fn restore(&mut self, found: &Found, proposal: &Proposal) {
        let offence = match &found.irregularity {
            Irregularity::IllegalMove(fact) => self.offence_stands(fact.ply, &fact.uci),
            Irregularity::UnpromotedPawn(fact) => self.offence_stands(fact.ply, &fact.uci),
            Irregularity::Reported(Reported { last: Some((ply, uci)), .. }) => self.offence_stands(*ply, uci),
            _ => None,
        };
        let mut said = Vec::new();
        if let Some((play, index)) = self.play.as_mut().filter(|p| !p.over).zip(offence) {
            play.take_back(index, &mut |body| said.push(body));
            self.image.look_at_all();
            self.image.forget(|_| false);
            self.touches.clear();
            self.say_all(said);
            let ply = u32::try_from(index).unwrap_or(u32::MAX);
            self.withdraw(|i| i.ply().is_some_and(|other| other > ply));
            self.taken_back(ply.saturating_add(1));
        }
        if let Some(fen) = proposal.restore_fen.as_deref().and_then(super::entered::position_of) {
            let placement = Placement::of(fen.0.board()).fen();
            self.say(Body::Placement { placement, settled: true });
        }
        self.restoring = self.play.as_ref().is_some_and(|p| !p.over && p.expected() != self.image.as_read());
        self.evidence_from = self.seq + 1;
        self.wait_for_the_last();
    }

    /// 7.5.2: the pawn is a queen, and the move is completed as such.
    fn put_queen(&mut self, found: &Found) {
        let index = match &found.irregularity {
            Irregularity::UnpromotedPawn(fact) => self.offence_stands(fact.ply, &fact.uci),
            Irregularity::Reported(Reported { last: Some((ply, uci)), .. }) => self.offence_stands(*ply, uci),
            _ => None,
        };
        let unpromoted = |index: &usize| self.play.as_ref().is_some_and(|p| p.record.plies()[*index].unpromoted);
        let Some(index) = index.filter(unpromoted) else { return };
        self.exchange_pawn(index);
        self.restoring = self.play.as_ref().is_some_and(|p| !p.over && p.expected() != self.image.as_read());
    }

    /// The pawn move with this index of the record becomes a promotion to a queen.
    pub(super) fn exchange_pawn(&mut self, index: usize) {
        let mut said = Vec::new();
        if let Some(play) = self.play.as_mut() {
            let Some(mv) = play.record.plies().get(index).map(|ply| with_queen(ply.mv)) else { return };
            play.revise(index, mv, &mut |body| said.push(body));
            self.image.forget(|_| false);
        }
        self.say_all(said);
        self.after_made();
    }

    fn declare(&mut self, found: &Found, proposal: &Proposal, result: GameResult) {
        if self.play.as_ref().is_none_or(|p| p.over) {
            return;
        }
        let flag = matches!(found.judgement.key, Key::FlagFall | Key::BothFlags);
        let source = if flag { ResultSource::Flag } else { ResultSource::Ruling };
        let article = proposal.article.clone().unwrap_or_else(|| found.judgement.article.clone());
        if proposal.restore_fen.is_some() {
            self.restore(found, proposal);
        }
        self.over(result, found.judgement.key.as_str(), Some(&article), source);
    }

    /// Times that an arbiter ruled: what the clock shows when it runs again is compared with them.
    pub(super) fn ruled_clock(&mut self, clock: SetClock) {
        self.clock.ruled(self.now, clock);
        self.start_was_ruled();
    }
}
