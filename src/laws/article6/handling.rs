//! 6.2: moves are made and completed; how the clock is handled.
use crate::article12::violation;
use crate::judgement::Judgement;
use crate::situation::Situation;
use crate::words::{numbered, of_player_ru, player_en, player_ru_first, tenths_en, tenths_ru};
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use flagfall_events::{Colour, Key, PressCounter, Words};
use serde_json::json;
use shakmaty::Square;

/// 6.2.1.2. A move was completed by its player's next move; the clock has not counted it.
pub(crate) fn unpressed_move(s: &Situation, by: Colour, ply: u32, uci: &str, behind: PressCounter) -> Option<Judgement> {
    let number = numbered(ply, by, uci);
    let count = |p: PressCounter| (p.white.max(0), p.black.max(0));
    let (white, black) = count(behind);
    let summary = Words::new(
        format!("{} never pressed after {number}. The clock's counter is behind: White {white}, Black {black}.", player_en(by)),
        format!("{} не нажали часы после {number}. Счётчик часов отстаёт: белые {white}, чёрные {black}.", player_ru_first(by)),
    );
    let facts = json!({ "ply": ply, "uci": uci, "behind": behind });
    Some(Judgement::new(s.edition(), Key::UnpressedMove, Some(by), summary)?.facts(facts))
}

/// 6.2.2 (1997: 6.7a; Russia: 1.16.2). A press after the opponent's reply completes the earlier move.
pub(crate) fn late_press(s: &Situation, by: Colour, ply: u32, after_ms: u64) -> Option<Judgement> {
    let (en, ru) = if after_ms < 100 {
        (String::from("right"), String::from("сразу"))
    } else {
        (tenths_en(after_ms), format!("через {}", tenths_ru(after_ms)))
    };
    let summary = Words::new(
        format!("{} pressed {en} after the opponent's reply; the earlier move is completed.", player_en(by)),
        format!("{} нажали часы {ru} после ответа соперника; предыдущий ход завершён.", player_ru_first(by)),
    );
    Some(Judgement::new(s.edition(), Key::LatePress, Some(by), summary)?.facts(json!({ "ply": ply, "after_ms": after_ms })))
}

/// 6.2.4 (1997: not forbidden; Russia: 1.16.2). The clock was pressed before the move stood on the board; penalty under 12.9.
pub(crate) fn press_before_move(s: &Situation, by: Colour, ply: u32, early_ms: u64, scan_ms: u64) -> Option<Judgement> {
    let summary = Words::new(
        format!("{} pressed the clock about {} before the piece was put down.", player_en(by), tenths_en(early_ms)),
        format!("{} нажали часы примерно за {} до того, как фигура была поставлена.", player_ru_first(by), tenths_ru(early_ms)),
    );
    let facts = json!({ "ply": ply, "early_ms": early_ms, "scan_ms": scan_ms });
    violation(s, Judgement::new(s.edition(), Key::PressBeforeMove, Some(by), summary)?.facts(facts), by)
}

/// 6.2.5. A piece was adjusted while its side's clock stood. A note, never an alarm.
pub(crate) fn adjusted_out_of_turn(s: &Situation, by: Colour, piece: char, square: Square) -> Option<Judgement> {
    let summary = Words::new(
        format!("The piece on {square} was lifted and put back while {}'s clock stood.", player_en(by)),
        format!("Фигура на {square} поднята и поставлена обратно, когда часы {} стояли.", of_player_ru(by)),
    );
    let facts = json!({ "piece": piece, "square": square.to_string() });
    Some(Judgement::new(s.edition(), Key::AdjustedOutOfTurn, Some(by), summary)?.facts(facts))
}
