//! Section 1.16 of the Russian sports rules, rapid and blitz: what no FIDE text has.
use super::judgement::Judgement;
use super::situation::Situation;
use super::words::{move_number, of_player_ru, player_en, player_ru_first, plural_ru, tenths_en, tenths_ru};
use alloc::format;
use flagfall_events::{Action, Colour, GameResult, Key, Proposal, Words};
use serde_json::json;

/// How many moves a player has to show a win (1.16.7).
const MOVES: u32 = 5;

/// 1.16.2, last sentence. A move made while the player's own clock did not run yet. A note: only the arbiter decides whether it is a violation.
pub(crate) fn moved_before_clock(s: &Situation, by: Colour, ply: u32, before_ms: Option<u64>) -> Option<Judgement> {
    let number = move_number(ply, by);
    let summary = match before_ms {
        Some(ms) => Words::new(
            format!("{} made move {number}, {} before the opponent pressed.", player_en(by), tenths_en(ms)),
            format!("{} сделали {number}-й ход за {} до нажатия часов соперником.", player_ru_first(by), tenths_ru(ms)),
        ),
        None => Words::new(
            format!("{} made move {number} before the opponent pressed.", player_en(by)),
            format!("{} сделали {number}-й ход, когда их часы ещё не шли.", player_ru_first(by)),
        ),
    };
    let facts = json!({ "ply": ply, "before_ms": before_ms });
    Some(Judgement::new(s.edition(), Key::MovedBeforeClock, Some(by), summary)?.facts(facts))
}

/// 1.16.4, second. The opponent's button and back, because his clock did not start: no violation.
pub(crate) fn lever_check(s: &Situation, by: Colour) -> Option<Judgement> {
    let summary = Words::new(
        format!("{} pressed the opponent's button and back: his clock did not run. This is allowed.", player_en(by)),
        format!("{} нажали кнопку соперника и обратно: его часы не шли. Это разрешено.", player_ru_first(by)),
    );
    Judgement::new(s.edition(), Key::LeverCheck, Some(by), summary)
}

/// 1.16.7. The arbiter counts five moves of a player who plays on for a win; without a won position by then it is a draw.
pub(crate) fn five_moves(s: &Situation, by: Colour, done: u32) -> Option<Judgement> {
    let left = MOVES.saturating_sub(done);
    let summary = if left == 0 {
        Words::new(
            format!("{}'s five moves are played. Without a won position the game is drawn.", player_en(by)),
            format!("Пять ходов {} сделаны. Если выигранной позиции нет, партия закончена вничью.", of_player_ru(by)),
        )
    } else {
        let (moves, verb) = if left == 1 { ("move", "Остался") } else { ("moves", "Осталось") };
        Words::new(
            format!("{} has {left} {moves} left to reach a won position.", player_en(by)),
            format!(
                "{verb} {left} {}, чтобы {} получили выигранную позицию.",
                plural_ru(u64::from(left), "ход", "хода", "ходов"),
                player_ru_first(by).to_lowercase(),
            ),
        )
    };
    let proposal = if left == 0 {
        Proposal { result: Some(GameResult::Draw), ..Proposal::new(Action::DeclareDraw) }
    } else {
        Proposal::new(Action::None)
    };
    // The arbiter began it: it has an article under every edition.
    let edition = s.edition();
    let article = edition.article_reported(Key::FiveMoves);
    let facts = json!({ "done": done, "left": left });
    Some(Judgement::reported(article, Key::FiveMoves, Some(by), summary).facts(facts).proposing(proposal))
}
