//! Events to incidents: each finding with what stood on board and clock, its ruling, and what was set afterwards.
use crate::sheet::ScoreSheet;
use crate::undone::{undone, without_undone};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use flagfall_events::{Body, ClockSource, ClockState, Entry, Event, Finding, GameResult, Grade, Mono, Order, Proposal, Status, Wall};
use serde_json::Value;

/// Plies shown before an incident.
const PLIES_BEFORE: usize = 10;

/// A ruling on a finding.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// Number of its event.
    pub seq: u64,
    /// When.
    pub at: Wall,
    /// What was entered; `None` where it is not known here.
    pub entry: Option<Entry>,
    /// When it was undone: nothing of it stands.
    pub undone: Option<Wall>,
}

/// One incident.
#[derive(Clone, Debug)]
pub struct Case {
    /// The finding as it stood last.
    pub finding: Finding,
    /// Number of the event that raised it.
    pub seq: u64,
    /// When, on the recording's own clock.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// What became of it; `None` while it is open.
    pub status: Option<Status>,
    /// What stood on the board when it was raised, FEN field 1.
    pub placement: Option<String>,
    /// What the clock showed then.
    pub clock: Option<ClockState>,
    /// Which game of the board it is of.
    pub game: Option<u32>,
    /// The last moves before it: number of the ply, and the move.
    pub moves: Vec<(u32, String)>,
    /// Earlier proposals, each with the moment from which it stood.
    pub proposals: Vec<(Wall, Option<Proposal>)>,
    /// Every ruling on it, the first one first.
    pub rulings: Vec<Ruling>,
    /// When the board showed the position that was ruled.
    pub restored_at: Option<Wall>,
    /// The first reading of the running clock after the ruling.
    pub clock_then: Option<(Wall, ClockState)>,
    /// A result that the ruling brought.
    pub result: Option<(GameResult, String)>,
    /// Number of the last event that belongs to it.
    pub until: u64,
}

/// The incidents of one board, in order; notes are none.
pub fn cases(events: &[Event]) -> Vec<Case> {
    let mut seen = Seen::default();
    for event in without_undone(events) {
        seen.take(event);
    }
    // What was entered and undone is told all the same.
    for undo in events.iter().filter(|event| undone(event).is_some()) {
        let Body::Ruling(by) = &undo.body else { continue };
        let Some(Order::Undo { ruling: seq }) = by.order() else { continue };
        let Some(event) = events.iter().find(|event| event.seq == *seq) else { continue };
        let Body::Ruling(ruling) = &event.body else { continue };
        if let Some(Order::Rule { finding, .. }) = ruling.order()
            && let Some(case) = seen.cases.iter_mut().rev().find(|case| case.finding.id == *finding)
        {
            case.rulings.push(Ruling { seq: event.seq, at: event.at, entry: ruling.entry().cloned(), undone: Some(undo.at) });
            case.rulings.sort_by_key(|ruling| ruling.seq);
            case.until = case.until.max(undo.seq);
        }
    }
    seen.cases
}

#[derive(Default)]
struct Seen {
    cases: Vec<Case>,
    placement: Option<String>,
    clock: Option<ClockState>,
    sheet: ScoreSheet,
    ruled_at: Option<Mono>,
    /// The finding that was decided last, and when.
    decided: Option<(Mono, u64)>,
}

impl Seen {
    fn take(&mut self, event: &Event) {
        self.sheet.take(event);
        match &event.body {
            // What a ruling wants on the board is not what stands there.
            Body::Placement { .. } if self.ruled_at == Some(event.t) => {}
            Body::Placement { placement, .. } => {
                self.placement = Some(placement.clone());
                self.restored(event);
            }
            Body::Clock(state) => {
                self.clock = Some(*state);
                self.clock_ran(event, *state);
            }
            Body::MoveMade { placement, .. } => {
                self.placement = Some(placement.clone());
                self.restored(event);
            }
            Body::Finding(finding) if finding.grade != Grade::Note => self.found(event, finding),
            Body::FindingUpdate(update) => {
                if let Some(case) = self.cases.iter_mut().rev().find(|case| case.finding.id == update.id) {
                    if let Some(proposal) = &update.proposal {
                        case.finding.proposal = Some(proposal.clone());
                        case.proposals.push((event.at, Some(proposal.clone())));
                    }
                    if let Some(facts) = &update.facts {
                        case.finding.facts.clone_from(facts);
                    }
                    if let Some(summary) = &update.summary {
                        case.finding.summary = summary.clone();
                    }
                    if update.status != Status::Revised {
                        case.status = Some(update.status);
                        self.decided = Some((event.t, update.id));
                    }
                    case.until = event.seq;
                }
            }
            Body::Ruling(ruling) => self.ruled(event, ruling),
            Body::Result { result, reason, .. } => {
                // A ruling's result comes with what it decides, at the same moment; it may be about a game before the one that is on.
                let decided = self.decided.filter(|(t, _)| *t == event.t).map(|(_, id)| id);
                let of_it = |case: &&mut Case| Some(case.finding.id) == decided && !case.rulings.is_empty();
                if let Some(case) = self.cases.iter_mut().rev().find(of_it) {
                    case.result = Some((*result, reason.clone()));
                    case.until = event.seq;
                }
            }
            _ => {}
        }
    }

    fn found(&mut self, event: &Event, finding: &Finding) {
        self.cases.push(Case {
            finding: finding.clone(),
            seq: event.seq,
            t: event.t,
            at: event.at,
            status: None,
            placement: self.placement.clone(),
            clock: self.clock,
            game: event.game,
            // Before its first move a game has none.
            moves: if event.is_of_another(self.sheet.game().number) {
                Vec::new()
            } else {
                let moves = self.sheet.moves();
                moves[moves.len().saturating_sub(PLIES_BEFORE)..].iter().map(|m| (m.ply, String::from(m.name()))).collect()
            },
            proposals: vec![(event.at, finding.proposal.clone())],
            rulings: Vec::new(),
            restored_at: None,
            clock_then: None,
            result: None,
            until: event.seq,
        });
    }

    fn ruled(&mut self, event: &Event, ruling: &flagfall_events::Ruling) {
        if matches!(ruling.order(), Some(Order::Rule { .. } | Order::SetPosition { .. } | Order::Moves { .. })) {
            self.ruled_at = Some(event.t);
        }
        let mut newest = self.cases.iter_mut().rev();
        // A report names no finding: it is the one with its key that came right before.
        let case = match ruling.order() {
            Some(Order::Rule { finding, .. }) => newest.find(|case| case.finding.id == *finding),
            Some(Order::Report { key, .. }) => newest.find(|case| *key == case.finding.key && case.rulings.is_empty()),
            _ => None,
        };
        if let Some(case) = case {
            case.rulings.push(Ruling { seq: event.seq, at: event.at, entry: ruling.entry().cloned(), undone: None });
            case.until = event.seq;
        }
        let placement = self.placement.clone();
        for case in self.cases.iter_mut().filter(|case| case.restored_at.is_none() && !case.rulings.is_empty()) {
            if case.wanted().is_some_and(|wanted| Some(wanted) == placement.as_deref()) {
                case.restored_at = Some(event.at);
            }
        }
    }

    fn restored(&mut self, event: &Event) {
        let placement = self.placement.as_deref();
        for case in self.cases.iter_mut().filter(|case| case.restored_at.is_none() && !case.rulings.is_empty()) {
            if case.wanted().is_some_and(|wanted| Some(wanted) == placement) {
                case.restored_at = Some(event.at);
                case.until = event.seq;
            }
        }
    }

    fn clock_ran(&mut self, event: &Event, state: ClockState) {
        if state.source != ClockSource::Device || state.running.is_none() {
            return;
        }
        for case in self.cases.iter_mut().filter(|case| case.clock_then.is_none() && !case.rulings.is_empty()) {
            case.clock_then = Some((event.at, state));
            case.until = event.seq;
        }
    }
}

impl Case {
    /// The position that was to be put up, FEN field 1.
    pub fn wanted(&self) -> Option<&str> {
        let queen = || self.finding.facts.get("queen_fen").and_then(Value::as_str);
        let fen = self.finding.proposal.as_ref().and_then(|proposal| match proposal.action {
            flagfall_events::Action::ReplaceWithQueen => queen(),
            _ => proposal.restore_fen.as_deref(),
        })?;
        fen.split(' ').next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(bodies: &[(u64, Value)]) -> Vec<Case> {
        let event = |(n, (t, body)): (u64, &(u64, Value))| {
            let mut event = json!({"seq": n, "t": t, "at": "2026-01-02T03:04:05Z", "board": "1"});
            event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
            serde_json::from_value::<Event>(event).unwrap()
        };
        cases(&(1..).zip(bodies).map(event).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_decided_about_an_earlier_game_stands_with_its_own_incident() {
        let start = |game: u32| {
            json!({"type": "game-start", "game": game, "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rules": "fide-2023",
                "play": "blitz", "time_control": null, "chess960": false})
        };
        let made = |game: u32, uci: &str| json!({"type": "move-made", "game": game, "ply": 1, "by": "white", "uci": uci, "legal": true, "placement": "8", "provisional": true});
        let finding = |game: u32, id: u64| {
            json!({"type": "finding", "game": game, "id": id, "key": "flag-fall", "article": "6.9", "rules": "fide-2023", "by": "white",
                "grade": "ruling", "summary": {"en": "", "ru": ""}, "facts": {}, "evidence": [1, 2]})
        };
        let rule = |game: u32, id: u64| json!({"type": "ruling", "game": game, "do": "rule", "finding": id, "decision": "confirm"});
        let confirmed = |game: u32, id: u64| json!({"type": "finding-update", "game": game, "id": id, "status": "confirmed"});
        let cases = told(&[
            (1, start(1)),
            (2, made(1, "e2e4")),
            (3, finding(1, 1)),
            // Before the next game's first move.
            (4, finding(2, 2)),
            (5, start(2)),
            (5, made(2, "d2d4")),
            (6, rule(2, 2)),
            (6, confirmed(2, 2)),
            (7, rule(1, 1)),
            // With the verdict.
            (9, confirmed(1, 1)),
            (9, json!({"type": "result", "game": 1, "result": "0-1", "reason": "time", "source": "flag"})),
        ]);
        let seen: Vec<_> =
            cases.iter().map(|case| (case.finding.id, case.moves.len(), case.result.as_ref().map(|(result, _)| *result))).collect();
        assert_eq!(seen, [(1, 1, Some(GameResult::BlackWins)), (2, 0, None)]);
    }

    #[test]
    fn what_was_ruled_and_undone_is_told_and_nothing_of_it_stands() {
        let finding = json!({"type": "finding", "game": 1, "id": 1, "key": "flag-fall", "article": "6.9", "rules": "fide-2023", "by": "white",
            "grade": "ruling", "summary": {"en": "", "ru": ""}, "facts": {}, "evidence": [1, 1]});
        let update = |status: &str| json!({"type": "finding-update", "game": 1, "id": 1, "status": status});
        let cases = told(&[
            (1, finding),
            (2, json!({"type": "ruling", "game": 1, "do": "rule", "finding": 1, "decision": "confirm", "who": "Anna"})),
            (2, update("confirmed")),
            (2, json!({"type": "result", "game": 1, "result": "0-1", "reason": "time", "source": "flag"})),
            (5, json!({"type": "ruling", "game": 1, "do": "undo", "ruling": 2, "undid": "rule", "undone": [[2, 4]], "by_events": [6, 6]})),
            (5, update("revised")),
        ]);
        assert_eq!((cases.len(), cases[0].status, &cases[0].result), (1, None, &None));
        let rulings: Vec<_> = cases[0].rulings.iter().map(|ruling| (ruling.seq, ruling.undone.is_some())).collect();
        assert_eq!(rulings, [(2, true)]);
    }
}
