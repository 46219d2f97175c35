//! What a right clock may show (6.10): its display has whole seconds, and the board hears of it late, by another delay every time.
//!
//! A fault is raised only where that explains what was seen in at most one game of ten thousand. Lost reports explain what is missing of presses, and are
//! reckoned with where presses are counted.
use crate::clock::turn::{Model, Turn, milliseconds};

/// From a change on the clock to the board's report: mostly up to 220 ms, now and then up to a second (measured on boards: `protocol.md`).
const QUICKEST_MS: i64 = 5;
const LATEST_MS: i64 = 1_000;
/// So far apart two delays can be.
const APART_MS: i64 = LATEST_MS - QUICKEST_MS;
/// A display shows whole seconds: what it lost is known to one.
const WHOLE_MS: i64 = 1_000;
/// The natural logarithm of a million, in thousandths: one game of ten thousand, and a clock is looked at a hundred times in a game.
const LN_MILLION_MILLI: i64 = 13_816;

/// How many right clocks show as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doubt {
    /// None can.
    None,
    /// At most one in ten thousand games.
    Small,
}

impl Doubt {
    /// At most so many in a million games.
    pub(crate) const fn ppm(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Small => 100,
        }
    }
}

/// How much doubt is left that turns of a clock set to `agreed` show what these do; nothing where that may well be.
///
/// Two things are known of a turn: what the display lost in all, and what the press added of it. Of a row of turns of one side the first is known to a
/// second in all, since each begins with what the one before ended with; and of turns of both sides that follow each other only the delay of the first
/// and of the last press counts, since what one turn has too much the next one has too little.
pub(crate) fn of_turns(agreed: Model, turns: &[Turn]) -> Option<Doubt> {
    let known = |fits: &dyn Fn(&Turn) -> bool| turns.iter().any(fits);
    let rows = turns.iter().filter(|turn| !known(&|other| other.side == turn.side && other.number + 1 == turn.number)).count();
    let adds_up = matches!(agreed, Model::Nothing | Model::Fischer(_));
    let chains = turns.iter().filter(|turn| !adds_up || !known(&|other| other.ply + 1 == turn.ply)).count();
    let (mut all, mut given) = (0_i64, 0_i64);
    for turn in turns {
        let ran = turn.ran_ms;
        let net = agreed.adds_ms(ran).saturating_sub(milliseconds(agreed.loses_ms(ran)));
        all = all.saturating_add(((turn.after - turn.from + turn.given_first) * 1000).saturating_sub(net));
        given = given.saturating_add((turn.given() + turn.given_first) * 1000 - agreed.adds_ms(ran));
    }
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    // What the display was right before a press is reckoned from what it was before: a second more for each.
    let of_all = doubt(all, count(chains), APART_MS, count(rows));
    let of_presses = doubt(given, count(turns.len()), APART_MS + WHOLE_MS, 0);
    [of_all, of_presses].into_iter().flatten().min()
}

/// A sum that is off by so much over `n` turns, each of which two delays can change by `apart`, and so many seconds that were rounded.
const fn doubt(off_ms: i64, n: i64, apart_ms: i64, rounded: i64) -> Option<Doubt> {
    let left = off_ms.saturating_abs() - rounded * WHOLE_MS;
    if left > n * apart_ms {
        return Some(Doubt::None);
    }
    // Hoeffding: a sum of 2 n independent delays, each within its range, is off by as much with a chance of at most exp(-left² / (n · apart²)).
    let sure = left > 0 && left as i128 * left as i128 * 1000 >= LN_MILLION_MILLI as i128 * n as i128 * apart_ms as i128 * apart_ms as i128;
    if sure { Some(Doubt::Small) } else { None }
}

/// Student's t, squared, that a right clock exceeds once in a million times, by the degrees of freedom: the table's next lower row.
pub(crate) fn student_squared(free: i128) -> i128 {
    const TABLE: [(i128, i128); 8] = [(100, 28), (50, 32), (30, 38), (20, 48), (15, 63), (12, 83), (10, 111), (8, 176)];
    TABLE.iter().find(|(from, _)| free >= *from).map_or(i128::MAX >> 96, |(_, squared)| *squared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::sides::Side;

    /// A turn of a display that began with 600, lost so many seconds and got so many.
    fn turn(number: u32, ran_ms: u64, drop: i64, given: i64) -> Turn {
        let (from, before) = (600, 600 - drop);
        Turn { side: Side::Left, ran_ms, from, before, after: before + given, given_first: 0, unclear: false, number, ply: 2 * number }
    }

    #[test]
    fn two_seconds_are_missed_after_two_presses_one_after_more() {
        let missing = |n: u32| (1..=n).map(|i| turn(i, 5_000, 5, 0)).collect::<Vec<_>>();
        assert_eq!(of_turns(Model::Fischer(2), &missing(2)), Some(Doubt::None));
        assert_eq!(of_turns(Model::Fischer(1), &missing(2)), None);
        assert_eq!(of_turns(Model::Fischer(1), &missing(11)), None);
        assert_eq!(of_turns(Model::Fischer(1), &missing(17)), Some(Doubt::Small));
        assert_eq!(of_turns(Model::Fischer(30), &missing(1)), Some(Doubt::None));
        // Both sides, press after press: the delays between cancel out.
        let both = |n: u32| {
            let side = |i: u32| if i.is_multiple_of(2) { Side::Left } else { Side::Right };
            (0..n).map(|i| Turn { side: side(i), ply: i + 1, ..turn(i / 2 + 1, 5_000, 5, 0) }).collect::<Vec<_>>()
        };
        assert_eq!((of_turns(Model::Fischer(1), &both(2)), of_turns(Model::Fischer(1), &both(3))), (None, Some(Doubt::None)));
    }

    /// Delays from 5 ms to a second, drawn anyhow, and whole seconds never look like another clock.
    #[test]
    fn a_right_clock_is_never_doubted_out() {
        let mut state = 99_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for bonus in [0_i64, 1, 2, 30] {
            for _ in 0..2_000 {
                let (n, one_side) = (1 + random(16) as u32, random(2) == 0);
                let (mut left, mut turns) = ([600_000 + random(1000) as i64, 600_000 + random(1000) as i64], Vec::new());
                let mut first = 5 + random(996) as i64;
                for ply in 1..=n {
                    let side = if ply % 2 == 1 { Side::Left } else { Side::Right };
                    let (ran, last, left) = (1000 + random(8_000) as i64, 5 + random(996) as i64, &mut left[side as usize]);
                    let (from, before) = ((*left + 999) / 1000, (*left - ran + 999) / 1000);
                    *left += bonus * 1000 - ran;
                    let (seen, after) = ((ran + last - first) as u64, (*left + 999) / 1000);
                    turns.push(Turn { side, from, before, after, ply, ..turn(ply.div_ceil(2), seen, 0, 0) });
                    first = last;
                }
                turns.retain(|turn| !one_side || turn.side == Side::Left);
                let agreed = if bonus == 0 { Model::Nothing } else { Model::Fischer(bonus as u32) };
                assert_eq!(of_turns(agreed, &turns), None, "{turns:?}");
            }
        }
    }
}
