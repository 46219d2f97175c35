//! A hall on DGT's own cable, in simulated time: lines of boards in bus mode, a host on each, and the game behind every board.
//!
//! ```sh
//! cargo bench --bench bus -- --lines 8 --boards 12 --tempo rapid --seed 1
//! cargo bench --bench bus -- --lines 1 --boards 12 --tempo blitz --fault cut:4@120-150
//! ```
//!
//! Every line plays on until all its games are over. Said are: how many games are exact to the last ply, how long a cycle takes, when a move is
//! known after its press, how far the clock times told with it are from those on the display then, and what it costs.
#[path = "../rig/hosted.rs"]
mod hosted;

use flagfall_simulator::bus_line::LineFault;
use flagfall_simulator::people::Tempo;
use hosted::{Hosted, Tally};
use std::time::Instant;

#[allow(clippy::disallowed_methods, reason = "a bench measures")]
fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let (mut lines, mut boards, mut seed, mut games) = (8_u64, 12_usize, 1_u64, 1_usize);
    let mut tempo = Tempo::Rapid;
    let mut faults: Vec<(LineFault, u64, u64)> = Vec::new();
    while let Some(arg) = args.next() {
        let value = args.next().unwrap_or_else(|| panic!("{arg} wants a value"));
        let number = || value.parse::<u64>().unwrap_or_else(|_| panic!("{arg} {value}: a number"));
        match arg.as_str() {
            "--lines" => lines = number(),
            "--boards" => boards = usize::try_from(number()).unwrap_or(1).clamp(1, 32),
            "--seed" => seed = number(),
            "--games" => games = usize::try_from(number()).unwrap_or(1).max(1),
            "--tempo" => tempo = Tempo::ALL.into_iter().find(|tempo| tempo.as_str() == value).expect("classical, rapid, blitz or scramble"),
            "--fault" => faults.push(fault(&value)),
            other => panic!("{other} is not known; --lines N, --boards N, --tempo PACE, --seed N, --games N, --fault NAME@FROM-UNTIL"),
        }
    }
    let began = Instant::now();
    let mut tally = Tally::default();
    for line in 0..lines {
        let mut hosted = Hosted::new(boards, tempo, seed + 1_000 * line, games);
        for (fault, from, until) in &faults {
            hosted.run(from * 1_000);
            hosted.run.fail(*fault);
            hosted.run(until * 1_000);
            hosted.run.mend();
        }
        hosted.finish();
        tally.add(&hosted);
    }
    let took = began.elapsed();
    println!("{lines} lines of {boards} boards, {}, seed {seed}: {tally}", tempo.as_str());
    let played = tally.played_ms as f64 / 1_000.0;
    // Lines run one after another here: together they are on one machine in a hall.
    let (cpu, profile) = (cpu_s(), if cfg!(debug_assertions) { "not optimised" } else { "optimised" });
    println!(
        "  {played:.0} s of play took {:.1} s and {cpu:.1} s of CPU: {:.2} % of one core a line, {:.1} % for {lines}; {} MB at most ({profile})",
        took.as_secs_f64(),
        cpu / played * 100.0,
        cpu / played * 100.0 * lines as f64,
        peak_mb()
    );
}

/// What this process has used of a core, seconds.
fn cpu_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    // Fields 14 and 15 of the line, in hundredths.
    rest.split(' ').skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory that it had, megabytes.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1_024
}

fn fault(text: &str) -> (LineFault, u64, u64) {
    let wrong = || -> ! { panic!("{text}: NAME@FROM-UNTIL, seconds, for example dead:3@60-90") };
    let Some((name, span)) = text.split_once('@') else { wrong() };
    let Some((from, until)) = span.split_once('-') else { wrong() };
    let (Ok(fault), Ok(from), Ok(until)) = (name.parse(), from.parse(), until.parse()) else { wrong() };
    (fault, from, until)
}
