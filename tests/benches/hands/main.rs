//! The table of recognition: games of many people on simulated boards and clocks, read by the daemon's own code, and by the estimator alone.
//!
//! ```sh
//! cargo bench --bench hands                                   # 3,000 games a row, odd seeds: the table, and docs/calibration.svg
//! cargo bench --bench hands -- --old --captures DIR…          # the simulator's three old kinds of hands as well, and captures (*.cap) with
//!                                                             # the moves beside them (*.uci), a row a folder
//! cargo bench --bench hands -- --list                         # and names every game that is not exact
//! cargo bench --bench hands -- --games 300 --row blitz        # a part of it; --row may be repeated; --games 0: captures alone; --seed N
//! cargo bench --bench hands -- --fit --games 300              # counts habits on even seeds and writes src/hands/habits.toml
//! ```
//! Games come from the collection in `../shared/games` where it is, else from those that are bundled.
//!
//! | file | holds |
//! |---|---|
//! | `rows.rs` | whose hands, on which boards; which games |
//! | `case.rs` | one game: what went over the wire, what was played |
//! | `daemon.rs`, `estimate.rs` | it is read, by the daemon's code and by the estimator alone |
//! | `sensed.rs` | what the estimator is told |
//! | `determined.rs`, `scan.rs` | whether a game that was misread could have been read; how fast a recorded board scans |
//! | `calibration.rs`, `picture.rs` | how often what leads is wrong, by its lead: as tables, as a picture |
//! | `doubted.rs` | how often findings are wrong, by how far honest play was excluded |
//! | `print.rs`, `work.rs`, `parallel.rs` | the table; how long inputs took; on all processors |
//! | `fit.rs` | habits are counted |
mod calibration;
mod case;
mod daemon;
mod determined;
mod doubted;
mod estimate;
mod fit;
#[path = "../../observer/mod.rs"]
mod observer;
mod parallel;
mod picture;
mod print;
mod rows;
mod scan;
mod sensed;
mod work;

use calibration::Calibration;
use case::Case;
use doubted::Doubted;
use flagfall_time::Stopwatch;
use parallel::parallel;
use rows::{ROWS, captures, collection};
use std::path::Path;

/// Games a row, where nobody says how many.
const GAMES: u64 = 3_000;

/// What became of one game.
struct Outcome {
    case: Case,
    daemon: daemon::Read,
    estimate: estimate::Read,
    /// Of a game that the daemon has not read exactly.
    word: Option<determined::Word>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let after = |name: &str| {
        arguments.iter().zip(arguments.iter().skip(1)).filter(|(a, _)| *a == name).map(|(_, b)| b.as_str()).collect::<Vec<_>>()
    };
    let number = |name: &str, usual: u64| after(name).first().map_or(usual, |text| text.parse().expect("a number"));
    let games = collection();
    if has("--fit") {
        return fit::write(&games, number("--games", 300));
    }
    let (count, first) = (number("--games", GAMES), number("--seed", 1));
    assert!(first % 2 == 1, "even seeds are for fitting");
    let clock = Stopwatch::start();
    println!("{count} games a row, seeds {first} to {} (odd), {} games to choose from\n", first + 2 * count.saturating_sub(1), games.len());
    print::head();
    let (mut lists, mut calibration, mut doubted) = (Vec::new(), Calibration::default(), Doubted::default());
    let names = after("--row");
    for row in ROWS.iter().filter(|row| count > 0 && row.is_asked(&names, has("--old"))) {
        let outcomes = parallel(count, |n| one(row.case(&games, first + 2 * n)));
        print::row(row.name, &outcomes);
        outcomes.iter().filter(|_| row.is_people()).for_each(|one| calibration.add(row, &one.case, &one.estimate));
        outcomes.iter().filter(|_| row.is_people()).for_each(|one| doubted.add(&one.daemon.told));
        lists.extend(print::list(row.name, &outcomes));
    }
    let folders =
        arguments.iter().skip_while(|argument| *argument != "--captures").skip(1).take_while(|argument| !argument.starts_with("--"));
    for folder in folders.map(Path::new) {
        let files = captures(folder);
        let outcomes = parallel(files.len() as u64, |n| one(Case::captured(&files[usize::try_from(n).expect("few files")])));
        let name = format!("captures: {}", folder.file_name().unwrap_or_default().display());
        print::row(&name, &outcomes);
        lists.extend(print::list(&name, &outcomes));
    }
    print::legend(clock.now().millis() / 1_000);
    if !calibration.is_empty() {
        calibration.print();
        doubted.print();
    }
    if has("--list") {
        println!("\nNot exact, completed wrongly at some time, or with findings that nothing called for:\n");
        lists.iter().for_each(|line| println!("{line}"));
    }
    // A part of the rows is no picture of all.
    if names.is_empty() && count >= GAMES {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/calibration.svg");
        std::fs::write(&file, picture::svg(&calibration)).expect("the picture is written");
    }
}

fn one(mut case: Case) -> Outcome {
    let mut daemon = daemon::read(&case);
    daemon.times.settle(|| daemon::read(&case).times);
    let word = (!case.is_exact(&daemon.moves)).then(|| determined::of(&case, &daemon.moves));
    let mut estimate = estimate::read(&case);
    estimate.times.settle(|| estimate::read(&case).times);
    // A row of streams is too much to keep.
    case.lines = Vec::new();
    Outcome { case, daemon, estimate, word }
}
