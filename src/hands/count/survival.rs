//! From how long things lasted to what it costs that they last.
use crate::count::Span;
use alloc::vec::Vec;

/// Ages at which a curve has a point, milliseconds: finer than a scan below one, a few to the decade above.
const AGES: [u32; 21] =
    [25, 50, 100, 150, 200, 250, 300, 350, 400, 500, 600, 800, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 20_000, 60_000, 200_000];

/// With fewer left than so many an age says nothing any more.
const ENOUGH: f64 = 10.0;

/// Where nothing is left to count, of what has lasted so long a quarter lasts twice as long (Pareto, exponent 2): long things last long.
const TAIL: f64 = 2.0;

/// What an age costs, in nats: the logarithm of the share that reaches it, of those that were seen at each age before (Kaplan and Meier).
pub(crate) fn survival(spans: &[Span]) -> Vec<(u32, f64)> {
    let mut price = 0.0f64;
    let mut before = 0;
    let mut points = Vec::new();
    for age in AGES {
        let (low, high) = (u64::from(before), u64::from(age));
        let risk = spans.iter().filter(|s| s.from <= low && s.to >= low).count() as f64;
        let ended = spans.iter().filter(|s| s.ended && s.to >= low && s.to < high && s.from <= low).count() as f64;
        price += if risk >= ENOUGH {
            -ln((risk - ended + 0.3) / (risk + 0.3))
        } else {
            TAIL * ln(f64::from(age) / f64::from(before.max(AGES[0])))
        };
        points.push((age, price));
        before = age;
    }
    points
}

/// The natural logarithm, to a few parts in a million: only for counting.
pub(crate) fn ln(x: f64) -> f64 {
    let (mut x, mut n) = (x.max(1e-12), 0.0);
    while x > 1.5 {
        x /= 2.0;
        n += 1.0;
    }
    while x < 0.75 {
        x *= 2.0;
        n -= 1.0;
    }
    let y = (x - 1.0) / (x + 1.0);
    let mut sum = 0.0;
    let mut power = y;
    let mut k = 1.0;
    while k < 30.0 {
        sum += power / k;
        power *= y * y;
        k += 2.0;
    }
    n * core::f64::consts::LN_2 + 2.0 * sum
}
