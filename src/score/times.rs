//! The clock after each ply: as it was read at the press, as it was corrected since, and, where nobody read it, as what is known around it allows.
//!
//! A ply has no reading where both players pressed between two reports, where a press was forgotten, where the link or the clock was away. Then the
//! player's display is reckoned from the readings before and after and from when the plies were made. So it is where a reading cannot be that of its ply:
//! after lost reports a press may have been taken for another one. Every such time is marked with how far it may be off.
use crate::played::Move;
use alloc::vec::Vec;
use flagfall_events::{Body, BonusKind, ClockPair, ClockSide, ClockSource, ClockState, Colour, Event, How, LinkState, Mono, TimeControl};

/// Displays show whole seconds, and reports come up to a second late: no smaller step is one that somebody made.
const STEP_MS: i64 = 2_000;
/// A press whose move was not read for so long has none.
const OPEN_MS: u64 = 12_000;
/// A display shows whole seconds, milliseconds.
const WHOLE_MS: i64 = 1_000;
/// A press that is told with this uncertainty followed lost reports, milliseconds.
const DOUBT_MS: u64 = 1_000;
/// Presses whose moves may still be told.
const PRESSES: usize = 16;

/// What is known of the clock of one game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    control: Option<TimeControl>,
    last: Option<Reading>,
    /// What was lost since the last reading.
    gap: Gap,
    /// When it was away, from the last reading before to the first after.
    away: Vec<(Mono, Mono)>,
    /// A clock showed something in this game or before it.
    there: bool,
    /// White's side of it, once that was told.
    white: Option<ClockSide>,
    sides: [Side; 2],
    /// The last presses: the display then, and how uncertain its moment is.
    presses: Vec<(ClockPair, u64)>,
}

/// What can have happened unseen since the last reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    /// Nothing but presses between two reports.
    #[default]
    None,
    /// The clock was away; the board was seen.
    Clock,
    /// Moves too.
    Link,
}

/// Both displays at one moment.
#[derive(Clone, Copy, Debug)]
struct Reading {
    t: Mono,
    pair: ClockPair,
    running: Option<Colour>,
}

/// One player's side.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    /// When its player pressed last, where no ply was completed since.
    pressed: Option<Mono>,
    /// He pressed since the last reading.
    now: bool,
    /// What his side was corrected by since that press.
    owed: i64,
    /// When his time began to run, and the display then.
    began: Option<(Mono, i64)>,
}

impl Times {
    /// The next game begins: the clock is where it is.
    pub(crate) fn next_game(&self, control: Option<&str>) -> Self {
        Self {
            control: control.and_then(|text| text.parse().ok()),
            last: self.last,
            gap: self.gap,
            there: self.last.is_some(),
            ..Self::default()
        }
    }

    /// Takes what is said of clock, link and presses; whether a ply's time may be another one now.
    pub(crate) fn take(&mut self, event: &Event, moves: &mut [Move]) -> bool {
        match &event.body {
            Body::Clock(state) => self.read(event.t, state, moves),
            Body::Press { by } => {
                self.sides[index(*by)] = Side { pressed: Some(event.t), now: true, owed: 0, ..self.sides[index(*by)] };
                false
            }
            Body::Link { state: LinkState::Down, .. } => {
                self.gap = Gap::Link;
                false
            }
            Body::Sides { white, .. } => {
                if self.white.replace(*white).is_some_and(|was| was != *white) {
                    self.turn();
                }
                false
            }
            _ => false,
        }
    }

    /// A ply was completed, with this reading: what its player's side was corrected by since his press, and how uncertain the press was.
    pub(crate) fn completed(&mut self, by: Colour, read: Option<ClockPair>) -> (i64, u64) {
        let side = &mut self.sides[index(by)];
        side.pressed = None;
        let press = self.presses.iter().rev().find(|(pair, _)| read == Some(*pair));
        (core::mem::take(&mut side.owed), press.map_or(0, |(_, doubt)| *doubt))
    }

    fn read(&mut self, t: Mono, state: &ClockState, moves: &mut [Move]) -> bool {
        let (Some(white_ms), Some(black_ms)) = (state.white_ms, state.black_ms) else {
            self.gap = self.gap.max(Gap::Clock);
            return false;
        };
        if state.source == ClockSource::Estimate {
            return false;
        }
        let now = Reading { t, pair: ClockPair { white_ms, black_ms }, running: state.running };
        let mut changed = false;
        if let Some(was) = self.last {
            if self.gap == Gap::None && self.is_exchanged(&was, &now) {
                moves.iter_mut().for_each(|m| m.read = m.read.map(ClockPair::turned));
                self.turn();
                changed = true;
            } else {
                for by in [Colour::White, Colour::Black] {
                    changed |= match self.gap {
                        Gap::None => self.corrected(by, &was, &now, state.source == ClockSource::Arbiter, moves),
                        Gap::Clock => Self::set_anew(by, &was, &now, moves),
                        Gap::Link => false,
                    };
                }
            }
            if self.gap != Gap::None {
                self.away.push((was.t, t));
            }
        }
        if self.sides.iter().any(|side| side.now) {
            if self.presses.len() >= PRESSES {
                self.presses.remove(0);
            }
            self.presses.push((now.pair, state.uncertainty_ms));
        }
        for by in [Colour::White, Colour::Black] {
            let side = &mut self.sides[index(by)];
            side.now = false;
            match (now.running == Some(by), side.began) {
                (true, None) => side.began = Some((t, of(&now.pair, by))),
                (false, Some(_)) if now.running.is_some() => side.began = None,
                _ => {}
            }
        }
        (self.last, self.gap, self.there) = (Some(now), Gap::None, true);
        let unread = moves.iter().rev().filter(|m| m.completed).take(2).any(|m| !m.is_read());
        (changed | unread) && self.fill(moves)
    }

    /// White's side is the other one: both displays have changed places. Builds that tell no sides say it so, and correct no clocks.
    fn is_exchanged(&self, was: &Reading, now: &Reading) -> bool {
        if self.white.is_some() {
            return false;
        }
        let elapsed = since(was.t, now.t);
        let near = |one: i64, other: i64| (one.saturating_sub(other)).saturating_abs() <= elapsed.saturating_add(STEP_MS);
        let apart =
            was.pair.white_ms.saturating_sub(was.pair.black_ms).saturating_abs() > elapsed.saturating_add(STEP_MS).saturating_mul(2);
        let pressed = self.sides.iter().any(|side| side.now);
        apart && !pressed && near(was.pair.white_ms, now.pair.black_ms) && near(was.pair.black_ms, now.pair.white_ms)
    }

    /// What was read so far was the other player's. The plies are corrected by events of their own.
    fn turn(&mut self) {
        if let Some(last) = &mut self.last {
            (last.pair, last.running) = (last.pair.turned(), last.running.map(Colour::other));
        }
        self.presses.iter_mut().for_each(|(pair, _)| *pair = pair.turned());
        self.sides.reverse();
    }

    /// The clock was away, perhaps another one came: whether its display is not what the player had, who has not moved since.
    fn set_anew(by: Colour, was: &Reading, now: &Reading, moves: &mut [Move]) -> bool {
        let Some(own) = moves.iter().rposition(|m| m.by == by) else { return false };
        let (last, answer) = (&moves[own], moves.get(own + 1).and_then(Move::at));
        if !last.is_read() || last.at().is_none_or(|at| at > was.t) {
            return false;
        }
        let Some(had) = shown(last, by) else { return false };
        let expected = match answer {
            _ if now.running != Some(by) => had,
            Some(at) if at > was.t => had.saturating_sub(since(at, now.t)),
            _ if was.running == Some(by) => of(&was.pair, by).saturating_sub(since(was.t, now.t)),
            _ => return false,
        };
        let step = of(&now.pair, by).saturating_sub(expected);
        step.saturating_abs() > STEP_MS + WHOLE_MS && moves[own].correct(step)
    }

    /// Whether one display stepped by what no press explains; then the player's last ply shows it.
    fn corrected(&mut self, by: Colour, was: &Reading, now: &Reading, set: bool, moves: &mut [Move]) -> bool {
        let elapsed = since(was.t, now.t);
        let ran = if was.running == Some(by) { elapsed } else { 0 };
        let step = of(&now.pair, by).saturating_sub(of(&was.pair, by).saturating_sub(ran));
        let side = &mut self.sides[index(by)];
        if side.now {
            return false;
        }
        // While a clock runs both may have pressed between two reports.
        let (up, down) =
            if was.running.is_none() || set { (0, 0) } else { (bonus_ms(self.control.as_ref(), 0).saturating_add(ran), elapsed - ran) };
        let least = if set { WHOLE_MS } else { STEP_MS };
        if step < up.saturating_add(least) && step > -down.saturating_add(least) {
            return false;
        }
        if let Some((_, began)) = &mut side.began {
            *began = began.saturating_add(step);
        }
        if side.pressed.is_some_and(|at| now.t.since(at) < OPEN_MS) {
            side.owed = side.owed.saturating_add(step);
            return false;
        }
        moves.iter_mut().rev().find(|m| m.by == by && m.completed).is_some_and(|last| last.correct(step))
    }

    /// Gives every ply that nobody read its time, and every ply the time spent on it; whether one is another now.
    pub(crate) fn fill(&self, moves: &mut [Move]) -> bool {
        // What was made only has no time yet.
        let completed = moves.iter().rposition(|m| m.completed).map_or(0, |last| last + 1);
        let moves = &mut moves[..completed];
        if !self.there {
            return false;
        }
        let before: Vec<_> = moves.iter().map(Move::times).collect();
        for m in moves.iter_mut() {
            (m.clock, m.clock_within_ms, m.clock_corrected) = (m.read, None, m.corrected_ms.saturating_abs() >= WHOLE_MS);
            if let Some(pair) = &mut m.clock {
                let side = side_of(pair, m.by);
                *side = side.saturating_add(m.corrected_ms).max(0);
            }
        }
        for by in [Colour::White, Colour::Black] {
            let own: Vec<usize> = (0..moves.len()).filter(|&i| moves[i].by == by).collect();
            self.weigh(by, &own, moves);
            let mut from = 0;
            while let Some(first) = (from..own.len()).find(|&n| !moves[own[n]].is_read()) {
                let end = (first..own.len()).find(|&n| moves[own[n]].is_read()).unwrap_or(own.len());
                self.bridge(by, &own, first, end, moves);
                from = end;
            }
        }
        for i in 0..moves.len() {
            let other = moves[i].by.other();
            let theirs = i.checked_sub(1).map_or_else(|| self.base(), |before| shown(&moves[before], other));
            let unread = !moves[i].is_read();
            if let (Some(pair), Some(theirs)) = (moves[i].clock.as_mut().filter(|_| unread), theirs) {
                *side_of(pair, other) = theirs;
            }
            moves[i].spent_ms = self.spent(i, moves);
        }
        moves.iter().map(Move::times).ne(before)
    }

    /// Says which readings cannot be those of their plies: after lost reports a display shows more than its player can have.
    fn weigh(&self, by: Colour, own: &[usize], moves: &mut [Move]) {
        let control = self.control.as_ref();
        let mut most: Option<i64> = None;
        for (n, &i) in own.iter().enumerate() {
            // What a move adds, nobody has said.
            if control.is_none() {
                moves[i].doubted = false;
                continue;
            }
            let gain = step(control, n, 0).max(0).saturating_add(period_ms(control, n).unwrap_or(0));
            most = most.map(|most| most.saturating_add(gain));
            let near = &moves[i.saturating_sub(2)..=i];
            let doubted = near.iter().any(|m| m.doubt_ms >= DOUBT_MS || m.read.is_none());
            let shows = shown(&moves[i], by);
            moves[i].doubted = doubted && shows.zip(most).is_some_and(|(shows, most)| shows > most.saturating_add(WHOLE_MS));
            if moves[i].is_read() {
                most = shows;
            }
        }
    }

    /// What was spent on a ply: as it was measured from press to press, else what the display lost.
    fn spent(&self, i: usize, moves: &[Move]) -> Option<u64> {
        let (m, control) = (&moves[i], self.control.as_ref());
        let by = m.by;
        let own = moves[..i].iter().filter(|m| m.by == by).count();
        let before = moves[..i].iter().rev().find(|m| m.by == by);
        let before = before.map_or_else(|| self.base(), |before| shown(before, by));
        let Some((before, after)) = before.zip(shown(m, by)) else { return m.spent_read };
        let bonus = bonus_ms(control, own);
        let lost = before.saturating_sub(after);
        let mut spent = match kind(control) {
            BonusKind::Fischer => lost.saturating_add(bonus),
            BonusKind::Delay | BonusKind::Bronstein if lost > 0 => lost.saturating_add(bonus),
            BonusKind::Delay | BonusKind::Bronstein => turn(i, moves).min(bonus),
        };
        if spent < -WHOLE_MS {
            spent = spent.saturating_add(period_ms(control, own).unwrap_or(0));
        }
        let sure = |m: &Move| m.is_read() && m.doubt_ms < DOUBT_MS;
        let beside = |m: Option<&Move>| m.is_none_or(sure);
        let measured = m.spent_read.filter(|measured| {
            let apart = i64::try_from(*measured).unwrap_or(i64::MAX).saturating_sub(spent).saturating_abs();
            // The first display of all is not known, only what it should be.
            own == 0 || apart <= WHOLE_MS || (sure(m) && beside(i.checked_sub(1).map(|n| &moves[n])) && beside(moves.get(i + 1)))
        });
        measured.or_else(|| u64::try_from(spent.max(0)).ok())
    }

    /// The plies `own[first..end]` of one player were not read; those beside them were.
    fn bridge(&self, by: Colour, own: &[usize], first: usize, end: usize, moves: &mut [Move]) {
        let control = self.control.as_ref();
        let left = match first.checked_sub(1) {
            Some(before) => shown(&moves[own[before]], by),
            None => self.base(),
        };
        // As time went, where nothing else is known: what each ply takes off or adds, and the most that it can add.
        let mut steps: Vec<i64> = (first..end).map(|n| step(control, n, turn(own[n], moves))).collect();
        let mut gains: Vec<i64> = (first..end).map(|n| step(control, n, 0)).collect();
        let sum = |list: &[i64]| list.iter().fold(0, |sum: i64, ms| sum.saturating_add(*ms));
        let mut floor = None;
        let (right, sure) = match own.get(end) {
            // The next own ply was read, and what was spent on it is known where the opponent's press before it was.
            Some(&next) => {
                let spent = moves[next]
                    .spent_read
                    .filter(|_| moves[next - 1].is_read() && moves[next].doubt_ms < DOUBT_MS)
                    .and_then(|ms| i64::try_from(ms).ok());
                let used = spent.unwrap_or_else(|| turn(next, moves));
                let after = shown(&moves[next], by);
                floor = after.map(|after| after.saturating_sub(step(control, end, 0).max(0)));
                (after.map(|after| after.saturating_sub(step(control, end, used))), spent.is_some())
            }
            None => self.stands(by, own[end - 1], left.map(|left| left.saturating_add(sum(&steps))), moves),
        };
        // The least that there can have been in the end.
        let floor = floor.or(right);
        let Some(begin) = left.or_else(|| Some(right?.saturating_sub(sum(&steps)))) else { return };
        let mut miss = right.map_or(0, |right| right.saturating_sub(begin).saturating_sub(sum(&steps)));
        // The next period's time came on the way.
        if let Some((n, time)) = (first..end).find_map(|n| Some((n - first, period_ms(control, n)?))).filter(|(_, time)| miss > time / 2) {
            steps[n] += time;
            gains[n] += time;
            miss -= time;
        }
        let (mut at, mut most, all) = (begin, begin, sum(&gains));
        let known = first.checked_sub(1).and_then(|before| moves[own[before]].at());
        for n in 0..steps.len() {
            (at, most) = (at.saturating_add(steps[n]), most.saturating_add(gains[n]));
            let share = i128::from(miss) * (n as i128 + 1) / steps.len() as i128;
            let ply = own[first + n];
            // It has no more than without any thought; and no less than what it had in the end, or with all time since its own.
            let least = match floor {
                Some(floor) => floor.saturating_sub(all.saturating_sub(most.saturating_sub(begin))),
                None => most.saturating_sub(known.zip(moves[ply].at()).map_or(most, |(known, at)| since(known, at))),
            };
            let least = least.max(0);
            let value = whole(at.saturating_add(i64::try_from(share).unwrap_or(0)).clamp(least, most.max(least)));
            let exact = sure && n + 1 == steps.len();
            let within = if exact { WHOLE_MS } else { most.saturating_sub(value).max(value.saturating_sub(least)).max(WHOLE_MS) };
            // More than the player can have: it is another clock, or it was set anew.
            if value > most.saturating_add(WHOLE_MS) && self.was_away(known, moves[ply].at()) {
                (moves[ply].clock_corrected, most) = (true, value);
            }
            moves[ply].estimate(value, u64::try_from(within).unwrap_or(0));
        }
    }

    /// What a player's display showed after his last ply, by the last reading since; and whether that is sure.
    fn stands(&self, by: Colour, last: usize, reckoned: Option<i64>, moves: &[Move]) -> (Option<i64>, bool) {
        let Some(made) = moves[last].at() else { return (reckoned, false) };
        let Some(now) = self.last.filter(|now| now.t >= made) else { return (reckoned, false) };
        if now.running != Some(by) {
            // It stands since his press, or everything stands.
            return (Some(of(&now.pair, by)), now.running.is_some());
        }
        match self.sides[index(by)].began {
            Some((at, began)) if at >= made => (Some(began), true),
            _ => {
                // His time runs on: nobody pressed, or both did between two reports.
                let then = |then: Mono| of(&now.pair, by).saturating_add(since(then, now.t));
                let answered = moves.get(last + 1).and_then(Move::at).filter(|answered| *answered <= now.t);
                let both = [Some(then(made)), answered.map(then)];
                let reckoned = reckoned.unwrap_or(0);
                (both.into_iter().flatten().min_by_key(|value| value.abs_diff(reckoned)), false)
            }
        }
    }

    /// The clock was away at some time between two moments.
    fn was_away(&self, from: Option<Mono>, to: Option<Mono>) -> bool {
        self.away.iter().any(|(gone, back)| from.is_none_or(|from| from <= *back) && to.is_none_or(|to| *gone <= to))
    }

    /// The time at the start, where the control says it.
    fn base(&self) -> Option<i64> {
        let first = self.control.as_ref()?.periods().first()?;
        let base = i64::from(first.base_s) * 1000;
        Some(if first.kind == BonusKind::Fischer { base + i64::from(first.bonus_s) * 1000 } else { base })
    }
}

impl Move {
    /// When it was made, else when it was completed.
    fn at(&self) -> Option<Mono> {
        self.made.or(self.done)
    }

    /// Its reading was taken at its press.
    fn is_read(&self) -> bool {
        self.read.is_some() && !self.doubted
    }

    fn times(&self) -> (Option<ClockPair>, Option<u64>, bool, Option<u64>) {
        (self.clock, self.clock_within_ms, self.clock_corrected, self.spent_ms)
    }

    /// Its player's display was set to something else after it. What was not read is reckoned from what the clock shows now.
    pub(crate) fn correct(&mut self, by_ms: i64) -> bool {
        self.corrected_ms = self.corrected_ms.saturating_add(by_ms);
        true
    }

    /// Nobody read its player's display.
    fn estimate(&mut self, value: i64, within_ms: u64) {
        let pair = self.clock.get_or_insert(ClockPair { white_ms: 0, black_ms: 0 });
        *side_of(pair, self.by) = value;
        self.clock_within_ms = Some(within_ms);
    }
}

/// How long a ply took, from when the one before it was made. Of one that was recovered nobody knows.
fn turn(ply: usize, moves: &[Move]) -> i64 {
    if moves[ply].how == Some(How::Recovered) {
        return 0;
    }
    let before = ply.checked_sub(1).and_then(|before| moves[before].at());
    moves[ply].at().zip(before).map_or(0, |(at, before)| since(before, at))
}

fn since(then: Mono, now: Mono) -> i64 {
    i64::try_from(now.since(then)).unwrap_or(i64::MAX)
}

fn shown(m: &Move, by: Colour) -> Option<i64> {
    m.clock.map(|pair| of(&pair, by))
}

const fn of(pair: &ClockPair, by: Colour) -> i64 {
    match by {
        Colour::White => pair.white_ms,
        Colour::Black => pair.black_ms,
    }
}

const fn side_of(pair: &mut ClockPair, by: Colour) -> &mut i64 {
    match by {
        Colour::White => &mut pair.white_ms,
        Colour::Black => &mut pair.black_ms,
    }
}

const fn index(by: Colour) -> usize {
    match by {
        Colour::White => 0,
        Colour::Black => 1,
    }
}

/// As a display shows it: seconds begun.
const fn whole(ms: i64) -> i64 {
    ms.saturating_add(999) / 1000 * 1000
}

/// What a player's move with this index, from 0, adds to his display if it took so long.
fn step(control: Option<&TimeControl>, own: usize, used: i64) -> i64 {
    let bonus = bonus_ms(control, own);
    match kind(control) {
        BonusKind::Fischer => bonus.saturating_sub(used),
        BonusKind::Delay | BonusKind::Bronstein => bonus.saturating_sub(used).min(0),
    }
}

/// The time that the next period brings, where a player's move with this index, from 0, is the last of one.
fn period_ms(control: Option<&TimeControl>, own: usize) -> Option<i64> {
    Some(i64::from(control?.begins_after(number(own))?.base_s) * 1000)
}

fn kind(control: Option<&TimeControl>) -> BonusKind {
    control.and_then(|control| control.periods().first()).map_or(BonusKind::Fischer, |period| period.kind)
}

/// What a player's move with this index, from 0, adds, or delays, milliseconds.
fn bonus_ms(control: Option<&TimeControl>, own: usize) -> i64 {
    let period = control.and_then(|control| control.period_of(number(own)).or_else(|| control.periods().last()));
    period.map_or(0, |period| i64::from(period.bonus_s) * 1000)
}

/// A move's number, from 1.
fn number(own: usize) -> u32 {
    u32::try_from(own).unwrap_or(u32::MAX).saturating_add(1)
}

#[cfg(test)]
#[path = "times_tests.rs"]
mod tests;
