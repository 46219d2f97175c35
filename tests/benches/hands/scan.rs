//! How fast a recorded board scans: a square that changes twice does so whole passes apart.
use crate::sensed::Said;
use flagfall_events::Mono;

/// Passes that are tried, milliseconds.
const PASSES: std::ops::RangeInclusive<u64> = 180..=520;
/// Frames wait for those before them, milliseconds.
const SOFT: u64 = 6;
/// Longer ago, a pass that is no whole number of milliseconds leads astray.
const LATEST: u64 = 20_000;
/// Changes that are needed to tell.
const ENOUGH: usize = 20;

/// One pass of the scanner, milliseconds; nothing if too little changed to tell.
pub(crate) fn period(said: &[(Mono, Said)]) -> Option<u64> {
    let (mut last, mut between) = ([None; 64], Vec::new());
    for (at, one) in said {
        if let Said::Square(square, _) = one {
            let before: Option<Mono> = last[usize::from(*square)].replace(*at);
            between.extend(before.map(|before| at.since(before)).filter(|ms| *ms < LATEST));
        }
    }
    // The share of whole passes beyond what chance would make so.
    let fits = |pass: u64| {
        let whole = between.iter().filter(|ms| (**ms + SOFT) % pass <= 2 * SOFT).count() as f64 / between.len() as f64;
        let chance = (2 * SOFT + 1) as f64 / pass as f64;
        (whole - chance) / (1.0 - chance)
    };
    let best = PASSES.max_by(|a, b| fits(*a).total_cmp(&fits(*b))).filter(|_| between.len() >= ENOUGH)?;
    // Two short passes fit wherever a long one does.
    Some(if fits(2 * best) > 0.9 * fits(best) { 2 * best } else { best })
}
