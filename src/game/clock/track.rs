//! From reading to reading: what each side has left to fractions of a second, when the lever really went over, and which readings fit together.
//!
//! The second's phase is known from the moments at which the display stepped. A report is never early, so the earliest stamp is the best one.
//! A reading that does not fit stands aside until the next one says the same: bits flip on long cables.
use crate::clock::sides::{Side, Sides};
use crate::clock::turn::{Model, Turn};
use dgt_protocol::clock::{ClockTimes, Lever};
use flagfall_events::Mono;

/// A step that comes this much off its phase begins a new one.
pub(crate) const PHASE_MS: i64 = 300;
/// How far a display may be from what is expected, seconds.
pub(crate) const NEAR: i64 = 2;
/// A gap in the reports after which nobody knows how often the lever went over.
const BLIND_MS: u64 = 3_000;

/// A turn that began before anybody listened.
pub(crate) const UNKNOWN_MS: u64 = 60_000;

/// What is expected of one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// What was agreed for its present period; `None`: not known.
    pub(crate) model: Option<Model>,
    /// What the next period adds, seconds.
    pub(crate) next_base: Option<i64>,
}

impl Expected {
    /// What a display loses in a turn that ran so long, milliseconds.
    fn lost(&self, ran_ms: u64) -> i64 {
        i64::try_from(self.model.map_or(ran_ms, |model| model.loses_ms(ran_ms))).unwrap_or(i64::MAX)
    }
}

/// A press that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lift {
    pub(crate) side: Side,
    /// When the lever went over, as far as is known.
    pub(crate) at: Mono,
    /// What ran since the other side's press, and how far that may be off.
    pub(crate) ran_ms: u64,
    pub(crate) within_ms: u64,
    /// The presser's display before his bonus, seconds.
    pub(crate) before: i64,
}

/// What a reading came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// It was believed.
    pub(crate) trusted: bool,
    pub(crate) press: Option<Lift>,
    /// A turn whose last display is known now.
    pub(crate) turn: Option<Turn>,
    /// Times were changed while the clock stood.
    pub(crate) edited: bool,
    /// Seconds each side gained without a reason, seen twice.
    pub(crate) jump: Option<Sides<i64>>,
    /// The display of the side that should stand went down so many seconds.
    pub(crate) other_ran: Option<i64>,
    /// The running display stood so much longer than expected, milliseconds; `true`: from the beginning of the turn.
    pub(crate) stood: Option<(u64, bool)>,
    /// These sides got the next period's time when one of them had none left.
    pub(crate) bonus_at_zero: Option<Sides<bool>>,
    /// A regular step: seconds since the turn's first one, and milliseconds.
    pub(crate) step: Option<(u32, u64)>,
    /// The lever went over twice between two readings.
    pub(crate) hidden_pair: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) at: Mono,
    pub(crate) shown: Sides<i64>,
    pub(crate) running: Option<Side>,
}

/// The turn in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) side: Side,
    pub(crate) from: i64,
    pub(crate) given_first: i64,
    pub(crate) unclear: bool,
    /// What ran before the clock was stopped, and since when it runs.
    pub(crate) ran_ms: u64,
    pub(crate) since: Option<Mono>,
    pub(crate) within_ms: u64,
    /// What the side had left when it began, milliseconds.
    pub(crate) left_ms: i64,
    /// The first step, and the display then.
    pub(crate) first_step: Option<(Mono, i64)>,
    pub(crate) last_step: Mono,
}

impl Open {
    pub(crate) fn ran(&self, now: Mono) -> u64 {
        self.ran_ms + self.since.map_or(0, |since| now.since(since))
    }
}

/// The row of readings.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) last: Option<Read>,
    /// What the side that stands has left, milliseconds, and how sure that is.
    pub(crate) left: Sides<i64>,
    pub(crate) within: Sides<u64>,
    pub(crate) open: Option<Open>,
    pub(crate) pending: Option<Turn>,
    pub(crate) suspect: Option<Read>,
    /// Presses that the clock has counted.
    pub(crate) presses: Sides<u32>,
    /// How far stamps of one link differ, milliseconds.
    pub(crate) jitter_ms: u64,
    /// The display that should stand was seen to count: it tells nothing of presses.
    pub(crate) both_count: bool,
}

pub(crate) const fn ceil_s(ms: i64) -> i64 {
    (ms + 999).div_euclid(1000)
}

impl Track {
    pub(crate) const fn new(jitter_ms: u64) -> Self {
        Self {
            last: None,
            left: Sides([0; 2]),
            within: Sides([1000; 2]),
            open: None,
            pending: None,
            suspect: None,
            presses: Sides([0; 2]),
            jitter_ms,
            both_count: false,
        }
    }

    /// What was on the display last, seconds.
    pub(crate) fn shown(&self) -> Option<Sides<i64>> {
        self.last.map(|read| read.shown)
    }

    /// A new game: the clock counts from nothing.
    pub(crate) fn new_game(&mut self, now: Mono) {
        self.presses = Sides::default();
        self.pending = None;
        self.both_count = false;
        // What did not fit the game before was the clock being set.
        if let Some(stands) = self.last.filter(|last| last.running.is_none()) {
            (self.open, self.suspect) = (None, None);
            self.adopt(&stands);
            return;
        }
        let shown = self.shown();
        if let (Some(open), Some(shown)) = (&mut self.open, shown) {
            open.left_ms = open.left_ms.saturating_sub(i64::try_from(open.ran(now)).unwrap_or(0));
            open.from = shown[open.side];
            open.ran_ms = 0;
            open.since = open.since.map(|_| now);
        }
    }

    /// Nobody listened for a while: the lever may have moved any number of times.
    pub(crate) const fn forget(&mut self) {
        self.last = None;
        self.open = None;
        self.pending = None;
        self.suspect = None;
        self.within = Sides([1000; 2]);
    }

    /// What a side has left now, milliseconds, and how far that may be off.
    pub(crate) fn left(&self, side: Side, now: Mono, expected: &Sides<Expected>) -> (i64, u64) {
        match self.open.filter(|open| open.side == side) {
            Some(open) => {
                let lost = expected[side].lost(open.ran(now));
                (open.left_ms.saturating_sub(lost), self.within[side])
            }
            None => (self.left[side], self.within[side]),
        }
    }

    /// What ran in the turn in progress, and whose it is.
    pub(crate) fn turn(&self, now: Mono) -> Option<(Side, u64)> {
        self.open.map(|open| (open.side, open.ran(now)))
    }

    /// What this side's display showed when its turn, the one in progress, began; seconds.
    pub(crate) fn turn_began_with(&self, side: Side) -> Option<i64> {
        self.open.filter(|open| open.side == side).map(|open| open.from)
    }

    /// The turn in progress and how far its length may be off.
    pub(crate) fn thinking(&self, now: Mono) -> Option<(u64, u64)> {
        self.open.map(|open| (open.ran(now), open.within_ms + self.jitter_ms))
    }

    /// When the running display changed last; `true`: it has not stepped in this turn.
    pub(crate) fn still_since(&self) -> Option<(Mono, bool)> {
        let open = self.open.filter(|open| open.since.is_some())?;
        Some((open.last_step, open.first_step.is_none()))
    }

    /// Takes a reading.
    pub(crate) fn read(&mut self, t: Mono, times: &ClockTimes, expected: &Sides<Expected>) -> Seen {
        let up = match times.lever {
            Lever::LeftHigh => Side::Left,
            Lever::RightHigh => Side::Right,
        };
        let shown = Sides([i64::from(times.left.total_seconds()), i64::from(times.right.total_seconds())]);
        let new = Read { at: t, shown, running: times.running.then_some(up) };
        let Some(last) = self.last else {
            self.adopt(&new);
            return Seen { trusted: true, ..Seen::default() };
        };
        let mut seen = Seen { trusted: true, ..Seen::default() };
        match (last.running, new.running) {
            (None, None) => self.set_by_hand(&last, &new, expected, &mut seen),
            (None, Some(side)) => {
                self.set_by_hand(&last, &new, expected, &mut seen);
                self.start(side, &new, expected);
            }
            (Some(side), None) if up != side && self.is_set_anew(&last, &new, side.other(), expected) => {
                seen.edited = true;
                self.forget();
                self.adopt(&new);
            }
            (Some(side), running) if up != side => {
                self.press(side, &last, &new, expected, &mut seen);
                if running.is_none() {
                    self.stand(t, expected);
                }
            }
            (Some(side), running) => {
                self.step(side, &last, &new, expected, &mut seen);
                if running.is_none() && seen.trusted {
                    self.stand(t, expected);
                }
            }
        }
        if seen.trusted {
            let mut read = new;
            if seen.press.is_some()
                && let Some(last) = self.last
            {
                // What the other display says at a press that does not fit is left to the next reading.
                let other = last.running.map_or(up, Side::other);
                read.shown[other] = if self.fits_other(&last, &new, other) { new.shown[other] } else { last.shown[other] };
            }
            self.last = Some(read);
        }
        seen
    }

    /// The clock stands, the lever is over, and the display that did not run shows another time than a moment ago: nobody pressed, somebody sets it.
    fn is_set_anew(&self, last: &Read, new: &Read, other: Side, expected: &Sides<Expected>) -> bool {
        // Some clocks add when a turn begins.
        let gained = new.shown[other] - last.shown[other];
        let given = expected[other].model.is_some_and(|model| (gained - model.adds(0)).abs() <= NEAR);
        new.at.since(last.at) <= BLIND_MS && !given && !self.fits_other(last, new, other)
    }

    fn fits_other(&self, last: &Read, new: &Read, other: Side) -> bool {
        let gone = i64::try_from(new.at.since(last.at) / 1000).unwrap_or(i64::MAX);
        let lost = last.shown[other] - new.shown[other];
        (0..=gone + NEAR).contains(&lost) || self.open.is_some_and(|open| open.side == other && open.given_first > 0)
    }

    fn adopt(&mut self, new: &Read) {
        for side in Side::BOTH {
            self.left[side] = new.shown[side] * 1000;
            self.within[side] = 1000;
        }
        if let Some(side) = new.running {
            self.open_turn(side, new, UNKNOWN_MS);
            if let Some(open) = &mut self.open {
                open.unclear = true;
            }
        }
        self.last = Some(*new);
    }

    pub(crate) fn open_turn(&mut self, side: Side, new: &Read, within_ms: u64) {
        self.open = Some(Open {
            side,
            from: new.shown[side],
            given_first: 0,
            unclear: false,
            ran_ms: 0,
            since: Some(new.at),
            within_ms,
            left_ms: self.left[side],
            first_step: None,
            last_step: new.at,
        });
    }

    fn set_by_hand(&mut self, last: &Read, new: &Read, expected: &Sides<Expected>, seen: &mut Seen) {
        for side in Side::BOTH {
            let change = new.shown[side] - last.shown[side];
            // The first second may have gone by in the same message.
            if change == 0 || (change == -1 && new.running == Some(side)) {
                continue;
            }
            seen.edited = true;
            self.both_count = false;
            self.left[side] = new.shown[side] * 1000;
            self.within[side] = 1000;
            if let Some(open) = self.open.as_mut().filter(|open| open.side == side) {
                open.unclear = true;
                open.left_ms = new.shown[side] * 1000 + expected[side].lost(open.ran_ms);
                open.from = new.shown[side];
            }
        }
        self.suspect = None;
        // The last press's bonus is what it was before the times were set.
        seen.turn = self.pending.take();
    }

    fn start(&mut self, side: Side, new: &Read, expected: &Sides<Expected>) {
        match self.open.as_mut().filter(|open| open.side == side) {
            Some(open) => {
                open.since = Some(new.at);
                open.last_step = new.at;
                open.first_step = None;
                open.left_ms = self.left[side] + expected[side].lost(open.ran_ms);
            }
            None => self.open_turn(side, new, self.jitter_ms),
        }
    }

    /// The clock was stopped.
    fn stand(&mut self, t: Mono, expected: &Sides<Expected>) {
        if let Some(open) = &mut self.open {
            open.ran_ms = open.ran(t);
            open.since = None;
            open.first_step = None;
        }
        let open = self.open;
        if let Some(open) = open {
            let left = open.left_ms.saturating_sub(expected[open.side].lost(open.ran_ms));
            let shown = self.last.map_or(0, |last| last.shown[open.side]);
            self.left[open.side] = left.clamp((shown - 1).max(0) * 1000, shown * 1000);
        }
    }

    fn close_pending(&mut self, new: &Read) -> Option<Turn> {
        let mut turn = self.pending.take()?;
        turn.after = new.shown[turn.side];
        Some(turn)
    }

    fn step(&mut self, side: Side, last: &Read, new: &Read, expected: &Sides<Expected>, seen: &mut Seen) {
        let other = side.other();
        let (left, _) = self.left(side, new.at, expected);
        let gain = new.shown[side] - ceil_s(left).max(0);
        let closing = self.pending.is_some_and(|turn| turn.side == other);
        let other_gain = if closing { 0 } else { new.shown[other] - last.shown[other] };
        let blind = new.at.since(last.at) > BLIND_MS && gain.abs() > NEAR && new.shown[side] < last.shown[side] && gain < 0;
        let bonus = |s: Side, from: i64| expected[s].next_base.is_some_and(|base| (new.shown[s] - from - base).abs() <= NEAR + 1);
        let at_zero = |from: i64| from <= 3 && bonus(side, from);
        let whole = match (expected[side].model, expected[other].model) {
            (Some(own), Some(others)) => own.adds(0).max(others.adds(0)),
            _ => 0,
        };
        let stood = gain > NEAR && new.shown[side] <= last.shown[side] && other_gain == 0;
        if at_zero(last.shown[side]) || at_zero(ceil_s(left)) {
            let mut got = Sides([true; 2]);
            got[other] = other_gain > 0 && bonus(other, last.shown[other]);
            seen.bonus_at_zero = Some(got);
            self.rephase(side, new, expected, true);
            if other_gain != 0 {
                self.left[other] = new.shown[other] * 1000;
            }
        } else if other_gain > 0 && (gain - whole).abs() <= 1 && (other_gain - whole).abs() <= 1 && whole > 0 {
            seen.hidden_pair = true;
            self.presses[side] += 1;
            self.presses[other] += 1;
            self.left[other] = new.shown[other] * 1000;
            self.within[other] = 1000;
            self.rephase(side, new, expected, true);
        } else if stood {
            self.stood(new, last, expected, seen);
        } else if blind || (gain.abs() <= NEAR && (-NEAR..=0).contains(&other_gain)) {
            if other_gain < 0 {
                seen.other_ran = Some(-other_gain);
                self.both_count = true;
                self.left[other] = new.shown[other] * 1000;
                self.within[other] = 1000;
            }
            self.stepped(side, last, new, expected, seen, blind);
        } else if new.running.is_none() {
            // Stopped, and not what was expected: somebody sets it.
            seen.edited = true;
            self.left = Sides::of(|s| new.shown[s] * 1000);
            self.within = Sides([1000; 2]);
            self.rephase(side, new, expected, true);
        } else {
            let again = self.suspect.is_some_and(|first| {
                let gone = i64::try_from(new.at.since(first.at).div_ceil(1000)).unwrap_or(i64::MAX);
                (0..=gone + 1).contains(&(first.shown[side] - new.shown[side])) && (first.shown[other] - new.shown[other]).abs() <= 1
            });
            if !again {
                self.suspect = Some(*new);
                seen.trusted = false;
                return;
            }
            let mut gains = Sides::default();
            gains[side] = gain;
            gains[other] = other_gain;
            seen.jump = Some(gains);
            self.left[other] = new.shown[other] * 1000;
            self.rephase(side, new, expected, true);
        }
        self.suspect = None;
        seen.turn = self.close_pending(new);
    }

    /// The running display is at the beginning of this second now.
    fn rephase(&mut self, side: Side, new: &Read, expected: &Sides<Expected>, unclear: bool) {
        self.within[side] = self.jitter_ms;
        if let Some(open) = self.open.as_mut().filter(|open| open.side == side) {
            let lost = expected[side].lost(open.ran(new.at));
            open.left_ms = new.shown[side] * 1000 + lost;
            open.unclear |= unclear;
            open.last_step = new.at;
            open.first_step = None;
        }
    }

    fn stood(&mut self, new: &Read, last: &Read, expected: &Sides<Expected>, seen: &mut Seen) {
        let Some(open) = self.open else { return };
        if new.shown[open.side] == last.shown[open.side] {
            return; // a report for another reason; it stands still
        }
        let shown = u64::try_from(last.shown[open.side] - new.shown[open.side]).unwrap_or(0) * 1000;
        let stood = new.at.since(open.last_step).saturating_sub(shown);
        seen.stood = Some((stood, open.first_step.is_none()));
        self.rephase(open.side, new, expected, false);
        if let Some(open) = &mut self.open {
            open.first_step = Some((new.at, new.shown[open.side]));
        }
    }

    fn stepped(&mut self, side: Side, last: &Read, new: &Read, expected: &Sides<Expected>, seen: &mut Seen, blind: bool) {
        if new.shown[side] == last.shown[side] {
            return;
        }
        let (left, within) = self.left(side, new.at, expected);
        let off = new.shown[side] * 1000 - left;
        let jitter = self.jitter_ms;
        let Some(open) = self.open.as_mut().filter(|open| open.side == side) else { return };
        open.last_step = new.at;
        open.unclear |= blind;
        // The earliest stamps are the best.
        let trusted = within >= 500 || !(0..=PHASE_MS).contains(&off);
        open.left_ms += if trusted { off } else { off / 8 };
        self.within[side] = within.min(jitter);
        match open.first_step {
            Some((at, shown)) if !blind => {
                seen.step = Some((u32::try_from(shown - new.shown[side]).unwrap_or(0), new.at.since(at)));
            }
            _ => {
                open.first_step = Some((new.at, new.shown[side]));
                seen.step = Some((0, 0));
            }
        }
    }
}
