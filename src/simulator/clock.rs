//! A chess clock as DGT's count: it knows left and right, no colours. Times are microseconds of the device, displays whole seconds.
//!
//! The display shows the seconds left rounded up, so that it reads 0:00:00 exactly when the flag falls. With an increment the first one is there
//! before the first move; a press gives the presser his increment and starts the other side in the same moment.
use super::clock_fault::{ClockFault, Faults};
pub use super::side::Side;
use dgt_protocol::clock::{ClockTimes, Lever, SideTime};
use dgt_protocol::command::SetAndRun;
use flagfall_events::{BonusKind, Period, TimeControl};

const SECOND: u64 = 1_000_000;
/// No clock shows more than 9:59:59.
const LONGEST: u64 = 35_999 * SECOND;

/// When a clock goes on to the next period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PeriodChange {
    /// When the side reaches zero, whatever was played: DGT's presets. The flag is shown, the clock runs on.
    #[default]
    AtZero,
    /// At the press of the period's last move; a side that reaches zero before it has lost.
    AtMove,
}

#[derive(Clone, Copy, Debug, Default)]
struct Face {
    left: u64,
    /// What is left of the delay before the main time moves.
    delay: u64,
    /// Used since the other side's press, for Bronstein.
    used: u64,
    period: usize,
    moves: u32,
    fallen: bool,
    flag_shown: bool,
}

/// Who runs while the clock is not stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    Stopped,
    Lever,
    Only(Side),
}

/// The clock.
#[derive(Clone, Debug)]
pub struct ChessClock {
    control: TimeControl,
    change: PeriodChange,
    faces: [Face; 2],
    lever: Lever,
    run: Run,
    remote: bool,
    at: u64,
    faults: Faults,
}

impl ChessClock {
    /// A clock set to `control` and stopped, with `first`'s side up.
    pub fn new(control: TimeControl, change: PeriodChange, first: Side) -> Self {
        let mut clock = Self {
            control,
            change,
            faces: [Face::default(); 2],
            lever: Lever::LeftHigh,
            run: Run::Stopped,
            remote: false,
            at: 0,
            faults: Faults::default(),
        };
        clock.reset(first);
        clock
    }

    /// A clock in the mode in which the host sets the times (option 25 or 23): zero and stopped until it does.
    pub fn remote(control: TimeControl, first: Side) -> Self {
        let mut clock = Self::new(control, PeriodChange::AtZero, first);
        clock.remote = true;
        clock.faces = [Face::default(); 2];
        clock
    }

    /// Set-and-run works.
    pub const fn is_remote(&self) -> bool {
        self.remote
    }

    /// Sets the first times again and stops, with `first`'s side up.
    pub fn reset(&mut self, first: Side) {
        let period = self.period(0);
        let granted = if period.kind == BonusKind::Fischer { period.bonus_s } else { 0 };
        let left = (u64::from(period.base_s + granted) * SECOND).min(LONGEST);
        let delay = if period.kind == BonusKind::Delay { u64::from(period.bonus_s) * SECOND } else { 0 };
        self.faces = [Face { left, delay, ..Face::default() }; 2];
        self.run = Run::Stopped;
        self.lever = match first {
            Side::Left => Lever::LeftHigh,
            Side::Right => Lever::RightHigh,
        };
    }

    /// An arbiter sets both displays; it stands as it stood.
    pub fn set(&mut self, t: u64, left: u32, right: u32) {
        self.advance(t);
        for (side, seconds) in [(Side::Left, left), (Side::Right, right)] {
            self.face_mut(side).left = (u64::from(seconds) * SECOND).min(LONGEST);
        }
    }

    /// Something is wrong with it from now on.
    pub fn fail(&mut self, t: u64, fault: ClockFault, by: Side) {
        self.advance(t);
        self.faults.set(fault, by);
        let fresh = self.run == Run::Stopped && self.faces.iter().all(|face| face.moves == 0 && face.used == 0);
        match fault {
            // Set so before the game: there is no first increment either.
            ClockFault::NoBonus | ClockFault::Delay if fresh => {
                let lever = self.lever;
                self.reset(Side::Left);
                self.lever = lever;
            }
            ClockFault::Base(seconds) => {
                for face in &mut self.faces {
                    face.left = face.left.saturating_add_signed(i64::from(seconds) * 1_000_000);
                }
            }
            ClockFault::Jump(seconds) => {
                if let Some(side) = self.running() {
                    let face = self.face_mut(side);
                    face.left = face.left.saturating_add_signed(i64::from(seconds) * 1_000_000).max(SECOND);
                }
            }
            _ => {}
        }
    }

    /// The side whose time runs.
    pub const fn running(&self) -> Option<Side> {
        match (self.run, self.lever) {
            (Run::Stopped, _) => None,
            (Run::Only(side), _) => Some(side),
            (Run::Lever, Lever::LeftHigh) => Some(Side::Left),
            (Run::Lever, Lever::RightHigh) => Some(Side::Right),
        }
    }

    /// Starts, if no flag is down.
    pub fn start(&mut self, t: u64) {
        self.advance(t);
        if !self.faces.iter().any(|face| face.fallen) && !self.remote {
            self.run = Run::Lever;
        }
    }

    /// Stops.
    pub fn stop(&mut self, t: u64) {
        self.advance(t);
        self.run = Run::Stopped;
    }

    /// Somebody presses this side down. `false` if it was down already.
    pub fn press(&mut self, t: u64, side: Side) -> bool {
        self.advance(t);
        let pressed = match side {
            Side::Left => Lever::RightHigh,
            Side::Right => Lever::LeftHigh,
        };
        if self.lever == pressed {
            return false;
        }
        self.lever = pressed;
        if self.run != Run::Lever || self.remote {
            return true;
        }
        let period = self.period(self.face(side).period);
        let next = self.period(self.face(side).period + 1);
        let last_move = self.change == PeriodChange::AtMove && self.face(side).period + 1 < self.control.periods().len();
        let withheld = self.faults.withheld(side);
        let face = self.face_mut(side);
        let bonus = u64::from(period.bonus_s) * SECOND;
        face.left += match period.kind {
            BonusKind::Fischer => bonus,
            BonusKind::Bronstein => face.used.min(bonus),
            BonusKind::Delay => 0,
        };
        face.moves += 1;
        if last_move && period.moves.is_some_and(|moves| face.moves >= moves) {
            face.moves = 0;
            face.period += 1;
            face.left += if withheld { 0 } else { u64::from(next.base_s) * SECOND };
        }
        face.left = face.left.min(LONGEST);
        let other = self.period(self.face(side.other()).period);
        let face = self.face_mut(side.other());
        face.used = 0;
        face.delay = if other.kind == BonusKind::Delay { u64::from(other.bonus_s) * SECOND } else { 0 };
        true
    }

    /// The host sets times and says who runs. `false`: refused, the clock is not in its remote mode.
    pub fn set_and_run(&mut self, t: u64, order: &SetAndRun) -> bool {
        self.advance(t);
        if !self.remote {
            return false;
        }
        for (face, (hours, minutes, seconds)) in self.faces.iter_mut().zip([order.left, order.right]) {
            let seconds = u64::from(hours & 0x0F) * 3600 + u64::from(minutes) * 60 + u64::from(seconds);
            *face = Face { left: (seconds * SECOND).min(LONGEST), ..Face::default() };
        }
        self.run = match (order.run & 0x08 != 0, order.run & 0x07) {
            (_, 0 | 4..) => Run::Stopped,
            (true, _) => Run::Lever,
            (false, 2) => Run::Only(Side::Right),
            (false, _) => Run::Only(Side::Left),
        };
        true
    }

    /// Lets the time go by until `t`.
    pub fn advance(&mut self, t: u64) {
        let mut elapsed = self.faults.counts(t.saturating_sub(self.at));
        self.at = self.at.max(t);
        if let Some(side) = self.running().filter(|_| self.faults.both) {
            let other = self.face_mut(side.other());
            other.left -= elapsed.min(other.left);
        }
        while let Some(side) = self.running()
            && elapsed > 0
        {
            let last_period = self.remote
                || self.change == PeriodChange::AtMove
                || self.faults.withheld(side)
                || self.face(side).period + 1 >= self.control.periods().len();
            let next = self.period(self.face(side).period + 1);
            let face = self.face_mut(side);
            let waited = elapsed.min(face.delay);
            face.delay -= waited;
            let ran = (elapsed - waited).min(face.left);
            face.left -= ran;
            face.used += waited + ran;
            elapsed -= waited + ran;
            if face.left == 0 {
                face.flag_shown = true;
                if last_period {
                    face.fallen = true;
                    self.run = Run::Stopped;
                } else {
                    face.period += 1;
                    face.moves = 0;
                    face.left = u64::from(next.base_s) * SECOND;
                }
            }
        }
    }

    /// When the display next changes by itself.
    pub fn deadline(&self) -> Option<u64> {
        let face = self.face(self.running()?);
        let into_second = match face.left % SECOND {
            0 => SECOND,
            part => part,
        };
        let mut next = face.delay + into_second;
        if self.faults.both {
            let other = self.face(self.running()?.other()).left;
            next = next.min(if other.is_multiple_of(SECOND) { SECOND } else { other % SECOND });
        }
        self.faults.takes(next).map(|us| self.at + us)
    }

    /// What the board reports about it.
    pub fn report(&self) -> ClockTimes {
        ClockTimes {
            right: self.side_time(Side::Right),
            left: self.side_time(Side::Left),
            running: self.running().is_some(),
            lever: self.lever,
            battery_low: false,
            turn_bits: match self.lever {
                Lever::LeftHigh => 0x08,
                Lever::RightHigh => 0x10,
            },
        }
    }

    /// The seconds a side shows.
    pub fn shown(&self, side: Side) -> u32 {
        u32::try_from(self.face(side).left.div_ceil(SECOND)).unwrap_or(u32::MAX)
    }

    fn side_time(&self, side: Side) -> SideTime {
        let (face, shown) = (self.face(side), self.shown(side));
        let part = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
        SideTime {
            hours: part(shown / 3600),
            minutes: part(shown / 60 % 60),
            seconds: part(shown % 60),
            flag_blocked: face.fallen,
            per_move: !self.remote && self.period(face.period).bonus_s > 0,
            // Shown on its own only where the clock runs on after it: a blocked flag is D4 alone.
            flag_shown: face.flag_shown && !face.fallen,
        }
    }

    fn period(&self, index: usize) -> Period {
        let periods = self.control.periods();
        self.faults.period(periods[index.min(periods.len() - 1)])
    }

    const fn face(&self, side: Side) -> &Face {
        &self.faces[side as usize]
    }

    const fn face_mut(&mut self, side: Side) -> &mut Face {
        &mut self.faces[side as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{Left, Right};

    fn clock(control: &str, change: PeriodChange) -> ChessClock {
        let mut clock = ChessClock::new(control.parse().unwrap(), change, Left);
        clock.start(0);
        clock
    }
    const fn s(seconds: u64) -> u64 {
        seconds * SECOND
    }

    #[test]
    fn the_first_increment_is_there_before_the_first_move() {
        let mut clock = clock("180+2", PeriodChange::AtZero);
        assert_eq!((clock.shown(Left), clock.shown(Right)), (182, 182));
        clock.advance(s(5) + 1);
        assert_eq!(clock.shown(Left), 177);
        assert!(clock.press(s(5) + 1, Left));
        assert_eq!((clock.shown(Left), clock.running()), (179, Some(Right)));
        assert!(!clock.press(s(6), Left), "the side is down already");
        assert!(clock.report().right.per_move && clock.report().lever == Lever::RightHigh);
    }

    #[test]
    fn the_display_steps_once_a_second_and_the_flag_falls_at_zero() {
        let mut clock = clock("3", PeriodChange::AtZero);
        assert_eq!(clock.deadline(), Some(s(1)));
        clock.advance(s(1));
        assert_eq!((clock.shown(Left), clock.deadline()), (2, Some(s(2))));
        clock.advance(s(3) - 1);
        assert_eq!((clock.shown(Left), clock.running()), (1, Some(Left)));
        clock.advance(s(100));
        let report = clock.report();
        assert!(report.left.flag_blocked && !report.running && report.left.total_seconds() == 0);
        assert_eq!(clock.deadline(), None);
        clock.start(s(101));
        assert_eq!(clock.running(), None, "a fallen flag blocks the clock");
    }

    #[test]
    fn a_delay_holds_the_main_time_and_bronstein_gives_it_back() {
        let mut clock = clock("60+d10", PeriodChange::AtZero);
        clock.advance(s(10));
        assert_eq!((clock.shown(Left), clock.deadline()), (60, Some(s(11))));
        clock.advance(s(12));
        assert_eq!(clock.shown(Left), 58);
        clock.press(s(12), Left);
        clock.advance(s(20));
        assert_eq!((clock.shown(Left), clock.shown(Right)), (58, 60));

        let mut clock = self::clock("60+b10", PeriodChange::AtZero);
        clock.press(s(4), Left);
        assert_eq!(clock.shown(Left), 60);
        clock.press(s(19), Right);
        assert_eq!(clock.shown(Right), 55);
    }

    #[test]
    fn the_next_period_comes_at_zero_or_with_its_move() {
        let mut at_zero = clock("1/10:20", PeriodChange::AtZero);
        at_zero.advance(s(12));
        let left = at_zero.report().left;
        assert_eq!((left.total_seconds(), left.flag_shown, left.flag_blocked), (18, true, false));
        let mut at_move = clock("1/10+1:20", PeriodChange::AtMove);
        at_move.press(s(2), Left);
        assert_eq!(at_move.shown(Left), 9 + 1 + 20);
        at_move.advance(s(30));
        assert!(at_move.report().right.flag_blocked, "one move was due");
    }

    #[test]
    fn only_a_clock_in_remote_mode_is_set_by_the_host() {
        let order = SetAndRun { left: (0, 5, 0), right: (1, 3, 0), run: 0x02 };
        assert!(!clock("60", PeriodChange::AtZero).set_and_run(0, &order));
        let mut clock = ChessClock::remote("60".parse().unwrap(), Left);
        assert!(clock.set_and_run(0, &order));
        clock.press(s(1), Left);
        clock.advance(s(2));
        assert_eq!((clock.shown(Left), clock.shown(Right), clock.running()), (300, 3778, Some(Right)));
        assert!(clock.set_and_run(s(2), &SetAndRun { run: 0x09, ..order }));
        assert_eq!(clock.running(), Some(Right), "the lever says who runs");
        clock.press(s(3), Right);
        assert_eq!(clock.running(), Some(Left));
    }
}
