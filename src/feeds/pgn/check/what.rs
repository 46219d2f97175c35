//! What contradicts what, in seconds and in words.
use serde::Serialize;
use std::fmt;

/// Seconds, as the file has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum What {
    /// `%clk` is more than the time control can ever give.
    Beyond {
        /// What it says.
        clk_s: i64,
        /// The most it can be.
        most_s: i64,
    },
    /// `%clk` is higher than after the player's move before, by more than increment and period explain.
    Rises {
        /// What it says.
        clk_s: i64,
        /// What it said before.
        was_s: i64,
    },
    /// `%emt` is not what the clock took off.
    Emt {
        /// What it says, of all moves since the last `%clk`.
        emt_s: i64,
        /// What `%clk` and time control come to.
        clock_s: i64,
    },
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Beyond { clk_s, most_s } => write!(f, "%clk {} is more than the clock can have ({})", Time(clk_s), Time(most_s)),
            Self::Rises { clk_s, was_s } => write!(f, "%clk rises from {} to {}", Time(was_s), Time(clk_s)),
            Self::Emt { emt_s, clock_s } => write!(f, "%emt {}, but by %clk it was {}", Time(emt_s), Time(clock_s)),
        }
    }
}

/// `1:02:03`, `2:03`.
struct Time(i64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, s) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        match s / 3600 {
            0 => write!(f, "{sign}{}:{:02}", s / 60, s % 60),
            hours => write!(f, "{sign}{hours}:{:02}:{:02}", s / 60 % 60, s % 60),
        }
    }
}
