//! What the clock shows to be wrong becomes findings and alarms: Article 6.
use crate::clock::{Fact, Fault, FaultKind, Progress};
use crate::recogniser::kings;
use crate::referee::hearing::Hearing;
use crate::referee::reported::naming;
use crate::referee::state::Referee;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Body, Colour, Grade, PressCounter, Rules, Run, Status};
use flagfall_laws::Irregularity;
use flagfall_laws::irregularity::{BothFlags, Defect, FlagFall, FlagSeen, StopReason, WrongSetting};
use shakmaty::Square;

impl Hearing<'_> {
    pub(crate) fn clock_fact(&mut self, fact: Fact) {
        match fact {
            Fact::Fault(mut fault) => {
                fault.running = self.scene.clock.to_move();
                let irregularity = irregularity(&fault);
                self.find_now(irregularity);
            }
            Fact::NotSet { ruled, shown } => {
                let ruled = flagfall_events::ClockPair { white_ms: ruled.white_ms, black_ms: ruled.black_ms };
                self.find_now(Irregularity::RuledTimeNotSet { ruled, shown });
            }
            Fact::Unset { correct } => {
                let run = run_of(self.scene.clock.to_move());
                self.find_now(Irregularity::ClockUnset { times: correct, run });
            }
            Fact::IsSet => self.withdraw(|i| matches!(i, Irregularity::ClockUnset { .. })),
            Fact::Alarm { key, state } => self.say(Body::alarm(key, state)),
            Fact::BonusCame => self
                .withdraw(|i| matches!(i, Irregularity::ClockSetting { setting: WrongSetting::Period { by: None, early: false, .. }, .. })),
            Fact::Stopped => self.stopped(),
            Fact::Restarted { ruled } => {
                self.withdraw(|i| matches!(i, Irregularity::ClockStopped { .. }));
                if !ruled {
                    self.find_now(Irregularity::ClockRestarted);
                }
            }
            Fact::Sides { configured_left } => self.find_now(Irregularity::ClockSide { white_is_left: configured_left }),
            Fact::WrongSideStarted { ran_ms } => self.find_now(Irregularity::WrongSideStarted { ran_ms }),
            Fact::WrongSideWithdrawn => self.withdraw(|i| matches!(i, Irregularity::WrongSideStarted { .. })),
            Fact::LateStart { late_ms } => self.find_now(Irregularity::LateStart { late_ms, started: None, ruled: false }),
            Fact::LateStartOver { lost_ms, shown, ruled } => {
                let now = Irregularity::LateStart { late_ms: lost_ms, started: Some(shown), ruled };
                self.revise_or_find(now, |i| matches!(i, Irregularity::LateStart { .. }));
            }
            Fact::DefaultTime { by, since_start_ms } => self.absent(by, since_start_ms),
            Fact::Arrived { by, since_start_ms, late } => {
                let known = self.own.findings.open().any(|f| matches!(f.irregularity, Irregularity::DefaultTime { by: b, .. } if b == by));
                if late && !known {
                    self.absent(by, since_start_ms);
                }
            }
            Fact::NeitherPresent { lost_ms, arrived } => {
                let ruled = self.scene.clock.late_start_is_ruled();
                let now = Irregularity::NeitherPresent { lost_ms, arrived, ruled };
                self.revise_or_find(now, |i| matches!(i, Irregularity::NeitherPresent { .. }));
            }
            Fact::FlagFall { by, bit, completed, required } => {
                let seen = if bit { FlagSeen::FlagBit } else { FlagSeen::Zero };
                self.flag_fell(by, seen, completed, required);
            }
            Fact::BothFlags { first, last_period } => self.both_flags(first, last_period),
            Fact::LeverCheck { by } => self.find_now(Irregularity::LeverCheck { by }),
        }
    }

    /// What a wrong clock should show, as it is now.
    pub(crate) fn clock_times_now(&mut self) {
        let (correct, with_period) =
            (self.scene.clock.correct_pair(self.scene.now), self.scene.clock.correct_pair_with_period(self.scene.now));
        let [white, black] = self.scene.clock.press_counter();
        // On a clock that stands: the player to move, whose time goes on.
        let run = run_of(self.scene.clock.to_move());
        for found in self.own.findings.found.iter_mut().filter(|found| found.closed.is_none()) {
            match &mut found.irregularity {
                Irregularity::ClockDefect { times: Some(times), run: known, .. } => (*times, *known) = (correct, run),
                Irregularity::ClockSetting { setting, times: Some(times), run: known, press_counter, .. } => {
                    let at_zero = matches!(setting, WrongSetting::Period { by: None, early: false, .. });
                    *times = if at_zero { with_period } else { correct };
                    (*known, *press_counter) = (run, PressCounter { white, black });
                }
                _ => {}
            }
        }
    }

    fn find_now(&mut self, irregularity: Irregularity) {
        self.find(irregularity, self.own.evidence_from);
    }

    pub(crate) fn revise_or_find(&mut self, now: Irregularity, same: impl Fn(&Irregularity) -> bool) {
        let known = self.own.findings.open().find(|found| same(&found.irregularity)).map(|found| found.id);
        match known {
            Some(id) => self.update_finding(id, |known| *known = now),
            None => self.find_now(now),
        }
    }

    fn absent(&mut self, by: Colour, absent_ms: u64) {
        let default_ms = self.scene.clock.default_time_ms();
        self.find_now(Irregularity::DefaultTime { by, default_ms, absent_ms, entered: false });
    }

    /// 6.7.1: the arbiter has seen that this player is absent: what was a hint is a proposal, which waits for his ruling.
    pub(crate) fn absence_entered(&mut self, by: Colour, ruling: Body) {
        let hint = |i: &Irregularity| matches!(i, Irregularity::DefaultTime { by: absent, .. } if *absent == by);
        let known = self.own.findings.open().find(|found| hint(&found.irregularity)).map(|found| found.id);
        match known {
            Some(id) => {
                self.say(naming(ruling, Some(id)));
                self.update_finding(id, |irregularity| {
                    if let Irregularity::DefaultTime { entered, .. } = irregularity {
                        *entered = true;
                    }
                });
            }
            None => {
                let default_ms = self.scene.clock.default_time_ms();
                let absent_ms = self.scene.clock.since_start_ms(self.scene.now).max(default_ms);
                let absent = Irregularity::DefaultTime { by, default_ms, absent_ms, entered: true };
                let id = self.find(absent, self.own.evidence_from);
                self.say(naming(ruling, id));
            }
        }
    }

    /// Times were ruled: where that was before the first move, what a late start or an absence took from White is settled by it.
    pub(crate) fn start_was_ruled(&mut self) {
        if !self.scene.clock.late_start_is_ruled() {
            return;
        }
        let settled = |i: &Irregularity| matches!(i, Irregularity::LateStart { .. } | Irregularity::NeitherPresent { .. });
        let open: Vec<u64> = self.own.findings.open().filter(|found| settled(&found.irregularity)).map(|found| found.id).collect();
        for id in open {
            self.update_finding(id, |irregularity| {
                if let Irregularity::LateStart { ruled, .. } | Irregularity::NeitherPresent { ruled, .. } = irregularity {
                    *ruled = true;
                }
            });
        }
    }

    /// 6.11.2: not where the arbiter is at the board already (7.4.2), and not while the kings show the result.
    fn stopped(&mut self) {
        let Some(play) = self.scene.play.filter(|p| !p.over) else { return };
        let expected = self.own.stop_is_expected(self.scene.now) || self.own.findings.open().any(|f| f.judgement.grade == Grade::Ruling);
        let ending = self.scene.ending || kings::shown(self.scene.image.placement(), play.expected()).is_some();
        if expected || ending {
            return;
        }
        let reason = match self.pawn_on_the_last_rank() {
            Some(square) => StopReason::Promotion { square },
            None if self.draw_may_be_claimed() => StopReason::DrawClaim,
            None => StopReason::Unknown,
        };
        self.find_now(Irregularity::ClockStopped { reason });
    }

    fn pawn_on_the_last_rank(&self) -> Option<Square> {
        // A board that knows no pieces reads every one alike.
        if self.scene.play.is_some_and(|play| play.occupancy()) {
            return None;
        }
        let stands = &self.scene.image.placement().0;
        let on = |square: &Square| match square.rank().to_u32() {
            7 => stands[square.to_usize()] == PieceCode::WhitePawn,
            0 => stands[square.to_usize()] == PieceCode::BlackPawn,
            _ => false,
        };
        Square::ALL.into_iter().find(on)
    }

    /// 6.4, 6.8: a flag is down; the arbiter rules.
    pub(crate) fn flag_fell(&mut self, by: Colour, seen: FlagSeen, completed: u32, required: Option<u32>) {
        let Some(play) = self.scene.play.filter(|p| !p.over) else { return };
        let fen = play.top().position.fen();
        let fact = FlagFall { by, seen, completed, required, fen, both_down: false };
        self.revise_or_find(Irregularity::FlagFall(fact), |i| matches!(i, Irregularity::FlagFall(known) if known.by == by));
    }

    /// 6.8: the arbiter saw it, or a player claimed it.
    pub(crate) fn flag_entered(&mut self, by: Colour, completed: u32) {
        let required = self.scene.clock.required(by);
        self.flag_fell(by, FlagSeen::Arbiter, completed, required);
    }

    /// A flag that fell while the game was taken to be over waits to be ruled on.
    pub(crate) fn fell_meanwhile(&mut self, then: &Referee) {
        for found in then.findings.open() {
            if matches!(found.irregularity, Irregularity::FlagFall(_) | Irregularity::BothFlags(_)) {
                self.find(found.irregularity.clone(), self.own.evidence_from);
            }
        }
    }

    /// III.3.1: which fell first decides, where that is known.
    fn both_flags(&mut self, first: Option<Colour>, last_period: bool) {
        let open = self.own.findings.open().find(|found| matches!(found.irregularity, Irregularity::FlagFall(_))).map(|found| found.id);
        if let Some(id) = open {
            self.update_finding(id, |i| {
                if let Irregularity::FlagFall(fact) = i {
                    fact.both_down = true;
                }
            });
        }
        if first.is_none() || self.scene.settings.rules == Rules::Russia116 {
            self.find_now(Irregularity::BothFlags(BothFlags { first, last_period }));
        }
    }

    /// Findings that the game itself has answered.
    pub(crate) fn no_longer_true(&mut self, progress: Progress) {
        let present = |by: Colour| progress.made[by as usize] > 0;
        let over = self.scene.play.is_some_and(|p| p.over);
        let gone: Vec<u64> = self
            .own
            .findings
            .open()
            .filter(|found| match &found.irregularity {
                Irregularity::DefaultTime { by, default_ms, absent_ms, entered } => present(*by) && absent_ms <= default_ms && !entered,
                Irregularity::ClockStopped { .. } => over,
                _ => false,
            })
            .map(|found| found.id)
            .collect();
        for id in gone {
            self.close(id, Status::Withdrawn);
        }
    }
}

const fn run_of(running: Option<Colour>) -> Run {
    match running {
        Some(Colour::White) => Run::White,
        Some(Colour::Black) => Run::Black,
        None => Run::Stopped,
    }
}

/// 6.10.1 and 6.10.2 in the rulebook's words.
fn irregularity(fault: &Fault) -> Irregularity {
    let ms = |seconds: i64| seconds.saturating_mul(1000);
    let run = run_of(fault.running);
    let [white, black] = fault.presses;
    let press_counter = PressCounter { white, black };
    let times = Some(fault.correct);
    let by = fault.side;
    let doubt_ppm = fault.doubt.ppm();
    let setting = |setting| Irregularity::ClockSetting { setting, times, run, press_counter, doubt_ppm };
    let defect = |defect| Irregularity::ClockDefect { defect, times, run, doubt_ppm };
    let running = fault.running.unwrap_or(Colour::White);
    let agreed = ms(i64::from(fault.bonus_s));
    match fault.kind {
        FaultKind::Base { expected_s, seen_s } => setting(WrongSetting::Base { by, off_ms: ms(seen_s - expected_s) }),
        FaultKind::NoBonus => setting(WrongSetting::NoIncrement { should_ms: agreed }),
        FaultKind::Amount { expected_s, seen_s } => {
            setting(WrongSetting::Increment { is_ms: ms(i64::from(seen_s)), should_ms: ms(i64::from(expected_s)) })
        }
        FaultKind::DelayInstead => setting(WrongSetting::DelayForIncrement { should_ms: agreed }),
        FaultKind::IncrementInstead => setting(WrongSetting::IncrementForDelay { should_ms: agreed }),
        FaultKind::OtherDelay { bronstein } => setting(WrongSetting::OtherDelay { bronstein, should_ms: agreed }),
        FaultKind::BonusMissing { after_move, expected_s } => {
            setting(WrongSetting::Period { by, at_move: after_move, early: false, bonus_ms: ms(expected_s) })
        }
        FaultKind::BonusAtWrongMove { at_move, expected_move, bonus_s } => {
            setting(WrongSetting::Period { by, at_move: expected_move, early: at_move < expected_move, bonus_ms: ms(bonus_s) })
        }
        FaultKind::BonusAmount { expected_s, seen_s } => {
            setting(WrongSetting::PeriodTime { by, is_ms: ms(seen_s), should_ms: ms(expected_s) })
        }
        FaultKind::Drift { ppm } => defect(Defect::Drift { per_mille: ppm / 1000 }),
        FaultKind::Jump { gained_s } => defect(Defect::Jump { by: by.unwrap_or(running), by_ms: ms(gained_s) }),
        FaultKind::Freeze { stood_ms } => defect(Defect::Frozen { by: running, for_ms: stood_ms }),
        FaultKind::BothRun => defect(Defect::BothRun),
        FaultKind::Exchanged { before, shown } => setting(WrongSetting::Exchanged { before, shown }),
        FaultKind::Lever => defect(Defect::Lever { by }),
    }
}
