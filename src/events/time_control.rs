//! Time controls as periods, PGN notation in and out.
use alloc::string::String;
use alloc::vec::Vec;
use core::{fmt, str::FromStr};

/// One period: `40/5400+30` is 40 moves in 90 minutes with 30 seconds a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// Moves to complete; `None`: all the rest.
    pub moves: Option<u32>,
    /// Base time, seconds.
    pub base_s: u32,
    /// Increment or delay a move, seconds.
    pub bonus_s: u32,
    /// What the bonus is.
    pub kind: BonusKind,
}

/// Increment or delay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BonusKind {
    /// Fischer: added at every press (bare number).
    #[default]
    Fischer,
    /// US delay (`d`): the main time does not move inside the fixed time.
    Delay,
    /// Bronstein (`b`): the time used, at most the fixed time, is given back at the press.
    Bronstein,
}

/// A whole time control; at least one period.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    periods: Vec<Period>,
}

impl TimeControl {
    /// The periods in order.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// The period that a player's move with this number, from 1, belongs to. `None`: every period has its moves, and this is one more.
    pub fn period_of(&self, number: u32) -> Option<&Period> {
        let mut upto = 0_u32;
        self.periods.iter().find(|period| {
            upto = upto.saturating_add(period.moves.unwrap_or(u32::MAX));
            number <= upto
        })
    }

    /// The period whose time this move brings: it is the last one of the period before.
    pub fn begins_after(&self, number: u32) -> Option<&Period> {
        let mut upto = 0_u32;
        let two = self.periods.windows(2).find(|two| {
            upto = upto.saturating_add(two[0].moves.unwrap_or(u32::MAX));
            upto == number
        });
        two.map(|two| &two[1])
    }
}

/// Not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time control; write for example \"5400+30\", \"40/5400+30:1800+30\" or \"900+d10\"")]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let bad = || TimeControlError(String::from(s));
        let mut periods = Vec::new();
        for part in s.trim().split(':') {
            let (moves, rest) = match part.split_once('/') {
                Some((m, rest)) => (Some(m.parse().ok().filter(|m| *m > 0).ok_or_else(bad)?), rest),
                None => (None, part),
            };
            let (base, bonus) = rest.split_once('+').unwrap_or((rest, "0"));
            let (kind, bonus) = match bonus.as_bytes().first() {
                Some(b'd') => (BonusKind::Delay, &bonus[1..]),
                Some(b'b') => (BonusKind::Bronstein, &bonus[1..]),
                _ => (BonusKind::Fischer, bonus),
            };
            let digits = |x: &str| x.bytes().all(|b| b.is_ascii_digit()).then(|| x.parse::<u32>().ok()).flatten().filter(|n| *n < 100_000);
            let (Some(base_s), Some(bonus_s)) = (digits(base), digits(bonus)) else {
                return Err(bad());
            };
            periods.push(Period { moves, base_s, bonus_s, kind });
        }
        let last = periods.len() - 1;
        if periods.iter().take(last).any(|p| p.moves.is_none()) || periods[0].base_s + periods[0].bonus_s == 0 {
            return Err(bad());
        }
        Ok(Self { periods })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, p) in self.periods.iter().enumerate() {
            if i > 0 {
                f.write_str(":")?;
            }
            if let Some(m) = p.moves {
                write!(f, "{m}/")?;
            }
            write!(f, "{}", p.base_s)?;
            let letter = match p.kind {
                BonusKind::Fischer => "",
                BonusKind::Delay => "d",
                BonusKind::Bronstein => "b",
            };
            if p.bonus_s > 0 {
                write!(f, "+{letter}{}", p.bonus_s)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn pgn_notation_goes_in_and_out() {
        for s in ["5400+30", "40/5400+30:1800+30", "900+d10", "900+b10", "300", "40/7200:20/3600:900+30"] {
            assert_eq!(s.parse::<TimeControl>().unwrap().to_string(), s);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for s in ["", "abc", "40/", "-5", "5400+", "5400:1800", "0/100", "+30", "1e5", "0"] {
            assert!(s.parse::<TimeControl>().is_err(), "{s}");
        }
    }

    #[test]
    fn a_move_belongs_to_one_period_and_may_bring_the_next() {
        let control: TimeControl = "2/60:2/60:30+5".parse().unwrap();
        let base = |period: Option<&Period>| period.map(|period| period.base_s);
        let of: Vec<_> = (1..=5).map(|number| base(control.period_of(number))).collect();
        assert_eq!(of, [60, 60, 60, 60, 30].map(Some));
        let begins: Vec<_> = (1..=5).map(|number| base(control.begins_after(number))).collect();
        assert_eq!(begins, [None, Some(60), None, Some(30), None]);
        let all: TimeControl = "40/5400".parse().unwrap();
        assert_eq!((base(all.period_of(40)), base(all.period_of(41)), base(all.begins_after(40))), (Some(5400), None, None));
    }
}
