//! 6.11: the clocks stand and run again.
use crate::irregularity::StopReason;
use crate::judgement::Judgement;
use crate::situation::Situation;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use flagfall_events::{Action, Key, Proposal, Words};
use serde_json::json;

/// 6.11.2 (1997: 6.12b). Both clocks stand in a game in progress, with what may be the reason.
pub(crate) fn clock_stopped(s: &Situation, reason: StopReason) -> Option<Judgement> {
    let (word, why_en, why_ru, square) = match reason {
        StopReason::Promotion { square } => (
            "promotion",
            format!("the pawn on {square} waits for its new piece"),
            format!("пешка на {square} ждёт новую фигуру"),
            Some(square.to_string()),
        ),
        StopReason::Displaced => ("displaced-pieces", String::from("pieces are displaced"), String::from("фигуры смещены"), None),
        StopReason::DrawClaim => ("draw-claim", String::from("a draw may be claimed"), String::from("возможно заявление о ничьей"), None),
        StopReason::Unknown => ("none", String::from("the board shows no reason"), String::from("на доске причины не видно"), None),
    };
    let summary = Words::new(format!("Both clocks are stopped; {why_en}."), format!("Часы остановлены; {why_ru}."));
    let facts = json!({ "reason": word, "square": square });
    Some(Judgement::new(s.edition(), Key::ClockStopped, None, summary)?.facts(facts).proposing(Proposal::new(Action::Continue)))
}

/// 6.11.3 (1997: 6.12c). The clocks run again, and the arbiter has not said so. A note.
pub(crate) fn clock_restarted(s: &Situation) -> Option<Judgement> {
    let summary = Words::new(
        "The clock runs again; the arbiter has not entered a restart.",
        "Часы снова идут; возобновление игры арбитром не отмечено.",
    );
    Judgement::new(s.edition(), Key::ClockRestarted, None, summary)
}
