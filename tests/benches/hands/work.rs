//! How long inputs took.
use std::collections::BTreeMap;

/// What took longer than this is timed again: another program may have had the processor meanwhile, microseconds.
const LONG: u32 = 2_000;
/// At most so often.
const AGAIN: usize = 4;

/// What each input of one game took, microseconds.
#[derive(Default)]
pub(crate) struct Times(Vec<u32>);

impl Times {
    /// One more input took so long.
    pub(crate) fn took(&mut self, micros: u64) {
        self.0.push(u32::try_from(micros).unwrap_or(u32::MAX));
    }

    /// Where something took long, the same game is read again while that helps, and the least of it counts.
    pub(crate) fn settle(&mut self, again: impl Fn() -> Self) {
        let mut long = self.long();
        for _ in 0..AGAIN {
            if long == 0 {
                return;
            }
            self.0.iter_mut().zip(again().0).for_each(|(micros, other)| *micros = other.min(*micros));
            if long == std::mem::replace(&mut long, self.long()) {
                return;
            }
        }
    }

    fn long(&self) -> usize {
        self.0.iter().filter(|micros| **micros > LONG).count()
    }
}

/// Inputs by the microseconds that they took.
#[derive(Default)]
pub(crate) struct Work(BTreeMap<u32, u64>);

impl Work {
    pub(crate) fn add(&mut self, times: &Times) {
        times.0.iter().for_each(|micros| *self.0.entry(*micros).or_default() += 1);
    }

    /// What so many percent of the inputs did not exceed, microseconds.
    pub(crate) fn at(&self, percent: u64) -> u32 {
        let needed = (self.0.values().sum::<u64>() * percent).div_ceil(100);
        let mut so_far = 0;
        let reaches = |(_, inputs): &(&u32, &u64)| {
            so_far += **inputs;
            so_far >= needed
        };
        self.0.iter().find(reaches).map_or(0, |(micros, _)| *micros)
    }
}
