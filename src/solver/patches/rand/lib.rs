//! One generator, by the names under which the build script of `chess` asks for it. It makes magic numbers, each of which is tried before it is
//! taken, and hash keys; neither has to be unpredictable.

/// Generators.
pub mod rngs {
    /// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
    #[derive(Clone, Debug)]
    pub struct SmallRng(pub(crate) u64);
}

/// Made from a seed.
pub trait SeedableRng {
    /// The same seed gives the same numbers everywhere.
    fn seed_from_u64(seed: u64) -> Self;
}

/// A source of numbers.
pub trait RngCore {
    /// The next one.
    fn next_u64(&mut self) -> u64;
}

/// Numbers by type.
pub trait Rng: RngCore {
    /// The next one.
    fn gen<T: From<u64>>(&mut self) -> T {
        self.next_u64().into()
    }
}

impl<R: RngCore> Rng for R {}

impl SeedableRng for rngs::SmallRng {
    fn seed_from_u64(seed: u64) -> Self {
        Self(seed)
    }
}

impl RngCore for rngs::SmallRng {
    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
