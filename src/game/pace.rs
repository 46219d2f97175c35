//! How far the sensors may lag behind the pieces: known from the link, told by the board, or learnt from what it says.
use crate::time::Mono;
use std::ops::Range;

/// One scan of 200–250 ms (reference, 1.3), and what is found on its way to us.
const USUAL_MS: u64 = 300;
/// The same of a classic Bluetooth board, which scans at half that speed.
const SLOW_MS: u64 = 550;
/// A square changes twice whole scans apart: only a scan at the usual speed passes it so soon again, or after so odd a time …
const USUAL: [Range<u64>; 2] = [1..390, 520..770];
/// … and either does after this one.
const SLOW: [Range<u64>; 2] = [390..520, 770..1_030];
/// From so many of these on it is a slow scan …
const ENOUGH: u32 = 6;
/// … where there are so many for each of the others: a changed byte says anything.
const RARE: u32 = 16;

/// How fast one board is read.
#[derive(Debug)]
pub(super) struct Pace {
    known_slow: bool,
    changed: [Option<Mono>; 64],
    usual: u32,
    slow: u32,
}

impl Pace {
    /// Of a board at the end of this link.
    pub(super) fn of(link: &str) -> Self {
        let known_slow = link.contains("rfcomm") || link.starts_with("ble:");
        Self { known_slow, changed: [None; 64], usual: 0, slow: 0 }
    }

    /// Milliseconds.
    pub(super) const fn lag_ms(&self) -> u64 {
        let learnt = self.slow >= ENOUGH && self.slow >= self.usual.saturating_mul(RARE);
        if self.known_slow || learnt { SLOW_MS } else { USUAL_MS }
    }

    /// It runs on a battery: only Bluetooth boards do (reference, 6.2).
    pub(super) const fn has_battery(&mut self) {
        self.known_slow = true;
    }

    /// A square, by the board's own number, was told to read something else.
    pub(super) fn changed(&mut self, at: Mono, square: usize) {
        let Some(before) = self.changed[square].replace(at) else { return };
        let apart = at.since(before);
        self.usual += u32::from(USUAL.iter().any(|range| range.contains(&apart)));
        self.slow += u32::from(SLOW.iter().any(|range| range.contains(&apart)));
    }

    /// Changes may have been missed.
    pub(super) const fn look_away(&mut self) {
        self.changed = [None; 64];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square that changes at these times.
    fn lag_after(times: impl IntoIterator<Item = u64>) -> u64 {
        let mut pace = Pace::of("capture");
        for t in times {
            pace.changed(Mono::from_millis(t), 12);
        }
        pace.lag_ms()
    }

    #[test]
    fn a_scan_at_half_speed_is_learnt_from_the_times_of_changes() {
        assert_eq!(lag_after((0..6).map(|i| i * 450)), USUAL_MS);
        assert_eq!(lag_after((0..7).map(|i| i * 450)), SLOW_MS);
        assert_eq!(lag_after((0..7).map(|i| i * 900)), SLOW_MS);
    }

    #[test]
    fn a_scan_at_the_usual_speed_never_is() {
        assert_eq!(lag_after((0..100).map(|i| i * 220)), USUAL_MS);
        // Two scans, three, two, three …
        assert_eq!(lag_after((0..100).map(|i| (i / 2) * 1_100 + (i % 2) * 440)), USUAL_MS);
    }

    #[test]
    fn what_was_learnt_too_soon_is_forgotten() {
        let steady = (0..7).map(|i| i * 450);
        assert_eq!(lag_after(steady.chain([2_920])), USUAL_MS);
    }

    #[test]
    fn times_of_a_hand_tell_nothing() {
        assert_eq!(lag_after((0..100).map(|i| i * 5_000)), USUAL_MS);
    }

    #[test]
    fn what_the_link_is_and_a_battery_tell_it_at_once() {
        assert_eq!(Pace::of("rfcomm:00:06:66:12:34:56").lag_ms(), SLOW_MS);
        let mut pace = Pace::of("serial:/dev/ttyACM0");
        assert_eq!(pace.lag_ms(), USUAL_MS);
        pace.has_battery();
        assert_eq!(pace.lag_ms(), SLOW_MS);
    }
}
