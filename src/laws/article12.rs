//! 12.9 (1997: 13.4; Russia: 1.16.4): penalties for what is no illegal move.
use super::edition::Edition;
use super::irregularity::Before;
use super::judgement::Judgement;
use super::penalty::{Measure, choices, offence};
use super::situation::{Situation, runs, set, shown};
use super::words::{dashed, player_en, player_ru_first};
use alloc::format;
use alloc::string::String;
use flagfall_events::{Action, Colour, Key, Proposal, Words};
use serde_json::{Value, json};

/// A violation whose penalty is the arbiter's choice: a warning is proposed, the list of penalties is in the facts. Where an edition counts
/// every violation, it counts.
pub(crate) fn violation(s: &Situation, mut judgement: Judgement, by: Colour) -> Option<Judgement> {
    let edition = s.edition();
    judgement.facts.insert(String::from("penalties"), penalties(edition));
    if edition.penalties.counted.contains(&judgement.key) {
        let (proposal, question) = offence(s, judgement.key, by, Measure::Remark, &Before::default(), "");
        judgement.question = question;
        return Some(judgement.proposing(proposal));
    }
    let article = Some(String::from(edition.other_penalties));
    Some(judgement.proposing(Proposal { article, ..Proposal::new(Action::Warn) }))
}

/// What the arbiter may choose from.
pub(crate) fn penalties(edition: &Edition) -> Value {
    let one = |(article, en, ru): &(&str, &str, &str)| json!({ "article": article, "en": en, "ru": ru });
    edition.penalty_list.iter().map(one).collect()
}

/// 12.9, not 7.5. One side moved twice, the opponent not between. The second move is taken back; the penalty is the arbiter's choice.
pub(crate) fn two_moves_in_a_row(s: &Situation, by: Colour, ply: u32, moves: &[String; 2], before: Option<&Before>) -> Option<Judgement> {
    let [first, second] = [dashed(&moves[0]), dashed(&moves[1])];
    let summary = Words::new(
        format!("{} moved twice in a row: {first}, then {second}.", player_en(by)),
        format!("{} сделали два хода подряд: {first} и {second}.", player_ru_first(by)),
    );
    let facts = json!({ "ply": ply, "moves": moves, "fen_before": before.map(|b| &b.fen) });
    let judgement = Judgement::new(s.edition(), Key::TwoMovesInARow, Some(by), summary)?.facts(facts);
    let mut judgement = violation(s, judgement, by)?;
    let Some(before) = before else { return Some(judgement) };
    if s.edition().penalties.counted.contains(&Key::TwoMovesInARow) {
        let measure = Measure::TakenBack(Action::RestorePosition);
        let (proposal, question) = offence(s, Key::TwoMovesInARow, by, measure, before, &before.fen);
        judgement.question = question;
        return Some(judgement.proposing(proposal));
    }
    let mut proposal = judgement.proposal.take()?;
    proposal.action = Action::RestorePosition;
    proposal.restore_fen = Some(before.fen.clone());
    if !before.presses.is_zero() {
        proposal.press_counter = Some(before.presses.taken_back());
    }
    if let Some(now) = s.clock {
        let earned = if s.edition().penalties.takes_increment_back { before.earned_ms } else { 0 };
        let (own, other) = (shown(now, by), shown(now, by.other()));
        // The opponent is to move.
        let run = runs(by.other());
        proposal.clock = Some(set(by, own.saturating_sub(earned), other, run));
        choices(&mut proposal, set(by, own, other, run));
    }
    Some(judgement.proposing(proposal))
}
