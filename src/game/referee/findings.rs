//! What the game found, and what became of it: numbers, evidence, revisions. The rulebook says what each finding means and proposes.
use crate::questions::Purpose;
use crate::referee::facts::Ruled;
use crate::referee::found::{Found, is_flag};
use crate::referee::hearing::Hearing;
use crate::referee::scene::Scene;
use crate::referee::state::Referee;
use crate::timers::Timer;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Body, Colour, Finding, FindingUpdate, Key, Mono, Proposal, Run, SetClock, Status};
use flagfall_laws::situation::{Question, Verdict};
use flagfall_laws::{Irregularity, Judgement, Situation};

impl Scene<'_> {
    /// Both displays now, or what they were ruled to show and do not yet, and who runs; `None` without a clock.
    pub(crate) fn clock_now(&self) -> Option<SetClock> {
        let ruled = self.clock.awaits().map(|set| flagfall_events::ClockPair { white_ms: set.white_ms, black_ms: set.black_ms });
        let shown = ruled.or_else(|| self.clock.shown())?;
        let run = match self.clock.running() {
            Some(Colour::White) => Run::White,
            Some(Colour::Black) => Run::Black,
            None => Run::Stopped,
        };
        Some(SetClock { white_ms: shown.white_ms, black_ms: shown.black_ms, run })
    }

    /// Whose time is to run as the game stands.
    fn whose_turn(&self) -> Run {
        let run = |by: Colour| if by == Colour::White { Run::White } else { Run::Black };
        let Some(play) = self.play else { return Run::White };
        let running = self.clock.running().filter(|_| !play.record.plies().is_empty());
        run(running.unwrap_or_else(|| play.top().turn()))
    }

    fn situation(&self, referee: &Referee, irregularity: &Irregularity, verdict: &Verdict, same_move_counted: bool) -> Situation {
        Situation {
            rules: self.settings.rules,
            play: self.settings.play,
            supervision: self.settings.supervision,
            time_control: self.settings.time_control.clone(),
            clock: self.clock_now(),
            completed: self.completed(),
            turn: self.whose_turn(),
            offences: referee.findings.offences,
            same_move_counted,
            verdict: verdict.clone(),
            irregularity: irregularity.clone(),
        }
    }

    /// What the rulebook would make of a finding with this verdict.
    pub(crate) fn judged_with(&self, referee: &Referee, found: &Found, verdict: &Verdict) -> Option<Judgement> {
        flagfall_laws::judge(&self.situation(referee, &found.irregularity, verdict, found.same_move_counted))
    }
}

/// A finding is revised at most so often, milliseconds.
const REVISED_EVERY_MS: u64 = 1_000;

impl Hearing<'_> {
    /// What the rulebook makes of it, the solver asked what it wants to know.
    fn judgement_of(
        &mut self,
        irregularity: &Irregularity,
        verdict: &mut Verdict,
        asked: &mut Option<Question>,
        same_move_counted: bool,
    ) -> Option<Judgement> {
        let mut judgement = flagfall_laws::judge(&self.scene.situation(self.own, irregularity, verdict, same_move_counted))?;
        self.shown_with(&mut judgement);
        let Some(question) = judgement.question.clone().filter(|question| asked.as_ref() != Some(question)) else {
            return Some(judgement);
        };
        // Mate on the board and material are answered at once.
        let known = self.ask_for(judgement.key, &question);
        *asked = Some(question);
        if known == *verdict {
            return Some(judgement);
        }
        *verdict = known;
        let mut judgement = flagfall_laws::judge(&self.scene.situation(self.own, irregularity, verdict, same_move_counted))?;
        self.shown_with(&mut judgement);
        Some(judgement)
    }

    /// The kings in the centre show what is proposed: the players agree with it.
    fn shown_with(&self, judgement: &mut Judgement) {
        let proposed = judgement.proposal.as_ref().and_then(|proposal| proposal.result);
        if let Some(shown) = self.scene.kings_agree().filter(|shown| Some(*shown) == proposed) {
            judgement.facts.insert(String::from("kings"), shown.as_str().into());
        }
    }

    /// Whether a finding may be raised while nothing is said of the game: about the clock and the start position, and what an arbiter enters.
    fn may_find(&self, irregularity: &Irregularity) -> bool {
        !self.scene.analysis
            || !matches!(
                irregularity,
                Irregularity::IllegalMove(_)
                    | Irregularity::PressWithoutMove(_)
                    | Irregularity::UnpromotedPawn(_)
                    | Irregularity::DisplacedPieces(_)
                    | Irregularity::TwoHandsHint { .. }
                    | Irregularity::TwoMovesInARow { .. }
                    | Irregularity::UnpressedMove { .. }
                    | Irregularity::LatePress { .. }
                    | Irregularity::PressBeforeMove { .. }
                    | Irregularity::AdjustedOutOfTurn { .. }
                    | Irregularity::MovedBeforeClock { .. }
            )
    }

    /// Says what was found, unless the edition in use makes nothing of it. `since` is the first event it rests on.
    pub(crate) fn find(&mut self, irregularity: Irregularity, since: u64) -> Option<u64> {
        if !self.may_find(&irregularity) {
            return None;
        }
        let same_move_counted = irregularity.ply().is_some_and(|ply| self.is_counted(ply));
        let (mut verdict, mut asked) = (Verdict::Pending, None);
        let judgement = self.judgement_of(&irregularity, &mut verdict, &mut asked, same_move_counted)?;
        self.own.findings.last_id += 1;
        let id = self.own.findings.last_id;
        let evidence = [since.clamp(1, self.voice.seq().max(1)), self.voice.seq().max(1)];
        self.say_finding(&judgement, id, evidence);
        self.own.findings.found.push(Found {
            id,
            game: self.scene.spoken_of,
            irregularity,
            judgement,
            closed: None,
            verdict,
            asked,
            waits: None,
            revised: None,
            due: None,
            same_move_counted,
            taken_back: false,
        });
        Some(id)
    }

    fn say_finding(&mut self, judgement: &Judgement, id: u64, evidence: [u64; 2]) {
        let finding: Finding = judgement.clone().into_finding(id, self.scene.settings.rules, evidence);
        self.say(Body::Finding(Box::new(finding)));
    }

    /// Something that proposals rest on has changed: every open finding is judged again when this input is done.
    pub(crate) const fn judge_again(&mut self) {
        self.own.findings.stale = true;
    }

    /// Judges what is open again, with the times as they are now, where something that proposals rest on has changed.
    pub(crate) fn bring_up_to_date(&mut self) {
        if !self.own.findings.stale {
            return;
        }
        self.recount_later_moves();
        self.own.findings.stale = false;
        self.clock_times_now();
        let open: Vec<u64> = self.own.findings.open().filter(|found| found.judgement.proposal.is_some()).map(|found| found.id).collect();
        for id in open {
            self.judge_one_again(id);
        }
    }

    pub(crate) fn judge_one_again(&mut self, id: u64) {
        let Some(found) = self.own.findings.get(id).cloned() else { return };
        let same_move_counted = found.irregularity.ply().is_some_and(|ply| self.is_counted(ply));
        let (mut verdict, mut asked) = (found.verdict, found.asked);
        let Some(judgement) = self.judgement_of(&found.irregularity, &mut verdict, &mut asked, same_move_counted) else {
            self.close(id, Status::Withdrawn);
            return;
        };
        let changed = judgement.proposal != found.judgement.proposal || judgement.facts != found.judgement.facts;
        let rested = found.revised.map(|at| at + REVISED_EVERY_MS);
        let due = rested.filter(|due| changed && *due > self.scene.now);
        if changed && due.is_none() {
            let facts = (judgement.facts != found.judgement.facts).then(|| judgement.facts.clone());
            let summary = (judgement.summary != found.judgement.summary).then(|| judgement.summary.clone());
            let proposal = judgement.proposal.clone();
            self.say_of(found.game, Body::FindingUpdate(Box::new(FindingUpdate { id, status: Status::Revised, proposal, facts, summary })));
        }
        let now = self.scene.now;
        if let Some(found) = self.own.findings.found.iter_mut().find(|found| found.id == id) {
            (found.verdict, found.asked, found.same_move_counted, found.due) = (verdict, asked, same_move_counted, due);
            if due.is_none() {
                found.judgement = judgement;
                found.revised = if changed { Some(now) } else { found.revised };
            }
        }
        self.wait_for_findings();
    }

    /// What was put off is said, and what was ruled waits no longer for its verdict.
    pub(crate) fn findings_due(&mut self) {
        let now = self.scene.now;
        let due = |at: Option<Mono>| at.is_some_and(|at| at <= now);
        let all: Vec<u64> =
            self.own.findings.open().filter(|f| due(f.due) || due(f.waits.as_ref().map(|w| w.until))).map(|f| f.id).collect();
        if all.is_empty() {
            return;
        }
        self.clock_times_now();
        for id in all {
            if let Some(found) =
                self.own.findings.found.iter_mut().find(|found| found.id == id && due(found.waits.as_ref().map(|w| w.until)))
            {
                found.waits = None;
                if found.verdict == Verdict::Pending {
                    found.verdict = Verdict::Undecided(String::from("not decided within two seconds"));
                }
            }
            self.judge_one_again(id);
        }
        self.wait_for_findings();
    }

    /// When the next revision or verdict is due.
    pub(crate) fn wait_for_findings(&mut self) {
        let next = self.own.findings.open().flat_map(|found| [found.due, found.waits.as_ref().map(|waits| waits.until)]).flatten().min();
        self.set(Timer::Findings, next);
    }

    /// The facts of an open finding have changed.
    pub(crate) fn update_finding(&mut self, id: u64, change: impl FnOnce(&mut Irregularity)) {
        if let Some(found) = self.own.findings.found.iter_mut().find(|found| found.id == id && found.closed.is_none()) {
            change(&mut found.irregularity);
            self.judge_one_again(id);
        }
    }

    /// What became of a finding.
    pub(crate) fn close(&mut self, id: u64, status: Status) {
        self.close_with(id, status, None);
    }

    /// The same; `proposal` is what was ruled, where that is not what was proposed last.
    pub(crate) fn close_with(&mut self, id: u64, status: Status, proposal: Option<Proposal>) {
        let Some(found) = self.own.findings.found.iter_mut().find(|found| found.id == id && found.closed.is_none()) else { return };
        (found.closed, found.waits, found.due) = (Some(status), None, None);
        let new = proposal.filter(|proposal| found.judgement.proposal.as_ref() != Some(proposal));
        if new.is_some() {
            found.judgement.proposal.clone_from(&new);
        }
        let game = found.game;
        let update = FindingUpdate { id, status, proposal: new, facts: None, summary: None };
        self.say_of(game, Body::FindingUpdate(Box::new(update)));
        self.wait_for_findings();
    }

    /// Closes every open finding that `which` names, as withdrawn.
    pub(crate) fn withdraw(&mut self, which: impl Fn(&Irregularity) -> bool) {
        let gone: Vec<u64> = self.own.findings.open().filter(|found| which(&found.irregularity)).map(|found| found.id).collect();
        for id in gone {
            self.close(id, Status::Withdrawn);
        }
    }

    fn ask_for(&mut self, key: Key, question: &Question) -> Verdict {
        let purpose = match key {
            Key::FlagFall | Key::BothFlags => Purpose::FlagFall,
            _ => Purpose::SecondIllegal,
        };
        self.ask(&question.fen, question.winner, purpose)
    }

    /// 6.8: a result that was reached before a flag-fall is confirmed stands, whoever saw the flag.
    pub(crate) fn withdraw_flags(&mut self) {
        let gone: Vec<u64> = self.own.findings.open().filter(|found| is_flag(found)).map(|found| found.id).collect();
        for id in gone {
            self.close(id, Status::Withdrawn);
        }
    }

    /// Findings whose proposals wait for the solver, and what they asked.
    pub(crate) fn waiting(&self) -> Vec<(u64, Question)> {
        self.own.findings.open().filter_map(|found| Some((found.id, found.asked.clone()?))).collect()
    }

    /// The solver answered what this finding asked: what was ruled on it meanwhile is to be carried out.
    pub(crate) fn answered(&mut self, id: u64, question: &Question) -> Vec<Ruled> {
        let verdict = self.own.questions.verdict_on(&question.fen, question.winner);
        if let Some(found) = self.own.findings.found.iter_mut().find(|found| found.id == id).filter(|_| verdict != Verdict::Pending) {
            found.verdict = verdict;
        }
        self.carry_out_what_waits(id)
    }

    /// The judgement of an open finding as it is now, whether or not it was said.
    pub(crate) fn judgement_now(&mut self, id: u64) -> Option<Judgement> {
        let found = self.own.findings.get(id).cloned()?;
        let same_move_counted = found.irregularity.ply().is_some_and(|ply| self.is_counted(ply));
        let (mut verdict, mut asked) = (found.verdict, found.asked);
        self.judgement_of(&found.irregularity, &mut verdict, &mut asked, same_move_counted)
    }

    /// Moves from this ply on were taken back.
    pub(crate) fn taken_back(&mut self, from: u32) {
        for found in self.own.findings.found.iter_mut().filter(|found| found.irregularity.ply().is_some_and(|ply| ply >= from)) {
            found.taken_back = true;
        }
    }

    /// Whether another fault in this move was ruled and counted (7.5.5: they count once).
    fn is_counted(&self, ply: u32) -> bool {
        let counts = |found: &&Found| {
            matches!(found.closed, Some(Status::Confirmed | Status::Amended))
                && found.judgement.proposal.as_ref().is_some_and(|p| p.offence.is_some())
        };
        self.own
            .findings
            .found
            .iter()
            .filter(|found| !found.taken_back)
            .filter(counts)
            .any(|found| found.irregularity.ply() == Some(ply) && self.offence_is_standing(found))
    }
}
