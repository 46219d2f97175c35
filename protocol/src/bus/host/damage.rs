//! Damaged answers: those of one board alone may be two boards with one address, those of several are a bad line.
use super::board::Board;
use crate::bus::address::BusAddress;
use alloc::collections::VecDeque;

/// What one damaged answer adds to the doubt, what a whole one takes, and how much of it is enough.
const ADDS: u8 = 2;
const TAKES: u8 = 3;
const ENOUGH: u8 = 10;
const MOST: u8 = 20;
/// The doubt that is left of a board that was found to be two: after two whole answers in a row it is counted again.
const LEFT: u8 = 4;
/// A board is counted at most so often; one that was two again so soon.
const COUNT_MS: u64 = 60_000;
const AGAIN_MS: u64 = 5_000;
/// So many exchanges are looked back at …
const EXCHANGES: usize = 128;
/// … and a line on which so many of them were damaged is a bad one, where so many of those were not one board's …
const BAD: usize = 16;
const OTHERS: usize = 6;
/// … until no more than so many are.
const GOOD: usize = 2;

/// How the last exchanges went: the board whose answer was damaged.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchanges {
    last: VecDeque<Option<BusAddress>>,
    is_noisy: bool,
}

impl Exchanges {
    /// Adds one; `Some` where the line is noisy from now on, or is no longer.
    pub(super) fn push(&mut self, damaged: Option<BusAddress>) -> Option<bool> {
        if self.last.len() == EXCHANGES {
            self.last.pop_front();
        }
        self.last.push_back(damaged);
        let all = self.last.iter().flatten().count();
        let noisy = if self.is_noisy { all > GOOD } else { all >= BAD && self.of_others() >= OTHERS };
        (core::mem::replace(&mut self.is_noisy, noisy) != noisy).then_some(noisy)
    }

    /// Damaged answers, those of the worst board left out.
    pub(super) fn of_others(&self) -> usize {
        let of = |who: &BusAddress| self.last.iter().flatten().filter(|address| *address == who).count();
        let all = self.last.iter().flatten().count();
        all - self.last.iter().flatten().map(of).max().unwrap_or(0)
    }

    /// The line is another one. `true`: it was told to be noisy.
    pub(super) fn clear(&mut self) -> bool {
        core::mem::take(self).is_noisy
    }
}

impl Board {
    /// An answer was damaged.
    pub(super) fn damaged(&mut self) {
        self.doubt = if self.is_twice { LEFT } else { self.doubt.saturating_add(ADDS).min(MOST) };
    }

    /// Two boards answer to its address.
    pub(super) const fn is_two(&mut self, now: u64) {
        (self.is_twice, self.doubt, self.counted) = (true, LEFT, Some(now));
    }

    /// It was counted, and the count may be wrong.
    pub(super) const fn count_again(&mut self, now: u64) {
        self.counted = Some(now.saturating_sub(COUNT_MS - AGAIN_MS));
    }

    /// An answer was whole.
    pub(super) const fn whole(&mut self) {
        self.doubt = self.doubt.saturating_sub(TAKES);
    }

    /// Whether two boards may answer to its address: its answers alone are damaged again and again, or were and are not any more. `others`: damaged answers
    /// of the others.
    pub(super) fn may_be_two(&self, now: u64, others: usize) -> bool {
        let since = self.counted.map_or(u64::MAX, |at| now.saturating_sub(at));
        if self.is_twice {
            return self.doubt == 0 && since >= AGAIN_MS;
        }
        self.doubt >= ENOUGH && since >= COUNT_MS && others < OTHERS
    }
}
