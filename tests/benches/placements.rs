//! How long one input takes at most, whatever the board shows: the scripts of the fuzz target, made by chance.
//!
//! ```sh
//! cargo bench --bench placements -- --scripts 20000 --seed 1
//! ```
#[path = "../fuzz/bodies.rs"]
mod bodies;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// Pairs of an act and its operand in one script.
const ACTS: usize = 150;

#[allow(clippy::disallowed_methods, reason = "a bench measures")]
fn main() {
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    let (mut scripts, mut seed) = (4_000_u64, 1_u64);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} wants a value")).parse().expect("a number");
        match arg.as_str() {
            "--scripts" => scripts = value(),
            "--seed" => seed = value(),
            other => panic!("{other} is not known; --scripts N, --seed N"),
        }
    }
    let mut took: Vec<(Duration, u64)> = Vec::new();
    for script in seed..seed + scripts {
        let mut rng = ChaCha8Rng::seed_from_u64(script);
        let mut data: Vec<u8> = (0..=2 * ACTS).map(|_| rng.random()).collect();
        // Mostly lifts and drops, presses now and then: chance alone would only unplug the board.
        for act in data.iter_mut().skip(1).step_by(2) {
            *act = rng.random::<u8>() & 0xF8 | [0, 1, 0, 1, 3, 2, 4, 0, 1, 5, 7, 6][rng.random_range(0..12)];
        }
        bodies::placements(&data, |call| {
            let began = Instant::now();
            call();
            took.push((began.elapsed(), script));
        });
    }
    took.sort_unstable();
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize].0;
    let over = took.iter().filter(|(took, _)| *took > Duration::from_millis(5)).count();
    println!("{} inputs of {scripts} scripts, seed {seed}: median {:?}, 99.9 % {:?}, {over} above 5 ms", took.len(), at(0.5), at(0.999));
    for (took, script) in took.iter().rev().take(5) {
        println!("  {took:?} in script {script}");
    }
}
