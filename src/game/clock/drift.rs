//! Whether the seconds of the display are as long as seconds are: a line through the moments at which it stepped.
use crate::clock::doubt;
use alloc::collections::VecDeque;

/// Turns looked at together, at most.
const TURNS: usize = 12;
/// Clocks are right to far less, milliseconds a second; two in a hundred is a defect.
const RATE_MS: i128 = 8;
/// Stamps are never better than 8 ms: the square.
const JITTER_SQUARED: i128 = 64;
/// A turn is looked at for so long, more than four hours: no sum below can overflow.
const MOST: u32 = 1 << 14;
const MOST_MS: u64 = 1 << 25;
/// Sums of squares around a mean are fixed-point numbers with so many bits behind the point, slopes with so many.
const SUM_BITS: u32 = 28;
const SLOPE_BITS: u32 = 26;

/// Sums over the steps of one turn: seconds shown against milliseconds passed.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    n: u32,
    x: i128,
    y: i128,
    xx: i128,
    xy: i128,
    yy: i128,
    /// Its sums of squares, once the turn is over.
    centred: Option<Sums>,
}

/// Sums of squares around a mean, fixed-point: of seconds, of both, of milliseconds.
type Sums = (i128, i128, i128);

impl Line {
    const fn add(&mut self, x: i128, y: i128) {
        self.n += 1;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
    }

    /// Sums of squares around the turn's own mean.
    const fn centred(&self) -> Sums {
        if let Some(known) = self.centred {
            return known;
        }
        if self.n < 2 {
            return (0, 0, 0);
        }
        let n = self.n as i128;
        let (xx, xy, yy) = (n * self.xx - self.x * self.x, n * self.xy - self.x * self.y, n * self.yy - self.y * self.y);
        ((xx << SUM_BITS) / n, (xy << SUM_BITS) / n, (yy << SUM_BITS) / n)
    }
}

/// The steps of the last turns.
#[derive(Clone, Debug)]
pub(crate) struct Drift {
    turns: VecDeque<Line>,
    /// What a slow scan of the clock may add to a stamp: an apparent gain below this proves nothing.
    quantum_ms: u64,
}

impl Drift {
    pub(crate) const fn new(quantum_ms: u64) -> Self {
        Self { turns: VecDeque::new(), quantum_ms }
    }

    /// Another time may be added to a stamp than was thought.
    pub(crate) const fn lag_by(&mut self, quantum_ms: u64) {
        self.quantum_ms = quantum_ms;
    }

    /// Another turn begins, or the row of steps is broken.
    pub(crate) fn turn(&mut self) {
        if self.turns.back().is_some_and(|line| line.n < 2) {
            self.turns.pop_back();
        }
        if let Some(over) = self.turns.back_mut() {
            over.centred = Some(over.centred());
        }
        self.turns.push_back(Line::default());
        if self.turns.len() > TURNS {
            self.turns.pop_front();
        }
    }

    /// The display has lost `seconds` since the turn's first step, `ms` later.
    pub(crate) fn step(&mut self, seconds: u32, ms: u64) {
        if self.turns.is_empty() {
            self.turn();
        }
        if let Some(line) = self.turns.back_mut().filter(|line| line.n < MOST && seconds < MOST && ms < MOST_MS) {
            line.add(i128::from(seconds), i128::from(ms));
        }
    }

    pub(crate) fn forget(&mut self) {
        self.turns.clear();
    }

    /// By how many parts in a million the clock is too fast (above 0) or too slow, if it clearly is.
    pub(crate) fn ppm(&self) -> Option<i32> {
        let (mut sxx, mut sxy, mut syy, mut steps) = (0, 0, 0, 0_i128);
        for line in self.turns.iter().rev() {
            let (xx, xy, yy) = line.centred();
            sxx += xx;
            sxy += xy;
            syy += yy;
            steps += i128::from(line.n.saturating_sub(1));
            let free = steps - 1;
            if sxx <= 0 || free < 8 {
                continue;
            }
            let gained = sxy - 1000 * sxx;
            // Nearly always, and without a division.
            if gained.abs() < RATE_MS * sxx {
                continue;
            }
            // By Cauchy and Schwarz a sum times a slope is no more than the sum of squares above and the slope's bits.
            let slope = (sxy << SLOPE_BITS) / sxx;
            let off = slope - (1000 << SLOPE_BITS);
            let unexplained = syy - ((sxy * slope) >> SLOPE_BITS);
            let variance = (unexplained / free).max(JITTER_SQUARED << SUM_BITS);
            // The error of the slope is known from these very steps: of few of them more is asked.
            let sure = (gained * off) >> SLOPE_BITS >= doubt::student_squared(free) * variance;
            if sure && gained.abs() * steps >= i128::from(self.quantum_ms.min(MOST_MS)) * sxx && sxy > 100 * sxx {
                return Some(rounded(-gained * 1_000_000, sxy).clamp(-1_000_000, 1_000_000) as i32);
            }
        }
        None
    }
}

/// The nearest whole number, halves away from zero.
const fn rounded(numerator: i128, denominator: i128) -> i128 {
    (2 * numerator.abs() + denominator) / (2 * denominator) * numerator.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of these lengths on a clock whose seconds last so long, each stamp late by what `late` says.
    fn rate(second_ms: f64, turns: &[u32], mut late: impl FnMut(f64) -> f64) -> Option<i32> {
        let mut drift = Drift::new(350);
        let mut t = 0.0;
        for &steps in turns {
            drift.turn();
            let (start, mut first) = (t, None);
            for n in 0..steps {
                t = start + second_ms * f64::from(n + 1);
                let seen = t + late(t);
                let first = *first.get_or_insert(seen);
                drift.step(n, (seen - first) as u64);
            }
            t += 400.0;
        }
        drift.ppm()
    }

    #[test]
    fn two_in_a_hundred_are_found_in_three_moves() {
        let turns = [5, 6, 4, 7, 5, 6];
        let slow = rate(1020.0, &turns, |_| 0.0).unwrap();
        let fast = rate(980.0, &turns, |_| 0.0).unwrap();
        assert!((-21_000..-18_000).contains(&slow) && (18_000..22_000).contains(&fast), "{slow} {fast}");
    }

    #[test]
    fn no_row_of_steps_is_too_long_or_too_odd() {
        let mut drift = Drift::new(u64::MAX);
        for turn in 0..20_u32 {
            drift.turn();
            for n in 0..2 * MOST {
                drift.step(n.wrapping_mul(turn | 1), u64::from(n).wrapping_mul(u64::from(turn)) << turn);
            }
            let _ = drift.ppm();
        }
        drift.lag_by(0);
        drift.step(u32::MAX, u64::MAX);
        let _ = drift.ppm();
    }

    #[test]
    fn a_right_clock_whose_reports_are_late_does_not_drift() {
        let turns = [5, 6, 4, 7, 5, 6, 30, 12, 3, 3, 40, 9];
        assert_eq!(rate(1000.0, &turns, |_| 0.0), None);
        assert_eq!(rate(1000.05, &[600; 6], |_| 0.0), None);
        // A board that looks at its clock every so often: stamps come at its own beat.
        for beat in [200.0, 230.0, 245.0, 249.0, 252.0, 300.0] {
            assert_eq!(rate(1000.0, &turns, |t: f64| (t / beat).ceil() * beat - t), None, "{beat}");
        }
        // Up to a second late, anyhow.
        let mut state = 7_u64;
        let mut random = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 31) * 1000.0
        };
        for _ in 0..200 {
            assert_eq!(rate(1000.0, &turns, &mut random), None);
        }
    }
}
