//! What the game found, and what became of it: numbers, evidence, revisions. The rulebook says what each finding means and proposes.
use super::Game;
use super::entry::{Run, SetClock};
use super::event::{Body, Colour, Finding, FindingUpdate, Status};
use crate::rulebook::situation::{Offences, Question, Verdict};
use crate::rulebook::{self, Irregularity, Judgement, Situation};

/// One finding, as it was last said.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) id: u64,
    pub(super) irregularity: Irregularity,
    pub(super) judgement: Judgement,
    evidence: [u64; 2],
    /// What became of it; `None`: open.
    pub(super) closed: Option<Status>,
    verdict: Verdict,
    /// What the solver was asked for it.
    asked: Option<Question>,
    /// Another fault in the same move was counted.
    pub(super) same_move_counted: bool,
}

/// All findings of one game.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    last_id: u64,
    pub(super) found: Vec<Found>,
    pub(super) offences: Offences,
}

impl Findings {
    pub(super) fn open(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(|found| found.closed.is_none())
    }

    /// An open finding by its number.
    pub(super) fn get(&self, id: u64) -> Option<&Found> {
        self.open().find(|found| found.id == id)
    }

    /// Whether a finding with this number was ever said.
    pub(super) fn is_known(&self, id: u64) -> bool {
        (1..=self.last_id).contains(&id)
    }

    /// A new game: what was found in the last one stays what it is, and its offences do not count.
    pub(super) fn new_game(&mut self) {
        *self = Self { last_id: self.last_id, ..Self::default() };
    }
}

impl Game {
    /// Both displays now, and who runs; `None` without a clock.
    pub(super) fn clock_now(&self) -> Option<SetClock> {
        let shown = self.clock.shown()?;
        let run = match self.clock.running() {
            Some(Colour::White) => Run::White,
            Some(Colour::Black) => Run::Black,
            None => Run::Stopped,
        };
        Some(SetClock { white_ms: shown.white_ms, black_ms: shown.black_ms, run })
    }

    fn situation(&self, irregularity: &Irregularity, verdict: &Verdict, same_move_counted: bool) -> Situation {
        Situation {
            rules: self.settings.rules,
            play: self.settings.play,
            supervision: self.settings.supervision,
            time_control: self.settings.time_control.clone(),
            clock: self.clock_now(),
            offences: self.findings.offences,
            same_move_counted,
            verdict: verdict.clone(),
            irregularity: irregularity.clone(),
        }
    }

    /// Says what was found, unless the edition in use makes nothing of it. `since` is the first event it rests on.
    pub(super) fn find(&mut self, irregularity: Irregularity, since: u64) -> Option<u64> {
        let judgement = rulebook::judge(&self.situation(&irregularity, &Verdict::Pending, false))?;
        self.findings.last_id += 1;
        let id = self.findings.last_id;
        let evidence = [since.clamp(1, self.seq.max(1)), self.seq.max(1)];
        let asked = judgement.question.clone();
        self.say_finding(&judgement, id, evidence);
        let found =
            Found { id, irregularity, judgement, evidence, closed: None, verdict: Verdict::Pending, asked: None, same_move_counted: false };
        self.findings.found.push(found);
        self.ask_solver(id, asked);
        Some(id)
    }

    fn say_finding(&mut self, judgement: &Judgement, id: u64, evidence: [u64; 2]) {
        let finding: Finding = judgement.clone().into_finding(id, self.settings.rules, evidence);
        self.say(Body::Finding(Box::new(finding)));
    }

    /// Judges every open finding again: something that proposals rest on has changed.
    pub(super) fn judge_again(&mut self) {
        let open: Vec<u64> = self.findings.open().map(|found| found.id).collect();
        for id in open {
            self.judge_one_again(id);
        }
    }

    fn judge_one_again(&mut self, id: u64) {
        let Some(found) = self.findings.get(id) else { return };
        let situation = self.situation(&found.irregularity, &found.verdict, found.same_move_counted);
        let Some(judgement) = rulebook::judge(&situation) else {
            self.close(id, Status::Withdrawn);
            return;
        };
        let changed = judgement.proposal != found.judgement.proposal || judgement.facts != found.judgement.facts;
        let asked = judgement.question.clone();
        if changed {
            let facts = (judgement.facts != found.judgement.facts).then(|| judgement.facts.clone());
            let summary = (judgement.summary != found.judgement.summary).then(|| judgement.summary.clone());
            let proposal = judgement.proposal.clone();
            self.say(Body::FindingUpdate(Box::new(FindingUpdate { id, status: Status::Revised, proposal, facts, summary })));
        }
        if let Some(found) = self.findings.found.iter_mut().find(|found| found.id == id) {
            found.judgement = judgement;
        }
        self.ask_solver(id, asked);
    }

    /// The facts of an open finding have changed.
    pub(super) fn update_finding(&mut self, id: u64, change: impl FnOnce(&mut Irregularity)) {
        if let Some(found) = self.findings.found.iter_mut().find(|found| found.id == id && found.closed.is_none()) {
            change(&mut found.irregularity);
            self.judge_one_again(id);
        }
    }

    /// What became of a finding.
    pub(super) fn close(&mut self, id: u64, status: Status) {
        let Some(found) = self.findings.found.iter_mut().find(|found| found.id == id && found.closed.is_none()) else { return };
        found.closed = Some(status);
        let update = FindingUpdate { id, status, proposal: None, facts: None, summary: None };
        self.say(Body::FindingUpdate(Box::new(update)));
    }

    /// Closes every open finding that `which` names, as withdrawn.
    pub(super) fn withdraw(&mut self, which: impl Fn(&Irregularity) -> bool) {
        let gone: Vec<u64> = self.findings.open().filter(|found| which(&found.irregularity)).map(|found| found.id).collect();
        for id in gone {
            self.close(id, Status::Withdrawn);
        }
    }

    fn ask_solver(&mut self, id: u64, question: Option<Question>) {
        let Some(found) = self.findings.found.iter_mut().find(|found| found.id == id) else { return };
        if question.is_none() || found.asked == question {
            return;
        }
        found.asked = question;
        found.verdict = Verdict::Pending;
    }

    /// Says several things in order.
    pub(super) fn say_all(&mut self, bodies: Vec<Body>) {
        let moved = bodies.iter().any(|body| matches!(body, Body::MoveMade { .. } | Body::MoveRevised { .. }));
        for body in bodies {
            self.say(body);
        }
        if moved {
            self.touched_before();
        }
    }
}
