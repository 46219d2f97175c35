//! Article 7 of the Laws: irregularities. Numbers are those of 2018 and 2023; other editions beside them.
use super::edition::UnpromotedPawn as Pawn;
use super::finding::{Action, Proposal, Words};
use super::irregularity::{Before, DisplacedPieces, IllegalMove, Misplaced, PressWithoutMove, Touched, UnpromotedPawn};
use super::judgement::Judgement;
use super::key::Key;
use super::penalty::{Measure, choices, offence};
use super::situation::{Situation, runs, set, shown};
use super::touch::replacement;
use super::words::{numbered, of_player_ru, player_en, player_ru_first, plural_ru};
use crate::game::entry::Run;
use crate::game::event::Colour;
use serde_json::{Value, json};

/// 7.4.1 and 7.6 (1997: 6.13; Russia: 1.16.3). Pieces stand where no legal move put them.
pub(crate) fn displaced_pieces(s: &Situation, fact: &DisplacedPieces) -> Option<Judgement> {
    let edition = s.edition();
    let (count, list) = (fact.squares.len(), squares(&fact.squares));
    let what_en = format!("{count} {} to put right{list}.", if count == 1 { "square" } else { "squares" });
    let noun = plural_ru(count as u64, "поле", "поля", "полей");
    let what_ru = format!("исправить {count} {noun}{list}.");
    let summary = match fact.by {
        Some(by) => Words::new(
            format!("{} displaced pieces: {what_en}", player_en(by)),
            format!("{} сместили фигуры: {what_ru}", player_ru_first(by)),
        ),
        None => Words::new(format!("Pieces are displaced: {what_en}"), format!("Фигуры смещены: {what_ru}")),
    };
    let mut proposal = Proposal { restore_fen: Some(fact.fen.clone()), ..Proposal::new(Action::RestorePosition) };
    // 7.4.1: the time runs on the player who displaced them. A clock that runs is not touched.
    if let Some((by, now)) = fact.by.zip(s.clock).filter(|(_, now)| now.run == Run::Stopped) {
        let as_shown = set(by, shown(now, by), shown(now, by.other()), runs(by));
        proposal.clock = Some(as_shown);
        choices(&mut proposal, as_shown);
    }
    let facts = json!({
        "squares": fact.squares.iter().map(|m| json!({ "square": m.square.to_string(), "is": m.is, "should": m.should })).collect::<Vec<_>>(),
        "immediate": fact.immediate,
        "knocked_over": fact.knocked_over,
    });
    let judgement = Judgement::new(edition, Key::DisplacedPieces, fact.by, summary)?.facts(facts).proposing(proposal);
    Some(if fact.found_later { judgement.citing(edition.displaced_found_later) } else { judgement })
}

/// The squares by name, if they are few.
fn squares(list: &[Misplaced]) -> String {
    if list.is_empty() || list.len() > 8 {
        return String::new();
    }
    let names: Vec<String> = list.iter().map(|m| m.square.to_string()).collect();
    format!(" ({})", names.join(", "))
}

/// 7.5.1 (1997: 6.13; Russia: 1.16.3). An illegal move was completed.
pub(crate) fn illegal_move(s: &Situation, fact: &IllegalMove) -> Option<Judgement> {
    if stands(s, &fact.before) {
        return None;
    }
    let reason = fact.reason.words();
    let summary = Words::new(
        format!("{} played {}, an illegal move: {}.", player_en(fact.by), numbered(fact.ply, fact.by, &fact.uci), reason.en),
        format!("Невозможный ход {} {}: {}.", of_player_ru(fact.by), numbered(fact.ply, fact.by, &fact.uci), reason.ru),
    );
    let measure = Measure::TakenBack(Action::RestorePosition);
    let (mut proposal, question) = offence(s, Key::IllegalMove, fact.by, measure, &fact.before, &fact.before.fen);
    // 4.3 and 4.7 apply to the move that replaces the illegal one.
    if proposal.action == Action::RestorePosition {
        let from = fact.from.map(|square| Touched { square, own: true });
        let touched: Vec<Touched> = if fact.touched.is_empty() { from.into_iter().collect() } else { fact.touched.clone() };
        proposal.replacement = fact.position.as_ref().map(|position| replacement(position, &touched, fact.chess960));
    }
    let touched = || fact.touched.iter().map(|t| json!({ "square": t.square.to_string(), "own": t.own })).collect::<Vec<_>>();
    let mut facts = facts_of(fact.ply, Some(&fact.uci), &fact.before);
    facts["reason"] = json!({ "en": reason.en, "ru": reason.ru });
    facts["touched"] = Value::from(touched());
    judged(s, Key::IllegalMove, fact.by, summary, facts, proposal, question)
}

/// 7.5.1 (rapid and blitz without full supervision), Russia 1.16.3: an illegal move stands once the opponent has made his next move.
fn stands(s: &Situation, before: &Before) -> bool {
    before.later_moves > 0 && s.edition().illegal_move_stands(s.play, s.supervision)
}

/// 7.5.2 (1997: 6.13; Russia: 1.16.3). A pawn was left on the last rank.
pub(crate) fn unpromoted_pawn(s: &Situation, fact: &UnpromotedPawn) -> Option<Judgement> {
    if stands(s, &fact.before) {
        return None;
    }
    let square = fact.square;
    let summary = Words::new(
        format!("{} pressed the clock and did not promote the pawn on {square}.", player_en(fact.by)),
        format!("{} нажали часы, не заменив пешку на {square}.", player_ru_first(fact.by)),
    );
    let (measure, fen) = match s.edition().unpromoted_pawn {
        Pawn::Queen => (Measure::Stands(Action::ReplaceWithQueen), &fact.queen_fen),
        Pawn::Restored => (Measure::TakenBack(Action::RestorePosition), &fact.before.fen),
    };
    let (proposal, question) = offence(s, Key::UnpromotedPawn, fact.by, measure, &fact.before, fen);
    let mut facts = facts_of(fact.ply, Some(&fact.uci), &fact.before);
    facts["square"] = json!(square.to_string());
    facts["stands"] = json!(fact.stands);
    facts["queen_fen"] = json!(fact.queen_fen);
    judged(s, Key::UnpromotedPawn, fact.by, summary, facts, proposal, question)
}

/// 7.5.3 (1997: no rule of its own; Russia: 1.16.3). A press without a move.
pub(crate) fn press_without_move(s: &Situation, fact: &PressWithoutMove) -> Option<Judgement> {
    if stands(s, &fact.before) {
        return None;
    }
    let number = match fact.by {
        Colour::White => fact.ply / 2 + 1,
        Colour::Black => fact.ply.div_ceil(2),
    };
    let summary = Words::new(
        format!("{} pressed the clock without making move {number}.", player_en(fact.by)),
        format!("{} нажали часы, не сделав {number}-й ход.", player_ru_first(fact.by)),
    );
    // Nothing moved: only the clocks are put right. Without a penalty in time it is a remark.
    let penalties = &s.edition().penalties;
    let action = if penalties.bonus(s.play) > 0 { Action::SetClock } else { Action::Warn };
    let (proposal, question) = offence(s, Key::PressWithoutMove, fact.by, Measure::TakenBack(action), &fact.before, &fact.before.fen);
    judged(s, Key::PressWithoutMove, fact.by, summary, facts_of(fact.ply, None, &fact.before), proposal, question)
}

/// What every offence of 7.5 shows.
fn facts_of(ply: u32, uci: Option<&str>, before: &Before) -> Value {
    json!({
        "ply": ply,
        "uci": uci,
        "fen_before": before.fen,
        "immediate": before.immediate,
        "clock_at_press": before.at_press,
        "earned_ms": before.earned_ms,
        "later_moves": before.later_moves,
    })
}

fn judged(
    s: &Situation,
    key: Key,
    by: Colour,
    summary: Words,
    facts: Value,
    proposal: Proposal,
    question: Option<super::situation::Question>,
) -> Option<Judgement> {
    let mut judgement = Judgement::new(s.edition(), key, Some(by), summary)?.facts(facts).proposing(proposal);
    judgement.question = question;
    Some(judgement)
}
