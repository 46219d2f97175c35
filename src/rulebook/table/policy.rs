//! What the editions decide differently, and which article each cites for a key; printed from the data that the rulebook uses.
use super::Text;
use crate::game::settings::{Play, Rules};
use crate::rulebook::edition::{BothFlags, Edition, FlagFall, Stands, UnpromotedPawn};
use crate::rulebook::finding::Words;
use crate::rulebook::key::Key;
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
            "позиция восстанавливается; быстрые и блиц без полного контроля: остаётся, когда соперник сделал следующий ход",
        ),
        Stands::Answered => text("stands once the opponent has made his next move", "остаётся, когда соперник сделал следующий ход"),
    };
    let press = match (e.article(Key::PressWithoutMove), e.penalties.takes_increment_back) {
        (None, _) => text("no rule of its own", "отдельного правила нет"),
        (Some(_), true) => text("as an illegal move", "как невозможный ход"),
        (Some(_), false) => text("a violation", "нарушение"),
    };
    let pawn = match e.unpromoted_pawn {
        UnpromotedPawn::Queen => text("a queen, with the penalty", "ферзь и наказание"),
        UnpromotedPawn::Restored => text("the position is restored", "позиция восстанавливается"),
    };
    let both = match e.both_flags {
        BothFlags::FirstDecides => text(
            "the first flag decides; order unknown: the game goes on, in the last period a draw",
            "решает первый флажок; порядок неизвестен: партия продолжается, в последнем периоде ничья",
        ),
        BothFlags::GoesOn => {
            text("the first flag decides; order unknown: the game goes on", "решает первый флажок; порядок неизвестен: партия продолжается")
        }
        BothFlags::Draw => text("draw", "ничья"),
    };
    let flag = match (e.flag_fall, e.resignation_may_draw) {
        (FlagFall::LossOrDraw, false) => text("draw on flag fall", "ничья при падении флажка"),
        (FlagFall::LossOrDraw, true) => text("draw on flag fall and on resignation", "ничья при падении флажка и при сдаче"),
        (FlagFall::Loss, _) => text("time is a loss all the same", "просрочка — всё равно поражение"),
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
        (false, true) => text("on claim; fivefold ends the game", "по требованию; пятикратное заканчивает партию"),
        (false, false) => text("on claim", "по требованию"),
    };
    vec![
        row("a move is completed by", "ход завершает", completes.into()),
        row("illegal move, standard play", "невозможный ход, классика", penalty(Play::Standard)),
        row("illegal move, rapid", "невозможный ход, быстрые", penalty(Play::Rapid)),
        row("illegal move, blitz", "невозможный ход, блиц", penalty(Play::Blitz)),
        row("illegal move nobody noticed", "никем не замеченный невозможный ход", stands.into()),
        row("press without a move", "нажатие без хода", press.into()),
        row("pawn left on the last rank", "пешка не заменена", pawn.into()),
        row("default time", "допустимое опоздание", absent.into()),
        row("both flags down", "упали оба флажка", both.into()),
        row("the opponent cannot mate", "соперник не может поставить мат", flag.into()),
        row("threefold repetition", "троекратное повторение", repetition.into()),
    ]
}

impl From<Rules> for Words {
    /// What the edition is.
    fn from(rules: Rules) -> Self {
        match rules {
            Rules::Fide2023 => Self::new("FIDE Laws of Chess from 1 January 2023", "Правила шахмат ФИДЕ с 1 января 2023 года"),
            Rules::Fide2018 => Self::new("FIDE Laws of Chess from 1 January 2018", "Правила шахмат ФИДЕ с 1 января 2018 года"),
            Rules::Fide1997 => Self::new("FIDE Laws of 1 July 1997, Article 6", "Правила ФИДЕ от 1 июля 1997 года, статья 6"),
            Rules::Russia116 => Self::new(
                "Russian sports rules, section 1.16, rapid and blitz",
                "Российские правила, раздел 1.16, быстрая и молниеносная игра",
            ),
        }
    }
}
