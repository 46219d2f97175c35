//! A set of keys with open addressing, allocated once; it says when it is full and never grows.
use super::packed::Packed;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, EnPassantMode, Position as _};

/// What a position is known by in the set.
pub trait Key: Copy + Eq {
    /// The mark of an empty slot; no position has it.
    const NONE: Self;
    /// The key of a position.
    fn of(position: &Chess) -> Self;
    /// Bits that are spread evenly.
    fn spread(self) -> u64;
}

impl Key for Zobrist128 {
    const NONE: Self = Self(0);

    fn of(position: &Chess) -> Self {
        let key = position.zobrist_hash::<Self>(EnPassantMode::Legal);
        if key == Self::NONE { Self(1) } else { key }
    }

    fn spread(self) -> u64 {
        (self.0 >> 64) as u64 ^ self.0 as u64
    }
}

impl Key for Packed {
    const NONE: Self = Self::NONE;

    fn of(position: &Chess) -> Self {
        Self::of(position)
    }

    fn spread(self) -> u64 {
        let mut bits = u64::from(self.black_to_move) ^ 0x9e37_79b9_7f4a_7c15;
        for plane in self.planes {
            bits = (bits ^ plane).wrapping_mul(0xff51_afd7_ed55_8ccd);
            bits ^= bits >> 32;
        }
        bits
    }
}

/// What became of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inserted {
    New,
    Known,
    Full,
}

/// The slots that are used at first: small sets stay within a processor's cache.
const FIRST: usize = 1 << 10;

/// The set.
#[derive(Debug)]
pub(super) struct Table<K> {
    slots: Box<[K]>,
    /// How many of them are in use now, a power of two.
    active: usize,
    count: usize,
    /// Keys that are being put where more slots want them.
    moving: Vec<K>,
}

impl<K: Key> Table<K> {
    /// A power of two of slots, at least `slots` and 64, at most 2³⁰; fifteen sixteenths of them are filled.
    pub(super) fn new(slots: usize) -> Self {
        let slots = slots.clamp(64, 1 << 30).next_power_of_two();
        Self { slots: vec![K::NONE; slots].into_boxed_slice(), active: slots.min(FIRST), count: 0, moving: Vec::with_capacity(slots / 4) }
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) fn clear(&mut self) {
        self.slots[..self.active].fill(K::NONE);
        self.active = self.slots.len().min(FIRST);
        self.count = 0;
    }

    pub(super) fn insert(&mut self, key: K) -> Inserted {
        let at = self.find(key);
        if self.slots[at] == key {
            return Inserted::Known;
        }
        if self.active < self.slots.len() {
            if self.count >= self.active / 2 {
                self.spread_out();
                return self.insert(key);
            }
        } else if self.count >= self.active / 16 * 15 {
            return Inserted::Full;
        }
        self.slots[at] = key;
        self.count += 1;
        Inserted::New
    }

    /// Drops keys that are found where they are looked for first; some of those that stay may be known as well.
    pub(super) fn leave_unknown<T>(&self, keys: &mut Vec<(K, T)>) {
        let mask = self.active - 1;
        keys.retain(|(key, _)| self.slots[key.spread() as usize & mask] != *key);
    }

    /// The slot that holds this key, or the empty one where it belongs.
    fn find(&self, key: K) -> usize {
        let mask = self.active - 1;
        let mut at = key.spread() as usize & mask;
        while self.slots[at] != key && self.slots[at] != K::NONE {
            at = (at + 1) & mask;
        }
        at
    }

    /// Takes four times as many slots into use.
    fn spread_out(&mut self) {
        let used = &mut self.slots[..self.active];
        self.moving.clear();
        self.moving.extend(used.iter().filter(|slot| **slot != K::NONE));
        used.fill(K::NONE);
        self.active = (self.active * 4).min(self.slots.len());
        for i in 0..self.moving.len() {
            let at = self.find(self.moving[i]);
            self.slots[at] = self.moving[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_when_more_slots_are_taken_into_use() {
        let mut table = Table::<Zobrist128>::new(1 << 16);
        let key = |i: u128| Zobrist128((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835));
        for i in 0..60_000 {
            assert_eq!(table.insert(key(i)), Inserted::New);
            assert_eq!(table.insert(key(i / 2)), Inserted::Known);
        }
        assert!((0..60_000).all(|i| table.insert(key(i)) == Inserted::Known));
        assert_eq!(table.len(), 60_000);
        table.clear();
        assert_eq!(table.insert(key(7)), Inserted::New);
        assert_eq!(table.len(), 1);
    }

    #[test]
    fn it_knows_what_it_has_says_when_it_is_full_and_is_empty_again() {
        let mut table = Table::<Zobrist128>::new(64);
        for round in 0..3 {
            // Keys that all want the same slot.
            let key = |i: u128| Zobrist128(i << 64 | i ^ 64 << 20);
            for i in 1..=60 {
                assert_eq!(table.insert(key(i)), Inserted::New, "round {round}");
                assert_eq!(table.insert(key(i)), Inserted::Known);
            }
            assert_eq!(table.insert(key(61)), Inserted::Full);
            assert_eq!(table.insert(key(3)), Inserted::Known);
            assert_eq!(table.len(), 60);
            table.clear();
            assert_eq!(table.len(), 0);
        }
    }
}
