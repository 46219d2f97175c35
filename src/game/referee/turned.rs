//! White's side of the clock is the other one: what was found by colour is the other player's, or was nothing.
use crate::referee::hearing::Hearing;
use alloc::boxed::Box;
use alloc::vec::Vec;
use flagfall_events::{ClockPair, Colour, PressCounter, Run, Status};
use flagfall_laws::Irregularity;
use flagfall_laws::irregularity::{Before, Defect, FlagSeen, WrongSetting};

/// A ruled time may have run on so far, milliseconds.
const READING_MS: i64 = 2_000;

/// What becomes of a finding.
enum Becomes {
    /// It rests on no side.
    Same,
    /// The same of the other display.
    Turned(Box<Irregularity>),
    /// It rested on whose press it was, or whose time ran: it is not so.
    Nothing,
}

impl Hearing<'_> {
    /// What was found and not ruled on is turned; what is another player's then is found anew.
    pub(crate) fn turned(&mut self) {
        self.own.last_press = self.own.last_press.map(|(by, under)| (by.other(), under));
        self.own.made_on.iter_mut().for_each(|ran| *ran = ran.map(Colour::other));
        let white_is_left = self.scene.clock.is_white_left();
        let open: Vec<(u64, Becomes)> =
            self.own.findings.open().map(|found| (found.id, becomes(found.irregularity.clone(), white_is_left))).collect();
        for (id, becomes) in open {
            match becomes {
                Becomes::Same => {}
                Becomes::Nothing => self.close(id, Status::Withdrawn),
                Becomes::Turned(irregularity) => self.found_of_the_other(id, *irregularity),
            }
        }
        self.judge_again();
    }

    fn found_of_the_other(&mut self, id: u64, irregularity: Irregularity) {
        match irregularity {
            // Whose it is says the finding itself.
            Irregularity::FlagFall(mut fact) if fact.seen != FlagSeen::Arbiter => {
                self.close(id, Status::Withdrawn);
                fact.completed = self.scene.completed()[fact.by as usize];
                fact.required = self.scene.clock.required(fact.by);
                self.find(Irregularity::FlagFall(fact), self.own.evidence_from);
            }
            Irregularity::LeverCheck { .. } => {
                self.close(id, Status::Withdrawn);
                self.find(irregularity, self.own.evidence_from);
            }
            other => self.update_finding(id, |known| *known = other),
        }
    }
}

fn becomes(found: Irregularity, white_is_left: bool) -> Becomes {
    use Irregularity as I;
    Becomes::Turned(Box::new(match found {
        I::PressWithoutMove(_)
        | I::WrongSideStarted { .. }
        | I::UnpressedMove { .. }
        | I::LatePress { .. }
        | I::PressBeforeMove { .. }
        | I::MovedBeforeClock { .. }
        | I::AdjustedOutOfTurn { .. }
        | I::TwoHandsHint { .. } => return Becomes::Nothing,
        // It stands as it was set to, after all.
        I::ClockSide { white_is_left: set } if set == white_is_left => return Becomes::Nothing,
        I::RuledTimeNotSet { ruled, shown } if is_near(ruled, shown.turned()) => return Becomes::Nothing,
        I::RuledTimeNotSet { ruled, shown } => I::RuledTimeNotSet { ruled, shown: shown.turned() },
        I::FlagFall(mut fact) if fact.seen != FlagSeen::Arbiter => {
            fact.by = fact.by.other();
            I::FlagFall(fact)
        }
        I::BothFlags(mut fact) => {
            fact.first = fact.first.map(Colour::other);
            I::BothFlags(fact)
        }
        I::LeverCheck { by } => I::LeverCheck { by: by.other() },
        I::ClockDefect { defect, times, run, doubt_ppm } => {
            I::ClockDefect { defect: turned_defect(defect), times: times.map(ClockPair::turned), run: turned_run(run), doubt_ppm }
        }
        I::ClockSetting { setting, times, run, press_counter, doubt_ppm } => I::ClockSetting {
            setting: turned_setting(setting),
            times: times.map(ClockPair::turned),
            run: turned_run(run),
            press_counter: turned_counter(press_counter),
            doubt_ppm,
        },
        I::ClockUnset { times, run } => I::ClockUnset { times, run: turned_run(run) },
        I::LateStart { late_ms, started, ruled } => I::LateStart { late_ms, started: started.map(ClockPair::turned), ruled },
        mut offence => {
            let Some(before) = offence.before_mut() else { return Becomes::Same };
            turn_before(before);
            offence
        }
    }))
}

fn turn_before(before: &mut Before) {
    before.at_press = before.at_press.map(ClockPair::turned);
    before.presses = turned_counter(before.presses);
}

const fn turned_counter(PressCounter { white, black }: PressCounter) -> PressCounter {
    PressCounter { white: black, black: white }
}

const fn turned_run(run: Run) -> Run {
    match run {
        Run::White => Run::Black,
        Run::Black => Run::White,
        Run::Stopped => Run::Stopped,
    }
}

fn turned_defect(defect: Defect) -> Defect {
    match defect {
        Defect::Frozen { by, for_ms } => Defect::Frozen { by: by.other(), for_ms },
        Defect::Jump { by, by_ms } => Defect::Jump { by: by.other(), by_ms },
        Defect::Lever { by } => Defect::Lever { by: by.map(Colour::other) },
        other => other,
    }
}

fn turned_setting(setting: WrongSetting) -> WrongSetting {
    let other = |by: Option<Colour>| by.map(Colour::other);
    match setting {
        WrongSetting::PeriodTime { by, is_ms, should_ms } => WrongSetting::PeriodTime { by: other(by), is_ms, should_ms },
        WrongSetting::Exchanged { before, shown } => WrongSetting::Exchanged { before: before.turned(), shown: shown.turned() },
        WrongSetting::Base { by, off_ms } => WrongSetting::Base { by: other(by), off_ms },
        WrongSetting::Period { by, at_move, early, bonus_ms } => WrongSetting::Period { by: other(by), at_move, early, bonus_ms },
        same => same,
    }
}

const fn is_near(ruled: ClockPair, shown: ClockPair) -> bool {
    (ruled.white_ms - shown.white_ms).abs() <= READING_MS && (ruled.black_ms - shown.black_ms).abs() <= READING_MS
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use flagfall_laws::irregularity::{FlagFall, PressWithoutMove};

    const PAIR: ClockPair = ClockPair { white_ms: 60_000, black_ms: 90_000 };

    fn turned(found: Irregularity) -> Option<Irregularity> {
        match becomes(found, false) {
            Becomes::Turned(other) => Some(*other),
            Becomes::Same | Becomes::Nothing => None,
        }
    }

    #[test]
    fn what_rested_on_whose_press_it_was_is_nothing() {
        let before = Before { at_press: Some(PAIR), ..Before::default() };
        let press = Irregularity::PressWithoutMove(PressWithoutMove { by: Colour::White, ply: 1, before });
        assert!(matches!(becomes(press, false), Becomes::Nothing));
        assert!(matches!(becomes(Irregularity::WrongSideStarted { ran_ms: 1 }, false), Becomes::Nothing));
        assert!(matches!(becomes(Irregularity::ClockSide { white_is_left: false }, false), Becomes::Nothing));
        assert!(matches!(becomes(Irregularity::ClockSide { white_is_left: true }, false), Becomes::Same));
        let set = Irregularity::RuledTimeNotSet { ruled: PAIR, shown: PAIR.turned() };
        assert!(matches!(becomes(set, false), Becomes::Nothing));
    }

    #[test]
    fn a_flag_is_the_other_players_unless_somebody_saw_whose_it_was() {
        let fall = |seen| FlagFall { by: Colour::White, seen, completed: 3, required: None, fen: String::new(), both_down: false };
        let by = |found| match turned(found) {
            Some(Irregularity::FlagFall(fact)) => Some(fact.by),
            _ => None,
        };
        assert_eq!(by(Irregularity::FlagFall(fall(FlagSeen::Zero))), Some(Colour::Black));
        assert_eq!(by(Irregularity::FlagFall(fall(FlagSeen::Arbiter))), None);
    }

    #[test]
    fn a_faulty_display_and_the_times_to_be_set_are_the_other_players() {
        let jump = |by, times| Irregularity::ClockDefect {
            defect: Defect::Jump { by, by_ms: 5_000 },
            times: Some(times),
            run: if by == Colour::White { Run::White } else { Run::Black },
            doubt_ppm: 1,
        };
        assert_eq!(turned(jump(Colour::White, PAIR)), Some(jump(Colour::Black, PAIR.turned())));
    }
}
