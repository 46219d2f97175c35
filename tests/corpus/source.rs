//! Where events come from: captures, kept journals, simulated games.

use crate::rig::Rig;
use flagfall::journal::read::Lines;
use flagfall::journal::replay::Replay;
use flagfall_capture::Capture;
use flagfall_events::{Event, Wall};
use flagfall_game::RECOGNITION;
use flagfall_simulator::games::{PgnGame, bundled};
use flagfall_simulator::habits::Habits;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{ClockSide, Options, stream_of};
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

/// Simulated games of each kind of hands.
const GAMES: u64 = 200;
/// Games in a row on one board, where they are played in a row.
const ROW: usize = 8;

/// Simulated hands and boards.
struct Hands {
    name: &'static str,
    kind: Kind,
    change: fn(&mut Options),
    /// So many games one after another.
    row: usize,
}

const fn alone(name: &'static str, kind: Kind, change: fn(&mut Options)) -> Hands {
    Hands { name, kind, change, row: 1 }
}

const fn in_a_row(name: &'static str, kind: Kind, change: fn(&mut Options)) -> Hands {
    Hands { name, kind, change, row: ROW }
}

/// The columns of `docs/recognition.md`, and rows of games as people end them.
const HANDS: [Hands; 10] = [
    alone("clean", Kind::Clean, |_| {}),
    alone("human", Kind::Human, |_| {}),
    alone("blitz", Kind::Blitz, |_| {}),
    alone("no-clock", Kind::Human, |o| o.clock_white = ClockSide::None),
    alone("occupancy", Kind::Human, |o| o.occupancy = true),
    alone("occupancy-no-clock", Kind::Human, |o| (o.occupancy, o.clock_white) = (true, ClockSide::None)),
    alone("damaged", Kind::Human, |o| o.damage = 0.01),
    in_a_row("human-row", Kind::Human, |o| o.habits.mishaps = 0.2),
    // A minute for all moves: flags fall.
    in_a_row("blitz-row", Kind::Blitz, |o| o.control = "60".parse().ok()),
    in_a_row("no-clock-row", Kind::Human, |o| o.clock_white = ClockSide::None),
];

/// What the simulated games are, in words: other words are another corpus.
pub(crate) fn simulated() -> String {
    let names: Vec<String> = HANDS.iter().map(|hands| format!("{} {}x{}", hands.name, GAMES / hands.row as u64, hands.row)).collect();
    format!("bundled games, seeds from 1, rows from 1000 on by 1000: {}", names.join(", "))
}

/// One source of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// `captures/human-mate.cap`, `human/17`.
    pub(crate) name: String,
    of: Of,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Of {
    Capture(PathBuf),
    Journal(PathBuf),
    Simulated { hands: usize, seed: u64 },
}

/// What a source gave.
pub(crate) struct Given {
    /// What went in.
    pub(crate) input: blake3::Hash,
    /// The events' JSON lines, as `flagfall replay --format events` prints them.
    pub(crate) events: Vec<String>,
}

/// Every source that is here, in order.
pub(crate) fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for path in files(&root.join("tests/captures"), &["cap"]) {
        sources.push(Source { name: format!("captures/{}", file_name(&path)), of: Of::Capture(path) });
    }
    for path in files(&root.join("../shared/captures"), &["cap", "inbytes"]) {
        sources.push(Source { name: format!("shared/{}", file_name(&path)), of: Of::Capture(path) });
    }
    for path in files(&root.join("tests/journals"), &["journal"]).into_iter().filter(|path| is_of_this_recognition(path)) {
        sources.push(Source { name: format!("journals/{}", file_name(&path)), of: Of::Journal(path) });
    }
    for (index, hands) in HANDS.iter().enumerate() {
        for n in 1..=GAMES / hands.row as u64 {
            sources.push(Source { name: format!("{}/{n}", hands.name), of: Of::Simulated { hands: index, seed: n } });
        }
    }
    sources
}

fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| extensions.iter().any(|one| e == *one)));
    found.sort();
    found
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What another recognition wrote gives other events.
fn is_of_this_recognition(path: &Path) -> bool {
    let bytes = fs::read(path).unwrap();
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(first).contains(&format!("\"recognition\":{RECOGNITION},"))
}

impl Source {
    /// Whether it is only there beside the project's own folder.
    pub(crate) fn is_shared(name: &str) -> bool {
        name.starts_with("shared/")
    }

    /// Plays it.
    pub(crate) fn play(&self) -> Given {
        match &self.of {
            Of::Capture(path) => {
                let bytes = flagfall_capture::convert(fs::read(path).unwrap()).unwrap();
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                replayed(&stem, &bytes)
            }
            Of::Journal(path) => journal(&fs::read(path).unwrap()),
            Of::Simulated { hands, seed } => simulate(&HANDS[*hands], *seed),
        }
    }

    /// All its events as they were when they were kept, where they are kept as they are: beside captures and journals.
    pub(crate) fn whole(&self) -> Option<Vec<String>> {
        let (Of::Capture(path) | Of::Journal(path)) = &self.of else { return None };
        let text = fs::read_to_string(path.with_extension("events")).ok()?;
        Some(text.lines().map(String::from).collect())
    }
}

fn json(event: &Event) -> String {
    serde_json::to_string(event).unwrap()
}

fn replayed(name: &str, bytes: &[u8]) -> Given {
    let mut events = Vec::new();
    let broken = flagfall_capture::drive(name, Capture::open(bytes).unwrap(), flagfall_solver::answers(), |event| {
        events.push(json(&event));
        Ok::<_, Infallible>(())
    });
    assert_eq!(broken, Ok(None), "{name}");
    Given { input: blake3::hash(bytes), events }
}

fn journal(bytes: &[u8]) -> Given {
    let (mut replay, mut lines, mut events) = (Replay::default(), Lines::new(bytes), Vec::new());
    while let Some(line) = lines.next() {
        replay.line(&line.unwrap(), false, &mut |event| events.push(json(event))).unwrap();
    }
    Given { input: blake3::hash(bytes), events }
}

fn simulate(hands: &Hands, n: u64) -> Given {
    let mut games: Vec<PgnGame> = bundled();
    let first = (n as usize - 1) % games.len();
    games.rotate_left(first);
    games.truncate(hands.row);
    let mut options = Options::new(hands.kind, n);
    if hands.row > 1 {
        // Its games have seeds counted up from its own.
        options.seed = 1000 * n;
        (options.show_result, options.habits) = (true, Habits::people(hands.kind));
    }
    (hands.change)(&mut options);
    // A damaged line wants a host that answers.
    if options.damage > 0.0 {
        let mut rig = Rig::of_row(&games, &options);
        rig.run();
        let mut heard = blake3::Hasher::new();
        for (t, bytes) in &rig.heard {
            heard.update(&t.millis().to_le_bytes()).update(bytes);
        }
        return Given { input: heard.finalize(), events: rig.events.iter().map(json).collect() };
    }
    let mut bytes = Vec::new();
    stream_of(&games, &options).write(&mut bytes, Wall::EPOCH, "simulated").unwrap();
    replayed("1", &bytes)
}
