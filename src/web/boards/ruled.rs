//! What was ruled and what changed on a board, so that nobody rules on what he has not seen; and whether a game is being played, which no new round ends.
use flagfall_events::{Body, Colour, Decision, Entry, Event, GameResult, Order, Proposal, SetClock, Status, Wall};
use flagfall_score::sheet::ScoreSheet;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};

/// Who a new round's new games are entered by.
pub const PAIRINGS: &str = "pairings";
/// Findings, offences and the like that are remembered: the newest of a board.
const KEPT: usize = 512;
/// What happened to each of them that is remembered.
const EACH: usize = 8;
/// Times that differ by no more are the same, milliseconds.
const SAME_MS: i64 = 1_000;

/// One thing that happened on a board after the author of an entry looked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Happened {
    /// Number of its event.
    pub seq: u64,
    /// When, for people.
    pub at: Wall,
    /// What was entered (`confirm`, `dismiss`, `amend`, `report`, `result`, `set-clock`, …), or what became of it: `raised`, `revised`, `withdrawn`,
    /// `confirmed`, `amended`, `ended`, `new-game`.
    pub what: String,
    /// Who entered it; missing where nobody did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub who: Option<String>,
    /// The finding that it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub finding: Option<u64>,
    /// The result that stands since.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<GameResult>,
}

/// What an entry is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Finding(u64),
    /// What this player did, by the key of the clause table.
    Offence(String, Option<&'static str>),
    /// Penalties of this player.
    Penalty(&'static str),
    /// Of this game.
    Result(u32),
    Clock,
    Position,
}

/// What a proposal would do, as far as a ruling depends on it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Ruling {
    action: Option<String>,
    result: Option<GameResult>,
    restore: Option<String>,
    clock: Option<SetClock>,
}

impl Ruling {
    fn of(proposal: Option<&Proposal>) -> Self {
        let Some(proposal) = proposal else { return Self::default() };
        Self {
            action: serde_json::to_value(proposal.action).ok().and_then(|action| action.as_str().map(String::from)),
            result: proposal.result,
            restore: proposal.restore_fen.clone(),
            clock: proposal.clock,
        }
    }

    /// Whether the same is ruled: times may differ by a second.
    fn is_like(&self, other: &Self) -> bool {
        let near = match (self.clock, other.clock) {
            (Some(a), Some(b)) => {
                a.run == b.run && (a.white_ms - b.white_ms).abs() <= SAME_MS && (a.black_ms - b.black_ms).abs() <= SAME_MS
            }
            (a, b) => a == b,
        };
        near && (&self.action, &self.result, &self.restore) == (&other.action, &other.result, &other.restore)
    }
}

/// What became of everything that can be ruled on.
#[derive(Debug, Default)]
pub struct Ruled {
    happened: BTreeMap<Subject, VecDeque<Happened>>,
    /// What each finding proposed when that changed last.
    proposed: BTreeMap<u64, Ruling>,
    /// The last ruling on each finding: its event, and the one before.
    last: BTreeMap<u64, (u64, Option<u64>)>,
    /// The last entries of any kind.
    entries: VecDeque<Happened>,
    /// The last entry: its event, the time, and who.
    entered: Option<(u64, flagfall_events::Mono, Option<String>)>,
    /// The newest game of the board.
    game: u32,
    /// The game on the board.
    sheet: ScoreSheet,
}

impl Ruled {
    /// Takes an event of the board.
    pub fn take(&mut self, event: &Event) {
        self.sheet.take(event);
        let game = event.game.unwrap_or(self.game);
        self.game = self.game.max(game);
        match &event.body {
            Body::GameStart { .. } => self.note(Subject::Result(game), event, "new-game", None),
            Body::Result { result, .. } => {
                let what = if self.by(event).is_some() { "result" } else { "ended" };
                self.note(Subject::Result(game), event, what, Some(*result));
            }
            Body::Finding(finding) => {
                self.proposed.insert(finding.id, Ruling::of(finding.proposal.as_ref()));
                forget(&mut self.proposed);
                self.note(Subject::Finding(finding.id), event, "raised", None);
                let offence = Subject::Offence(String::from(finding.key.as_str()), finding.by.map(Colour::as_str));
                self.note(offence, event, "raised", None);
                self.about(finding.id, event.seq);
            }
            Body::FindingUpdate(update) => {
                let now = update.proposal.as_ref().map(|proposal| Ruling::of(Some(proposal)));
                let known = self.proposed.get(&update.id).cloned().unwrap_or_default();
                let changed = now.as_ref().is_some_and(|now| !now.is_like(&known));
                // What a ruling does is known by the ruling.
                let ruled_now = self
                    .last
                    .get(&update.id)
                    .is_some_and(|(seq, _)| self.entered.as_ref().is_some_and(|(s, t, _)| s == seq && *t == event.t));
                if changed && let Some(now) = now {
                    self.proposed.insert(update.id, now);
                }
                if (update.status != Status::Revised || changed) && !ruled_now {
                    let what = serde_json::to_value(update.status).ok();
                    let what = what.as_ref().and_then(Value::as_str).unwrap_or_default();
                    self.note(Subject::Finding(update.id), event, what, None);
                    self.about(update.id, event.seq);
                }
            }
            Body::Ruling(ruling) => self.ruling(event, ruling),
            _ => {}
        }
    }

    /// The newest thing that happened is about this finding.
    fn about(&mut self, finding: u64, seq: u64) {
        let all = self.happened.values_mut().filter_map(VecDeque::back_mut);
        all.filter(|happened| happened.seq == seq).for_each(|happened| happened.finding = Some(finding));
    }

    fn ruling(&mut self, event: &Event, entered: &flagfall_events::Ruling) {
        let what = entered.name();
        self.entered = Some((event.seq, event.t, entered.who().map(String::from)));
        if let Some(Order::Undo { ruling }) = entered.order() {
            self.undone(*ruling);
        } else {
            let who = entered.who().map(String::from);
            let happened =
                Happened { seq: event.seq, at: event.at, what: String::from(what), who, finding: entered.finding(), result: None };
            self.entries.push_back(happened);
            if self.entries.len() > EACH {
                self.entries.pop_front();
            }
        }
        let finding = entered.finding();
        let proposed = finding.and_then(|id| self.proposed.get(&id)).cloned().unwrap_or_default();
        let order = entered.order();
        let takes_effect = !matches!(order, Some(Order::Rule { decision: Decision::Dismiss, .. }));
        let own_times =
            matches!(order, Some(Order::SetClock { .. } | Order::Rule { clock: Some(_), .. } | Order::Penalty { clock: Some(_), .. }));
        match order {
            Some(Order::Rule { finding, decision, .. }) => {
                self.ruled_on(*finding, event.seq);
                self.note(Subject::Finding(*finding), event, decision.as_str(), None);
                if takes_effect && proposed.restore.is_some() {
                    self.note(Subject::Position, event, what, None);
                }
            }
            Some(Order::Report { key, by }) => {
                self.note(Subject::Offence(key.to_string(), by.map(Colour::as_str)), event, what, None);
                if let Some(id) = finding {
                    self.ruled_on(id, event.seq);
                    self.note(Subject::Finding(id), event, what, None);
                }
            }
            Some(Order::Flag { by }) => self.note(Subject::Offence(String::from("flag-fall"), Some(by.as_str())), event, what, None),
            Some(Order::Penalty { by, .. }) => self.note(Subject::Penalty(by.as_str()), event, what, None),
            Some(Order::Result { result, .. }) => {
                self.note(Subject::Result(event.game.unwrap_or(self.game)), event, what, Some(*result));
            }
            Some(Order::NewGame {}) => self.note(Subject::Result(event.game.unwrap_or(self.game)), event, what, None),
            Some(Order::SetPosition { .. } | Order::Moves { .. }) => self.note(Subject::Position, event, what, None),
            _ => {}
        }
        if own_times || (takes_effect && proposed.clock.is_some()) {
            self.note(Subject::Clock, event, what, None);
        }
        if let Some(id) = finding {
            self.about(id, event.seq);
        }
    }

    fn ruled_on(&mut self, finding: u64, seq: u64) {
        let before = self.last.get(&finding).map(|(seq, _)| *seq);
        self.last.insert(finding, (seq, before));
        forget(&mut self.last);
    }

    /// An entry was taken back: the ruling before it stands again.
    fn undone(&mut self, ruling: u64) {
        self.entries.retain(|entry| entry.seq != ruling);
        self.last = std::mem::take(&mut self.last)
            .into_iter()
            .filter_map(
                |(finding, (seq, before))| if seq == ruling { Some((finding, (before?, None))) } else { Some((finding, (seq, before))) },
            )
            .collect();
    }

    /// Who entered what this event comes from; `None`: nobody did.
    fn by(&self, event: &Event) -> Option<&(u64, flagfall_events::Mono, Option<String>)> {
        self.entered.as_ref().filter(|(_, t, _)| *t == event.t)
    }

    fn note(&mut self, subject: Subject, event: &Event, what: &str, result: Option<GameResult>) {
        let entry = self.by(event).map(|(seq, _, who)| (*seq, who.clone()));
        let who = entry.as_ref().and_then(|(_, who)| who.clone());
        let happened = Happened { seq: event.seq, at: event.at, what: String::from(what), who, finding: None, result };
        let all = self.happened.entry(subject).or_default();
        // An entry and what it does at once are one thing: who has seen its first event has seen it.
        let same = entry.is_some_and(|(seq, _)| all.back().is_some_and(|last| last.seq == seq));
        if !same {
            all.push_back(happened);
        }
        if all.len() > EACH {
            all.pop_front();
        }
        if self.happened.len() > KEPT {
            let newest = |all: &VecDeque<Happened>| all.back().map_or(0, |last| last.seq);
            let oldest = self.happened.iter().min_by_key(|(_, all)| newest(all)).map(|(subject, _)| subject.clone());
            oldest.map(|subject| self.happened.remove(&subject));
        }
    }

    /// What happened since the author of this entry looked, and concerns it; empty: nothing, or he does not say when that was.
    pub fn meanwhile(&self, entry: &Entry) -> Vec<Happened> {
        let since = |subjects: &[Subject], seen: u64| {
            let all = subjects.iter().filter_map(|subject| self.happened.get(subject)).flatten();
            let mut later: Vec<Happened> = all.filter(|happened| happened.seq > seen).cloned().collect();
            later.sort_by_key(|happened| happened.seq);
            later.dedup_by_key(|happened| happened.seq);
            later
        };
        if let Some(seen) = entry.seen {
            let later = since(&subjects(&entry.order, self.game), seen);
            if !later.is_empty() {
                return later;
            }
        }
        if let Order::Undo { ruling } = entry.order {
            return self.entries.iter().filter(|entry| entry.seq > ruling).cloned().collect();
        }
        // An order from a hall that does not say what it has seen replaces only the ruling that it names.
        let Order::Rule { finding, .. } = &entry.order else { return Vec::new() };
        let last = self.last.get(finding).map(|(last, _)| *last).filter(|_| entry.order_key.is_some());
        match last.filter(|last| entry.after != Some(*last) && entry.seen.is_none_or(|seen| seen < *last)) {
            Some(last) => since(&[Subject::Finding(*finding)], last - 1),
            None => Vec::new(),
        }
    }

    /// Why an entry is not carried out: a new round wants the board, which plays its game already.
    pub fn refusal(&self, entry: &Entry) -> Option<String> {
        let round = matches!(entry.order, Order::NewGame {}) && entry.who.as_deref() == Some(PAIRINGS);
        let playing = !self.sheet.moves().is_empty() && !self.sheet.is_over();
        (round && playing).then(|| String::from("the next game is being played already"))
    }
}

/// What happened last, in a sentence: what somebody did before what came by itself.
pub(crate) fn sentence(happened: &[Happened]) -> String {
    let by_somebody = happened.iter().rev().find(|happened| happened.who.is_some());
    let Some(last) = by_somebody.or_else(|| happened.last()) else { return String::from("it has changed meanwhile") };
    let what = match (last.finding, last.result) {
        (Some(id), _) if last.who.is_some() => format!("finding {id} was ruled on meanwhile: {}", last.what),
        (Some(id), _) => format!("finding {id} has changed meanwhile: {}", last.what),
        (None, Some(result)) => format!("meanwhile: {} {}", last.what, result.as_str()),
        (None, None) => format!("meanwhile: {}", last.what),
    };
    let who = last.who.as_ref().map(|who| format!(" by {who}")).unwrap_or_default();
    format!("{what}{who} (event {})", last.seq)
}

/// What an entry depends on; `game` is the one in progress, or that was played last.
fn subjects(order: &Order, game: u32) -> Vec<Subject> {
    match order {
        Order::Rule { finding, .. } => vec![Subject::Finding(*finding)],
        Order::Report { key, by } => vec![Subject::Offence(key.to_string(), by.map(Colour::as_str))],
        Order::Flag { by } => vec![Subject::Offence(String::from("flag-fall"), Some(by.as_str()))],
        Order::Penalty { by, clock, .. } => std::iter::once(Subject::Penalty(by.as_str())).chain(clock.map(|_| Subject::Clock)).collect(),
        Order::SetClock { .. } => vec![Subject::Clock],
        Order::SetPosition { .. } | Order::Moves { .. } => vec![Subject::Position],
        Order::Result { game: of, .. } => vec![Subject::Result(of.unwrap_or(game))],
        Order::NewGame {} => vec![Subject::Result(game)],
        _ => Vec::new(),
    }
}

fn forget<T>(findings: &mut BTreeMap<u64, T>) {
    if findings.len() > KEPT {
        findings.pop_first();
    }
}

#[cfg(test)]
#[path = "ruled_tests.rs"]
mod tests;
