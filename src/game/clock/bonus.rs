//! The next period's time: with its move, when nothing is left, too early, another, or not at all (6.3.1, 6.10.2).
use super::sides::{Side, Sides};
use super::turn::{Model, Turn};
use super::{Clock, Fact, FaultKind};
use crate::time::Mono;

/// Added seconds above the bonus that may be another period's.
const LARGE: i64 = 10;
/// A bonus that neither side has got so many moves after it was due.
const LATE_MOVES: u32 = 3;

impl Clock {
    /// The bonus of the period that this move belongs to.
    pub(super) fn model_by_moves(&self, number: u32) -> Option<Model> {
        let periods = self.control.as_ref()?.periods();
        let mut upto = 0_u32;
        for period in periods {
            upto = upto.saturating_add(period.moves.unwrap_or(u32::MAX));
            if number <= upto {
                return Some(Model::of(period));
            }
        }
        None
    }

    /// The next period's time: at the press of the period's last move, or when nothing is left. Returns the seconds that belong to it.
    pub(super) fn judge_bonus(&mut self, now: Mono, turn: &mut Turn, agreed: Model) -> i64 {
        let side = turn.side;
        let Some(control) = self.control.clone() else { return 0 };
        let periods = control.periods();
        let index = self.judge.period(side);
        let Some(next) = periods.get(index + 1) else { return 0 };
        let last: u32 = periods[..=index].iter().map(|p| p.moves.unwrap_or(0)).sum();
        let by = self.colour(side);
        let made = self.progress.made[by as usize];
        let at_last = turn.number == last || made == last;
        let base = i64::from(next.base_s);
        let over = turn.given() - agreed.adds(turn.ran_ms);
        if base >= LARGE && (over - base).abs() <= 2 {
            turn.after -= base;
            self.judge.periods[side] += 1;
            self.judge.counts = Some(true);
            self.judge.due[side] = None;
            if !at_last {
                self.fault(
                    now,
                    FaultKind::BonusAtWrongMove { at_move: made.max(turn.number), expected_move: last, bonus_s: base },
                    Some(by),
                );
            } else {
                self.other_bonus_is_missing(now, side.other());
            }
            return base;
        }
        if !at_last {
            self.neither_got_it(now, turn.number);
            return 0;
        }
        self.judge.due[side] = Some(last);
        if over >= LARGE {
            turn.after -= over;
            self.judge.periods[side] += 1;
            self.judge.correct[side] += base * 1000;
            self.fault(now, FaultKind::BonusAmount { expected_s: base, seen_s: over }, Some(by));
            self.judge.correct[side] -= base * 1000;
            return base;
        }
        if self.judge.counts == Some(true) {
            self.bonus_is_missing(now, side);
        }
        0
    }

    /// The opponent got his bonus by the count: the clock counts, and this side's did not come.
    fn other_bonus_is_missing(&mut self, now: Mono, side: Side) {
        if self.judge.due[side].is_some() {
            self.bonus_is_missing(now, side);
        }
    }

    fn bonus_is_missing(&mut self, now: Mono, side: Side) {
        let Some(after_move) = self.judge.due[side].take() else { return };
        let Some(expected_s) = self.expected()[side].next_base else { return };
        self.judge.correct[side] += expected_s * 1000;
        let by = self.colour(side);
        self.fault(now, FaultKind::BonusMissing { after_move, expected_s }, Some(by));
    }

    /// Three moves later neither side has got it, on a clock that was never seen to add it when nothing is left: a note, since it may do so.
    fn neither_got_it(&mut self, now: Mono, number: u32) {
        let (Some(left), Some(right)) = (self.judge.due[Side::Left], self.judge.due[Side::Right]) else { return };
        if self.judge.counts.is_some() || number < left.max(right) + LATE_MOVES || self.judge.withheld != Sides::default() {
            return;
        }
        let expected = self.expected();
        self.judge.withheld = Sides::of(|side| expected[side].next_base.unwrap_or(0));
        let expected_s = self.judge.withheld[Side::Left];
        self.say_fault(now, FaultKind::BonusMissing { after_move: left, expected_s }, None);
    }

    pub(super) fn bonus_at_zero(&mut self, now: Mono, side: Side) {
        self.judge.counts = Some(false);
        if std::mem::take(&mut self.judge.withheld) != Sides::default() {
            self.facts.push_back(Fact::BonusCame);
        }
        let expected = self.expected();
        for side in [side, side.other()] {
            let Some(base) = expected[side].next_base else { continue };
            let (left, _) = self.track.left(side, now, &expected);
            // Some clocks give it to both when the first has nothing left.
            if (left - self.correct_now(side, now) - base * 1000).abs() <= 3_000 {
                self.judge.periods[side] += 1;
                self.judge.correct[side] += base * 1000;
                self.judge.due[side] = None;
                self.judge.at_zero[side] = Some(now);
            }
        }
    }
}
