//! 6.5 to 6.7, 7.2, 7.3.
use super::*;
use crate::game::event::GameResult;
use crate::rulebook::finding::Action;
use crate::rulebook::irregularity::{Phase, WrongInitialPosition};

#[test]
fn a_late_start_is_nobodys_fault_and_white_may_be_charged() {
    let early = Irregularity::LateStart { late_ms: 61_000, started: None };
    cited(&early, ["6.6", "6.6", "6.5", "1.16"]);
    let judgement = found(Rules::Fide2023, early);
    assert_eq!((judgement.by, judgement.proposal.unwrap().action), (None, Action::None));
    let at = ClockPair { white_ms: 5_430_000, black_ms: 5_430_000 };
    let judgement = found(Rules::Fide2023, Irregularity::LateStart { late_ms: 180_400, started: Some(at) });
    assert_eq!(judgement.summary.ru, "Партия началась с опозданием на 3 минуты.");
    let p = judgement.proposal.unwrap();
    assert_eq!((p.action, p.clock), (Action::Continue, None));
    assert_eq!(p.alternatives[0].label, "White's time less 3 minutes");
    assert_eq!(p.alternatives[0].clock, clock(5250, 5430, Run::White));
}

#[test]
fn whites_clock_pays_for_blacks_that_ran_first() {
    let p = proposed(&situation(Rules::Fide2023, Irregularity::WrongSideStarted { ran_ms: 20_000 }));
    assert_eq!(p.clock, Some(clock(580, 500, Run::White)));
    assert_eq!(p.alternatives[0].label, "unchanged");
}

#[test]
fn absence_loses_and_nobody_present_costs_white_his_time() {
    let absent = Irregularity::DefaultTime { by: Colour::Black, default_ms: 1_800_000, absent_ms: 1_800_000 };
    cited(&absent, ["6.7.1", "6.7.1", "6.6", "1.16"]);
    let judgement = found(Rules::Fide2023, absent);
    assert_eq!(judgement.by, Some(Colour::Black));
    assert!(judgement.summary.ru.contains("30 минут"), "{}", judgement.summary.ru);
    assert_eq!(judgement.proposal.unwrap().result, Some(GameResult::WhiteWins));

    let nobody = |arrived| Irregularity::NeitherPresent { lost_ms: 120_900, arrived };
    cited(&nobody(true), ["6.7.2", "6.7.2", "6.6", "1.16"]);
    let p = proposed(&situation(Rules::Fide2023, nobody(true)));
    assert_eq!((p.action, p.clock), (Action::SetClock, Some(clock(480, 480, Run::White))));
    assert_eq!(proposed(&situation(Rules::Fide2023, nobody(false))).clock, None);
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
