//! What the world was told of a board, as far as an undo may have to say otherwise; and which events lead from one such state to another.
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use flagfall_events::{AlarmKey, AlarmState, Body, ClockPair, Finding, FindingUpdate, GameResult, REOPENED, Status, Word};

/// Findings that are remembered: more can be ruled on only by those who remember them themselves.
const FINDINGS: usize = 96;
/// Games whose results are remembered.
const RESULTS: usize = 4;

/// What the world was told.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Told {
    /// The game that was said to have begun last.
    pub(crate) game: Option<u32>,
    plies: BTreeMap<u32, Ply>,
    /// The results of the last games; none where one was taken back.
    results: BTreeMap<u32, Body>,
    findings: BTreeMap<u64, Found>,
    alarms: BTreeMap<String, Body>,
    promotions: BTreeMap<u32, Body>,
    placement: Option<Body>,
    pub(crate) clock: Option<Body>,
    sides: Option<Body>,
}

#[derive(Clone, Debug, PartialEq)]
struct Ply {
    made: Option<Body>,
    completed: Option<Body>,
    uci: String,
    /// It was revised: what stands after it was not said.
    revised: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Found {
    game: u32,
    finding: Box<Finding>,
    /// What became of it; `None`: it is open.
    closed: Option<Status>,
}

impl Told {
    /// This was said of that game, if it is about one.
    pub(crate) fn take(&mut self, game: Option<u32>, body: &Body) {
        let of = game.or(self.game).unwrap_or(1);
        match body {
            Body::GameStart { .. } => {
                self.game = game;
                self.plies.clear();
                self.promotions.clear();
                self.sides = None;
            }
            Body::MoveMade { ply, uci, .. } => {
                self.plies.insert(*ply, Ply { made: Some(body.clone()), completed: None, uci: uci.clone(), revised: false });
            }
            Body::MoveCompleted { ply, uci, .. } => {
                let known = self.plies.get(ply).filter(|known| known.uci == *uci);
                let (made, revised) = known.map_or((None, false), |known| (known.made.clone(), known.revised));
                self.plies.insert(*ply, Ply { made, completed: Some(body.clone()), uci: uci.clone(), revised });
            }
            Body::MoveRevised { ply, uci, san, clock, spent_ms, .. } => {
                if clock.is_some() {
                    self.retimed(*ply, *clock, *spent_ms);
                }
                self.revised(*ply, uci, san.as_ref());
            }
            Body::Sides { .. } => self.sides = Some(body.clone()),
            Body::MoveWithdrawn { ply, .. } => {
                self.plies.split_off(ply);
                self.promotions.split_off(ply);
            }
            Body::Promotion { ply, .. } => _ = self.promotions.insert(*ply, body.clone()),
            Body::Result { result, reason, .. } => {
                if *result == GameResult::Open && reason == REOPENED {
                    self.results.remove(&of);
                } else {
                    self.results.insert(of, body.clone());
                }
                if self.results.len() > RESULTS {
                    self.results.pop_first();
                }
            }
            Body::Finding(finding) => {
                self.findings.insert(finding.id, Found { game: of, finding: finding.clone(), closed: None });
                if self.findings.len() > FINDINGS {
                    let oldest = self.findings.iter().find(|(_, found)| found.closed.is_some()).map(|(id, _)| *id);
                    oldest.and_then(|id| self.findings.remove(&id));
                }
            }
            Body::FindingUpdate(update) => self.updated(update),
            Body::Alarm { key, state, .. } => match state {
                AlarmState::Raised => _ = self.alarms.insert(key.to_string(), body.clone()),
                AlarmState::Cleared => _ = self.alarms.remove(key.as_str()),
            },
            Body::Placement { .. } => self.placement = Some(body.clone()),
            Body::Clock(_) => self.clock = Some(body.clone()),
            Body::Link { .. }
            | Body::Identity { .. }
            | Body::Press { .. }
            | Body::Ruling(_)
            | Body::TouchedPiece(_)
            | Body::DrawClaim(_)
            | Body::Receipt(_) => {}
        }
    }

    fn retimed(&mut self, ply: u32, pair: Option<ClockPair>, spent: Option<u64>) {
        let completed = self.plies.get_mut(&ply).and_then(|known| known.completed.as_mut());
        if let Some(Body::MoveCompleted { clock, spent_ms, .. }) = completed {
            (*clock, *spent_ms) = (pair, spent);
        }
    }

    fn revised(&mut self, ply: u32, to: &str, as_san: Option<&String>) {
        let Some(known) = self.plies.get_mut(&ply).filter(|known| known.uci != to) else { return };
        (known.uci, known.revised) = (String::from(to), true);
        for body in [&mut known.made, &mut known.completed].into_iter().flatten() {
            if let Body::MoveMade { uci, san, legal, .. } | Body::MoveCompleted { uci, san, legal, .. } = body {
                (*uci, *san, *legal) = (String::from(to), as_san.cloned(), as_san.is_some());
            }
        }
    }

    fn updated(&mut self, update: &FindingUpdate) {
        let Some(found) = self.findings.get_mut(&update.id) else { return };
        found.closed = (update.status != Status::Revised).then_some(update.status);
        let FindingUpdate { proposal, facts, summary, .. } = update;
        if proposal.is_some() {
            found.finding.proposal.clone_from(proposal);
        }
        if let Some(facts) = facts {
            found.finding.facts.clone_from(facts);
        }
        if let Some(summary) = summary {
            found.finding.summary.clone_from(summary);
        }
    }

    /// Of plies that were revised: what stands after them, where `made` says it.
    pub(crate) fn complete(&mut self, made: impl Fn(u32, &str) -> Option<Body>) {
        for (ply, known) in self.plies.iter_mut().filter(|(_, known)| known.revised) {
            if let Some(body) = made(*ply, &known.uci) {
                known.made = Some(body);
            }
        }
    }

    /// Findings have other numbers.
    pub(crate) fn renumber(&mut self, number: impl Fn(u64) -> u64) {
        self.findings = core::mem::take(&mut self.findings)
            .into_iter()
            .map(|(id, mut found)| {
                found.finding.id = number(id);
                (found.finding.id, found)
            })
            .collect();
    }

    /// The numbers of all findings.
    pub(crate) fn findings(&self) -> impl Iterator<Item = u64> + '_ {
        self.findings.keys().copied()
    }

    /// What to say, and of which game, where this was told and `to` is so. The clock is not among it: what it shows runs on.
    pub(crate) fn leads_to(&self, to: &Self) -> Vec<(u32, Body)> {
        let game = self.game.or(to.game).unwrap_or(1);
        let mut say = Vec::new();
        let (was, is) = (self.results.get(&game), to.results.get(&game));
        if let (Some(Body::Result { source, .. }), None) = (was, is) {
            say.push((game, Body::Result { result: GameResult::Open, reason: String::from(REOPENED), article: None, source: *source }));
        }
        let turned = self.sides != to.sides;
        if let Some(sides) = to.sides.as_ref().filter(|_| turned) {
            say.push((game, sides.clone()));
        }
        self.plies_to(to, game, turned, &mut say);
        for (ply, body) in &to.promotions {
            if self.promotions.get(ply) != Some(body) {
                say.push((game, body.clone()));
            }
        }
        self.findings_to(to, &mut say);
        for of in self.results.keys().chain(to.results.keys().filter(|of| !self.results.contains_key(of))) {
            match (self.results.get(of), to.results.get(of)) {
                (was, Some(is)) if was != Some(is) => say.push((*of, is.clone())),
                (Some(Body::Result { source, .. }), None) if *of != game => {
                    let open = Body::Result { result: GameResult::Open, reason: String::from(REOPENED), article: None, source: *source };
                    say.push((*of, open));
                }
                _ => {}
            }
        }
        for (key, body) in &self.alarms {
            if let (None, Body::Alarm { key, .. }) = (to.alarms.get(key), body) {
                say.push((game, Body::alarm(key.clone(), AlarmState::Cleared)));
            }
        }
        for (key, body) in to.alarms.iter().filter(|(key, body)| self.alarms.get(*key) != Some(*body)) {
            debug_assert!(!key.is_empty());
            say.push((game, body.clone()));
        }
        if let Some(placement) = to.placement.as_ref().filter(|placement| self.placement.as_ref() != Some(placement)) {
            say.push((game, placement.clone()));
        }
        say
    }

    /// The alarms that stand.
    pub(crate) fn raised(&self) -> Vec<Word<AlarmKey>> {
        self.alarms.keys().map(Word::read).collect()
    }

    /// This one was raised before anything was told here.
    pub(crate) fn was_raised(&mut self, key: &Word<AlarmKey>) {
        self.alarms.insert(key.to_string(), Body::alarm(key.clone(), AlarmState::Raised));
    }

    /// `turned`: another side of the clock is White's, and with it the clocks of plies are others.
    fn plies_to(&self, to: &Self, game: u32, turned: bool, say: &mut Vec<(u32, Body)>) {
        // A completion is never taken back by itself.
        let same = |(ply, was): &(&u32, &Ply)| {
            to.plies.get(ply).is_some_and(|is| is.uci == was.uci && (is.completed.is_some() || was.completed.is_none()))
        };
        let kept = self.plies.iter().take_while(same).last().map_or(0, |(ply, _)| *ply);
        for (ply, was) in self.plies.range(kept + 1..).rev() {
            say.push((game, Body::MoveWithdrawn { ply: *ply, uci: was.uci.clone() }));
        }
        for (ply, is) in &to.plies {
            let known = self.plies.get(ply).filter(|_| *ply <= kept);
            if known.is_none() {
                say.extend(is.made.clone().map(|made| (game, made)));
            }
            if known.is_none_or(|known| known.completed.is_none()) {
                say.extend(is.completed.clone().map(|completed| (game, completed)));
            } else if let (true, Some(Body::MoveCompleted { ply, uci, san, clock, spent_ms, .. })) = (turned, &is.completed)
                && clock.is_some()
                && known.is_some_and(|known| known.completed != is.completed)
            {
                let (uci, san, was) = (uci.clone(), san.clone(), uci.clone());
                say.push((game, Body::MoveRevised { ply: *ply, uci, san, was, clock: *clock, spent_ms: *spent_ms }));
            }
        }
    }

    fn findings_to(&self, to: &Self, say: &mut Vec<(u32, Body)>) {
        let update = |id: u64, status: Status| FindingUpdate { id, status, proposal: None, facts: None, summary: None };
        for (id, was) in &self.findings {
            let Some(is) = to.findings.get(id) else {
                if was.closed != Some(Status::Withdrawn) {
                    say.push((was.game, Body::FindingUpdate(Box::new(update(*id, Status::Withdrawn)))));
                }
                continue;
            };
            if was == is {
                continue;
            }
            let (old, new) = (&was.finding, &is.finding);
            let told = FindingUpdate {
                proposal: new.proposal.clone().filter(|_| new.proposal != old.proposal),
                facts: (new.facts != old.facts).then(|| new.facts.clone()),
                summary: (new.summary != old.summary).then(|| new.summary.clone()),
                ..update(*id, is.closed.unwrap_or(Status::Revised))
            };
            say.push((is.game, Body::FindingUpdate(Box::new(told))));
        }
        for (id, is) in to.findings.iter().filter(|(id, _)| !self.findings.contains_key(id)) {
            say.push((is.game, Body::Finding(is.finding.clone())));
            if let Some(status) = is.closed {
                say.push((is.game, Body::FindingUpdate(Box::new(update(*id, status)))));
            }
        }
    }
}
