//! 6.2, 6.10, 6.11: the clock and how it is handled.
use super::*;
use crate::irregularity::{Defect, StopReason, WrongSetting};
use flagfall_events::{Action, Grade};
use shakmaty::Square;

#[test]
fn notes_need_no_ruling() {
    let by = Colour::White;
    let behind = PressCounter { white: 1, black: 1 };
    let notes = [
        (Irregularity::UnpressedMove { by, ply: 1, uci: String::from("e2e4"), behind }, ["6.2.1.2", "6.2.1.2", "-", "-"]),
        (Irregularity::LatePress { by, ply: 1, after_ms: 900 }, ["6.2.2", "6.2.2", "6.7a", "1.16.2"]),
        (Irregularity::AdjustedOutOfTurn { by, piece: 'N', square: Square::G1 }, ["6.2.5", "6.2.5", "-", "-"]),
        (Irregularity::MovedBeforeClock { by, ply: 3, before_ms: Some(400) }, ["-", "-", "-", "1.16.2"]),
        (Irregularity::ClockRestarted, ["6.11.3", "6.11.3", "6.12c", "1.16"]),
        (Irregularity::LeverCheck { by }, ["-", "-", "-", "1.16.4"]),
    ];
    for (note, articles) in notes {
        cited(&note, articles);
        for rules in EDITIONS {
            let Some(judgement) = judge(&situation(rules, note.clone())) else { continue };
            assert_eq!((judgement.grade, judgement.proposal), (Grade::Note, None), "{note:?}");
        }
    }
}

#[test]
fn a_press_before_the_move_is_12_9_and_was_allowed_in_1997() {
    let early = Irregularity::PressBeforeMove { by: Colour::White, ply: 3, early_ms: 900, scan_ms: 250 };
    cited(&early, ["6.2.4", "6.2.4", "-", "1.16.2"]);
    let p = proposed(&situation(Rules::Fide2023, early.clone()));
    assert_eq!((p.action, p.article.as_deref(), p.offence), (Action::Warn, Some("12.9"), None));
    let p = proposed(&situation(Rules::Russia116, early));
    assert_eq!((p.action, p.article.as_deref(), p.offence), (Action::Warn, Some("1.16.4"), Some(1)));
}

#[test]
fn a_defect_proposes_the_times_of_the_replacement() {
    let times = Some(ClockPair { white_ms: 590_000, black_ms: 480_000 });
    let jump =
        Irregularity::ClockDefect { defect: Defect::Jump { by: Colour::White, by_ms: -100_000 }, times, run: Run::White, doubt_ppm: 0 };
    cited(&jump, ["6.10.1", "6.10.1", "6.10", "1.16.4"]);
    let judgement = found(Rules::Fide2023, jump);
    assert_eq!(judgement.by, None);
    assert_eq!(judgement.summary.en, "White's display jumped: 100 seconds less than it should show.");
    let p = judgement.proposal.unwrap();
    assert_eq!((p.action, p.clock), (Action::SetClock, Some(clock(590, 480, Run::White))));
    let drift =
        found(Rules::Fide2023, Irregularity::ClockDefect { defect: Defect::Drift { per_mille: 15 }, times, run: Run::White, doubt_ppm: 0 });
    assert_eq!((drift.summary.en.as_str(), drift.summary.ru.as_str()), ("The clock runs 1.5 % fast.", "Часы спешат на 1,5 %."));
}

#[test]
fn a_wrong_setting_says_which_part_it_is() {
    let times = Some(ClockPair { white_ms: 612_000, black_ms: 492_000 });
    let press_counter = PressCounter::default();
    let wrong = |setting| Irregularity::ClockSetting { setting, times, run: Run::Black, press_counter, doubt_ppm: 0 };
    cited(&wrong(WrongSetting::NoIncrement { should_ms: 5_000 }), ["6.10.2", "6.10.2", "6.2", "1.16.1"]);
    let judgement = found(Rules::Fide2023, wrong(WrongSetting::Base { by: None, off_ms: 60_000 }));
    assert_eq!((judgement.grade, judgement.facts["wrong"].as_str()), (Grade::Attention, Some("base")));
    assert_eq!(judgement.summary.en, "Both players began with 60 seconds too much.");
    let p = judgement.proposal.unwrap();
    assert_eq!((p.clock, p.press_counter), (Some(clock(612, 492, Run::Black)), None));
    let (before, shown) = (ClockPair { white_ms: 612_000, black_ms: 494_000 }, ClockPair { white_ms: 5_400_000, black_ms: 5_400_000 });
    let judgement = found(Rules::Fide2023, wrong(WrongSetting::Exchanged { before, shown }));
    assert_eq!(judgement.summary.en, "The clock was plugged in again and shows 1:30:00 and 1:30:00; before it showed 10:12 and 8:14.");
    assert_eq!(judgement.proposal.unwrap().clock, Some(clock(612, 492, Run::Black)));
}

#[test]
fn a_ruled_time_that_was_not_set_is_a_note() {
    let pair = |white_ms| ClockPair { white_ms, black_ms: 600_000 };
    let judgement = found(Rules::Fide2023, Irregularity::RuledTimeNotSet { ruled: pair(595_000), shown: pair(600_000) });
    assert_eq!((judgement.key.as_str(), judgement.grade, judgement.proposal), ("clock-setting", Grade::Note, None));
    assert_eq!(judgement.summary.en, "Ruled were 9:55 and 10:00; the clock shows 10:00 and 10:00.");
}

#[test]
fn stopped_clocks_come_with_what_may_be_the_reason() {
    let stopped = |reason| Irregularity::ClockStopped { reason };
    cited(&stopped(StopReason::Unknown), ["6.11.2", "6.11.2", "6.12b", "1.16"]);
    let judgement = found(Rules::Fide2023, stopped(StopReason::Promotion { square: Square::E8 }));
    assert_eq!(judgement.summary.ru, "Часы остановлены; пешка на e8 ждёт новую фигуру.");
    assert_eq!(judgement.facts["reason"], "promotion");
}
