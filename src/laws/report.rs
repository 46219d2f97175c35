//! What the arbiter reports: sensors cannot see it, its consequences are computed.
use super::article6::flags::{both_flags, flag_fall};
use super::article7::{colours_reversed, displaced_pieces, restores, two_hands, wrong_initial_position};
use super::article12::violation;
use super::irregularity::{Before, BothFlags, DisplacedPieces, FlagFall, FlagSeen, Reported, WrongInitialPosition};
use super::judgement::Judgement;
use super::penalty::{Measure, offence};
use super::russia::five_moves;
use super::situation::Situation;
use super::title::title;
use super::words::{player_en, player_ru_first};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Action, Colour, Key, PressCounter, Proposal, Words};
use serde_json::json;

/// 12.6 and 12.8: what the arbiter saw needs no second tap; the finding holds its consequences.
pub(crate) fn reported(s: &Situation, r: &Reported) -> Option<Judgement> {
    let found = match (r.key, r.by) {
        (Key::TwoHands, Some(by)) => Some(two_hands(s, by, r.last.as_ref().map(|(ply, _)| *ply), &r.fen)),
        (Key::IllegalMove | Key::UnpromotedPawn | Key::PressWithoutMove, Some(by)) => Some(illegal(s, r, by)),
        (Key::FlagFall, Some(by)) => {
            let completed = r.completed[usize::from(by == Colour::Black)];
            let fact = FlagFall { by, seen: FlagSeen::Arbiter, completed, required: None, fen: r.fen.clone(), both_down: false };
            flag_fall(s, &fact)
        }
        (Key::BothFlags, _) => both_flags(s, &BothFlags { first: None, last_period: r.last_period }),
        (Key::ColoursReversed, _) => colours_reversed(s, r.completed),
        (Key::WrongInitialPosition, _) => {
            let fact = WrongInitialPosition { squares: Vec::new(), start_fen: r.start_fen.clone(), phase: r.phase };
            wrong_initial_position(s, &fact)
        }
        // 7.4.3: the arbiter may penalise the player.
        (Key::DisplacedPieces, by) => {
            let fact = DisplacedPieces {
                by,
                squares: Vec::new(),
                fen: r.fen.clone(),
                immediate: true,
                found_later: false,
                knocked_over: false,
                put_right: false,
            };
            displaced_pieces(s, &fact)
        }
        (Key::FiveMoves, Some(by)) => five_moves(s, by, 0),
        (
            Key::WrongHand
            | Key::PressBeforeMove
            | Key::TwoMovesInARow
            | Key::MovedBeforeClock
            | Key::AdjustedOutOfTurn
            | Key::ClockRestarted
            | Key::ClockStopped,
            Some(by),
        ) => violation(s, plain(s, r), by),
        _ => None,
    };
    let mut judgement = found.unwrap_or_else(|| plain(s, r).proposing(Proposal::new(Action::None)));
    judgement.facts.insert(String::from("reported"), json!(true));
    Some(judgement)
}

/// The bare sentence of a report.
fn plain(s: &Situation, r: &Reported) -> Judgement {
    let edition = s.edition();
    // 6.11.4: stopping the clocks is a player's right; without a valid reason it is a violation.
    let article = match r.key {
        Key::ClockStopped if r.by.is_some() => edition.stopped_without_reason,
        key => edition.article_reported(key),
    };
    let title = title(r.key);
    let summary = match r.by {
        Some(by) => Words::new(
            format!("The arbiter reports ({}): {}.", player_en(by), title.en),
            format!("Арбитр отметил ({}): {}.", player_ru_first(by).to_lowercase(), title.ru),
        ),
        None => Words::new(format!("The arbiter reports: {}.", title.en), format!("Арбитр отметил: {}.", title.ru)),
    };
    Judgement::reported(article, r.key, r.by, summary)
}

/// 7.5.1 to 7.5.3 (1997: 6.13; Russia: 1.16.3) as the arbiter saw them: the last move of that player, or his last press.
fn illegal(s: &Situation, r: &Reported, by: Colour) -> Judgement {
    use super::edition::UnpromotedPawnPolicy;
    let edition = s.edition();
    let known = r.before.clone();
    let (measure, before) = match r.key {
        Key::PressWithoutMove => {
            let action = if edition.penalties.bonus(s.play) > 0 { Action::SetClock } else { Action::Warn };
            let pressed = Before { fen: r.fen.clone(), immediate: true, presses: PressCounter::of(by, 1), ..Before::default() };
            (Measure::TakenBack(action), Some(pressed))
        }
        Key::UnpromotedPawn if edition.unpromoted_pawn == UnpromotedPawnPolicy::Queen => {
            (Measure::Stands(Action::ReplaceWithQueen), Some(known.unwrap_or_default()))
        }
        _ => (Measure::TakenBack(known.as_ref().map_or(Action::RestorePosition, restores)), known),
    };
    // Without a move to take back only the offence counts.
    let (measure, before) = before.map_or_else(|| (Measure::Remark, Before::default()), |before| (measure, before));
    let fen =
        if matches!(measure, Measure::TakenBack(Action::RestorePosition | Action::Continue)) { before.fen.clone() } else { r.fen.clone() };
    let (proposal, question) = offence(s, r.key, by, measure, &before, &fen);
    let facts = json!({
        "ply": r.last.as_ref().map(|(ply, _)| ply),
        "uci": r.last.as_ref().map(|(_, uci)| uci),
        "fen_before": (!before.fen.is_empty()).then_some(&before.fen),
    });
    let mut judgement = plain(s, r).facts(facts).proposing(proposal);
    judgement.question = question;
    judgement
}
