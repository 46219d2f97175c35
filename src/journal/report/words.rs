//! The report's own words; sentences of findings come with the findings.
use super::Lang;
use flagfall_events::{Action, Colour, Decision, Rules, Run, Status};

impl Lang {
    pub(super) const fn pick<T: Copy>(self, en: T, ru: T) -> T {
        match self {
            Self::En => en,
            Self::Ru => ru,
        }
    }

    pub(super) const fn tag(self) -> &'static str {
        self.pick("en", "ru")
    }

    pub(super) const fn player(self, by: Colour) -> &'static str {
        match by {
            Colour::White => self.pick("White", "белые"),
            Colour::Black => self.pick("Black", "чёрные"),
        }
    }

    pub(super) const fn rules(self, rules: Rules) -> &'static str {
        match rules {
            Rules::Fide2023 => self.pick("FIDE Laws of Chess, in force from 1 January 2023", "Правила шахмат ФИДЕ с 1 января 2023 года"),
            Rules::Fide2018 => self.pick("FIDE Laws of Chess, in force from 1 January 2018", "Правила шахмат ФИДЕ с 1 января 2018 года"),
            Rules::Fide1997 => self.pick("FIDE Laws of Chess, in force from 1 July 1997", "Правила шахмат ФИДЕ с 1 июля 1997 года"),
            Rules::Russia116 => self.pick("Russian rules, section 1.16", "Российские правила, раздел 1.16"),
        }
    }

    pub(super) const fn action(self, action: Action) -> &'static str {
        match action {
            Action::RestorePosition => self.pick("Restore the position", "Восстановить позицию"),
            Action::ReplaceWithQueen => self.pick("Replace the pawn by a queen; the move stands", "Заменить пешку ферзём; ход остаётся"),
            Action::SetClock => self.pick("Set the clocks; the position stands", "Установить часы; позиция остаётся"),
            Action::DeclareLoss => self.pick("Declare the game lost", "Объявить поражение"),
            Action::DeclareDraw => self.pick("Declare the game drawn", "Объявить ничью"),
            Action::Warn => self.pick("Warn the player", "Предупредить игрока"),
            Action::CancelGame => self.pick("Cancel the game, play a new one", "Отменить партию, играть новую"),
            Action::Continue => self.pick("The game continues", "Партия продолжается"),
            Action::None => self.pick("Nothing proposed", "Предложения нет"),
        }
    }

    pub(super) const fn run(self, run: Run) -> &'static str {
        match run {
            Run::White => self.pick("White's clock runs", "идут часы белых"),
            Run::Black => self.pick("Black's clock runs", "идут часы чёрных"),
            Run::Stopped => self.pick("both clocks stand", "часы стоят"),
        }
    }

    pub(super) const fn status(self, status: Option<Status>) -> &'static str {
        match status {
            None | Some(Status::Revised) => self.pick("open: nobody has ruled on it", "открыто: решения нет"),
            Some(Status::Withdrawn) => self.pick("withdrawn: what it rested on is gone", "снято: основания больше нет"),
            Some(Status::Confirmed) => self.pick("confirmed", "утверждено"),
            Some(Status::Dismissed) => self.pick("dismissed", "отклонено"),
            Some(Status::Amended) => self.pick("ruled with other times", "решено другое время"),
        }
    }

    /// The decision of a ruling as the entry writes it.
    pub(super) const fn decision(self, decision: Option<Decision>) -> &'static str {
        match decision {
            Some(Decision::Confirm) => self.pick("confirmed", "утверждено"),
            Some(Decision::Dismiss) => self.pick("dismissed", "отклонено"),
            Some(Decision::Amend) => self.pick("other times", "другое время"),
            None => self.pick("reported by the arbiter", "отмечено арбитром"),
        }
    }
}
