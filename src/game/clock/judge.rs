//! The clock sum (6.10): while every press adds its bonus, what both sides show and what ran is what was agreed. What is left over names the fault.
//!
//! Seconds that come at a press are increments or the next period before they are anything else; times that change on a clock that stands are
//! the arbiter's. Nothing is said on one reading, and of a fault in the setting nothing on one turn.
use crate::clock::doubt::Doubt;
use crate::clock::instead::{Instead, instead};
use crate::clock::sides::{Side, Sides};
use crate::clock::track::Seen;
use crate::clock::turn::{Model, Turn};
use crate::clock::{Clock, Fact, Fault, FaultKind};
use alloc::vec::Vec;
use flagfall_events::{Colour, Mono, Period};

/// Turns kept that the agreed bonus does not explain.
const MOST_MISFITS: usize = 16;
/// After a fault, how many plies another one waits: it may be the same.
const QUIET_PLIES: u32 = 12;
/// So many seconds that the other display went down in one turn are its own.
const BOTH_RAN: i64 = 3;
/// A display that runs has stepped by then.
const STEP_MS: u64 = 1_500;
/// A display that stood this long in all.
const STOOD_MS: u64 = 5_000;

impl Clock {
    /// How much Black's display has lost since it first ran, milliseconds.
    pub(crate) fn black_lost_ms(&self) -> i64 {
        let black = self.white.other();
        let now = self.track.shown().map_or(0, |shown| shown[black]);
        self.judge.start.map_or(0, |(start, _)| (start[black] - now).max(0) * 1000)
    }

    pub(crate) fn judge_reading(&mut self, now: Mono, seen: &Seen, first: bool) {
        let Some(shown) = self.track.shown() else { return };
        if first || seen.edited {
            self.begin_sum(now, shown);
        }
        if seen.edited {
            self.judge.set_again();
            self.judge.base_checked |= self.track.presses != Sides::default();
            self.flags.set_again();
        }
        if first && self.progress.total() > 0 {
            // What was pressed while nobody listened is taken for right.
            let completed = self.progress.completed;
            self.track.presses = Sides::of(|side| completed[self.colour(side) as usize]);
            self.judge.base_checked = true;
            self.judge.drift.forget();
        }
        // What is found now is told with the times after this press.
        if let Some(lift) = &seen.press {
            self.reckon_press(lift.side, lift.ran_ms);
        }
        if let Some(turn) = &seen.turn {
            self.judge_turn(now, turn);
        }
        if let Some(got) = seen.bonus_at_zero {
            self.bonus_at_zero(now, got);
        }
        if let Some(gains) = seen.jump {
            let side = if gains[Side::Left].abs() >= gains[Side::Right].abs() { Side::Left } else { Side::Right };
            let both = gains[Side::Left] != 0 && gains[Side::Right] != 0;
            let by = (!both).then(|| self.colour(side));
            self.fault(now, FaultKind::Jump { gained_s: gains[side] }, by);
        }
        if seen.hidden_pair {
            self.reckon_hidden_pair();
        }
        if let Some((stood, from_start)) = seen.stood {
            self.judge_stood(now, stood, from_start);
        }
        if let Some(seconds) = seen.other_ran {
            self.judge.other_ran += seconds;
        }
        if let Some((seconds, ms)) = seen.step {
            if seconds == 0 {
                self.judge.drift.turn();
            }
            self.judge.drift.step(seconds, ms);
            self.judge.steps += 1;
            if let Some(ppm) = self.judge.drift.ppm() {
                self.fault_doubted(now, FaultKind::Drift { ppm }, None, Doubt::Small);
            }
        }
        // Inside its delay the running display stands by right.
        let holds = |(side, ran): (Side, u64)| self.agreed(side).is_some_and(|model| ran <= model.holds_ms() + STEP_MS);
        let counts = self.judge.steps >= 2 || self.track.turn(now).is_some_and(holds);
        if self.judge.other_ran >= BOTH_RAN && counts {
            self.fault(now, FaultKind::BothRun, None);
        } else if self.judge.other_ran >= 2 * BOTH_RAN && self.judge.steps == 0 {
            // Only the wrong display counts.
            self.fault(now, FaultKind::Lever, None);
        }
        if seen.press.is_some() {
            self.judge.other_ran = 0;
            self.judge.steps = 0;
        }
    }

    /// The clock runs for the first time in this game: what it showed is its base time.
    pub(crate) fn first_run(&mut self, seen_before: bool) {
        if self.is_set
            && self.judge.start.is_none()
            && let Some(shown) = self.track.shown()
        {
            self.judge.start = Some((shown, seen_before));
            self.judge.sum.set(Sides::of(|side| shown[side] * 1000));
        }
    }

    /// The game is under way, and nobody here saw it begin: what the clock shows is no base time.
    pub(crate) const fn base_is_unknown(&mut self) {
        self.judge.base_checked = true;
    }

    /// 6.10.2: both displays must have shown the base time, with or without the first increment.
    fn check_base(&mut self, now: Mono, first_turn: &Turn) {
        self.judge.base_checked = true;
        let (Some((start, fresh)), Some(control)) = (self.judge.start, &self.control) else { return };
        // Other times were ruled before the first move.
        if self.start_is_ruled() {
            return;
        }
        let Period { base_s, bonus_s, .. } = control.periods()[0];
        let (base, full) = (i64::from(base_s), i64::from(base_s) + i64::from(bonus_s));
        let mut wrong = Vec::new();
        for side in Side::BOTH {
            let seen = start[side];
            let right = [base, full].iter().any(|right| (right - seen).abs() <= 2);
            // Nobody saw how long it had run.
            if right || (!fresh && side == first_turn.side && seen < full) {
                continue;
            }
            let minutes = |right: i64| (seen - right) % 60 == 0;
            let expected = if minutes(base) && !minutes(full) { base } else { full };
            wrong.push((side, expected, seen));
        }
        let Some(&(side, expected_s, seen_s)) = wrong.first() else { return };
        for &(side, expected, seen) in &wrong {
            self.judge.sum.owe(side, (expected - seen) * 1000);
        }
        let by = (wrong.len() == 1).then(|| self.colour(side));
        self.fault(now, FaultKind::Base { expected_s, seen_s }, by);
    }

    fn judge_turn(&mut self, now: Mono, turn: &Turn) {
        let side = turn.side;
        let (standing, _) = self.track.left(side, now, &self.expected());
        let Some(agreed) = self.agreed(side).filter(|_| self.progress.playing) else {
            self.judge.sum.set_side(side, standing);
            return;
        };
        let mut turn = *turn;
        self.judge_bonus(now, &mut turn, agreed);
        if !self.judge.base_checked {
            self.check_base(now, &turn);
        }
        // Nothing is left that could run.
        if turn.unclear || turn.before <= 0 {
            self.judge.sum.agrees(side, standing, 2_000);
            return;
        }
        let by_moves = self.model_by_moves(turn.number);
        if agreed.fits(&turn) || by_moves.is_some_and(|model| model.fits(&turn)) {
            self.turn_fits(now, side, agreed, standing);
            return;
        }
        let over = turn.given() - agreed.adds(turn.ran_ms);
        let stood = agreed.loses_ms(turn.ran_ms) as i64 - turn.drop() * 1000;
        if stood >= 3_000 && over.abs() <= 1 {
            self.judge.stood_ms += u64::try_from(stood).unwrap_or(0);
            if self.judge.stood_ms >= STOOD_MS {
                let stood_ms = self.judge.stood_ms;
                self.fault(now, FaultKind::Freeze { stood_ms }, None);
            }
            return;
        }
        if turn.given() <= -3 {
            let by = self.colour(side);
            self.fault(now, FaultKind::Jump { gained_s: over }, Some(by));
            return;
        }
        self.misfit(now, turn, agreed);
    }

    fn turn_fits(&mut self, now: Mono, side: Side, agreed: Model, standing: i64) {
        let mut own = self.judge.misfits.iter().filter(|turn| turn.side == side);
        let single = match (own.next(), own.next()) {
            (Some(one), None) => Some(one.given() - agreed.adds(one.ran_ms)).filter(|gained| *gained >= 4),
            _ => None,
        };
        self.judge.misfits.retain(|turn| turn.side != side);
        self.judge.fits[side] += 1;
        if let Some(gained_s) = single {
            let by = self.colour(side);
            self.fault(now, FaultKind::Jump { gained_s }, Some(by));
        }
        self.judge.sum.agrees(side, standing, 1_500);
    }

    fn misfit(&mut self, now: Mono, turn: Turn, agreed: Model) {
        let side = turn.side;
        let row = &mut self.judge.misfits;
        row.push(turn);
        if row.len() > MOST_MISFITS {
            row.remove(0);
        }
        let Instead::Is(model, doubt) = instead(agreed, row) else { return };
        let kind = match (agreed, model) {
            (Model::Fischer(_), Model::Delay(_) | Model::Bronstein(_)) => FaultKind::DelayInstead,
            (_, Model::Nothing) => FaultKind::NoBonus,
            (Model::Fischer(expected_s), Model::Fischer(seen_s)) => FaultKind::Amount { expected_s, seen_s },
            (Model::Nothing, Model::Fischer(seen_s)) => FaultKind::Amount { expected_s: 0, seen_s },
            (_, Model::Fischer(_)) => FaultKind::IncrementInstead,
            (_, model) => FaultKind::OtherDelay { bronstein: matches!(model, Model::Bronstein(_)) },
        };
        self.first_increment(agreed);
        let alone = self.judge.misfits.iter().all(|turn| turn.side == side) && self.judge.fits[side.other()] > 0;
        let by = alone.then(|| self.colour(side));
        self.fault_doubted(now, kind, by, doubt);
    }

    /// An increment that was not set is missing before the first move too.
    fn first_increment(&mut self, agreed: Model) {
        let (Model::Fischer(bonus), Some((start, _)), Some(control)) = (agreed, self.judge.start, &self.control) else { return };
        let base = i64::from(control.periods()[0].base_s);
        for side in Side::BOTH {
            if (start[side] - base).abs() <= 1 && bonus > 2 && !self.judge.told.contains(&"first") {
                self.judge.sum.owe(side, i64::from(bonus) * 1000);
            }
        }
        self.judge.told.push("first");
    }

    fn judge_stood(&mut self, now: Mono, stood: u64, from_start: bool) {
        let Some((side, _)) = self.track.turn(now) else { return };
        let excess = match self.agreed(side) {
            // An increment that is a delay: the turns will tell.
            Some(Model::Fischer(s)) if from_start && stood <= u64::from(s) * 1000 + 1_500 => return,
            Some(model) if from_start => stood.saturating_sub(model.holds_ms()),
            None if from_start && self.has_bonus(side) => return,
            _ => stood,
        };
        self.judge.stood_ms += excess;
        if self.judge.stood_ms >= STOOD_MS {
            let stood_ms = self.judge.stood_ms;
            self.fault(now, FaultKind::Freeze { stood_ms }, None);
        }
    }

    /// The clock shows that it adds or holds back time with every move.
    pub(crate) fn has_bonus(&self, side: Side) -> bool {
        self.reading.is_some_and(|r| match side {
            Side::Left => r.left.per_move,
            Side::Right => r.right.per_move,
        })
    }

    /// Presses to add to the clock's counter: White, Black.
    pub(crate) fn press_counter(&self) -> [i32; 2] {
        [Colour::White, Colour::Black].map(|by| {
            let presses = self.track.presses[self.side(by)];
            let (made, completed) = (self.progress.made[by as usize], self.progress.completed[by as usize]);
            let count = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
            count(completed.max(made.min(presses))) - count(presses)
        })
    }

    /// What no right clock can show, however late its reports are.
    pub(crate) fn fault(&mut self, now: Mono, kind: FaultKind, side: Option<Colour>) {
        self.fault_doubted(now, kind, side, Doubt::None);
    }

    pub(crate) fn fault_doubted(&mut self, now: Mono, kind: FaultKind, side: Option<Colour>, doubt: Doubt) {
        if !self.progress.playing {
            return;
        }
        let plies = self.progress.total();
        if plies >= self.judge.quiet_until {
            self.judge.told.retain(|word| *word != "jump");
        }
        if self.judge.told.contains(&kind.word()) || plies < self.judge.quiet_until {
            return;
        }
        self.judge.told.push(kind.word());
        self.judge.quiet_until = plies + QUIET_PLIES;
        self.judge.stood_ms = 0;
        if matches!(kind, FaultKind::Drift { .. } | FaultKind::Freeze { .. } | FaultKind::BothRun)
            || (kind == FaultKind::Lever && side.is_none())
        {
            self.judge.sum.believe_own_time();
        }
        self.say_fault(now, kind, side, doubt);
    }

    pub(crate) fn say_fault(&mut self, now: Mono, kind: FaultKind, side: Option<Colour>, doubt: Doubt) {
        if self.shown().is_none() {
            return;
        }
        let correct = match kind {
            FaultKind::BonusMissing { .. } if side.is_none() => self.correct_pair_with_period(now),
            _ => self.correct_pair(now),
        };
        let bonus_s = self.control.as_ref().map_or(0, |control| control.periods()[0].bonus_s);
        let fault = Fault { kind, side, doubt, correct, running: self.running(), presses: self.press_counter(), bonus_s };
        self.facts.push_back(Fact::Fault(fault));
    }
}
