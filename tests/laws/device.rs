//! A chess clock as it shows on the wire: one report whenever a display steps, the lever goes over, or it starts or stops.
use super::table::Colour;

/// What a player's side is given with every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bonus {
    Fischer(i64),
    /// The main time stands for so long.
    Delay(i64),
    /// What was used is given back, at most so much.
    Bronstein(i64),
}

/// What happens when a side has no time left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtZero {
    /// Both sides stand, the flag is shown: clocks with an increment.
    Blocks,
    /// The flag is shown, the clock goes on: the other side counts when it is started.
    Shows,
    /// 0:00, no flag at all.
    Nothing,
    /// The next period's time is added, the flag is shown for five seconds.
    Adds(i64),
}

#[derive(Clone, Debug)]
pub(super) struct Device {
    /// Milliseconds left: White, Black.
    pub(super) left: [i64; 2],
    pub(super) bonus: Bonus,
    pub(super) at_zero: AtZero,
    /// Time added at a side's press with this number.
    pub(super) period: Option<(u32, i64)>,
    /// A side counts this many thousandths of a second in one.
    pub(super) rate: i64,
    /// Both displays count at once.
    pub(super) both_count: bool,
    /// Nothing counts, though it says that it runs.
    pub(super) frozen: bool,
    pub(super) white_is_left: bool,
    /// Whose side is up.
    pub(super) up: Colour,
    pub(super) running: bool,
    pub(super) presses: [u32; 2],
    flags: [bool; 2],
    /// How long an added period still shows the flag.
    showing: i64,
    /// What of the fixed time of this move is left, and how much of the main time was used in it.
    fixed: i64,
    used: i64,
}

const fn index(of: Colour) -> usize {
    match of {
        Colour::White => 0,
        Colour::Black => 1,
    }
}

impl Device {
    /// Stopped, White's side up; with an increment the first is granted already.
    pub(super) fn new(base_ms: i64, bonus: Bonus) -> Self {
        let first = if let Bonus::Fischer(each) = bonus { each } else { 0 };
        let mut device = Self {
            left: [base_ms + first; 2],
            bonus,
            at_zero: if first > 0 { AtZero::Blocks } else { AtZero::Shows },
            period: None,
            rate: 1000,
            both_count: false,
            frozen: false,
            white_is_left: true,
            up: Colour::White,
            running: false,
            presses: [0; 2],
            flags: [false; 2],
            showing: 0,
            fixed: 0,
            used: 0,
        };
        device.begin_move();
        device
    }

    fn begin_move(&mut self) {
        self.fixed = if let Bonus::Delay(each) = self.bonus { each } else { 0 };
        self.used = 0;
    }

    /// The display, whole seconds.
    pub(super) fn shown(&self, of: Colour) -> i64 {
        (self.left[index(of)] + 999).div_euclid(1000)
    }

    /// The side that is up goes down.
    pub(super) fn press(&mut self) {
        let side = index(self.up);
        if self.running && self.left[side] > 0 {
            self.presses[side] += 1;
            match self.bonus {
                Bonus::Fischer(each) => self.left[side] += each,
                Bonus::Bronstein(most) => self.left[side] += self.used.min(most),
                Bonus::Delay(_) => {}
            }
            if let Some((_, time)) = self.period.filter(|(at, _)| *at == self.presses[side]) {
                self.left[side] += time;
            }
        }
        self.up = self.up.other();
        self.begin_move();
    }

    /// The arbiter's hands: times, and whose side is up.
    pub(super) fn set(&mut self, white_ms: i64, black_ms: i64, up: Colour) {
        self.left = [white_ms, black_ms];
        self.flags = [white_ms == 0, black_ms == 0];
        self.up = up;
        self.begin_move();
    }

    /// The flag of this side is down from now on.
    pub(super) fn drop_flag(&mut self, of: Colour) {
        self.left[index(of)] = 0;
        self.flags[index(of)] = true;
    }

    /// Lets `ms` pass; each step of a display gives its report, with the milliseconds until it.
    pub(super) fn pass(&mut self, ms: u64) -> Vec<(u64, String)> {
        let ms = i64::try_from(ms).unwrap();
        let mut reports = Vec::new();
        let mut gone = 0;
        while self.running && !self.frozen && gone < ms {
            let side = index(self.up);
            if self.fixed > 0 {
                let wait = self.fixed.min(ms - gone);
                self.fixed -= wait;
                gone += wait;
                continue;
            }
            if self.left[side] == 0 {
                break;
            }
            // A display of n stands for more than n-1 seconds and at most n.
            let to_step = (self.left[side] - 1) % 1000 + 1;
            let needs = (to_step * 1000 + self.rate - 1) / self.rate;
            let (took, step) = if gone + needs > ms { ((ms - gone) * self.rate / 1000, ms - gone) } else { (to_step, needs) };
            self.left[side] -= took;
            self.used += took;
            if self.both_count {
                self.left[1 - side] = (self.left[1 - side] - took).max(0);
            }
            gone += step;
            let showed = self.showing > 0;
            self.showing = (self.showing - took).max(0);
            if showed && self.showing == 0 {
                self.flags[side] = false;
            }
            if step == needs {
                if self.left[side] == 0 {
                    self.reached_zero(side);
                }
                reports.push((u64::try_from(gone).unwrap(), self.report()));
            }
        }
        reports
    }

    fn reached_zero(&mut self, side: usize) {
        match self.at_zero {
            AtZero::Blocks => {
                self.flags[side] = true;
                self.running = false;
            }
            AtZero::Shows => self.flags[side] = true,
            AtZero::Nothing => {}
            AtZero::Adds(time) => {
                self.left[side] = time;
                self.flags[side] = true;
                self.showing = 5000;
                self.at_zero = AtZero::Shows;
            }
        }
    }

    /// The report as hexadecimal bytes: `8d 00 0a`, the right side, the left side, the status.
    pub(super) fn report(&self) -> String {
        let side = |of: Colour| {
            let seconds = self.shown(of);
            let bcd = |n: i64| n / 10 * 16 + n % 10;
            let flag = match (self.flags[index(of)], self.at_zero) {
                (false, _) | (_, AtZero::Nothing) => 0,
                (true, AtZero::Blocks) => 0x10,
                (true, _) => 0x40,
            };
            let per_move = if matches!(self.bonus, Bonus::Fischer(0)) { 0 } else { 0x20 };
            format!("{:02x} {:02x} {:02x}", (seconds / 3600) | flag | per_move, bcd(seconds / 60 % 60), bcd(seconds % 60))
        };
        let (left, right) = if self.white_is_left { (Colour::White, Colour::Black) } else { (Colour::Black, Colour::White) };
        let mut status = if self.up == left { 0x08 } else { 0x12 };
        if self.running {
            status |= 1;
        }
        if self.both_count && self.running {
            status |= 0x18;
        }
        format!("8d 00 0a {} {} {status:02x}", side(right), side(left))
    }
}

#[test]
fn it_says_what_the_real_one_says() {
    let mut clock = Device::new(180_000, Bonus::Fischer(2000));
    assert_eq!(clock.report(), "8d 00 0a 20 03 02 20 03 02 08");
    clock.running = true;
    assert_eq!(clock.report(), "8d 00 0a 20 03 02 20 03 02 09");
    assert_eq!(clock.pass(1500), [(1000, String::from("8d 00 0a 20 03 02 20 03 01 09"))]);
    clock.press();
    assert_eq!(clock.report(), "8d 00 0a 20 03 02 20 03 03 13");
}

#[test]
fn a_flag_with_an_increment_stops_the_clock() {
    let mut clock = Device::new(0, Bonus::Fischer(1000));
    clock.left = [16_000, 1000];
    (clock.up, clock.running) = (Colour::Black, true);
    assert_eq!(clock.pass(5000), [(1000, String::from("8d 00 0a 30 00 00 20 00 16 12"))]);
}
