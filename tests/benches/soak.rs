//! A soak: a nine-round event of a dozen boards and more, at high speed, by default for 40 minutes.
//!
//! ```sh
//! cargo bench --bench soak -- --boards 12 --rounds 9 --minutes 40
//! ```
//!
//! It fails at the first game that is not exactly what was played, at the first journal that does not verify, and when memory or descriptors grow
//! in the second half. Every sample is a line of a table. `SOAK_KEEP=DIR` leaves journals and all else in a folder below `DIR`.
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../soak/mod.rs"]
mod soak;

use flagfall_simulator::games;
use soak::{Outcome, Plan, Sample, run};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, or: u64| {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(or)
    };
    let plan = Plan {
        boards: number("--boards", 12) as usize,
        games: games::bundled(),
        rounds: number("--rounds", 9) as usize,
        seconds: 60 * number("--minutes", 40),
        speed: number("--speed", 1_000) as f64,
        seed: number("--seed", 1),
        every: number("--every", 30),
    };
    println!("{} boards, {} rounds or more, {} s or more, seed {}", plan.boards, plan.rounds, plan.seconds, plan.seed);
    println!("seconds\tgames\tmemory kB\tdescriptors\tthreads\twritten kB");
    let show = |s: Sample| println!("{}\t{}\t{}\t{}\t{}\t{}", s.at, s.games, s.memory, s.descriptors, s.threads, s.written / 1024);
    let Outcome { samples, games, moves, results, entered, events, read, journals, processor, seconds } = run(&plan, show);
    println!(
        "{games} whole games, {moves} moves, each exactly as it was played; {results} with the result that was played, {entered} of those entered by the operator"
    );
    println!("{events} events in the journals, {read} received by a reader of the public stream; every journal verifies");
    let per_game = |bytes: u64| bytes as f64 / 1024.0 / games.max(1) as f64;
    let written = samples.last().map_or(0, |s| s.written);
    println!(
        "journals {} kB, {:.0} kB a game; written to the disk {} kB, {:.0} kB a game",
        journals / 1024,
        per_game(journals),
        written / 1024,
        per_game(written)
    );
    println!("processor {:.1} % of one core over {seconds} s", 100.0 * processor / seconds.max(1) as f64);
    // Middle values of the third and the last quarter: what fills up to its bounds has done so by then.
    let quarter = |n: usize, of: fn(&Sample) -> u64| {
        let mut values: Vec<u64> = samples[samples.len() * n / 4..samples.len() * (n + 1) / 4].iter().map(of).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or(0)
    };
    for (what, of, slack) in [
        ("memory kB", (|s| s.memory) as fn(&Sample) -> u64, 1.05),
        ("descriptors", |s| s.descriptors, 1.0),
        ("threads", |s| s.threads, 1.0),
    ] {
        let [second, third, last] = [1, 2, 3].map(|n| quarter(n, of));
        println!("{what}, median of the second, third and last quarter: {second}, {third}, {last}");
        assert!(last as f64 <= third as f64 * slack, "{what} grow");
    }
}
