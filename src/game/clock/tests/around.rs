//! Flags, the lever, stops, starts, silence.
use super::*;
use flagfall_events::AlarmKey;

#[test]
fn flags_are_held_against_the_moves_required() {
    let mut table = Table::new("4/20+1:300+1");
    table.start().moves(1, 4000).wait(25_000);
    let fallen = Fact::FlagFall { by: Colour::White, bit: true, completed: 1, required: Some(4) };
    assert!(table.has(&fallen), "{:?}", table.facts);
    let mut table = Table::new("20");
    table.start().moves(2, 4000).wait(25_000);
    assert!(table.has(&Fact::FlagFall { by: Colour::White, bit: true, completed: 2, required: None }), "{:?}", table.facts);
}

#[test]
fn the_second_flag_is_told_with_which_was_first() {
    let mut table = Table::new("20");
    table.start().wait(17_000).made().lever().wait(18_000);
    let set = |table: &mut Table, left: u32, right: u32, running| {
        table.now += 1000;
        let mut times = table.device.report();
        (times.left, times.right, times.running) = (SideTime::from_seconds(left).unwrap(), SideTime::from_seconds(right).unwrap(), running);
        table.hear(times);
    };
    // The clock goes on after the first flag: Black's has fallen, White's runs.
    for (left, right) in [(3, 1), (3, 0), (2, 0), (1, 0), (0, 0)] {
        set(&mut table, left, right, true);
    }
    assert!(table.has(&Fact::BothFlags { first: Some(Colour::Black), last_period: true }), "{:?}", table.facts);
}

#[test]
fn a_lever_that_needs_a_second_press_is_found_the_second_time() {
    let mut table = Table::new("5400+30");
    table.start().moves(3, 5000);
    for _ in 0..3 {
        table.play(5000).wait(300).lever().wait(900).lever().wait(1500);
        table.play(4000);
    }
    assert!(table.has(&Fact::LeverCheck { by: Colour::White }), "{:?}", table.facts);
    let fault = table.fault();
    assert_eq!((fault.kind, fault.side, fault.presses), (FaultKind::Lever, Some(Colour::White), [-2, -2]));
}

#[test]
fn a_move_corrected_or_pressed_late_is_no_trial_of_the_lever() {
    // White's press is pressed back, he moves a piece and presses again.
    for back in [400, 900, 2000] {
        let mut table = Table::new("5400+30");
        table.start().moves(3, 5000);
        for _ in 0..3 {
            table.play(5000).wait(back).lever().wait(600);
            table.touch().wait(700).lever().wait(1500);
            table.play(4000);
        }
        table.quiet();
    }
    // Three moves stand; three presses follow, one for each.
    let mut table = Table::new("5400+30");
    table.start().moves(3, 5000).wait(2000).made().wait(900).made().wait(900).made().wait(900);
    table.lever().wait(400).lever().wait(400).lever().wait(3000);
    table.quiet();
}

#[test]
fn a_clock_that_was_never_set_is_told_once_and_has_no_flags() {
    let times = |left: u32, right: u32, running: bool, flag: bool| {
        let side = |seconds| SideTime { flag_blocked: flag, flag_shown: flag, ..SideTime::from_seconds(seconds).unwrap() };
        ClockTimes {
            left: side(left),
            right: side(right),
            running,
            ..ChessClock::new("1".parse().unwrap(), PeriodChange::AtMove, Physical::Left).report()
        }
    };
    for (running, flag) in [(false, false), (true, false), (true, true)] {
        let mut fresh = Table {
            clock: Clock::new(&Settings { time_control: "300+3".parse().ok(), ..Settings::default() }, 300),
            facts: Vec::new(),
            ..Table::new("300+3")
        };
        fresh.clock.new_game(Mono::ZERO);
        fresh.hear(times(0, 0, running, flag));
        fresh.quiet();
        fresh.progress.made = [1, 0];
        fresh.progress.last = Some(Colour::White);
        for _ in 0..3 {
            fresh.now += 1000;
            fresh.hear(times(0, 0, running, flag));
        }
        let correct = Some(ClockPair { white_ms: 303_000, black_ms: 303_000 });
        assert_eq!(fresh.facts.iter().map(|(_, fact)| fact.clone()).collect::<Vec<_>>(), [Fact::Unset { correct }], "{running} {flag}");
        assert_eq!(fresh.clock.flag(), None);
        fresh.facts.clear();
        fresh.now += 1000;
        fresh.hear(times(303, 303, false, false));
        assert_eq!(fresh.facts.iter().map(|(_, fact)| fact.clone()).collect::<Vec<_>>(), [Fact::IsSet]);
    }
}

#[test]
fn quick_play_is_no_lever_check() {
    let mut table = Table::new("180+2");
    table.start();
    for _ in 0..40 {
        // The board tells of the moves only after the presses.
        table.wait(250).lever().wait(60).made();
    }
    table.quiet();
}

#[test]
fn moves_nobody_presses_put_the_counter_behind_and_are_no_fault_of_the_clock() {
    let mut table = Table::new("5400+30");
    table.start().moves(3, 5000);
    for _ in 0..6 {
        table.wait(5000).made();
    }
    table.quiet();
    assert_eq!(table.clock.press_counter(), [3, 3]);
}

#[test]
fn two_moves_without_a_press_are_no_fault() {
    let mut table = Table::new("5400+30");
    table.start().moves(3, 5000).wait(5000).made().wait(5000).made().moves(3, 5000);
    table.quiet();
}

#[test]
fn stops_are_told_after_a_while_and_restarts_when_nobody_ruled_them() {
    let mut table = Table::new("5400+30");
    table.start().moves(2, 5000).wait(2000).stop().wait(3000).start().wait(2000);
    assert_eq!(table.facts.iter().map(|(_, f)| f.clone()).collect::<Vec<_>>(), [Fact::Restarted { ruled: false }]);
    table.stop().wait(8000);
    assert_eq!(table.facts.last().unwrap().1, Fact::Stopped);
    table.clock.entered(Mono::from_millis(table.now), &Order::Restart {});
    table.start().wait(1000);
    assert_eq!(table.facts.last().unwrap().1, Fact::Restarted { ruled: true });
    let told = table.facts.len();
    table.clock.entered(Mono::from_millis(table.now), &Order::Stop {});
    table.stop().wait(8000);
    assert_eq!(table.facts.len(), told, "the arbiter stopped it");
}

#[test]
fn ruled_times_that_were_not_set_are_noted_once() {
    let mut table = Table::new("5400+30");
    table.start().moves(2, 5000).wait(2000).stop().wait(1000);
    let set = SetClock { white_ms: 3_600_000, black_ms: 3_000_000, run: Run::White };
    table.clock.ruled(Mono::from_millis(table.now), set);
    table.observe();
    assert_eq!(table.published.last().unwrap().source, flagfall_events::ClockSource::Arbiter);
    table.start().wait(3000).stop().wait(1000).start().wait(1000);
    let noted = table.facts.iter().filter(|(_, f)| matches!(f, Fact::NotSet { ruled, .. } if *ruled == set)).count();
    assert_eq!(noted, 1);
    let mut table = Table::new("5400+30");
    table.start().moves(2, 5000).wait(2000).stop().wait(1000);
    let (white_ms, black_ms) = table.shown();
    table.clock.ruled(Mono::from_millis(table.now), SetClock { white_ms, black_ms, run: Run::White });
    table.start().wait(3000);
    assert!(!table.facts.iter().any(|(_, f)| matches!(f, Fact::NotSet { .. })), "{:?}", table.facts);
}

#[test]
fn a_late_start_is_told_after_a_minute_and_again_when_it_is_over() {
    let mut table = Table::new("5400+30");
    table.clock.schedule(Some(30_000));
    table.wait(80_000);
    table.quiet();
    table.wait(20_000);
    assert_eq!(table.facts[0], (90_000, Fact::LateStart { late_ms: 60_000 }));
    table.wait(50_000).start();
    assert!(matches!(table.facts[1].1, Fact::LateStartOver { lost_ms: 120_000, .. }), "{:?}", table.facts);
    let mut table = Table::new("5400+30");
    table.clock.schedule(Some(30_000));
    table.wait(40_000).start().wait(80_000);
    table.quiet();
}

#[test]
fn default_time_counts_from_the_actual_start_and_only_for_who_has_to_move() {
    let half_hour = |s: &mut Settings| s.default_time = Some(Duration::from_secs(1800));
    let mut table = Table::with("5400+30", "5400+30", half_hour);
    table.wait(60_000).start().wait(1_799_000);
    table.quiet();
    table.wait(2000);
    assert!(matches!(table.facts[..], [(_, Fact::DefaultTime { by: Colour::White, .. })]), "{:?}", table.facts);
    let mut table = Table::with("5400+30", "5400+30", half_hour);
    table.start().play(5000).wait(1_800_000);
    assert!(matches!(table.facts[..], [(_, Fact::DefaultTime { by: Colour::Black, .. })]), "{:?}", table.facts);
    let mut table = Table::with("5400+30", "5400+30", half_hour);
    table.clock.entered(Mono::ZERO, &Order::Arrived { by: Colour::White });
    table.start().wait(1_805_000);
    table.quiet();
}

#[test]
fn black_s_clock_that_ran_first_is_told() {
    let mut table = Table::new("5400+30");
    table.device = ChessClock::new("5400+30".parse().unwrap(), PeriodChange::AtMove, Physical::Right);
    table.report();
    table.start().wait(5000);
    assert!(matches!(table.facts[..], [(_, Fact::WrongSideStarted { .. })]), "{:?}", table.facts);
}

#[test]
fn presses_that_contradict_the_configured_side_are_taken_as_the_board_shows_them() {
    let mut table = Table::with("5400+30", "5400+30", |s| s.clock_white = ClockWhite::Right);
    table.start().moves(3, 5000);
    assert!(table.has(&Fact::Sides { configured_left: false }), "{:?}", table.facts);
    let colours: Vec<Colour> = table.presses.iter().map(|p| table.clock.colour(p.side)).collect();
    assert_eq!(colours[..4], [Colour::White, Colour::Black, Colour::White, Colour::Black]);
}

#[test]
fn of_an_unknown_time_control_only_what_needs_no_knowledge_is_judged() {
    for device in ["5400+30", "300", "900+d10", "900+b5", "4/60+2:90+2"] {
        let mut table = Table::with(device, "", |_| {});
        table.start().moves(8, 4300);
        assert!(table.facts.is_empty(), "{device}: {:?}", table.facts);
    }
    let mut table = Table::with("5400+30", "", |_| {});
    table.start().moves(3, 5000).wait(2200).fail(ClockFault::Jump(-60)).wait(4000);
    assert_eq!(table.faults(), [FaultKind::Jump { gained_s: -60 }]);
}

#[test]
fn a_running_clock_is_told_every_ten_seconds_and_not_every_tick() {
    let mut table = Table::new("5400+30");
    table.start();
    let before = table.published.len();
    table.wait(60_000);
    assert_eq!(table.published.len() - before, 6);
}

#[test]
fn a_clock_that_is_gone_is_an_alarm_until_it_is_back() {
    let mut table = Table::new("5400+30");
    table.start().moves(1, 5000);
    table.clock.report(Mono::from_millis(table.now), &ClockReport::NoClock);
    table.wait(3000);
    table.quiet();
    table.clock.report(Mono::from_millis(table.now), &ClockReport::NoClock);
    table.deaf = true;
    table.wait(2000);
    assert_eq!(table.facts[0].1, Fact::Alarm { key: AlarmKey::ClockLost, state: AlarmState::Raised });
    table.deaf = false;
    table.wait(3000);
    assert_eq!(table.facts[1].1, Fact::Alarm { key: AlarmKey::ClockLost, state: AlarmState::Cleared });
}

#[test]
fn a_lever_that_goes_over_while_the_clock_is_set_presses_nothing() {
    for (runs, over) in [(Colour::White, Physical::Right), (Colour::Black, Physical::Left)] {
        let mut table = Table::new("180+2");
        table.start().moves(3, 5000);
        if runs == Colour::Black {
            table.play(5000);
        }
        table.wait(3000);
        let pressed = table.presses.len();
        table.device = ChessClock::new("180+2".parse().unwrap(), PeriodChange::AtMove, over);
        table.report();
        assert_eq!(table.presses.len(), pressed, "{runs:?} was to press");
    }
}

#[test]
fn a_clock_that_is_stopped_right_after_a_press_was_pressed() {
    let mut table = Table::new("180+2");
    table.start().moves(3, 5000).wait(1500);
    let pressed = table.presses.len();
    table.device.press(table.now * 1000, Physical::Left);
    table.device.stop(table.now * 1000);
    table.report();
    assert_eq!(table.presses.len(), pressed + 1);
}
