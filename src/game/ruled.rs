//! What an arbiter's ruling changes: moves taken back or replaced, offences counted, results.
use super::Game;
use super::findings::{Found, Waiting};
use super::irregular::with_queen;
use super::placement::Placement;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Action, Body, Colour, Decision, FindingUpdate, GameResult, Key, Proposal, ResultSource, SetClock, Status};
use flagfall_laws::irregularity::Reported;
use flagfall_laws::{Irregularity, Verdict};

/// So long a ruling waits for the verdict that its result hangs on, milliseconds.
const VERDICT_MS: u64 = 2_000;

/// What an arbiter rules on a finding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruling {
    pub(super) decision: Decision,
    pub(super) clock: Option<SetClock>,
    pub(super) result: Option<GameResult>,
}

impl Ruling {
    const fn status(&self) -> Status {
        match self.decision {
            Decision::Dismiss => Status::Dismissed,
            Decision::Amend if self.clock.is_some() => Status::Amended,
            Decision::Confirm | Decision::Amend => Status::Confirmed,
        }
    }
}

/// Whether the result of a proposal is still to be worked out, or cannot be.
pub(super) fn hangs(proposal: Option<&Proposal>) -> bool {
    proposal.is_some_and(|proposal| proposal.undecided.is_some())
}

/// The proposal with this result, where that is open; `None`: it is not one of those that may be declared.
pub(super) fn with_result(proposal: &Proposal, result: GameResult) -> Option<Proposal> {
    let action = match result {
        GameResult::Draw => Action::DeclareDraw,
        GameResult::WhiteWins | GameResult::BlackWins => Action::DeclareLoss,
        GameResult::Open => return None,
    };
    let open = hangs(Some(proposal));
    open.then(|| Proposal { action, result: Some(result), undecided: None, results: Vec::new(), ..proposal.clone() })
}

/// A flag is down, or both are.
const fn is_flag(found: &Found) -> bool {
    matches!(found.judgement.key, Key::FlagFall | Key::BothFlags)
}

/// Results that a ruling on this finding may choose while the solver has not decided.
fn offered(found: &Found) -> Vec<GameResult> {
    let winner = found.asked.as_ref().map(|question| question.winner);
    let win = winner.map(|by| if by == Colour::White { GameResult::WhiteWins } else { GameResult::BlackWins });
    win.into_iter().chain([GameResult::Draw]).collect()
}

impl Game {
    /// Why a finding cannot be ruled on like this, if it cannot.
    pub(super) fn ruling_refusal(&self, id: u64, decision: Decision, result: Option<GameResult>) -> Option<String> {
        let known = self.findings.found.iter().chain(&self.findings.earlier);
        let found = known.into_iter().find(|found| found.id == id)?;
        if decision == Decision::Dismiss {
            return result.map(|_| String::from("what is dismissed has no result"));
        }
        let proposal = found.judgement.proposal.as_ref();
        if !hangs(proposal) {
            let same = result.is_none() || result == proposal.and_then(|proposal| proposal.result);
            return (!same).then(|| format!("finding {id} leaves no result to choose; enter the result by itself"));
        }
        let offered = offered(found);
        let names: Vec<String> = offered.iter().map(|result| format!("{:?}", result.as_str())).collect();
        let wanted = || format!("say which \"result\": {}", names.join(" or "));
        match result {
            Some(result) if offered.contains(&result) => None,
            Some(_) => Some(wanted()),
            // While it is being worked out the ruling waits.
            None if found.verdict == Verdict::Pending || self.decided_since(found).is_some() => None,
            None => Some(format!("it is not decided whether the opponent can mate; {}", wanted())),
        }
    }

    /// Rules on a finding: as proposed, with other times or one of the results offered, or not at all.
    pub(super) fn rule(&mut self, id: u64, ruling: &Ruling) {
        let status = ruling.status();
        let Some(found) = self.findings.found.iter().find(|found| found.id == id).cloned() else {
            self.rule_on_earlier(id, status, ruling);
            return;
        };
        if found.closed.is_some() {
            self.rule_anew(found, status, ruling);
        } else if status == Status::Dismissed {
            self.close(id, status);
        } else {
            self.rule_as_proposed(&found, status, ruling);
        }
        self.judge_again();
    }

    fn rule_as_proposed(&mut self, found: &Found, status: Status, ruling: &Ruling) {
        let proposal = found.judgement.proposal.as_ref();
        let chosen = ruling.result.and_then(|result| with_result(proposal?, result));
        if chosen.is_none() && hangs(proposal) {
            self.wait_for_verdict(found.id, status, ruling.clock);
            return;
        }
        self.close_and_carry_out(found.id, status, ruling.clock, chosen);
    }

    /// 6.9, 7.5.5: the result of a ruling hangs on whether the opponent can mate. It is carried out when that is known.
    pub(super) fn wait_for_verdict(&mut self, id: u64, status: Status, clock: Option<SetClock>) {
        let until = self.now + VERDICT_MS;
        if let Some(found) = self.findings.found.iter_mut().find(|found| found.id == id) {
            found.waits = Some(Waiting { status, clock, until });
        }
        self.wait_for_findings();
        // It may have come already, and not been said yet.
        self.carry_out_what_waits(id);
    }

    /// A verdict came in: what was ruled and waited for it is carried out, unless it is that nobody knows.
    pub(super) fn carry_out_what_waits(&mut self, id: u64) {
        let Some(waits) = self.findings.get(id).and_then(|found| found.waits.clone()) else { return };
        let decided = self.judgement_now(id).and_then(|judgement| judgement.proposal).filter(|proposal| proposal.result.is_some());
        if decided.is_some() {
            self.close_and_carry_out(id, waits.status, waits.clock, decided);
            self.judge_again();
        }
    }

    /// `proposal`: what is ruled, where it is not what was said last.
    pub(super) fn close_and_carry_out(&mut self, id: u64, status: Status, clock: Option<SetClock>, proposal: Option<Proposal>) {
        self.close_with(id, status, proposal);
        let found = self.findings.found.iter().find(|found| found.id == id).cloned();
        if let Some(found) = found {
            self.carry_out(&found, clock);
        }
    }

    /// Undoing a ruling is a new ruling: the offence counts, or does not count any more, and a result that was dismissed is declared; what was
    /// played since is not touched.
    fn rule_anew(&mut self, found: Found, status: Status, ruling: &Ruling) {
        let counted = |status: Option<Status>| matches!(status, Some(Status::Confirmed | Status::Amended));
        let (was, is) = (counted(found.closed), counted(Some(status)));
        let chosen = self.result_anew(&found, ruling.result).filter(|_| is);
        if is && chosen.is_none() && hangs(found.judgement.proposal.as_ref()) {
            // It is open again until the verdict comes.
            if let Some(known) = self.findings.found.iter_mut().find(|known| known.id == found.id) {
                known.closed = None;
            }
            self.wait_for_verdict(found.id, status, ruling.clock);
            return;
        }
        let update = FindingUpdate { id: found.id, status, proposal: chosen.clone(), facts: None, summary: None };
        self.say_of(found.game, Body::FindingUpdate(Box::new(update)));
        if let Some(known) = self.findings.found.iter_mut().find(|known| known.id == found.id) {
            known.closed = Some(status);
            if let Some(chosen) = chosen.clone() {
                known.judgement.proposal = Some(chosen);
            }
        }
        match (was, is) {
            (false, true) => self.count_offence(&found, 1),
            (true, false) => self.count_offence(&found, -1),
            _ => {}
        }
        if was && !is && self.play.as_ref().is_some_and(|play| play.over && play.ended_by == Some(found.id)) {
            let source = if is_flag(&found) { ResultSource::Flag } else { ResultSource::Ruling };
            self.reopen(source);
        }
        let ruled = chosen.or_else(|| found.judgement.proposal.clone()).filter(|_| is && !was);
        if let Some(Proposal { result: Some(result), article, .. }) = ruled {
            self.declare(&found, &Proposal { article, ..Proposal::new(Action::None) }, result);
        }
    }

    /// A finding of a game after which another was set up: its result becomes what is ruled, nothing of the game that is on is touched.
    fn rule_on_earlier(&mut self, id: u64, status: Status, ruling: &Ruling) {
        let Some(found) = self.findings.earlier.iter().find(|found| found.id == id).cloned() else { return };
        let counted = |status: Option<Status>| matches!(status, Some(Status::Confirmed | Status::Amended));
        let (was, is) = (counted(found.closed), counted(Some(status)));
        let chosen = self.result_anew(&found, ruling.result).filter(|_| is);
        let declared =
            chosen.clone().or_else(|| found.judgement.proposal.clone()).and_then(|proposal| Some((proposal.result?, proposal.article)));
        let update = FindingUpdate { id, status, proposal: chosen, facts: None, summary: None };
        self.say_of(found.game, Body::FindingUpdate(Box::new(update)));
        if let Some(known) = self.findings.earlier.iter_mut().find(|known| known.id == id) {
            known.closed = Some(status);
        }
        let source = if is_flag(&found) { ResultSource::Flag } else { ResultSource::Ruling };
        let key = String::from(found.judgement.key.as_str());
        match declared {
            Some((result, article)) if is && !was => {
                let article = article.or_else(|| Some(found.judgement.article.clone()));
                self.say_of(found.game, Body::Result { result, reason: key, article, source });
            }
            Some(_) if was && !is => {
                let reason = String::from("dismissed");
                self.say_of(found.game, Body::Result { result: GameResult::Open, reason, article: None, source });
            }
            _ => {}
        }
    }

    /// What a closed finding would declare, where that was not decided when it was closed.
    fn result_anew(&self, found: &Found, result: Option<GameResult>) -> Option<Proposal> {
        let proposal = found.judgement.proposal.clone().filter(|proposal| hangs(Some(proposal)))?;
        match result {
            Some(result) => with_result(&proposal, result),
            None => self.decided_since(found),
        }
    }

    /// The proposal of a closed finding, its verdict having come since.
    pub(super) fn decided_since(&self, found: &Found) -> Option<Proposal> {
        let question = found.asked.clone()?;
        let verdict = self.known_verdict(&question.fen, question.winner);
        let proposal = self.judged_with(found, &verdict)?.proposal?;
        (!hangs(Some(&proposal))).then_some(proposal)
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

    /// The position before the irregularity is the game's again (7.5.1, 7.6), and is put up on the board: every ply since is taken back.
    fn restore(&mut self, found: &Found, proposal: &Proposal) {
        let Some((position, _)) = proposal.restore_fen.as_deref().and_then(super::entered::position_of) else { return };
        let placement = Placement::of(position.board()).fen();
        if self.play.as_ref().is_some_and(|play| play.over) {
            return;
        }
        let kept = self.kept(found, proposal);
        let mut said = Vec::new();
        if let Some(play) = self.play.as_mut() {
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
            self.image.look_at_all();
            self.image.forget(|_| false);
            self.touches.clear();
            self.say_all(said);
            let kept = u32::try_from(kept.unwrap_or_default()).unwrap_or(u32::MAX);
            self.withdraw(|i| i.ply().is_some_and(|other| other > kept));
            self.taken_back(kept.saturating_add(1));
        }
        self.say(Body::Placement { placement, settled: true });
        self.restoring = self.play.as_ref().is_some_and(|p| !p.over && p.expected() != self.image.as_read());
        self.evidence_from = self.seq + 1;
        self.wait_for_the_last();
    }

    /// How many plies a restoration keeps; `None`: the position is not one of the record.
    fn kept(&self, found: &Found, proposal: &Proposal) -> Option<usize> {
        let offence = match &found.irregularity {
            Irregularity::IllegalMove(fact) => self.offence_stands(fact.ply, &fact.uci),
            Irregularity::UnpromotedPawn(fact) => self.offence_stands(fact.ply, &fact.uci),
            Irregularity::Reported(Reported { last: Some((ply, uci)), .. }) => self.offence_stands(*ply, uci),
            _ => None,
        };
        let (play, fen) = (self.play.as_ref()?, proposal.restore_fen.as_deref()?);
        let plies = play.record.plies();
        let there = |kept: usize| plies.get(kept).map_or_else(|| play.top().position.fen(), |ply| ply.before.fen()) == fen;
        offence.filter(|&index| there(index)).or_else(|| (0..=plies.len()).rev().find(|&kept| there(kept)))
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
        let source = if is_flag(found) { ResultSource::Flag } else { ResultSource::Ruling };
        let article = proposal.article.clone().unwrap_or_else(|| found.judgement.article.clone());
        if proposal.restore_fen.is_some() {
            self.restore(found, proposal);
        }
        self.over(result, found.judgement.key.as_str(), Some(&article), source);
        if let Some(play) = self.play.as_mut() {
            play.ended_by = Some(found.id);
        }
    }

    /// Times that an arbiter ruled: what the clock shows when it runs again is compared with them.
    pub(super) fn ruled_clock(&mut self, clock: SetClock) {
        self.clock.ruled(self.now, clock);
        self.start_was_ruled();
    }
}

#[cfg(test)]
#[path = "ruled_tests.rs"]
mod tests;
