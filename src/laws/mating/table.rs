//! A set of keys with open addressing. It takes memory as it fills, up to a bound, and says when it is full.
use super::packed::Packed;
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
    /// Those in use, a power of two.
    slots: Vec<K>,
    /// How many there may be, a power of two.
    most: usize,
    count: usize,
    /// Keys that are being put where more slots want them.
    moving: Vec<K>,
}

impl<K: Key> Table<K> {
    /// At most a power of two of slots, at least `slots` and 64, at most 2³⁰; fifteen sixteenths of them are filled.
    pub(super) fn new(slots: usize) -> Self {
        let most = slots.clamp(64, 1 << 30).next_power_of_two();
        Self { slots: vec![K::NONE; most.min(FIRST)], most, count: 0, moving: Vec::new() }
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) fn clear(&mut self) {
        self.slots.truncate(FIRST);
        self.slots.fill(K::NONE);
        self.count = 0;
    }

    pub(super) fn insert(&mut self, key: K) -> Inserted {
        let at = self.find(key);
        if self.slots[at] == key {
            return Inserted::Known;
        }
        if self.slots.len() < self.most {
            if self.count >= self.slots.len() / 2 {
                self.spread_out();
                return self.insert(key);
            }
        } else if self.count >= self.slots.len() / 16 * 15 {
            return Inserted::Full;
        }
        self.slots[at] = key;
        self.count += 1;
        Inserted::New
    }

    /// Drops keys that are found where they are looked for first; some of those that stay may be known as well.
    pub(super) fn leave_unknown<T>(&self, keys: &mut Vec<(K, T)>) {
        let mask = self.slots.len() - 1;
        keys.retain(|(key, _)| self.slots[key.spread() as usize & mask] != *key);
    }

    /// The slot that holds this key, or the empty one where it belongs.
    fn find(&self, key: K) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key.spread() as usize & mask;
        while self.slots[at] != key && self.slots[at] != K::NONE {
            at = (at + 1) & mask;
        }
        at
    }

    /// Takes four times as many slots into use.
    fn spread_out(&mut self) {
        self.moving.clear();
        self.moving.reserve_exact(self.count);
        self.moving.extend(self.slots.iter().filter(|slot| **slot != K::NONE));
        let slots = (self.slots.len() * 4).min(self.most);
        if self.slots.capacity() < slots {
            // Nothing of it has to be copied.
            self.slots = Vec::new();
        }
        self.slots.clear();
        self.slots.resize(slots, K::NONE);
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
    fn it_takes_memory_as_it_fills_and_no_more_than_it_may() {
        let mut table = Table::<Zobrist128>::new(1 << 14);
        let key = |i: u128| Zobrist128((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835));
        assert_eq!(table.slots.capacity(), FIRST, "most questions need no more");
        let kept = (0..1 << 14).filter(|i| table.insert(key(*i)) == Inserted::New).count();
        assert_eq!((kept, table.slots.capacity()), ((1 << 14) / 16 * 15, 1 << 14));
        assert!(table.moving.capacity() <= (1 << 14) / 4);
        table.clear();
        assert_eq!((table.slots.len(), table.slots.capacity()), (FIRST, 1 << 14), "what it has is kept for the next question");
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
