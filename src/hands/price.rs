//! Prices: the negative logarithm of how likely something is, in 1/1024 nat, so that every processor adds the same.
/// 1/1024 nat.
pub type Nats = i32;

/// One nat.
pub const NAT: Nats = 1024;

/// The most that a single habit costs: what is dearer takes more than one.
pub const HABIT: Nats = nats(6.0);

/// So many nats, rounded when the program is built.
pub const fn nats(value: f64) -> Nats {
    (value * 1024.0) as Nats
}

/// How likely something is that costs so much, times 65,536: by parabolas between powers of two, within a thousandth.
pub const fn weight(price: Nats) -> u64 {
    let price = if price < 0 { 0 } else { price as u64 };
    // 710/1024 nat is a factor of two.
    let (halvings, over) = (price / 710, price % 710 * 1024 / 710);
    // Through 1, the root of a half, and a half.
    let part = 65_536 + 11_244 * over * over / (1 << 20) - 44_012 * over / (1 << 10);
    if halvings > 40 { 0 } else { part >> halvings }
}

/// What something costs that has lasted so long: points (milliseconds, price of all of it), straight lines between them, level after the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Curve<'a>(pub(crate) &'a [(u32, Nats)]);

impl Curve<'_> {
    /// The price of an age, milliseconds.
    pub(crate) fn at(&self, age: u64) -> Nats {
        let next = self.0.partition_point(|(ms, _)| u64::from(*ms) <= age);
        let before = next.checked_sub(1).and_then(|last| self.0.get(last)).copied().unwrap_or((0, 0));
        let Some(&(ms, price)) = self.0.get(next) else { return before.1 };
        let (over, width) = (age - u64::from(before.0), u64::from(ms - before.0).max(1));
        before.1 + ((i64::from(price - before.1) * over as i64) / width as i64) as Nats
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_costs_a_nat_is_a_third_as_likely() {
        assert_eq!(weight(0), 65_536);
        assert!(weight(NAT).abs_diff(24_109) < 50, "{}", weight(NAT));
        assert!(weight(nats(6.9)).abs_diff(66) < 6, "{}", weight(nats(6.9)));
        assert_eq!((weight(-5), weight(Nats::MAX)), (65_536, 0));
    }
}
