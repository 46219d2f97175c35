//! What the game found, and what became of it: numbers, evidence, revisions. The rulebook says what each finding means and proposes.
use super::Game;
use super::entry::{Run, SetClock};
use super::event::{Body, Colour, Finding, FindingUpdate, Status};
use super::questions::Purpose;
use crate::rulebook::situation::{Offences, Question, Verdict};
use crate::rulebook::{self, Irregularity, Judgement, Key, Situation};

/// One finding, as it was last said.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) id: u64,
    pub(super) irregularity: Irregularity,
    pub(super) judgement: Judgement,
    /// What became of it; `None`: open.
    pub(super) closed: Option<Status>,
    verdict: Verdict,
    /// What the solver was asked for it.
    asked: Option<Question>,
    /// Another fault in the same move was counted.
    pub(super) same_move_counted: bool,
    /// Its move was taken back: another one at the same ply is another move.
    pub(super) taken_back: bool,
}

/// All findings of one game.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    last_id: u64,
    /// Numbers up to here belong to an earlier journal.
    before: u64,
    pub(super) found: Vec<Found>,
    pub(super) offences: Offences,
}

impl Findings {
    /// The next finding has a number above `id`.
    pub(super) const fn count_from(&mut self, id: u64) {
        (self.last_id, self.before) = (id, id);
    }

    pub(super) fn open(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(|found| found.closed.is_none())
    }

    /// An open finding by its number.
    pub(super) fn get(&self, id: u64) -> Option<&Found> {
        self.open().find(|found| found.id == id)
    }

    /// Whether a finding with this number was ever said.
    pub(super) fn is_known(&self, id: u64) -> bool {
        (self.before + 1..=self.last_id).contains(&id)
    }

    /// A new game: what was found in the last one stays what it is, and its offences do not count.
    pub(super) fn new_game(&mut self) {
        *self = Self { last_id: self.last_id, before: self.before, ..Self::default() };
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
            completed: self.completed(),
            offences: self.findings.offences,
            same_move_counted,
            verdict: verdict.clone(),
            irregularity: irregularity.clone(),
        }
    }

    /// Says what was found, unless the edition in use makes nothing of it. `since` is the first event it rests on.
    pub(super) fn find(&mut self, irregularity: Irregularity, since: u64) -> Option<u64> {
        let same_move_counted = irregularity.ply().is_some_and(|ply| self.is_counted(ply));
        let mut verdict = Verdict::Pending;
        let mut judgement = rulebook::judge(&self.situation(&irregularity, &verdict, same_move_counted))?;
        self.findings.last_id += 1;
        let id = self.findings.last_id;
        let evidence = [since.clamp(1, self.seq.max(1)), self.seq.max(1)];
        let asked = judgement.question.clone();
        if let Some(question) = &asked {
            // Mate on the board and material are answered at once.
            verdict = self.ask_for(judgement.key, question);
            if verdict != Verdict::Pending {
                judgement = rulebook::judge(&self.situation(&irregularity, &verdict, same_move_counted))?;
            }
        }
        self.say_finding(&judgement, id, evidence);
        self.findings.found.push(Found { id, irregularity, judgement, closed: None, verdict, asked, same_move_counted, taken_back: false });
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
        let same_move_counted = found.irregularity.ply().is_some_and(|ply| self.is_counted(ply));
        let situation = self.situation(&found.irregularity, &found.verdict, same_move_counted);
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
            (found.judgement, found.same_move_counted) = (judgement, same_move_counted);
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
        let Some(found) = self.findings.get(id).filter(|found| question.is_some() && found.asked != question) else { return };
        let key = found.judgement.key;
        let verdict = question.as_ref().map_or(Verdict::Pending, |question| self.ask_for(key, question));
        if let Some(found) = self.findings.found.iter_mut().find(|found| found.id == id) {
            (found.asked, found.verdict) = (question, verdict);
        }
        self.judge_one_again(id);
    }

    fn ask_for(&mut self, key: Key, question: &Question) -> Verdict {
        let purpose = match key {
            Key::FlagFall | Key::BothFlags => Purpose::FlagFall,
            _ => Purpose::SecondIllegal,
        };
        self.ask(&question.fen, question.winner, purpose)
    }

    /// The solver answered: proposals that waited for it are judged again.
    pub(super) fn verdict_arrived(&mut self) {
        self.resignation_decided();
        let waiting: Vec<(u64, Question)> = self.findings.open().filter_map(|found| Some((found.id, found.asked.clone()?))).collect();
        for (id, question) in waiting {
            let verdict = self.known_verdict(&question.fen, question.winner);
            if let Some(found) = self.findings.found.iter_mut().find(|found| found.id == id) {
                found.verdict = verdict;
            }
            self.judge_one_again(id);
        }
    }

    /// Moves from this ply on were taken back.
    pub(super) fn taken_back(&mut self, from: u32) {
        for found in self.findings.found.iter_mut().filter(|found| found.irregularity.ply().is_some_and(|ply| ply >= from)) {
            found.taken_back = true;
        }
    }

    /// Whether another fault in this move was ruled and counted (7.5.5: they count once).
    fn is_counted(&self, ply: u32) -> bool {
        let counts = |found: &&Found| {
            matches!(found.closed, Some(Status::Confirmed | Status::Amended))
                && found.judgement.proposal.as_ref().is_some_and(|p| p.offence.is_some())
        };
        self.findings
            .found
            .iter()
            .filter(|found| !found.taken_back)
            .filter(counts)
            .any(|found| found.irregularity.ply() == Some(ply) && self.offence_is_standing(found))
    }

    /// Says several things in order.
    pub(super) fn say_all(&mut self, bodies: Vec<Body>) {
        let moved = bodies.iter().any(|body| matches!(body, Body::MoveMade { .. } | Body::MoveRevised { .. }));
        for body in bodies {
            self.say(body);
        }
        if moved {
            self.touched_before();
            self.tell_claims();
        }
    }
}
