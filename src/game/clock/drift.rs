//! Whether the seconds of the display are as long as seconds are: a line through the moments at which it stepped.
use std::collections::VecDeque;

/// Turns looked at together, at most.
const TURNS: usize = 12;
/// Clocks are right to far less; two in a hundred is a defect.
const RATE: f64 = 0.008;
/// The slope must be this many times its own error.
const SURE: f64 = 6.0;
/// Stamps are never better than this, milliseconds.
const JITTER_MS: f64 = 8.0;

/// Sums over the steps of one turn, centred by the turn: seconds shown against milliseconds passed.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Line {
    fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
    }

    /// Sums of squares around the turn's own mean.
    fn centred(&self) -> (f64, f64, f64) {
        if self.n < 2.0 {
            return (0.0, 0.0, 0.0);
        }
        (self.xx - self.x * self.x / self.n, self.xy - self.x * self.y / self.n, self.yy - self.y * self.y / self.n)
    }
}

/// The steps of the last turns.
#[derive(Clone, Debug)]
pub(super) struct Drift {
    turns: VecDeque<Line>,
    /// What a slow scan of the clock may add to a stamp: an apparent gain below this proves nothing.
    quantum_ms: f64,
}

impl Drift {
    pub(super) const fn new(quantum_ms: u64) -> Self {
        Self { turns: VecDeque::new(), quantum_ms: quantum_ms as f64 }
    }

    /// Another time may be added to a stamp than was thought.
    pub(super) const fn lag_by(&mut self, quantum_ms: u64) {
        self.quantum_ms = quantum_ms as f64;
    }

    /// Another turn begins, or the row of steps is broken.
    pub(super) fn turn(&mut self) {
        if self.turns.back().is_some_and(|line| line.n < 2.0) {
            self.turns.pop_back();
        }
        self.turns.push_back(Line::default());
        if self.turns.len() > TURNS {
            self.turns.pop_front();
        }
    }

    /// The display has lost `seconds` since the turn's first step, `ms` later.
    pub(super) fn step(&mut self, seconds: u32, ms: u64) {
        if self.turns.is_empty() {
            self.turn();
        }
        if let Some(line) = self.turns.back_mut() {
            line.add(f64::from(seconds), ms as f64);
        }
    }

    pub(super) fn forget(&mut self) {
        self.turns.clear();
    }

    /// By which part the clock is too fast (above 0) or too slow, if it clearly is.
    pub(super) fn rate(&self) -> Option<f64> {
        let (mut sxx, mut sxy, mut syy, mut free, mut steps) = (0.0, 0.0, 0.0, -1.0, 0.0);
        for line in self.turns.iter().rev() {
            let (xx, xy, yy) = line.centred();
            sxx += xx;
            sxy += xy;
            syy += yy;
            if line.n >= 2.0 {
                free += line.n - 1.0;
                steps += line.n - 1.0;
            }
            if sxx <= 0.0 || free < 8.0 {
                continue;
            }
            let slope = sxy / sxx;
            let variance = ((syy - sxy * sxy / sxx) / free).max(JITTER_MS * JITTER_MS);
            let error = (variance / sxx).sqrt();
            let off = slope - 1000.0;
            if off.abs() >= 1000.0 * RATE && off.abs() >= SURE * error && off.abs() * steps >= self.quantum_ms && slope > 100.0 {
                return Some(1000.0 / slope - 1.0);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of these lengths on a clock whose seconds last so long, each stamp late by what `late` says.
    fn rate(second_ms: f64, turns: &[u32], mut late: impl FnMut(f64) -> f64) -> Option<f64> {
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
        drift.rate()
    }

    #[test]
    fn two_in_a_hundred_are_found_in_three_moves() {
        let turns = [5, 6, 4, 7, 5, 6];
        let slow = rate(1020.0, &turns, |_| 0.0).unwrap();
        let fast = rate(980.0, &turns, |_| 0.0).unwrap();
        assert!((-0.021..-0.018).contains(&slow) && (0.018..0.022).contains(&fast), "{slow} {fast}");
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
