//! The lever: which side is White's (6.5), and presses that have to be repeated (1.16.4).
use crate::clock::doubt::Doubt;
use crate::clock::sides::Side;
use crate::clock::state::{Check, QUIET_MS, Second, Unsettled};
use crate::clock::{Clock, Fact, FaultKind};
use crate::settings::ClockWhite;
use flagfall_events::{Colour, Mono};

/// The other side's button and one's own again follow each other this quickly.
const PAIR_MS: u64 = 2_500;
/// So long after the first press the pair may come.
const CHECK_MS: u64 = 10_000;
/// The scanner comes to a piece so long after it was put down, at most.
const SEEN_MS: u64 = 400;
/// Second presses of one side within this many of its moves are the clock's doing.
const MOVES: u32 = 3;
/// A display that counts has stepped by then.
const STEP_MS: u64 = 1_300;

impl Clock {
    /// The first press of a clock that was running belongs to White, whose first move it completes (6.5). A configured side is believed until
    /// the presses contradict it; then they are taken as the board shows them.
    pub(crate) fn settle_sides(&mut self, pressed: Side) {
        let progress = self.progress;
        if !progress.playing || !progress.white_first {
            return;
        }
        let total = progress.total();
        match self.setting {
            ClockWhite::Auto if self.levers.nobody_pressed() && total <= 2 && self.white != pressed => {
                let black_was_started = total == 2 && progress.last == Some(Colour::Black) && self.watch.made_before == 0;
                if black_was_started {
                    self.black_ran_first();
                } else {
                    self.white = pressed;
                }
            }
            ClockWhite::Left | ClockWhite::Right => {
                let fresh = total > self.levers.made_at_press;
                let first = self.levers.nobody_pressed() || self.levers.swapped;
                let pending = Unsettled { pressed, at: self.read_at, made: self.levers.made_at_press, first };
                self.levers.unsettled = (!fresh && total <= 6).then_some(pending);
                if fresh && total <= 6 {
                    self.compare_sides(pending);
                }
            }
            _ => {}
        }
    }

    /// A press and the move that it belongs to: by the same player, as configured, or not.
    fn compare_sides(&mut self, press: Unsettled) {
        let Some(last) = self.progress.last else { return };
        if self.colour(press.pressed) == last {
            if self.levers.swapped {
                self.levers.contradictions += 1;
                self.contradicted();
            }
        } else if self.progress.total() == press.made + 1 && press.first {
            self.white = self.white.other();
            self.levers.swapped = !self.levers.swapped;
            self.levers.contradictions = u32::from(self.levers.swapped);
        }
    }

    /// A move that was seen just after the press was made before it, and so was one of which nothing was read since.
    fn settle_late(&mut self, now: Mono) {
        let Some(press) = self.levers.unsettled else { return };
        if now.since(press.at) > SEEN_MS && !self.nothing_moved_since(press.at) {
            self.levers.unsettled = None;
        } else if self.progress.total() > press.made {
            self.levers.unsettled = None;
            self.compare_sides(press);
        }
    }

    fn contradicted(&mut self) {
        if self.levers.contradictions >= 3 && !self.levers.told_sides {
            self.levers.told_sides = true;
            if self.watch.take_wrong_side() {
                self.facts.push_back(Fact::WrongSideWithdrawn);
            }
            self.facts.push_back(Fact::Sides { configured_left: self.setting == ClockWhite::Left });
        }
    }

    fn surplus_of(&self, side: Side) -> i64 {
        let by = self.colour(side);
        i64::from(self.track.presses[side]) - i64::from(self.progress.made[by as usize])
    }

    /// This side went down; `counted`: on a running clock.
    pub(crate) fn lever_moved(&mut self, now: Mono, side: Side, counted: bool) {
        let other = side.other();
        // As it was before this press.
        let surplus = [self.surplus_of(Side::Left), self.surplus_of(Side::Right)];
        let mut earlier = surplus;
        earlier[side as usize] -= i64::from(counted);
        self.levers.surplus.rotate_right(1);
        self.levers.surplus[0] = earlier;
        if let (Some((back, at_back)), Some((first, at_first))) = (self.levers.last, self.levers.before)
            && back == other
            && first == side
            && now.since(at_back) <= PAIR_MS
            && now.since(at_first) <= CHECK_MS
            && self.progress.playing
            && !self.is_stopped_by_arbiter()
            && self.nothing_moved_since(at_first)
            && !(self.levers.counted && at_back.since(at_first) > STEP_MS)
        {
            let was = self.levers.surplus[2];
            let surplus = [was[side as usize], was[other as usize]];
            let stood = !counted || !self.levers.counted;
            self.levers.check = Some(Check { side, last: now, surplus, stood });
        } else if let Some(check) = &mut self.levers.check {
            check.last = now;
        }
        self.levers.before = self.levers.last;
        self.levers.last = Some((side, now));
        self.levers.counted = counted;
        if !counted {
            return;
        }
        self.levers.pressed = true;
        let waits = self.progress.last != Some(self.colour(side));
        self.levers.made_at_press = self.progress.total() + u32::from(waits);
    }

    /// No piece was touched since this press but those of the move that it completed, whose sensors may have lagged: a move that was corrected, or
    /// one that was pressed late, is no trial of the lever.
    fn nothing_moved_since(&self, press: Mono) -> bool {
        self.progress.touched_at <= press + self.lag_ms
    }

    /// Every time the lever went over the clock added time; what repeated presses added is nobody's.
    fn take_back_extra_presses(&mut self) {
        let extra = core::mem::take(&mut self.levers.unpaid);
        for side in Side::BOTH {
            let added = self.agreed(side).map_or(0, |model| model.adds_ms(0));
            self.judge.sum.owe(side, -extra[side] * added);
        }
    }

    /// Another move has been read, and the presses are as many too many still: they were no moves that nobody had read yet.
    fn prove_second_press(&mut self, now: Mono) {
        let Some(second) = self.levers.second.filter(|second| self.progress.total() > second.total) else { return };
        let Second { check, total, made } = second;
        let as_many = Side::BOTH.iter().all(|&side| self.surplus_of(side) == self.levers.extra[side]);
        if check.stood || as_many {
            self.levers.second = None;
            let row = &mut self.levers.seconds[check.side];
            row.push(made);
            row.retain(|earlier| made.saturating_sub(*earlier) < MOVES);
            if row.len() >= 2 {
                let by = self.colour(check.side);
                self.take_back_extra_presses();
                self.fault_doubted(now, FaultKind::Lever, Some(by), Doubt::Small);
            }
        } else if self.progress.total() > total + 2 * MOVES {
            self.levers.second = None;
        }
    }

    /// What the moves made say of the presses.
    pub(crate) fn moves_made(&mut self, now: Mono) {
        self.settle_late(now);
        if let Some(check) = self.levers.check.filter(|check| now.since(check.last) >= QUIET_MS) {
            self.levers.check = None;
            let (side, other) = (check.side, check.side.other());
            // Where moves are not read, presses prove nothing.
            let read = (-1..=1).contains(&(check.surplus[0] - self.levers.extra[side]))
                && (-1..=1).contains(&(check.surplus[1] - self.levers.extra[other]));
            // Presses that moves waited for, which came late, are none too many.
            let more = |now: i64, before: i64| now > before.max(0);
            let twice = read && more(self.surplus_of(side), check.surplus[0]) && more(self.surplus_of(other), check.surplus[1]);
            if twice {
                self.levers.extra[side] = self.surplus_of(side).max(0);
                self.levers.extra[other] = self.surplus_of(other).max(0);
                self.levers.unpaid[side] += 1;
                self.levers.unpaid[other] += 1;
            }
            if (twice || check.stood) && self.progress.playing && self.flag().is_none() {
                let by = self.colour(check.side);
                self.facts.push_back(Fact::LeverCheck { by });
                self.levers.second = Some(Second { check, total: self.progress.total(), made: self.progress.made[by as usize] });
            }
        }
        self.prove_second_press(now);
        if self.sides_open()
            && self.progress.white_first
            && self.levers.nobody_pressed()
            && self.progress.made == [1, 1]
            && self.watch.made_before == 0
            && self.running() == Some(Colour::Black)
        {
            self.black_ran_first();
        }
    }
}
