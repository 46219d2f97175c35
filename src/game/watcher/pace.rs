//! How far the sensors may lag behind the pieces: known from the link, told by the board, or learnt from what shows after a press.
use flagfall_events::{Colour, Mono};

/// One scan of 200–250 ms, and what is found on its way to us.
const USUAL_MS: u64 = 300;
/// The same of a classic Bluetooth board, which scans at half that speed.
pub(crate) const SLOW_MS: u64 = 550;
/// So many pieces that came down before their player pressed, and showed when no usual scan can have missed them …
const ENOUGH: u32 = 3;
/// … and one of them for so many that showed sooner: a hand may be late, too.
const RARE: u32 = 8;

/// So many pieces that showed within a usual scan after the press: of a slow one a third would show later.
const SHOWN: u32 = 24;

/// How fast one board is read.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    known_slow: bool,
    pressed: Option<(Mono, Colour)>,
    /// Pieces of the presser that showed after his press, within a usual scan and within a slow one.
    prompt: u32,
    late: u32,
}

impl Pace {
    /// Of a board at the end of this link.
    pub(crate) fn of(link: &str) -> Self {
        // On a bus a board is asked twice a second, and what came between is told then.
        let known_slow = link.contains("rfcomm") || link.starts_with("ble:") || link.starts_with("bus:");
        Self { known_slow, pressed: None, prompt: 0, late: 0 }
    }

    /// Milliseconds.
    pub(crate) const fn lag_ms(&self) -> u64 {
        let learnt = self.late >= ENOUGH && self.late.saturating_mul(RARE) >= self.prompt;
        if self.known_slow || learnt { SLOW_MS } else { USUAL_MS }
    }

    /// The same as far as it is sure, milliseconds: a board of which little was seen may be a slow one.
    pub(crate) const fn surely_ms(&self) -> u64 {
        if self.prompt >= SHOWN && self.late.saturating_mul(RARE) < self.prompt { self.lag_ms() } else { SLOW_MS }
    }

    /// Its scan is known to be slow, or was learnt to be.
    pub(crate) const fn is_slow(&self) -> bool {
        self.lag_ms() == SLOW_MS
    }

    /// It was known before this journal.
    pub(crate) const fn is_known_slow(&mut self) {
        self.known_slow = true;
    }

    /// It runs on a battery: only Bluetooth boards do.
    pub(crate) const fn has_battery(&mut self) {
        self.known_slow = true;
    }

    pub(crate) const fn pressed(&mut self, at: Mono, by: Colour) {
        self.pressed = Some((at, by));
    }

    /// A piece of this player's shows where it did not.
    pub(crate) fn came_down(&mut self, at: Mono, whose: Colour) {
        let Some(press) = self.pressed.filter(|(_, by)| *by == whose).map(|(press, _)| press) else { return };
        let lag_ms = at.since(press);
        if lag_ms <= USUAL_MS {
            self.prompt = self.prompt.saturating_add(1);
        } else if lag_ms <= SLOW_MS {
            self.late = self.late.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Colour::{Black, White};

    /// Presses of White, after which a piece of this colour shows so many milliseconds later.
    fn lag_after(times: impl IntoIterator<Item = u64>, whose: Colour) -> u64 {
        let mut pace = Pace::of("capture");
        for (n, late) in (0..).zip(times) {
            let press = Mono::from_millis(n * 10_000);
            pace.pressed(press, White);
            pace.came_down(press + late, whose);
        }
        pace.lag_ms()
    }

    #[test]
    fn a_scan_at_half_speed_is_learnt_from_what_shows_after_presses() {
        assert_eq!(lag_after([40, 320, 480], White), USUAL_MS);
        assert_eq!(lag_after([40, 320, 480, 200, 410], White), SLOW_MS);
    }

    #[test]
    fn a_scan_at_the_usual_speed_is_not() {
        assert_eq!(lag_after((0..100).map(|n| n * 60 % 250), White), USUAL_MS);
        // Moved again after the press, now and then.
        assert_eq!(lag_after((0..100).map(|n| if n % 12 == 11 { 500 } else { 100 }), White), USUAL_MS);
        assert_eq!(lag_after([320, 330, 340, 350], Black), USUAL_MS);
        assert_eq!(lag_after([3_000, 3_000, 3_000, 3_000], White), USUAL_MS);
    }

    #[test]
    fn what_the_link_is_and_a_battery_tell_it_at_once() {
        assert_eq!(Pace::of("rfcomm:00:06:66:12:34:56").lag_ms(), SLOW_MS);
        assert_eq!(Pace::of("bus:/dev/ttyUSB0").lag_ms(), SLOW_MS);
        let mut pace = Pace::of("serial:/dev/ttyACM0");
        assert_eq!(pace.lag_ms(), USUAL_MS);
        pace.has_battery();
        assert_eq!(pace.lag_ms(), SLOW_MS);
    }
}
