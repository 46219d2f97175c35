//! White's side of the clock is the other one: what was found by colour is the other player's, or was nothing.
use crate::referee::hearing::Hearing;
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
    Turned(Irregularity),
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
                Becomes::Turned(Irregularity::FlagFall(mut fact)) => {
                    self.close(id, Status::Withdrawn);
                    fact.completed = self.scene.completed()[fact.by as usize];
                    fact.required = self.scene.clock.required(fact.by);
                    self.find(Irregularity::FlagFall(fact), self.own.evidence_from);
                }
                Becomes::Turned(irregularity @ Irregularity::LeverCheck { .. }) => {
                    self.close(id, Status::Withdrawn);
                    self.find(irregularity, self.own.evidence_from);
                }
                Becomes::Turned(irregularity) => self.update_finding(id, |known| *known = irregularity),
            }
        }
        self.judge_again();
    }
}

fn becomes(found: Irregularity, white_is_left: bool) -> Becomes {
    use Irregularity as I;
    Becomes::Turned(match found {
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
    })
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
        WrongSetting::Base { by, off_ms } => WrongSetting::Base { by: other(by), off_ms },
        WrongSetting::Period { by, at_move, early, bonus_ms } => WrongSetting::Period { by: other(by), at_move, early, bonus_ms },
        same => same,
    }
}

const fn is_near(ruled: ClockPair, shown: ClockPair) -> bool {
    (ruled.white_ms - shown.white_ms).abs() <= READING_MS && (ruled.black_ms - shown.black_ms).abs() <= READING_MS
}
