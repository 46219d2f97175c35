//! 6.5 to 6.7, 7.2, 7.3.
use super::*;
use crate::irregularity::{Phase, WrongInitialPosition};
use flagfall_events::{Action, GameResult};

#[test]
fn a_late_start_is_nobodys_fault_and_white_may_be_charged() {
    let early = Irregularity::LateStart { late_ms: 61_000, started: None, ruled: false };
    cited(&early, ["6.6", "6.6", "6.5", "1.16"]);
    let judgement = found(Rules::Fide2023, early);
    assert_eq!((judgement.by, judgement.proposal.unwrap().action), (None, Action::None));
    let at = ClockPair { white_ms: 5_430_000, black_ms: 5_430_000 };
    let started = |ruled| Irregularity::LateStart { late_ms: 180_400, started: Some(at), ruled };
    let judgement = found(Rules::Fide2023, started(false));
    assert_eq!(judgement.summary.ru, "Партия началась с опозданием на 3 минуты.");
    let p = judgement.proposal.unwrap();
    assert_eq!((p.action, p.clock), (Action::Continue, None));
    assert_eq!(p.alternatives[0].label, "White's time less 3 minutes");
    // What both have used since the start stays used.
    assert_eq!(p.alternatives[0].clock, clock(420, 480, Run::White));
    let unread = proposed(&Situation { clock: None, ..situation(Rules::Fide2023, started(false)) });
    assert_eq!(unread.alternatives[0].clock, clock(5250, 5430, Run::White));
    // Once his time was ruled it is not taken again.
    let p = proposed(&situation(Rules::Fide2023, started(true)));
    let labels: Vec<&str> = p.alternatives.iter().map(|a| a.label.as_str()).collect();
    assert_eq!((p.action, p.clock, labels), (Action::Continue, None, vec!["unchanged"]));
}

#[test]
fn whites_clock_pays_for_blacks_that_ran_first() {
    let p = proposed(&situation(Rules::Fide2023, Irregularity::WrongSideStarted { ran_ms: 20_000 }));
    assert_eq!(p.clock, Some(clock(580, 500, Run::White)));
    assert_eq!(p.alternatives[0].label, "unchanged");
}

#[test]
fn absence_loses_once_it_is_entered_and_nobody_present_costs_white_his_time() {
    let absent = |entered| Irregularity::DefaultTime { by: Colour::Black, default_ms: 1_800_000, absent_ms: 1_800_000, entered };
    for entered in [false, true] {
        cited(&absent(entered), ["6.7.1", "6.7.1", "6.6", "1.16"]);
    }
    let judgement = found(Rules::Fide2023, absent(false));
    assert_eq!(judgement.by, Some(Colour::Black));
    assert!(judgement.summary.ru.contains("30 минут"), "{}", judgement.summary.ru);
    let p = judgement.proposal.unwrap();
    assert_eq!((p.action, p.result), (Action::None, None), "he may be thinking");
    let p = proposed(&situation(Rules::Fide2023, absent(true)));
    assert_eq!((p.action, p.result), (Action::DeclareLoss, Some(GameResult::WhiteWins)));

    let nobody = |arrived, ruled| Irregularity::NeitherPresent { lost_ms: 120_900, arrived, ruled };
    cited(&nobody(true, false), ["6.7.2", "6.7.2", "6.6", "1.16"]);
    let p = proposed(&situation(Rules::Fide2023, nobody(true, false)));
    assert_eq!((p.action, p.clock), (Action::SetClock, Some(clock(480, 480, Run::White))));
    assert_eq!(proposed(&situation(Rules::Fide2023, nobody(false, false))).clock, None);
    let p = proposed(&situation(Rules::Fide2023, nobody(true, true)));
    assert_eq!((p.action, p.clock), (Action::Continue, None));
}

#[test]
fn a_wrong_start_is_put_right_cancels_or_stands() {
    let start = |phase| {
        let fact = WrongInitialPosition { squares: Vec::new(), start_fen: String::from(START), phase };
        proposed(&situation(Rules::Fide2023, Irregularity::WrongInitialPosition(fact)))
    };
    let before = start(Phase::BeforeMove1);
    assert_eq!((before.action, before.restore_fen.as_deref()), (Action::RestorePosition, Some(START)));
    assert_eq!((start(Phase::During).action, start(Phase::During).restore_fen), (Action::CancelGame, None));
    assert_eq!(start(Phase::After).action, Action::None);
}

/// Appendix A: A.4 and B.4 of 2018, A.5 and B.5 of 2023.
#[test]
fn without_supervision_setting_and_set_up_stand_after_ten_moves_each() {
    use crate::irregularity::WrongSetting;
    let times = Some(ClockPair { white_ms: 1, black_ms: 1 });
    let irregularities = [
        Irregularity::WrongInitialPosition(WrongInitialPosition {
            squares: Vec::new(),
            start_fen: String::from(START),
            phase: Phase::During,
        }),
        Irregularity::ClockSetting {
            setting: WrongSetting::NoIncrement { should_ms: 5000 },
            times,
            run: Run::White,
            press_counter: PressCounter::default(),
            doubt_ppm: 0,
        },
        Irregularity::ClockUnset { times, run: Run::White },
    ];
    for irregularity in irregularities {
        let action = |rules, play, supervision, completed| {
            proposed(&Situation { play, supervision, completed, ..situation(rules, irregularity.clone()) }).action
        };
        for rules in [Rules::Fide2018, Rules::Fide2023] {
            for play in [Play::Rapid, Play::Blitz] {
                assert_eq!(action(rules, play, Supervision::Partial, [10, 10]), Action::Continue, "{irregularity:?}");
                assert_ne!(action(rules, play, Supervision::Partial, [10, 9]), Action::Continue);
                assert_ne!(action(rules, play, Supervision::Full, [30, 30]), Action::Continue);
            }
            assert_ne!(action(rules, Play::Standard, Supervision::Partial, [30, 30]), Action::Continue);
        }
        assert_ne!(action(Rules::Fide1997, Play::Rapid, Supervision::Partial, [10, 10]), Action::Continue);
    }
}

#[test]
fn reversed_colours_go_on_once_each_has_completed_ten_moves() {
    let action = |completed| proposed(&situation(Rules::Fide2023, Irregularity::ColoursReversed { completed })).action;
    assert_eq!(action([9, 9]), Action::CancelGame);
    assert_eq!(action([10, 9]), Action::CancelGame);
    assert_eq!(action([10, 10]), Action::Continue);
}

#[test]
fn a_turned_board_goes_on() {
    let turned = Irregularity::BoardTurned { placement: String::from("8/8/8/8/8/8/8/8") };
    cited(&turned, ["7.2.2", "7.2.2", "6.13", "1.16"]);
    assert_eq!(proposed(&situation(Rules::Fide2023, turned)).action, Action::Continue);
}
