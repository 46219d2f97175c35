//! A set of keys with open addressing, allocated once; it says when it is full and never grows.
use super::packed::Packed;
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

/// The set.
#[derive(Debug)]
pub(super) struct Table<K> {
    slots: Box<[K]>,
    count: usize,
    most: usize,
    /// Slots in use, while they are few: only those are cleared.
    used: Vec<u32>,
}

impl<K: Key> Table<K> {
    /// A power of two of slots, at least `slots` and 64, at most 2³⁰; fifteen sixteenths of them are used.
    pub(super) fn new(slots: usize) -> Self {
        let slots = slots.clamp(64, 1 << 30).next_power_of_two();
        Self { slots: vec![K::NONE; slots].into_boxed_slice(), count: 0, most: slots / 16 * 15, used: Vec::with_capacity(slots / 16) }
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) fn clear(&mut self) {
        if self.count == self.used.len() {
            for slot in self.used.drain(..) {
                self.slots[slot as usize] = K::NONE;
            }
        } else {
            self.slots.fill(K::NONE);
            self.used.clear();
        }
        self.count = 0;
    }

    pub(super) fn insert(&mut self, key: K) -> Inserted {
        let mask = self.slots.len() - 1;
        let mut at = key.spread() as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == key {
                return Inserted::Known;
            }
            if slot == K::NONE {
                break;
            }
            at = (at + 1) & mask;
        }
        if self.count >= self.most {
            return Inserted::Full;
        }
        self.slots[at] = key;
        self.count += 1;
        if self.used.len() < self.used.capacity() {
            self.used.push(at as u32);
        }
        Inserted::New
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
