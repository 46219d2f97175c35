//! What each key, and each edition, is called.
use flagfall_events::{Key, Rules, Words};

/// A few words, for lists and reports.
pub fn title(key: Key) -> Words {
    let (en, ru) = match key {
        Key::IllegalMove => ("illegal move", "невозможный ход"),
        Key::PressWithoutMove => ("press without a move", "нажатие часов без хода"),
        Key::UnpromotedPawn => ("pawn left on the last rank", "пешка не заменена на последней горизонтали"),
        Key::FlagFall => ("flag fall", "падение флажка"),
        Key::BothFlags => ("both flags down", "упали оба флажка"),
        Key::WrongInitialPosition => ("wrong initial position", "неправильная начальная позиция"),
        Key::ColoursReversed => ("colours reversed", "партия начата не теми цветами"),
        Key::TwoHands => ("two hands", "ход двумя руками"),
        Key::DisplacedPieces => ("displaced pieces", "смещённые фигуры"),
        Key::PressBeforeMove => ("press before the move", "нажатие часов до хода"),
        Key::TwoMovesInARow => ("two moves in a row", "два хода подряд"),
        Key::ClockDefect => ("clock defect", "дефект часов"),
        Key::ClockSetting => ("clock set wrongly", "неправильная установка часов"),
        Key::ClockStopped => ("clocks stopped", "остановка часов"),
        Key::ClockSide => ("clock on the other side", "часы стоят не с той стороны"),
        Key::WrongSideStarted => ("Black's clock started first", "первыми пущены часы чёрных"),
        Key::LateStart => ("late start", "позднее начало"),
        Key::DefaultTime => ("default time", "допустимое опоздание"),
        Key::BoardTurned => ("board turned", "доска повёрнута"),
        Key::WrongHand => ("clock pressed with the other hand", "нажатие часов другой рукой"),
        Key::FiveMoves => ("five moves to reach a won position", "пять ходов на получение выигранной позиции"),
        Key::UnpressedMove => ("move not pressed", "ход без нажатия часов"),
        Key::LatePress => ("late press", "позднее нажатие часов"),
        Key::AdjustedOutOfTurn => ("piece adjusted out of turn", "фигура поправлена не на своём времени"),
        Key::MovedBeforeClock => ("move before the own clock ran", "ход до пуска своих часов"),
        Key::ClockRestarted => ("clock restarted", "часы пущены без арбитра"),
        Key::LeverCheck => ("lever pressed and put back", "проверка хода часов соперника"),
    };
    Words::new(en, ru)
}

/// What an edition is called.
pub fn edition_title(rules: Rules) -> Words {
    let (en, ru) = match rules {
        Rules::Fide2023 => ("FIDE Laws of Chess from 1 January 2023", "Правила шахмат ФИДЕ с 1 января 2023 года"),
        Rules::Fide2018 => ("FIDE Laws of Chess from 1 January 2018", "Правила шахмат ФИДЕ с 1 января 2018 года"),
        Rules::Fide1997 => ("FIDE Laws of 1 July 1997, Article 6", "Правила ФИДЕ от 1 июля 1997 года, статья 6"),
        Rules::Russia116 => {
            ("Russian sports rules, section 1.16, rapid and blitz", "Российские правила, раздел 1.16, быстрая и молниеносная игра")
        }
    };
    Words::new(en, ru)
}
