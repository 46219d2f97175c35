//! The estimator on the hands of many people: how many games it reads exactly, how many plies it would complete wrongly, how soon after the press;
//! beside it what the daemon's recogniser makes of the same streams.
//!
//! ```sh
//! cargo bench --bench hands                                   # 3,000 games a row, odd seeds: the table of docs/estimator.md
//! cargo bench --bench hands -- --games 300 --row blitz        # a part of it; --row may be repeated
//! cargo bench --bench hands -- --fit --games 300              # counts habits on even seeds and writes src/hands/habits.toml
//! cargo bench --bench hands -- --captures DIR                 # captures (*.cap) with the moves beside them (*.uci)
//! ```
//! Games come from the collection in `../shared/games` where it is, else from those that are bundled.
mod daemon;
mod estimate;
mod fit;
mod sensed;

use estimate::Read;
use flagfall_hands::Eyes;
use flagfall_simulator::games::{PgnGame, bundled, read_games};
use flagfall_simulator::people::Tempo;
use flagfall_simulator::stream::{ClockSide, Options, stream};
use sensed::Sensed;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One row of the table.
struct Row {
    name: &'static str,
    tempo: Tempo,
    change: fn(&mut Options),
}

const ROWS: [Row; 9] = [
    Row { name: "classical", tempo: Tempo::Classical, change: |_| {} },
    Row { name: "rapid", tempo: Tempo::Rapid, change: |_| {} },
    Row { name: "blitz", tempo: Tempo::Blitz, change: |_| {} },
    Row { name: "scramble", tempo: Tempo::Scramble, change: |_| {} },
    Row { name: "blitz, no clock", tempo: Tempo::Blitz, change: |o| o.clock_white = ClockSide::None },
    // In a stream that was made beforehand nobody asks for what was lost: the host asks for the whole image every second.
    Row { name: "blitz, 1 % damage", tempo: Tempo::Blitz, change: |o| (o.damage, o.verify_ms) = (0.01, Some(1_000)) },
    Row { name: "blitz, scan 440", tempo: Tempo::Blitz, change: |o| o.scan_ms = Some(440) },
    Row { name: "rapid, clock turned round", tempo: Tempo::Rapid, change: |o| o.clock_white = ClockSide::Turned },
    Row { name: "rapid, occupancy only", tempo: Tempo::Rapid, change: |o| o.occupancy = true },
];

/// What became of one game.
struct Outcome {
    seed: u64,
    truth: Vec<String>,
    read: Read,
    daemon: Option<daemon::Read>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let after = |name: &str| {
        arguments.iter().zip(arguments.iter().skip(1)).filter(|(a, _)| *a == name).map(|(_, b)| b.as_str()).collect::<Vec<_>>()
    };
    let number = |name: &str, usual: u64| after(name).first().map_or(usual, |text| text.parse().expect("a number"));
    if let [folder, ..] = after("--captures")[..] {
        return captures(Path::new(folder), has("--occupancy"));
    }
    let games = collection();
    if has("--fit") {
        return fit::write(&games, number("--games", 300));
    }
    let (count, first) = (number("--games", 3_000), number("--seed", 1));
    assert!(first % 2 == 1, "even seeds are for fitting");
    println!("{count} games a row, seeds {first} to {} (odd), {} games to choose from", first + 2 * (count - 1), games.len());
    print_head();
    for row in ROWS.iter().filter(|row| after("--row").is_empty() || after("--row").contains(&row.name)) {
        let outcomes = parallel(count, |n| one(row, &games, first + 2 * n, has("--daemon")));
        print(row.name, &outcomes, has("--list"));
    }
}

fn one(row: &Row, games: &[PgnGame], seed: u64, daemon: bool) -> Outcome {
    let mut options = Options::people(row.tempo, seed);
    (row.change)(&mut options);
    let game = game_for(games, seed);
    let stream = stream(game, &options);
    let eyes = if options.occupancy { Eyes::Occupancy } else { Eyes::Pieces };
    let daemon = daemon.then(|| daemon::read(&stream));
    let truth = stream.truth.uci();
    Outcome { seed, read: estimate::read(&Sensed::of_stream(&stream, eyes), eyes, fit::white(&options)), truth, daemon }
}

/// Every seed has its game: spread over the collection.
fn game_for(games: &[PgnGame], seed: u64) -> &PgnGame {
    &games[usize::try_from(seed.wrapping_mul(7_919)).unwrap_or(0) % games.len()]
}

fn collection() -> Vec<PgnGame> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/games/otb-gnuchess-book.pgn");
    let games = std::fs::read(&file).ok().and_then(|text| read_games(&text).ok()).unwrap_or_else(|| {
        println!("skipped: ../shared/games is not there; the bundled games are played");
        bundled()
    });
    games.into_iter().filter(|game| game.mode.is_standard() && game.start_fen().is_none() && !game.moves.is_empty()).collect()
}

fn captures(folder: &Path, occupancy: bool) {
    let eyes = if occupancy { Eyes::Occupancy } else { Eyes::Pieces };
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("a folder of captures").flatten().map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "cap"));
    files.sort();
    let read = |n: u64| {
        let file = &files[usize::try_from(n).expect("few files")];
        let truth = std::fs::read_to_string(file.with_extension("uci")).unwrap_or_default();
        let capture = std::fs::read_to_string(file).expect("a capture");
        Outcome {
            seed: n,
            truth: truth.split_whitespace().map(String::from).collect(),
            read: estimate::read(&Sensed::of_capture(&capture, eyes), eyes, None),
            daemon: None,
        }
    };
    let outcomes = parallel(files.len() as u64, read);
    print_head();
    print(&folder.display().to_string(), &outcomes, true);
}

/// On all processors, in the order of the numbers.
fn parallel<T: Send>(count: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed) as u64;
                    if n >= count {
                        break;
                    }
                    let one = work(n);
                    done.lock().expect("nobody panicked").push((n, one));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("nobody panicked");
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, one)| one).collect()
}

fn print_head() {
    println!(
        "| hands | games exact | all but the last ply | plies | completed wrongly | within 5 ms | p95 ms | not within 3 s | sides wrong | µs an input: p50, p99, worst |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
}

fn print(name: &str, outcomes: &[Outcome], list: bool) {
    let count = outcomes.len().max(1) as f64;
    let share = |n: usize, of: f64| format!("{:.2} %", 100.0 * n as f64 / of.max(1.0));
    let exact = outcomes.iter().filter(|one| one.read.is_exact(&one.truth)).count();
    let inner = outcomes.iter().filter(|one| one.read.is_exact(&one.truth[..one.truth.len().saturating_sub(1)])).count();
    let sides = outcomes.iter().filter(|one| one.read.sides_wrong).count();
    let (mut plies, mut wrong, mut at_once, mut never, mut latencies) = (0, 0, 0, 0, Vec::new());
    for one in outcomes {
        for (ply, done) in &one.read.completed {
            plies += 1;
            match done {
                Some((after, uci)) => {
                    at_once += usize::from(*after <= 5);
                    latencies.push(*after);
                    wrong += usize::from(one.truth.get(*ply as usize - 1).is_some_and(|played| played != uci));
                }
                None => never += 1,
            }
        }
    }
    latencies.sort_unstable();
    let mut micros: Vec<u32> = outcomes.iter().flat_map(|one| one.read.micros.iter().copied()).collect();
    micros.sort_unstable();
    let at = |of: &[u32], percent: usize| of.get((of.len() * percent / 100).min(of.len().saturating_sub(1))).copied().unwrap_or(0);
    println!(
        "| {name} | {exact} ({}) | {inner} | {plies} | {wrong} | {} | {} | {} | {sides} | {}, {}, {} |",
        share(exact, count),
        share(at_once, f64::from(plies)),
        latencies.get(latencies.len() * 95 / 100).copied().unwrap_or(0),
        share(never, f64::from(plies)),
        at(&micros, 50),
        at(&micros, 99),
        at(&micros, 100),
    );
    let daemons: Vec<_> = outcomes.iter().filter_map(|one| one.daemon.as_ref().map(|read| (read, one))).collect();
    if !daemons.is_empty() {
        let exact = daemons.iter().filter(|(read, one)| read.moves.starts_with(&one.truth)).count();
        let wrong: usize = daemons.iter().map(|(read, one)| read.wrong(&one.truth)).sum();
        let findings: usize = daemons.iter().map(|(read, _)| read.findings).sum();
        let (within, presses) = daemons.iter().fold((0, 0), |(a, b), (read, _)| (a + read.at_once, b + read.pressed));
        println!(
            "| – the daemon | {exact} ({}) | | {presses} | {wrong} | {} | | | | findings: {findings} |",
            share(exact, count),
            share(within, presses as f64)
        );
    }
    for one in outcomes.iter().filter(|one| list && !one.read.is_exact(&one.truth)) {
        let moves = &one.read.moves;
        let ply = moves.iter().zip(&one.truth).position(|(a, b)| a != b).unwrap_or_else(|| moves.len().min(one.truth.len()));
        let word = |of: &[String]| of.get(ply).cloned().unwrap_or_else(|| String::from("nothing"));
        println!("  seed {}: ply {} of {}: read {}, played {}", one.seed, ply + 1, one.truth.len(), word(moves), word(&one.truth));
    }
}
