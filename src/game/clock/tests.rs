//! The clock authority against a clock of software, in simulated time.
use super::*;
use crate::game::entry::{Order, Run, SetClock};
use crate::simulator::clock::{ChessClock, PeriodChange, Side as Physical};
use crate::simulator::clock_fault::ClockFault;
use std::time::Duration;

/// A table with a clock: players press it, reports go to the authority.
struct Table {
    device: ChessClock,
    clock: Clock,
    now: u64,
    progress: Progress,
    facts: Vec<(u64, Fact)>,
    presses: Vec<Pressed>,
    said: Option<ClockTimes>,
    published: Vec<ClockState>,
    /// Reports are lost while this holds.
    deaf: bool,
}

impl Table {
    fn new(control: &str) -> Self {
        Self::with(control, control, |_| {})
    }

    /// The clock is set to `device`, agreed was `agreed` (empty: unknown).
    fn with(device: &str, agreed: &str, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings { time_control: agreed.parse().ok(), clock_white: ClockWhite::Left, ..Settings::default() };
        change(&mut settings);
        let mut table = Self {
            device: ChessClock::new(device.parse().unwrap(), PeriodChange::AtMove, Physical::Left),
            clock: Clock::new(&settings, 300),
            now: 0,
            progress: Progress { playing: true, white_first: true, ..Progress::default() },
            facts: Vec::new(),
            presses: Vec::new(),
            said: None,
            published: Vec::new(),
            deaf: false,
        };
        table.clock.new_game(Mono::ZERO);
        table.report();
        table
    }

    fn report(&mut self) {
        let times = self.device.report();
        if self.said == Some(times) || self.deaf {
            return;
        }
        self.said = Some(times);
        self.hear(times);
    }

    fn hear(&mut self, times: ClockTimes) {
        let now = Mono::from_millis(self.now);
        let changed = self.clock.report(now, &ClockReport::Time(times));
        self.presses.extend(changed.press);
        self.published.extend(self.clock.publish(now, changed));
        self.observe();
    }

    fn observe(&mut self) {
        let now = Mono::from_millis(self.now);
        self.clock.observe(now, self.progress);
        while let Some(fact) = self.clock.next_fact() {
            self.facts.push((self.now, fact));
        }
        self.published.extend(self.clock.publish(now, Changed::default()));
    }

    fn wait(&mut self, ms: u64) -> &mut Self {
        let end = self.now + ms;
        while self.now < end {
            let step = self.device.deadline().map(|us| us.div_ceil(1000));
            let due = self.clock.deadline().map(Mono::millis);
            let next = [step, due].into_iter().flatten().filter(|at| *at > self.now).min().unwrap_or(end).min(end);
            self.now = next;
            self.device.advance(self.now * 1000);
            self.report();
            self.observe();
        }
        self
    }

    fn start(&mut self) -> &mut Self {
        self.device.start(self.now * 1000);
        self.report();
        self
    }

    fn stop(&mut self) -> &mut Self {
        self.device.stop(self.now * 1000);
        self.report();
        self
    }

    fn side_to_press(&self) -> Colour {
        if self.device.report().lever == Lever::LeftHigh { Colour::White } else { Colour::Black }
    }

    fn lever(&mut self) -> &mut Self {
        let side = if self.side_to_press() == Colour::White { Physical::Left } else { Physical::Right };
        self.device.press(self.now * 1000, side);
        self.report();
        self
    }

    /// The move stands; nobody presses.
    fn made(&mut self) -> &mut Self {
        let by = self.progress.last.map_or(Colour::White, Colour::other);
        self.progress.made[by as usize] += 1;
        self.progress.last = Some(by);
        self.progress.completed = self.progress.made;
        self.observe();
        self
    }

    /// The player thinks, moves and presses.
    fn play(&mut self, ms: u64) -> &mut Self {
        self.wait(ms.saturating_sub(200));
        self.made();
        self.wait(ms.min(200));
        self.lever()
    }

    /// Moves of both, so long each.
    fn moves(&mut self, n: usize, ms: u64) -> &mut Self {
        for i in 0..2 * n as u64 {
            self.play(ms + 370 * (i % 5));
        }
        self
    }

    fn fail(&mut self, fault: ClockFault) -> &mut Self {
        self.device.fail(self.now * 1000, fault, Physical::Left);
        self
    }

    fn faults(&self) -> Vec<FaultKind> {
        self.facts.iter().filter_map(|(_, fact)| if let Fact::Fault(fault) = fact { Some(fault.kind) } else { None }).collect()
    }

    fn fault(&self) -> Fault {
        let faults: Vec<&Fault> =
            self.facts.iter().filter_map(|(_, f)| if let Fact::Fault(fault) = f { Some(fault) } else { None }).collect();
        assert_eq!(faults.len(), 1, "{:?}", self.facts);
        faults[0].clone()
    }

    fn quiet(&self) {
        assert!(self.facts.is_empty(), "{:?}", self.facts);
    }

    fn has(&self, wanted: &Fact) -> bool {
        self.facts.iter().any(|(_, fact)| fact == wanted)
    }

    fn shown(&self) -> (i64, i64) {
        let ms = |side| i64::from(self.device.shown(side)) * 1000;
        (ms(Physical::Left), ms(Physical::Right))
    }
}

const MS_30: i64 = 30_000;

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
    assert!(table.has(&Fact::Alarm { key: "clock-stale", state: AlarmState::Raised }));
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
    assert!(table.has(&Fact::Alarm { key: "clock-stale", state: AlarmState::Raised }));

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
    table.wait(4900);
    table.quiet();
    table.wait(1500);
    assert_eq!(table.facts.last().unwrap().1, Fact::Alarm { key: "clock-stale", state: AlarmState::Raised });
    table.wait(26_000);
    assert!(matches!(table.faults()[..], [FaultKind::Freeze { .. }]), "{:?}", table.facts);
    // The reports were late, not the clock: what was extrapolated says so.
    let estimate = table.published.iter().rev().find(|state| state.source == crate::game::event::ClockSource::Estimate);
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
    assert!(table.has(&Fact::Alarm { key: "clock-stale", state: AlarmState::Cleared }));
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
    table.clock.ruled(set);
    table.observe();
    assert_eq!(table.published.last().unwrap().source, crate::game::event::ClockSource::Arbiter);
    table.start().wait(3000).stop().wait(1000).start().wait(1000);
    let noted = table.facts.iter().filter(|(_, f)| matches!(f, Fact::NotSet { ruled, .. } if *ruled == set)).count();
    assert_eq!(noted, 1);
    let mut table = Table::new("5400+30");
    table.start().moves(2, 5000).wait(2000).stop().wait(1000);
    let (white_ms, black_ms) = table.shown();
    table.clock.ruled(SetClock { white_ms, black_ms, run: Run::White });
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
    assert_eq!(table.facts[0].1, Fact::Alarm { key: "clock-lost", state: AlarmState::Raised });
    table.deaf = false;
    table.wait(3000);
    assert_eq!(table.facts[1].1, Fact::Alarm { key: "clock-lost", state: AlarmState::Cleared });
}
