//! One player's turn as the clock showed it, and whether a kind of bonus explains it (6.3.2).
use crate::clock::sides::Side;
use flagfall_events::{BonusKind, Period};

/// From the opponent's press to the player's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) side: Side,
    /// What ran, by our own time, milliseconds; stops left out.
    pub(crate) ran_ms: u64,
    /// The display when it began, seconds.
    pub(crate) from: i64,
    /// The display right before the press.
    pub(crate) before: i64,
    /// The display after the press.
    pub(crate) after: i64,
    /// Added when the turn began, by clocks that do so.
    pub(crate) given_first: i64,
    /// Times were set, reports were missing, or a message did not fit: it proves nothing.
    pub(crate) unclear: bool,
    /// The move that the press completed as the clock counts, from 1.
    pub(crate) number: u32,
    /// The press among those of both sides, from 1.
    pub(crate) ply: u32,
}

impl Turn {
    /// What the display lost before the press.
    pub(crate) const fn drop(&self) -> i64 {
        self.from - self.before
    }

    /// What the press added.
    pub(crate) const fn given(&self) -> i64 {
        self.after - self.before
    }
}

/// What a clock adds to a turn, or holds back of it; seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    Nothing,
    Fischer(u32),
    Delay(u32),
    Bronstein(u32),
}

/// How far a display may be from the model, milliseconds: it shows whole seconds, and a report may be late.
const SLACK_MS: i64 = 1_600;
/// How far on average, over several turns.
const MEAN_MS: i64 = 600;

/// A length of time to reckon with; longer than any turn is as long as a thousand years.
pub(crate) fn milliseconds(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX).min(1 << 45)
}

impl Model {
    pub(crate) const fn of(period: &Period) -> Self {
        match (period.bonus_s, period.kind) {
            (0, _) => Self::Nothing,
            (s, BonusKind::Fischer) => Self::Fischer(s),
            (s, BonusKind::Delay) => Self::Delay(s),
            (s, BonusKind::Bronstein) => Self::Bronstein(s),
        }
    }

    /// How long the display may stand at the beginning of a turn, milliseconds.
    pub(crate) const fn holds_ms(self) -> u64 {
        match self {
            Self::Delay(s) => s as u64 * 1000,
            _ => 0,
        }
    }

    /// What a press adds after so long, milliseconds.
    pub(crate) fn adds_ms(self, ran_ms: u64) -> i64 {
        match self {
            Self::Fischer(s) => i64::from(s) * 1000,
            Self::Bronstein(s) => i64::try_from(ran_ms).unwrap_or(i64::MAX).min(i64::from(s) * 1000),
            Self::Nothing | Self::Delay(_) => 0,
        }
    }

    /// Whole seconds that a display shows more after a press that came after so long.
    pub(crate) fn adds(self, ran_ms: u64) -> i64 {
        match self {
            Self::Fischer(s) => i64::from(s),
            Self::Bronstein(s) => i64::from(s).min(i64::try_from(ran_ms.div_ceil(1000)).unwrap_or(i64::MAX)),
            Self::Nothing | Self::Delay(_) => 0,
        }
    }

    /// What the display loses in a turn that ran so long, milliseconds.
    pub(crate) const fn loses_ms(self, ran_ms: u64) -> u64 {
        ran_ms.saturating_sub(self.holds_ms())
    }

    /// Whether the rounding of several turns cancels out, as it does where the model is right.
    pub(crate) fn fits_in_all(self, turns: &[Turn]) -> bool {
        let most = MEAN_MS * turns.len() as i64;
        let off: i64 = turns.iter().map(|turn| turn.drop() * 1000 - milliseconds(self.loses_ms(turn.ran_ms))).sum();
        let over: i64 = turns.iter().map(|turn| turn.given() - self.adds(turn.ran_ms)).sum();
        turns.len() < 4 || (off.abs() <= most && over.abs() * 1000 <= most)
    }

    /// Whether the turn went as this clock goes.
    pub(crate) fn fits(self, turn: &Turn) -> bool {
        let ran = milliseconds(turn.ran_ms);
        let (lost, added, slack) = match self {
            Self::Nothing => (ran, 0, 600),
            // A second or two have to be told from nothing.
            Self::Fischer(s) => (ran, i64::from(s) * 1000, if s <= 2 { 600 } else { 1_200 }),
            Self::Delay(s) => ((ran - i64::from(s) * 1000).max(0), 0, 1_200),
            Self::Bronstein(s) => (ran, ran.min(i64::from(s) * 1000), SLACK_MS),
        };
        let added_ok = [turn.given(), turn.given() + turn.given_first].iter().any(|&given| (given * 1000 - added).abs() <= slack);
        (turn.drop() * 1000 - lost).abs() <= SLACK_MS && added_ok
    }
}

/// A turn for tests: what ran, how far the display went down, seconds, and what it was given.
#[cfg(test)]
pub(crate) fn example(ran_ms: u64, drop: i64, given: i64) -> Turn {
    let from = 600;
    Turn {
        side: Side::Left,
        ran_ms,
        from,
        before: from - drop,
        after: from - drop + given,
        given_first: 0,
        unclear: false,
        number: 1,
        ply: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::example as turn;
    use super::*;

    #[test]
    fn a_right_turn_fits_in_every_mode() {
        assert!(Model::Fischer(2).fits(&turn(900, 1, 2)));
        assert!(!Model::Fischer(2).fits(&turn(900, 1, 0)));
        assert!(Model::Delay(10).fits(&turn(14_000, 4, 0)));
        assert!(Model::Bronstein(10).fits(&turn(4400, 4, 4)) && Model::Bronstein(10).fits(&turn(14_000, 14, 10)));
        assert!(Model::Nothing.fits(&turn(14_000, 14, 0)));
    }
}
