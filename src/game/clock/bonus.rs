//! The next period's time: with its move, when nothing is left, too early, another, or not at all (6.3.1, 6.10.2).
use crate::clock::doubt::Doubt;
use crate::clock::sides::{Side, Sides};
use crate::clock::turn::{Model, Turn};
use crate::clock::{Clock, Fact, FaultKind};
use flagfall_events::Mono;

/// Added seconds above the bonus that may be another period's.
const LARGE: i64 = 10;
/// A bonus that neither side has got so many moves after it was due.
const LATE_MOVES: u32 = 3;

impl Clock {
    /// The bonus of the period that this move belongs to.
    pub(crate) fn model_by_moves(&self, number: u32) -> Option<Model> {
        Some(Model::of(self.control.as_ref()?.period_of(number)?))
    }

    /// The next period's time: at the press of the period's last move, or when nothing is left.
    pub(crate) fn judge_bonus(&mut self, now: Mono, turn: &mut Turn, agreed: Model) {
        let side = turn.side;
        let Some(control) = self.control.clone() else { return };
        let periods = control.periods();
        let index = self.judge.period(side);
        let Some(next) = periods.get(index + 1) else { return };
        let last: u32 = periods[..=index].iter().map(|p| p.moves.unwrap_or(0)).sum();
        let by = self.colour(side);
        let made = self.progress.made[by as usize];
        let at_last = turn.number == last || made == last;
        let base = i64::from(next.base_s);
        // A wrong increment comes at this press as it came at the last one.
        let over = turn.given() - agreed.adds(turn.ran_ms) - self.usual_surplus(side, agreed);
        if base >= LARGE && (over - base).abs() <= 2 {
            turn.after -= base;
            self.got_period(side, base);
            self.judge.counts = Some(true);
            self.judge.withheld = Sides::default();
            if at_last {
                self.other_bonus_is_missing(now, side.other());
            } else {
                let kind = FaultKind::BonusAtWrongMove { at_move: made.max(turn.number), expected_move: last, bonus_s: base };
                self.fault(now, kind, Some(by));
            }
        } else if !at_last {
            self.neither_got_it(now, turn.number);
        } else if over >= LARGE {
            turn.after -= over;
            self.got_period(side, base);
            self.fault(now, FaultKind::BonusAmount { expected_s: base, seen_s: over }, Some(by));
        } else {
            self.judge.due[side] = Some(last);
            if self.judge.counts == Some(true) {
                self.bonus_is_missing(now, side);
            }
        }
    }

    /// The next period's time that belongs to the press read last, milliseconds: its turn is judged with the next reading only.
    pub(crate) fn period_at_press(&self, side: Side) -> i64 {
        let Some(turn) = self.track.pending.filter(|turn| turn.side == side) else { return 0 };
        let (Some(agreed), Some(control)) = (self.agreed(side), &self.control) else { return 0 };
        let index = self.judge.period(side);
        let Some(next) = control.periods().get(index + 1) else { return 0 };
        let last: u32 = control.periods()[..=index].iter().map(|p| p.moves.unwrap_or(0)).sum();
        let at_last = turn.number == last || self.progress.made[self.colour(side) as usize] == last;
        let base = i64::from(next.base_s);
        let over = turn.given() - agreed.adds(turn.ran_ms) - self.usual_surplus(side, agreed);
        let came = base >= LARGE && (over - base).abs() <= 2;
        let due = at_last && (over >= LARGE || self.judge.counts == Some(true));
        if came || due { base * 1000 } else { 0 }
    }

    /// What this side's last press added that its bonus does not explain, seconds.
    fn usual_surplus(&self, side: Side, agreed: Model) -> i64 {
        let last = self.judge.misfits.iter().rev().find(|turn| turn.side == side);
        last.map_or(0, |turn| turn.given() - agreed.adds(turn.ran_ms))
    }

    /// The next period has begun for this side, with so many seconds.
    fn got_period(&mut self, side: Side, base_s: i64) {
        self.judge.got[side] += 1;
        self.begin_period(side, base_s);
    }

    /// This side has a right to the next period's time, whether it got it or not.
    fn begin_period(&mut self, side: Side, base_s: i64) {
        self.judge.sum.owed[side] += 1;
        self.judge.sum.owe(side, base_s * 1000);
        self.judge.due[side] = None;
        self.judge.withheld[side] = 0;
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
        self.begin_period(side, expected_s);
        let by = self.colour(side);
        self.fault(now, FaultKind::BonusMissing { after_move, expected_s }, Some(by));
    }

    /// Nothing is left, the moves of the period are completed, and its time did not come: not by the count either, so the other side, whose
    /// time was due at its move, did not get it too.
    pub(crate) fn bonus_did_not_come(&mut self, now: Mono, side: Side) {
        let by = self.colour(side);
        let after_move = self.required(by).unwrap_or(0);
        let expected = self.expected();
        let Some(expected_s) = expected[side].next_base else { return };
        // Told before, when the opponent got his.
        if self.judge.sum.owed[side] > self.judge.got[side] {
            return;
        }
        self.begin_period(side, expected_s);
        let other = side.other();
        if self.judge.counts.is_none()
            && self.judge.due[other].is_some()
            && let Some(next_s) = expected[other].next_base
        {
            self.begin_period(other, next_s);
        }
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
        self.say_fault(now, FaultKind::BonusMissing { after_move: left, expected_s }, None, Doubt::None);
    }

    /// These sides got the next period's time when one of them had none left: some clocks give it to both then.
    pub(crate) fn bonus_at_zero(&mut self, now: Mono, got: Sides<bool>) {
        self.judge.counts = Some(false);
        if core::mem::take(&mut self.judge.withheld) != Sides::default() {
            self.facts.push_back(Fact::BonusCame);
        }
        let expected = self.expected();
        for side in Side::BOTH {
            let Some(base) = expected[side].next_base.filter(|_| got[side]) else { continue };
            self.got_period(side, base);
            self.judge.at_zero[side] = Some(now);
        }
    }
}
