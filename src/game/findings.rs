//! What the game found, and what became of it: numbers, evidence, revisions. The rulebook says what each finding means and proposes.
use super::displaced::Displaced;
use super::hearing::{Hearing, Ruled, Scene};
use super::questions::Purpose;
use super::questions::Questions;
use super::resigned::Resigned;
use super::timers::{Timer, Timers};
use super::touched::Touches;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Body, Colour, Finding, FindingUpdate, Grade, Key, Mono, Proposal, Run, SetClock, Status};
use flagfall_laws::situation::{Offences, Question, Verdict};
use flagfall_laws::{Irregularity, Judgement, Situation};

/// A finding is revised at most so often, milliseconds.
const REVISED_EVERY_MS: u64 = 1_000;

/// So many findings of earlier games can still be ruled on.
const EARLIER: usize = 32;

/// One finding, as it was last said.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) id: u64,
    /// The game it belongs to.
    pub(super) game: u32,
    pub(super) irregularity: Irregularity,
    pub(super) judgement: Judgement,
    /// What became of it; `None`: open.
    pub(super) closed: Option<Status>,
    pub(super) verdict: Verdict,
    /// What the solver was asked for it.
    pub(super) asked: Option<Question>,
    /// What was ruled on it, its result hanging on the verdict.
    pub(super) waits: Option<Waiting>,
    /// When it was revised last.
    revised: Option<Mono>,
    /// When a revision that was put off is to be said.
    due: Option<Mono>,
    /// Another fault in the same move was counted.
    pub(super) same_move_counted: bool,
    /// Its move was taken back: another one at the same ply is another move.
    pub(super) taken_back: bool,
}

/// A ruling whose result waits for the solver's verdict.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) status: Status,
    pub(super) clock: Option<SetClock>,
    /// Until when.
    pub(super) until: Mono,
}

/// All findings of one game.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    last_id: u64,
    pub(super) found: Vec<Found>,
    /// What can still be ruled on of games before: the newest.
    pub(super) earlier: VecDeque<Found>,
    pub(super) offences: Offences,
    /// Something that proposals rest on has changed with this input.
    stale: bool,
}

impl Findings {
    /// The next finding has a number above `id`.
    pub(super) const fn count_from(&mut self, id: u64) {
        self.last_id = id;
    }

    pub(super) fn open(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(|found| found.closed.is_none())
    }

    /// An open finding by its number.
    pub(super) fn get(&self, id: u64) -> Option<&Found> {
        self.open().find(|found| found.id == id)
    }

    /// Whether there is a finding with this number that can be ruled on.
    pub(super) fn is_known(&self, id: u64) -> bool {
        self.found.iter().chain(&self.earlier).any(|found| found.id == id)
    }

    /// Something of a game before waits to be ruled on.
    pub(super) fn earlier_waits(&self) -> bool {
        self.earlier.iter().any(|found| found.closed.is_none() && found.judgement.grade == Grade::Ruling)
    }

    /// A new game: what was found in the last one stays what it is, and its offences do not count.
    pub(super) fn new_game(&mut self) {
        let mut earlier = core::mem::take(&mut self.earlier);
        earlier.extend(core::mem::take(&mut self.found).into_iter().filter(|found| found.judgement.proposal.is_some()));
        while earlier.len() > EARLIER {
            earlier.pop_front();
        }
        *self = Self { last_id: self.last_id, earlier, ..Self::default() };
    }
}

/// What was found, and what it rests on.
#[derive(Clone, Debug)]
pub(super) struct Referee {
    pub(super) findings: Findings,
    pub(super) touches: Touches,
    /// When each ply was made.
    pub(super) made_times: Vec<Mono>,
    /// Whose clock ran then, where one was in use.
    pub(super) made_on: Vec<Option<Colour>>,
    /// The next ply of the record to be looked at for a move made before its player's clock ran.
    pub(super) next_before_clock: usize,
    /// A win by resignation that is asked about.
    pub(super) resigned: Option<Resigned>,
    /// Moves that the counted player had completed when the count began (Russia 1.16.7).
    pub(super) counted_from: u32,
    /// Players for whom an assistant presses (6.2.6).
    pub(super) assisted: Vec<Colour>,
    /// Pieces that stand wrong, or did last in this game.
    pub(super) displaced: Option<Displaced>,
    /// The press judged last, and whether it is under a finding.
    pub(super) last_press: Option<(Colour, bool)>,
    /// The press that is judged now is under a finding.
    pub(super) under_finding: bool,
    /// The first event since then.
    pub(super) evidence_from: u64,
    pub(super) questions: Questions,
    /// A wrong start that is kept while its game begins.
    kept: Vec<Found>,
    pub(super) timers: Timers,
}

impl Referee {
    pub(super) fn new() -> Self {
        Self {
            findings: Findings::default(),
            touches: Touches::default(),
            made_times: Vec::new(),
            made_on: Vec::new(),
            next_before_clock: 1,
            resigned: None,
            counted_from: 0,
            assisted: Vec::new(),
            displaced: None,
            last_press: None,
            under_finding: false,
            evidence_from: 1,
            questions: Questions::default(),
            kept: Vec::new(),
            timers: Timers::default(),
        }
    }

    /// The pieces of another game were set up; so many events were said by then.
    pub(super) fn new_game(&mut self, said: u64) {
        self.displaced = None;
        self.touches.clear();
        self.made_times.clear();
        self.made_on.clear();
        self.next_before_clock = 1;
        self.assisted.clear();
        self.findings.new_game();
        (self.last_press, self.evidence_from) = (None, said + 1);
        self.timers.set(Timer::Displaced, None);
    }

    /// A finding of grade ruling, other than of a flag, waits to be ruled on.
    pub(super) fn waits_for_a_ruling(&self) -> bool {
        let waits = |found: &Found| found.judgement.grade == Grade::Ruling && !is_flag(found);
        self.findings.open().any(waits)
    }

    /// The number of an open finding of 7.2.1.
    pub(super) fn wrong_start(&self) -> Option<u64> {
        self.findings.open().find(|found| matches!(found.irregularity, Irregularity::WrongInitialPosition(_))).map(|found| found.id)
    }

    /// A wrong start that was found before its game begins stays found in it.
    pub(super) fn keep_wrong_start(&mut self) {
        let is_wrong_start = |found: &Found| found.closed.is_none() && matches!(found.irregularity, Irregularity::WrongInitialPosition(_));
        let (kept, others) = core::mem::take(&mut self.findings.found).into_iter().partition(is_wrong_start);
        (self.kept, self.findings.found) = (kept, others);
    }

    /// The game has begun.
    pub(super) fn kept_wrong_start(&mut self) {
        self.findings.found = core::mem::take(&mut self.kept);
    }

    /// Plies were taken over that another build published; so many events were said by then.
    pub(super) fn taken_over(&mut self, made: Vec<Mono>, same_game: bool, said: u64) {
        let assisted = core::mem::take(&mut self.assisted);
        self.new_game(said);
        self.assisted = if same_game { assisted } else { Vec::new() };
        self.made_on = alloc::vec![None; made.len()];
        self.next_before_clock = made.len().max(1);
        (self.made_times, self.resigned) = (made, None);
    }

    /// Another one saw what was played meanwhile, so many plies of it.
    pub(super) fn take_up(&mut self, then: Self, upto: usize) {
        (self.touches, self.last_press, self.displaced) = (then.touches, then.last_press, None);
        (self.made_times, self.made_on) = (then.made_times, then.made_on);
        self.made_times.truncate(upto);
        self.made_on.truncate(upto);
    }
}

/// A flag is down, or both are.
pub(super) const fn is_flag(found: &Found) -> bool {
    matches!(found.judgement.key, Key::FlagFall | Key::BothFlags)
}

impl Scene<'_> {
    /// Both displays now, or what they were ruled to show and do not yet, and who runs; `None` without a clock.
    pub(super) fn clock_now(&self) -> Option<SetClock> {
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
    pub(super) fn judged_with(&self, referee: &Referee, found: &Found, verdict: &Verdict) -> Option<Judgement> {
        flagfall_laws::judge(&self.situation(referee, &found.irregularity, verdict, found.same_move_counted))
    }
}

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
    pub(super) fn find(&mut self, irregularity: Irregularity, since: u64) -> Option<u64> {
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
    pub(super) const fn judge_again(&mut self) {
        self.own.findings.stale = true;
    }

    /// Judges what is open again, with the times as they are now, where something that proposals rest on has changed.
    pub(super) fn bring_up_to_date(&mut self) {
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

    pub(super) fn judge_one_again(&mut self, id: u64) {
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
    pub(super) fn findings_due(&mut self) {
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
    pub(super) fn wait_for_findings(&mut self) {
        let next = self.own.findings.open().flat_map(|found| [found.due, found.waits.as_ref().map(|waits| waits.until)]).flatten().min();
        self.set(Timer::Findings, next);
    }

    /// The facts of an open finding have changed.
    pub(super) fn update_finding(&mut self, id: u64, change: impl FnOnce(&mut Irregularity)) {
        if let Some(found) = self.own.findings.found.iter_mut().find(|found| found.id == id && found.closed.is_none()) {
            change(&mut found.irregularity);
            self.judge_one_again(id);
        }
    }

    /// What became of a finding.
    pub(super) fn close(&mut self, id: u64, status: Status) {
        self.close_with(id, status, None);
    }

    /// The same; `proposal` is what was ruled, where that is not what was proposed last.
    pub(super) fn close_with(&mut self, id: u64, status: Status, proposal: Option<Proposal>) {
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
    pub(super) fn withdraw(&mut self, which: impl Fn(&Irregularity) -> bool) {
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
    pub(super) fn withdraw_flags(&mut self) {
        let gone: Vec<u64> = self.own.findings.open().filter(|found| is_flag(found)).map(|found| found.id).collect();
        for id in gone {
            self.close(id, Status::Withdrawn);
        }
    }

    /// Findings whose proposals wait for the solver, and what they asked.
    pub(super) fn waiting(&self) -> Vec<(u64, Question)> {
        self.own.findings.open().filter_map(|found| Some((found.id, found.asked.clone()?))).collect()
    }

    /// The solver answered what this finding asked: what was ruled on it meanwhile is to be carried out.
    pub(super) fn answered(&mut self, id: u64, question: &Question) -> Vec<Ruled> {
        let verdict = self.own.questions.verdict_on(&question.fen, question.winner);
        if let Some(found) = self.own.findings.found.iter_mut().find(|found| found.id == id).filter(|_| verdict != Verdict::Pending) {
            found.verdict = verdict;
        }
        self.carry_out_what_waits(id)
    }

    /// The judgement of an open finding as it is now, whether or not it was said.
    pub(super) fn judgement_now(&mut self, id: u64) -> Option<Judgement> {
        let found = self.own.findings.get(id).cloned()?;
        let same_move_counted = found.irregularity.ply().is_some_and(|ply| self.is_counted(ply));
        let (mut verdict, mut asked) = (found.verdict, found.asked);
        self.judgement_of(&found.irregularity, &mut verdict, &mut asked, same_move_counted)
    }

    /// Moves from this ply on were taken back.
    pub(super) fn taken_back(&mut self, from: u32) {
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
