//! Prices: the negative logarithm of how likely something is, in 1/1024 nat, so that every processor adds the same.
/// 1/1024 nat.
pub type Nats = i32;

/// One nat.
pub const NAT: Nats = 1024;

/// So many nats, rounded when the program is built.
pub const fn nats(value: f64) -> Nats {
    (value * 1024.0) as Nats
}

/// What something costs that has lasted so long: points (milliseconds, price of all of it), straight lines between them, level after the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Curve<'a>(pub(crate) &'a [(u32, Nats)]);

impl Curve<'_> {
    /// The price of an age, milliseconds.
    pub(crate) fn at(&self, age: u64) -> Nats {
        let mut before = (0, 0);
        for &(ms, price) in self.0 {
            if age < u64::from(ms) && ms > 0 {
                let (over, width) = (age - u64::from(before.0), u64::from(ms - before.0).max(1));
                return before.1 + ((i64::from(price - before.1) * over as i64) / width as i64) as Nats;
            }
            before = (ms, price);
        }
        before.1
    }

    /// The same, and never more than this.
    pub(crate) fn at_most(&self, age: u64, most: Nats) -> Nats {
        self.at(age).min(most)
    }

    /// The price of growing from one age to another, milliseconds.
    pub(crate) fn between(&self, from: u64, to: u64) -> Nats {
        self.at(to) - self.at(from)
    }
}
