//! Presses, think times, and what is wrong with a clock or its setting.
use super::*;
use flagfall_events::AlarmKey;

#[test]
fn right_clocks_of_every_kind_are_let_alone() {
    for control in ["5400+30", "300+3", "180+2", "120+1", "300", "900+d10", "900+b10", "10/600+5:300+5", "6/120:60"] {
        let mut table = Table::new(control);
        table.wait(5000).start().moves(12, 4300);
        assert!(table.facts.is_empty(), "{control}: {:?}", table.facts);
    }
}

#[test]
fn a_press_tells_both_times_and_what_was_thought() {
    let mut table = Table::new("5400+30");
    table.start().play(7300).play(12_650);
    let [white, black] = table.presses[..] else { panic!("{:?}", table.presses) };
    assert_eq!(white.before, ClockPair { white_ms: 5_423_000, black_ms: 5_430_000 });
    assert_eq!(white.spent.unwrap().0, 7300);
    assert_eq!(black.before, ClockPair { white_ms: 5_453_000, black_ms: 5_418_000 });
    assert_eq!(black.spent.unwrap().0, 12_650);
    table.quiet();
}

#[test]
fn a_press_whose_report_was_lost_is_dated_back_by_the_second_s_phase() {
    let mut table = Table::new("5400+30");
    table.start().play(7300).play(5450).wait(3600);
    table.deaf = true;
    table.made().lever();
    table.said = Some(table.device.report());
    table.wait(300);
    table.deaf = false;
    table.wait(700).made().wait(2000).lever();
    let white = table.presses[2];
    let (spent, within) = white.spent.unwrap();
    assert!(spent.abs_diff(3600) <= 50 && within >= spent.abs_diff(3600), "{white:?}");
    table.quiet();
}

#[test]
fn no_increment_is_named_and_what_is_missing_counted() {
    let mut table = Table::with("5400", "5400+30", |_| {});
    table.start().moves(3, 5200);
    let fault = table.fault();
    assert_eq!((fault.kind, fault.side), (FaultKind::NoBonus, None));
    let (at, _) = table.facts[0];
    assert!(at < 20_000, "within two moves, not {at}");
    let mut table = Table::new("5400+30");
    table.start().moves(4, 5200).fail(ClockFault::NoBonus).moves(3, 5200);
    let fault = table.fault();
    assert_eq!(fault.kind, FaultKind::NoBonus);
    // Two presses went without: White's and Black's fifth.
    let (white, black) = (fault.correct.white_ms + fault.correct.black_ms, table.shown());
    assert!(white > black.0 + black.1 + MS_30, "{fault:?}");
}

#[test]
fn a_small_increment_that_is_missing_is_found_too() {
    for control in ["180+2", "120+1"] {
        let mut table = Table::new(control);
        table.start().moves(3, 2300).fail(ClockFault::NoBonus).moves(3, 2300);
        assert_eq!(table.fault().kind, FaultKind::NoBonus, "{control}");
    }
}

#[test]
fn a_delay_set_for_the_increment_is_a_setting_and_no_defect() {
    let mut table = Table::with("5400+d30", "5400+30", |_| {});
    table.start().moves(3, 9000);
    assert_eq!(table.faults(), [FaultKind::DelayInstead]);
    assert!(table.has(&Fact::Alarm { key: AlarmKey::ClockStale, state: AlarmState::Raised }));
    let mut table = Table::with("900+10", "900+d10", |_| {});
    table.start().moves(3, 5000);
    assert!(table.faults().contains(&FaultKind::IncrementInstead), "{:?}", table.facts);
}

#[test]
fn a_wrong_base_is_told_with_what_both_should_show() {
    let mut table = Table::with("5340+30", "5400+30", |_| {});
    table.start().moves(2, 5000);
    let fault = table.fault();
    assert_eq!(fault.kind, FaultKind::Base { expected_s: 5430, seen_s: 5370 });
    let (white, black) = table.facts.iter().map(|_| fault.correct).map(|c| (c.white_ms, c.black_ms)).next().unwrap();
    assert!(white > 5_440_000 && (5_420_000..=5_430_000).contains(&black), "{fault:?}");
}

#[test]
fn clocks_that_show_no_first_increment_are_right() {
    let mut table = Table::with("5400", "5400+30", |_| {});
    // The first increment comes with the first press.
    table.start().wait(3000).made();
    table.device.fail(table.now * 1000, ClockFault::MoreBonus(30), Physical::Left);
    table.lever().moves(5, 4000);
    table.quiet();
}

#[test]
fn a_clock_set_by_hand_before_the_game_is_judged_as_it_starts() {
    let mut table = Table::with("300+3", "5400+30", |_| {});
    table.wait(2000);
    table.device = ChessClock::new("5400+30".parse().unwrap(), PeriodChange::AtMove, Physical::Left);
    table.report();
    table.wait(4000).start().moves(4, 4000);
    table.quiet();
}

#[test]
fn jump_freeze_drift_and_both_are_told_apart() {
    let mut table = Table::new("5400+30");
    table.start().moves(3, 5000).wait(2200).fail(ClockFault::Jump(-60)).wait(4000);
    let fault = table.fault();
    assert_eq!((fault.kind, fault.side), (FaultKind::Jump { gained_s: -60 }, Some(Colour::White)));
    assert!((fault.correct.white_ms - table.shown().0 - 60_000).abs() <= 4000, "{fault:?}");

    let mut table = Table::new("5400+30");
    table.start().moves(3, 5000).wait(2200).fail(ClockFault::Stands).wait(20_000).made().lever().moves(2, 5000);
    assert!(matches!(table.faults()[..], [FaultKind::Freeze { .. }]), "{:?}", table.facts);
    assert!(table.has(&Fact::Alarm { key: AlarmKey::ClockStale, state: AlarmState::Raised }));

    for ppm in [20_000, -20_000] {
        let mut table = Table::new("5400+30");
        table.start().moves(3, 5000).fail(ClockFault::Fast(ppm)).moves(4, 7000);
        let FaultKind::Drift { ppm: found } = table.fault().kind else { panic!("{:?}", table.facts) };
        assert!((found - ppm).abs() < 4000, "{found}");
    }

    let mut table = Table::new("5400+30");
    table.start().moves(3, 5000).fail(ClockFault::BothRun).moves(1, 6000);
    assert_eq!(table.faults(), [FaultKind::BothRun]);
}

#[test]
fn silence_is_an_alarm_after_five_seconds_and_a_defect_after_thirty() {
    let mut table = Table::new("5400+30");
    table.start().moves(2, 5000).wait(3000);
    table.deaf = true;
    table.wait(3900);
    table.quiet();
    table.wait(1100);
    assert_eq!(table.facts.last().unwrap().1, Fact::Alarm { key: AlarmKey::ClockStale, state: AlarmState::Raised });
    table.wait(26_000);
    assert!(matches!(table.faults()[..], [FaultKind::Freeze { .. }]), "{:?}", table.facts);
    // The reports were late, not the clock: what was extrapolated says so.
    let estimate = table.published.iter().rev().find(|state| state.source == flagfall_events::ClockSource::Estimate);
    assert!(estimate.is_some_and(|state| state.uncertainty_ms >= 1000));
}

#[test]
fn a_gap_in_the_reports_of_a_clock_that_counts_is_no_defect() {
    let mut table = Table::new("5400+30");
    table.start().moves(2, 5000).wait(3000);
    table.deaf = true;
    table.wait(12_000);
    table.deaf = false;
    table.wait(3000).made().lever().moves(3, 5000);
    assert_eq!(table.faults(), []);
    assert!(table.has(&Fact::Alarm { key: AlarmKey::ClockStale, state: AlarmState::Cleared }));
}

#[test]
fn one_reading_of_nonsense_is_not_believed() {
    let mut table = Table::new("5400+30");
    table.start().moves(2, 5000).wait(2500);
    let mut wrong = table.device.report();
    wrong.left.minutes ^= 8;
    let before = table.clock.shown();
    table.hear(wrong);
    assert_eq!(table.clock.shown(), before);
    table.wait(3000).made().lever().moves(3, 5000);
    table.quiet();
}

#[test]
fn the_bonus_comes_by_the_count_or_when_nothing_is_left() {
    for change in [PeriodChange::AtMove, PeriodChange::AtZero] {
        let mut table = Table::new("4/60+2:90+2");
        table.device = ChessClock::new("4/60+2:90+2".parse().unwrap(), change, Physical::Left);
        table.report();
        table.start().moves(3, 6000);
        // White's fourth move; then he thinks until the first period is over.
        table.play(6000).play(6000).wait(70_000).made().lever().moves(3, 6000);
        assert!(table.facts.is_empty(), "{change:?}: {:?}", table.facts);
    }
}

#[test]
fn a_bonus_that_one_side_did_not_get_is_missed_at_once() {
    let mut table = Table::new("4/600+5:300+5");
    table.fail(ClockFault::NoPeriod).start().moves(5, 5000);
    let fault = table.fault();
    assert_eq!((fault.kind, fault.side), (FaultKind::BonusMissing { after_move: 4, expected_s: 300 }, Some(Colour::White)));
}

/// 6.10.2: the times of a fault are those of both sides, whichever side it is told of.
#[test]
fn a_bonus_that_neither_side_gets_at_all_is_given_to_both() {
    for change in [PeriodChange::AtMove, PeriodChange::AtZero] {
        let mut table = Table::new("4/30+2:60+2");
        table.device = ChessClock::new("4/30+2:60+2".parse().unwrap(), change, Physical::Left);
        for side in [Physical::Left, Physical::Right] {
            table.device.fail(0, ClockFault::NoPeriod, side);
        }
        table.report();
        table.start().moves(4, 5000);
        let black = table.shown().1;
        table.wait(60_000);
        let fault = table.fault();
        assert_eq!(
            (fault.kind, fault.side),
            (FaultKind::BonusMissing { after_move: 4, expected_s: 60 }, Some(Colour::White)),
            "{change:?}"
        );
        assert_eq!((fault.correct.white_ms, fault.correct.black_ms), (60_000, black + 60_000), "{change:?}");
    }
}

#[test]
fn a_bonus_that_nobody_got_may_still_come_when_nothing_is_left() {
    let mut table = Table::with("4/100+5:300+5", "4/100+5:300+5", |_| {});
    table.device = ChessClock::new("4/100+5:300+5".parse().unwrap(), PeriodChange::AtZero, Physical::Left);
    table.report();
    table.start().moves(7, 6000);
    assert_eq!(table.fault().kind, FaultKind::BonusMissing { after_move: 4, expected_s: 300 });
    table.wait(120_000).made().lever().moves(2, 5000);
    assert!(table.has(&Fact::BonusCame), "{:?}", table.facts);
    // It is known from then on.
    table.facts.clear();
    table.stop();
    table.clock.new_game(Mono::from_millis(table.now));
    table.progress = Progress { playing: true, white_first: true, ..Progress::default() };
    table.device.reset(Physical::Left);
    table.report();
    table.start().moves(8, 5000);
    table.quiet();
}

#[test]
fn a_bonus_at_the_wrong_move_is_a_setting() {
    let mut table = Table::with("3/600+5:300+5", "5/600+5:300+5", |_| {});
    table.start().moves(5, 5000);
    assert_eq!(table.faults()[0], FaultKind::BonusAtWrongMove { at_move: 3, expected_move: 5, bonus_s: 300 });
    let mut table = Table::with("3/600+5:200+5", "3/600+5:300+5", |_| {});
    table.start().moves(5, 5000);
    assert_eq!(table.faults()[0], FaultKind::BonusAmount { expected_s: 300, seen_s: 200 });
}
