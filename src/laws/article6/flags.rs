//! 6.4, 6.8, 6.9 and guideline III.3.1: flags.
use crate::edition::{BothFlagsPolicy, FlagFallCost};
use crate::irregularity::{BothFlags, FlagFall, FlagSeen};
use crate::judgement::Judgement;
use crate::penalty::lost;
use crate::situation::Situation;
use crate::words::{of_player_ru, player_en};
use alloc::format;
use flagfall_events::{Action, GameResult, Key, Proposal, Words};
use serde_json::json;

/// 6.4, 6.8 and 6.9 (1997: 6.3, 6.8, 6.9; Russia: 1.16.8). A flag is down and not all moves of the period are completed.
pub(crate) fn flag_fall(s: &Situation, fact: &FlagFall) -> Option<Judgement> {
    let edition = s.edition();
    // 6.4: the requirement is met, the flag means nothing.
    if fact.required.is_some_and(|required| fact.completed >= required) {
        return None;
    }
    // Russia 1.16.7: with both flags down it is `both-flags`.
    if fact.both_down && edition.both_flags == BothFlagsPolicy::Draw {
        return None;
    }
    let (en, ru) = (player_en(fact.by), of_player_ru(fact.by));
    let summary = match fact.required {
        Some(required) => Words::new(
            format!("{en}'s flag is down: {} of {required} moves completed.", fact.completed),
            format!("Упал флажок {ru}: завершено ходов {} из {required}.", fact.completed),
        ),
        None => Words::new(format!("{en}'s flag is down."), format!("Упал флажок {ru}.")),
    };
    let seen = match fact.seen {
        FlagSeen::FlagBit => "flag",
        FlagSeen::Zero => "zero",
        FlagSeen::Arbiter => "arbiter",
    };
    let (proposal, question) = lost(s, fact.by, &fact.fen, edition.flag_fall == FlagFallCost::LossOrDraw);
    let facts = json!({ "seen": seen, "completed": fact.completed, "required": fact.required, "fen": fact.fen });
    let mut judgement = Judgement::new(edition, Key::FlagFall, Some(fact.by), summary)?.facts(facts).proposing(proposal);
    judgement.question = question;
    Some(judgement)
}

/// Guideline III.3.1 (1997: 6.11; Russia: 1.16.7). Both flags are down.
pub(crate) fn both_flags(s: &Situation, fact: &BothFlags) -> Option<Judgement> {
    let edition = s.edition();
    if fact.first.is_some() && edition.both_flags != BothFlagsPolicy::Draw {
        return None;
    }
    let draw = Proposal { result: Some(GameResult::Draw), ..Proposal::new(Action::DeclareDraw) };
    let (proposal, summary) = match edition.both_flags {
        BothFlagsPolicy::Draw => (draw, Words::new("Both flags are down: the game is drawn.", "Упали оба флажка: ничья.")),
        BothFlagsPolicy::FirstDecides if fact.last_period => (
            draw,
            Words::new(
                "Both flags are down and it is not known which fell first; in the last period the game is drawn.",
                "Упали оба флажка, какой раньше — неизвестно; в последнем периоде это ничья.",
            ),
        ),
        BothFlagsPolicy::FirstDecides | BothFlagsPolicy::GoesOn => (
            Proposal::new(Action::Continue),
            Words::new(
                "Both flags are down and it is not known which fell first; the game goes on.",
                "Упали оба флажка, какой раньше — неизвестно; партия продолжается.",
            ),
        ),
    };
    let facts = json!({ "first": fact.first, "last_period": fact.last_period });
    Some(Judgement::new(edition, Key::BothFlags, None, summary)?.facts(facts).proposing(proposal))
}
