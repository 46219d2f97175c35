//! Captures through the game, and the events that come of them; `run` beside it does that on several processors.
//!
//! `foreign FILE|DIR…` prints every capture's name and its events. `foreign --write DIR N` makes captures of N simulated games with each kind of hands. The solver is
//! not asked: what it says is an input.
use flagfall_capture::{Capture, convert, drive};
use flagfall_events::Wall;
use flagfall_simulator::games::bundled;
use flagfall_simulator::habits::Habits;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{ClockSide, Options, stream_of};
use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Hands and boards, and how many games are played in a row.
type Hands = (&'static str, Kind, usize, fn(&mut Options));

const HANDS: [Hands; 9] = [
    ("clean", Kind::Clean, 1, |_| {}),
    ("human", Kind::Human, 1, |_| {}),
    ("blitz", Kind::Blitz, 1, |_| {}),
    ("no-clock", Kind::Human, 1, |o| o.clock_white = ClockSide::None),
    ("occupancy", Kind::Human, 1, |o| o.occupancy = true),
    ("occupancy-no-clock", Kind::Human, 1, |o| (o.occupancy, o.clock_white) = (true, ClockSide::None)),
    ("human-row", Kind::Human, 8, |o| o.habits.mishaps = 0.2),
    ("blitz-row", Kind::Blitz, 8, |o| o.control = "60".parse().ok()),
    ("no-clock-row", Kind::Human, 8, |o| o.clock_white = ClockSide::None),
];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [write, folder, games] = &args[..]
        && write == "--write"
    {
        return simulate(Path::new(folder), games.parse()?);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for file in args.iter().map(PathBuf::from).flat_map(captures) {
        writeln!(out, "# {}", file.display())?;
        let bytes = convert(fs::read(&file)?)?;
        let broken = drive(
            "1",
            Capture::open(&bytes)?,
            |_| None,
            |event| {
                serde_json::to_writer(&mut out, &event)?;
                writeln!(out)
            },
        )?;
        if let Some(broken) = broken {
            writeln!(out, "# {broken}")?;
        }
    }
    Ok(out.flush()?)
}

/// Every capture in or below a path, in the order of their names.
fn captures(path: PathBuf) -> Vec<PathBuf> {
    let Ok(folder) = fs::read_dir(&path) else { return vec![path] };
    let mut found: Vec<PathBuf> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.retain(|path| path.is_dir() || path.extension().is_some_and(|e| e == "cap" || e == "inbytes" || e == "in"));
    found.sort();
    found.into_iter().flat_map(captures).collect()
}

fn simulate(folder: &Path, most: u64) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (name, kind, row, change) in HANDS {
        for n in 1..=most / row as u64 {
            let mut games = bundled();
            let first = (n as usize - 1) % games.len();
            games.rotate_left(first);
            games.truncate(row);
            let mut options = Options::new(kind, n);
            if row > 1 {
                // Its games have seeds counted up from its own.
                options.seed = 1000 * n;
                (options.show_result, options.habits) = (true, Habits::people(kind));
            }
            change(&mut options);
            let file = BufWriter::new(fs::File::create(folder.join(format!("{name}-{n:03}.cap")))?);
            stream_of(&games, &options).write(file, Wall::EPOCH, "simulated")?;
        }
    }
    Ok(())
}
