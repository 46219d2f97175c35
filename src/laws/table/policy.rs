//! What the editions decide differently, and which article each cites for a key; printed from the data that the rulebook uses.
use super::row::Text;
use crate::edition::{BothFlagsPolicy, Edition, FlagFallCost, Stands, UnpromotedPawnPolicy};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use flagfall_events::{Key, Play, Rules, Words};
use serde::Serialize;

/// Every edition, in the order of the tables.
pub const EDITIONS: [Rules; 4] = [Rules::Fide2023, Rules::Fide2018, Rules::Fide1997, Rules::Russia116];

/// One policy under one edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Policy {
    /// What it is about.
    pub about: Words,
    /// What the edition does.
    pub does: Words,
}

const fn text(en: &'static str, ru: &'static str) -> Text {
    Text { en, ru }
}

/// The policies of one edition, from its data.
pub fn policies(rules: Rules) -> Vec<Policy> {
    let e = Edition::of(rules);
    let row = |en: &str, ru: &str, does: Words| Policy { about: Words::new(en, ru), does };
    let penalty = |play: Play| match (e.penalties.loses_at, e.penalties.bonus(play) / 60_000) {
        (None, _) => text("restored, no fixed penalty", "позиция восстанавливается, твёрдого наказания нет").into(),
        (Some(3), _) => text("remark, warning, the third loses", "замечание, предупреждение, третье — поражение").into(),
        (Some(n), minutes) => Words::new(
            format!("+{minutes} min for the opponent; offence {n} loses"),
            format!("сопернику +{minutes} мин; нарушение {n} — поражение"),
        ),
    };
    let stands = match e.stands {
        Stands::Never => text("restored when found", "позиция восстанавливается, когда найдено"),
        Stands::Unsupervised => text(
            "restored when found; rapid and blitz without full supervision: stands once the opponent has made his next move",
            "позиция восстанавливается; быстрые и блиц без достаточного надзора: остаётся, когда соперник сделал следующий ход",
        ),
        Stands::Answered => text(
            "stands once the opponent has made his next move; no grounds for a protest",
            "остаётся, когда соперник сделал следующий ход; не основание для протеста",
        ),
    };
    let press = match (e.article(Key::PressWithoutMove), e.penalties.takes_increment_back) {
        (None, _) => text("no rule of its own", "отдельного правила нет"),
        (Some(_), true) => text("as an illegal move", "как невозможный ход"),
        (Some(_), false) => text("a violation", "нарушение"),
    };
    let pawn = match e.unpromoted_pawn {
        UnpromotedPawnPolicy::Queen => text("a queen, with the penalty", "ферзь и наказание"),
        UnpromotedPawnPolicy::Restored if e.penalties.loses_at.is_some() => {
            text("a violation: the position is restored", "нарушение: позиция восстанавливается")
        }
        UnpromotedPawnPolicy::Restored => text("an illegal position, restored", "невозможная позиция, восстанавливается"),
    };
    let counted = match (e.penalties.loses_at, e.penalties.counted.contains(&Key::WrongHand)) {
        (None, _) => text("nothing is counted", "ничего не считается"),
        (Some(_), false) => text("illegal moves by that player", "невозможные ходы этого игрока"),
        (Some(_), true) => text("any violation, not necessarily the same kind", "любое нарушение, не обязательно одно и то же"),
    };
    let beside = match e.clock_on_whites_left {
        true => text("White's left", "слева от белых"),
        false => text("the arbiter decides", "решает арбитр"),
    };
    let stuck = match e.article(Key::LeverCheck) {
        Some(_) => text(
            "the opponent's button and back is allowed; the arbiter is called if it does not help",
            "можно нажать кнопку часов партнёра и обратно; если не помогает, позвать арбитра",
        ),
        None => text("no rule of its own", "отдельного правила нет"),
    };
    let stronger = match e.article(Key::FiveMoves) {
        Some(_) => text(
            "a draw that the stronger side, short of time, offers with stopped clocks is a draw. Five moves before the judge without a won position are a draw too. The arbiter enters both",
            "предложение ничьей сильнейшей стороной, которой не хватает времени, с остановкой часов — ничья. Не получена выигранная позиция за пять ходов при судье — тоже ничья. То и другое вносит арбитр",
        ),
        None => text("no rule of its own", "отдельного правила нет"),
    };
    let setting = match e.setting_stands_after {
        Some(moves) => Words::new(
            format!("rapid and blitz without full supervision: stand once each has completed {moves} moves"),
            format!("быстрые и блиц без достаточного надзора: остаются, когда каждым завершено {moves} ходов"),
        ),
        None => text("put right when found", "исправляются, когда найдены").into(),
    };
    let both = match e.both_flags {
        BothFlagsPolicy::FirstDecides => text(
            "the first flag decides; order unknown: the game goes on, in the last period a draw",
            "решает первый флажок; порядок неизвестен: партия продолжается, в последнем периоде ничья",
        ),
        BothFlagsPolicy::GoesOn => {
            text("the first flag decides; order unknown: the game goes on", "решает первый флажок; порядок неизвестен: партия продолжается")
        }
        BothFlagsPolicy::Draw => text("draw", "ничья"),
    };
    let flag = match (e.flag_fall, e.resignation_may_draw) {
        (FlagFallCost::LossOrDraw, false) if e.penalties.loses_at.is_none() => {
            text("draw on flag fall (\"by the most unskilled counterplay\")", "ничья при падении флажка (даже при самой неумелой защите)")
        }
        (FlagFallCost::LossOrDraw, false) => text(
            "draw, by any series of legal moves: on flag fall, and on the second illegal move",
            "ничья, какой бы ни была серия возможных ходов: при падении флажка и при втором невозможном ходе",
        ),
        (FlagFallCost::LossOrDraw, true) => text(
            "draw, by any series of legal moves: on flag fall, on the second illegal move, and on resignation",
            "ничья, какой бы ни была серия возможных ходов: при падении флажка, при втором невозможном ходе и при сдаче",
        ),
        (FlagFallCost::Loss, _) => text("time is a loss all the same", "просрочка — всё равно поражение"),
    };
    let completes = if e.next_move_completes {
        text("the press, the end of the game, or the player's next move", "нажатие, конец партии или следующий ход игрока")
    } else {
        text("the press, or the end of the game", "нажатие или конец партии")
    };
    let absent = match e.default_time_ms / 60_000 {
        0 => text("as stated, else zero", "как установлено, иначе ноль"),
        _ => text("as stated, else one hour", "как установлено, иначе один час"),
    };
    let repetition = match (e.repetition_needs_no_claim, e.automatic_draws) {
        (true, _) => text("recorded by the judge it is a draw", "зафиксировано судьёй — ничья"),
        (false, true) => text("on claim; fivefold ends the game", "по заявлению; пятикратное заканчивает партию"),
        (false, false) => text("on claim", "по заявлению"),
    };
    vec![
        row("a move is completed by", "ход завершает", completes.into()),
        row("illegal move, standard play", "невозможный ход, классика", penalty(Play::Standard)),
        row("illegal move, rapid", "невозможный ход, быстрые", penalty(Play::Rapid)),
        row("illegal move, blitz", "невозможный ход, блиц", penalty(Play::Blitz)),
        row("illegal move nobody noticed", "никем не замеченный невозможный ход", stands.into()),
        row("what counts towards the limit", "что считается нарушением", counted.into()),
        row("press without a move", "нажатие без хода", press.into()),
        row("pawn left on the last rank", "пешка не заменена", pawn.into()),
        row("default time", "допустимое опоздание", absent.into()),
        row("both flags down", "упали оба флажка", both.into()),
        row("the opponent cannot mate", "соперник не может поставить мат", flag.into()),
        row("clock beside", "где стоят часы", beside.into()),
        row("the opponent's clock did not start", "часы соперника не пошли", stuck.into()),
        row("threefold repetition", "троекратное повторение", repetition.into()),
        row("running the stronger side out of time", "у сильнейшей стороны не хватает времени", stronger.into()),
        row("wrong setting of the clock, wrong set-up", "неправильная установка часов, неправильная расстановка", setting),
    ]
}
