//! What an arbiter's ruling changes: moves taken back or replaced, offences counted, results.
use crate::referee::facts::{Restored, Ruled};
use crate::referee::found::{Found, Waiting, is_flag};
use crate::referee::hearing::Hearing;
use crate::referee::scene::Scene;
use crate::referee::state::Referee;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Action, Body, Colour, Decision, FindingUpdate, GameResult, Proposal, ResultSource, SetClock, Status};
use flagfall_laws::irregularity::Reported;
use flagfall_laws::{Irregularity, Verdict};

/// So long a ruling waits for the verdict that its result hangs on, milliseconds.
const VERDICT_MS: u64 = 2_000;

/// What an arbiter rules on a finding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ruling {
    pub(crate) decision: Decision,
    pub(crate) clock: Option<SetClock>,
    pub(crate) result: Option<GameResult>,
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
pub(crate) fn hangs(proposal: Option<&Proposal>) -> bool {
    proposal.is_some_and(|proposal| proposal.undecided.is_some())
}

/// The proposal with this result, where that is open; `None`: it is not one of those that may be declared.
pub(crate) fn with_result(proposal: &Proposal, result: GameResult) -> Option<Proposal> {
    let action = match result {
        GameResult::Draw => Action::DeclareDraw,
        GameResult::WhiteWins | GameResult::BlackWins => Action::DeclareLoss,
        GameResult::Open => return None,
    };
    let open = hangs(Some(proposal));
    open.then(|| Proposal { action, result: Some(result), undecided: None, results: Vec::new(), ..proposal.clone() })
}

/// Results that a ruling on this finding may choose while the solver has not decided.
fn offered(found: &Found) -> Vec<GameResult> {
    let winner = found.asked.as_ref().map(|question| question.winner);
    let win = winner.map(|by| if by == Colour::White { GameResult::WhiteWins } else { GameResult::BlackWins });
    win.into_iter().chain([GameResult::Draw]).collect()
}

impl Scene<'_> {
    /// Why a finding cannot be ruled on like this, if it cannot.
    pub(crate) fn ruling_refusal(&self, referee: &Referee, id: u64, decision: Decision, result: Option<GameResult>) -> Option<String> {
        let known = referee.findings.found.iter().chain(&referee.findings.earlier);
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
            None if found.verdict == Verdict::Pending || self.decided_since(referee, found).is_some() => None,
            None => Some(format!("it is not decided whether the opponent can mate; {}", wanted())),
        }
    }

    /// The proposal of a closed finding, its verdict having come since.
    pub(crate) fn decided_since(&self, referee: &Referee, found: &Found) -> Option<Proposal> {
        let question = found.asked.clone()?;
        let verdict = referee.questions.verdict_on(&question.fen, question.winner);
        let proposal = self.judged_with(referee, found, &verdict)?.proposal?;
        (!hangs(Some(&proposal))).then_some(proposal)
    }
}

impl Hearing<'_> {
    /// Rules on a finding: as proposed, with other times or one of the results offered, or not at all.
    pub(crate) fn rule(&mut self, id: u64, ruling: &Ruling) -> Vec<Ruled> {
        let status = ruling.status();
        let Some(found) = self.own.findings.found.iter().find(|found| found.id == id).cloned() else {
            self.rule_on_earlier(id, status, ruling);
            return Vec::new();
        };
        self.judge_again();
        if found.closed.is_some() {
            self.rule_anew(found, status, ruling)
        } else if status == Status::Dismissed {
            self.close(id, status);
            Vec::new()
        } else {
            self.rule_as_proposed(&found, status, ruling)
        }
    }

    fn rule_as_proposed(&mut self, found: &Found, status: Status, ruling: &Ruling) -> Vec<Ruled> {
        let proposal = found.judgement.proposal.as_ref();
        let chosen = ruling.result.and_then(|result| with_result(proposal?, result));
        if chosen.is_none() && hangs(proposal) {
            return self.wait_for_verdict(found.id, status, ruling.clock);
        }
        self.close_and_carry_out(found.id, status, ruling.clock, chosen)
    }

    /// 6.9, 7.5.5: the result of a ruling hangs on whether the opponent can mate. It is carried out when that is known.
    pub(crate) fn wait_for_verdict(&mut self, id: u64, status: Status, clock: Option<SetClock>) -> Vec<Ruled> {
        let until = self.scene.now + VERDICT_MS;
        if let Some(found) = self.own.findings.found.iter_mut().find(|found| found.id == id) {
            found.waits = Some(Waiting { status, clock, until });
        }
        self.wait_for_findings();
        // It may have come already, and not been said yet.
        self.carry_out_what_waits(id)
    }

    /// A verdict came in: what was ruled and waited for it is carried out, unless it is that nobody knows.
    pub(crate) fn carry_out_what_waits(&mut self, id: u64) -> Vec<Ruled> {
        let Some(waits) = self.own.findings.get(id).and_then(|found| found.waits.clone()) else { return Vec::new() };
        let decided = self.judgement_now(id).and_then(|judgement| judgement.proposal).filter(|proposal| proposal.result.is_some());
        if decided.is_none() {
            return Vec::new();
        }
        self.judge_again();
        self.close_and_carry_out(id, waits.status, waits.clock, decided)
    }

    /// `proposal`: what is ruled, where it is not what was said last.
    pub(crate) fn close_and_carry_out(
        &mut self,
        id: u64,
        status: Status,
        clock: Option<SetClock>,
        proposal: Option<Proposal>,
    ) -> Vec<Ruled> {
        self.close_with(id, status, proposal);
        let found = self.own.findings.found.iter().find(|found| found.id == id).cloned();
        found.map_or_else(Vec::new, |found| self.carry_out(&found, clock))
    }

    /// Undoing a ruling is a new ruling: the offence counts, or does not count any more, and a result that was dismissed is declared; what was
    /// played since is not touched.
    fn rule_anew(&mut self, found: Found, status: Status, ruling: &Ruling) -> Vec<Ruled> {
        let counted = |status: Option<Status>| matches!(status, Some(Status::Confirmed | Status::Amended));
        let (was, is) = (counted(found.closed), counted(Some(status)));
        let chosen = self.result_anew(&found, ruling.result).filter(|_| is);
        if is && chosen.is_none() && hangs(found.judgement.proposal.as_ref()) {
            // It is open again until the verdict comes.
            if let Some(known) = self.own.findings.found.iter_mut().find(|known| known.id == found.id) {
                known.closed = None;
            }
            return self.wait_for_verdict(found.id, status, ruling.clock);
        }
        let update = FindingUpdate { id: found.id, status, proposal: chosen.clone(), facts: None, summary: None };
        self.say_of(found.game, Body::FindingUpdate(Box::new(update)));
        if let Some(known) = self.own.findings.found.iter_mut().find(|known| known.id == found.id) {
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
        let ended = self.scene.play.is_some_and(|play| play.over && play.ended_by == Some(found.id));
        let reopens = (was && !is && ended).then(|| Ruled::Reopen(source(&found)));
        let ruled = chosen.or_else(|| found.judgement.proposal.clone()).filter(|_| is && !was);
        let declares = ruled.and_then(|proposal| {
            let result = proposal.result?;
            Some(declared(&found, &Proposal { article: proposal.article, ..Proposal::new(Action::None) }, result))
        });
        reopens.into_iter().chain(declares).collect()
    }

    /// A finding of a game after which another was set up: its result becomes what is ruled, nothing of the game that is on is touched.
    fn rule_on_earlier(&mut self, id: u64, status: Status, ruling: &Ruling) {
        let Some(found) = self.own.findings.earlier.iter().find(|found| found.id == id).cloned() else { return };
        let counted = |status: Option<Status>| matches!(status, Some(Status::Confirmed | Status::Amended));
        let (was, is) = (counted(found.closed), counted(Some(status)));
        let chosen = self.result_anew(&found, ruling.result).filter(|_| is);
        let declared =
            chosen.clone().or_else(|| found.judgement.proposal.clone()).and_then(|proposal| Some((proposal.result?, proposal.article)));
        let update = FindingUpdate { id, status, proposal: chosen, facts: None, summary: None };
        self.say_of(found.game, Body::FindingUpdate(Box::new(update)));
        if let Some(known) = self.own.findings.earlier.iter_mut().find(|known| known.id == id) {
            known.closed = Some(status);
        }
        let source = source(&found);
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
            None => self.scene.decided_since(self.own, found),
        }
    }

    fn count_offence(&mut self, found: &Found, by_how_many: i32) {
        let counts = found.judgement.proposal.as_ref().is_some_and(|proposal| proposal.offence.is_some());
        let (Some(by), true) = (found.judgement.by, counts && !found.same_move_counted) else { return };
        self.own.findings.offences.add(by, by_how_many);
    }

    /// What a confirmed proposal does to the game.
    fn carry_out(&mut self, found: &Found, clock: Option<SetClock>) -> Vec<Ruled> {
        self.count_offence(found, 1);
        let Some(proposal) = found.judgement.proposal.as_ref() else { return Vec::new() };
        let clock = clock.or(proposal.clock).map(Ruled::Clock);
        let does = match proposal.action {
            Action::RestorePosition => restored(found, proposal).map(Ruled::Restore),
            Action::ReplaceWithQueen => offence(found).map(|(ply, uci)| Ruled::Queen { ply, uci }),
            Action::DeclareLoss | Action::DeclareDraw => proposal.result.map(|result| declared(found, proposal, result)),
            Action::CancelGame => Some(declared(found, proposal, GameResult::Open)),
            Action::SetClock | Action::Warn | Action::Continue | Action::None => None,
        };
        clock.into_iter().chain(does).collect()
    }

    /// Every ply after the first `kept` ones was taken back by a ruling.
    pub(crate) fn restored(&mut self, kept: u32) {
        self.own.touches.clear();
        self.withdraw(|i| i.ply().is_some_and(|other| other > kept));
        self.taken_back(kept.saturating_add(1));
    }

    /// The pieces were set up again: what stood wrong, and that the clock stood, belongs to no game.
    pub(crate) fn set_up_again(&mut self) {
        self.withdraw(|irregularity| {
            matches!(
                irregularity,
                Irregularity::DisplacedPieces(_) | Irregularity::TwoMovesInARow { .. } | Irregularity::ClockStopped { .. }
            )
        });
    }
}

/// The ply, counted from 1, and the move of an offence, where it is one at a press.
fn offence(found: &Found) -> Option<(u32, String)> {
    match &found.irregularity {
        Irregularity::IllegalMove(fact) => Some((fact.ply, fact.uci.clone())),
        Irregularity::UnpromotedPawn(fact) => Some((fact.ply, fact.uci.clone())),
        Irregularity::Reported(Reported { last, .. }) => last.clone(),
        _ => None,
    }
}

/// The position that is to be put up again.
fn restored(found: &Found, proposal: &Proposal) -> Option<Restored> {
    Some(Restored { fen: proposal.restore_fen.clone()?, offence: offence(found) })
}

fn declared(found: &Found, proposal: &Proposal, result: GameResult) -> Ruled {
    Ruled::Declare {
        result,
        reason: found.judgement.key.as_str(),
        article: proposal.article.clone().unwrap_or_else(|| found.judgement.article.clone()),
        source: source(found),
        restore: restored(found, proposal),
        finding: found.id,
    }
}

/// Where a result comes from that was ruled on this finding.
const fn source(found: &Found) -> ResultSource {
    if is_flag(found) { ResultSource::Flag } else { ResultSource::Ruling }
}

#[cfg(test)]
#[path = "ruled_tests.rs"]
mod tests;
