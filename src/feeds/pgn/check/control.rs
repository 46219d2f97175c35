//! A time control as people write it: PGN's notation, or words as LiveChess's (`90min + 30min/40 moves + 30s/move`).
use flagfall_events::{BonusKind, TimeControl};

/// What is checked against, seconds. Unlike [`TimeControl`] it is all that can be told from words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Control {
    /// The time at the start.
    pub(super) base: i64,
    /// What each move adds, or delays.
    pub(super) bonus: i64,
    /// What the bonus is.
    pub(super) kind: BonusKind,
    /// Later periods: after which move, and how much they add.
    pub(super) periods: Vec<(u32, i64)>,
    /// What each move adds, or delays, in a later period where that is another amount: after which move.
    pub(super) bonuses: Vec<(u32, i64)>,
}

/// Less than this is no base time in seconds: `10+0` of LiveChess are minutes.
const MINUTES_BELOW: i64 = 60;

impl Control {
    /// `None` for what says nothing of a clock: `?`, `-`, words of another kind.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.parse::<TimeControl>() {
            Ok(control) => Some(Self::of(&control)),
            Err(_) => in_words(text),
        }
    }

    fn of(control: &TimeControl) -> Self {
        let first = control.periods()[0];
        let mut base = i64::from(first.base_s);
        if control.periods().len() == 1 && first.moves.is_none() && base < MINUTES_BELOW && first.bonus_s < first.base_s {
            base *= 60;
        }
        let mut after = 0;
        let (mut periods, mut bonuses) = (Vec::new(), Vec::new());
        for two in control.periods().windows(2) {
            after += two[0].moves.unwrap_or(0);
            periods.push((after, i64::from(two[1].base_s)));
            bonuses.push((after, i64::from(two[1].bonus_s)));
        }
        Self { base, bonus: i64::from(first.bonus_s), kind: first.kind, periods, bonuses }
    }

    /// What a player's move with this number, from 1, adds or delays.
    pub(super) fn bonus(&self, number: u32) -> i64 {
        self.bonuses.iter().rev().find(|(after, _)| *after < number).map_or(self.bonus, |(_, bonus)| *bonus)
    }

    /// What the move with this number takes off a display for so many seconds of thought, less what the press adds: negative where it gains.
    pub(super) fn takes(&self, number: u32, spent: i64) -> i64 {
        match self.kind {
            BonusKind::Fischer => spent - self.bonus(number),
            BonusKind::Delay | BonusKind::Bronstein => (spent - self.bonus(number)).max(0),
        }
    }

    /// The most that the move with this number can add.
    pub(super) fn gains(&self, number: u32) -> i64 {
        match self.kind {
            BonusKind::Fischer => self.bonus(number),
            BonusKind::Delay | BonusKind::Bronstein => 0,
        }
    }
}

/// A number with what stands behind it.
fn numbers(text: &str) -> Vec<(i64, String)> {
    let mut found: Vec<(i64, String)> = Vec::new();
    let mut digits = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if !digits.is_empty() {
            // More digits than any time has are no time.
            found.push((std::mem::take(&mut digits).parse().unwrap_or(-1), String::new()));
        }
        if let Some((_, unit)) = found.last_mut() {
            unit.push(c);
        }
    }
    found
}

fn in_words(text: &str) -> Option<Control> {
    let lower = text.to_lowercase();
    let (mut times, mut bonus, mut after) = (Vec::new(), None, 40);
    for (number, unit) in numbers(&lower) {
        if !(0..100_000).contains(&number) {
            return None;
        }
        let unit = unit.trim_start();
        if unit.starts_with("move") || unit.starts_with("mv") || unit.starts_with("zug") || unit.starts_with("ход") {
            after = u32::try_from(number).ok()?;
        } else if unit.starts_with('h') {
            times.push(number * 3600);
        } else if unit.starts_with('m') || (unit.starts_with('\'') && !unit.starts_with("''")) {
            times.push(number * 60);
        } else if unit.starts_with('s') || unit.starts_with('"') || unit.starts_with("''") {
            bonus = Some(number);
        } else if times.is_empty() {
            return None;
        } else {
            // `90 min + 30`: what has no unit comes with each move.
            bonus = bonus.or(Some(number));
        }
    }
    let mut times = times.into_iter();
    let base = times.next()?;
    let periods = times.zip(1..).map(|(time, n)| (after * n, time)).collect();
    Some(Control { base, bonus: bonus.unwrap_or(0), kind: BonusKind::Fischer, periods, bonuses: Vec::new() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]
mod tests {
    use super::*;

    fn control(base: i64, bonus: i64, periods: &[(u32, i64)]) -> Option<Control> {
        Some(Control { base, bonus, kind: BonusKind::Fischer, periods: periods.to_vec(), bonuses: Vec::new() })
    }

    #[test]
    fn notation_and_words_come_to_the_same() {
        assert_eq!(Control::read("180+2"), control(180, 2, &[]));
        let periods = Control::read("40/5400:1800+30").unwrap();
        assert_eq!((periods.periods.as_slice(), periods.bonus(40), periods.bonus(41)), ([(40, 1800)].as_slice(), 0, 30));
        assert_eq!(Control::read("90min + 30min/40 moves + 30s/move"), control(5400, 30, &[(40, 1800)]));
        assert_eq!(Control::read("90 min/40 moves + 30 min + 30 sec/move"), control(5400, 30, &[(40, 1800)]));
        assert_eq!(Control::read("15 min/game + 10 sec/move"), control(900, 10, &[]));
        assert_eq!(Control::read("90' + 30''"), control(5400, 30, &[]));
        assert_eq!(Control::read("10+0"), control(600, 0, &[]), "LiveChess's own are minutes");
    }

    #[test]
    fn what_says_nothing_of_a_clock_is_none() {
        for text in ["?", "-", "", "Blitz", "G/0", "999999999999999999 min"] {
            assert_eq!(Control::read(text), None, "{text}");
        }
    }
}
