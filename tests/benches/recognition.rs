//! The table of `docs/recognition.md`: games of real players through simulated hands and sensors, and what recognition made of them.
//!
//! ```sh
//! cargo bench --bench recognition -- --games ../shared/games/otb-gnuchess-book.pgn --column human --most 2000
//! ```
//! Every game has a seed of its own: the seed of the run plus its number in the file.
use flagfall::board::{Board, Output};
use flagfall::capture::Line;
use flagfall::game::event::{Body, Event, How, ResultSource};
use flagfall::simulator::games::{PgnGame, read_games};
use flagfall::simulator::pace::Kind;
use flagfall::simulator::rig::Rig;
use flagfall::simulator::script::Truth;
use flagfall::simulator::stream::{ClockSide, Options, Stream, stream};
use flagfall::time::{Mono, Wall};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One column of the table.
#[derive(Clone, Copy)]
struct Column {
    name: &'static str,
    hands: Kind,
    change: fn(&mut Options),
}

const COLUMNS: [Column; 6] = [
    Column { name: "clean", hands: Kind::Clean, change: |_| {} },
    Column { name: "human", hands: Kind::Human, change: |_| {} },
    Column { name: "blitz", hands: Kind::Blitz, change: |_| {} },
    Column { name: "occupancy", hands: Kind::Human, change: |o| o.occupancy = true },
    Column { name: "no-clock", hands: Kind::Human, change: |o| o.clock_white = ClockSide::None },
    Column { name: "damaged", hands: Kind::Human, change: |o| o.damage = 0.01 },
];

/// What became of one game.
#[derive(Default)]
struct Outcome {
    exact: bool,
    /// Plies published as completed that were not played.
    wrong: usize,
    missing: usize,
    /// flagfall said that it was not sure.
    said_so: bool,
    /// From the press to `move-completed`, milliseconds.
    after_press: Vec<u64>,
    /// From the last piece down to `move-completed` without a press.
    after_down: Vec<u64>,
    note: String,
}

fn events_of(stream: &Stream) -> Vec<Event> {
    let mut board = Board::new("bench", Wall::EPOCH, stream.settings.clone());
    let mut events = Vec::new();
    for (t, line) in &stream.lines {
        while let Some(deadline) = board.deadline().filter(|d| d <= t) {
            board.timeout(deadline);
            drain(&mut board, &mut events);
        }
        match line {
            Line::FromBoard(bytes) => board.bytes(*t, bytes),
            Line::Link(state) => board.link(*t, *state, None),
            _ => {}
        }
        drain(&mut board, &mut events);
    }
    // The recording ends, the board goes on standing there.
    let end = stream.lines.last().map_or(Mono::ZERO, |(t, _)| *t + 6_000);
    while let Some(deadline) = board.deadline().filter(|d| *d <= end) {
        board.timeout(deadline);
        drain(&mut board, &mut events);
    }
    events
}

fn drain(board: &mut Board, events: &mut Vec<Event>) {
    while let Some(output) = board.poll() {
        if let Output::Event(event) = output {
            events.push(event);
        }
    }
}

/// The completed moves as they stand at the end, by ply.
fn judge(played_truth: &Truth, events: &[Event]) -> Outcome {
    let mut truth = played_truth.uci();
    // Some scores go on after a position in which nobody can win: there the game was over (5.2.2).
    let over = events.iter().position(|e| matches!(&e.body, Body::Result { source: ResultSource::Position, .. }));
    if let Some(last) = over
        .and_then(|at| events[..at].iter().rev().find_map(|e| if let Body::MoveCompleted { ply, .. } = e.body { Some(ply) } else { None }))
    {
        truth.truncate(last as usize);
    }
    let mut outcome = Outcome::default();
    let mut played: BTreeMap<u32, String> = BTreeMap::new();
    let (mut made, mut last_press) = (BTreeMap::new(), 0);
    for event in events {
        let t = event.t.millis();
        match &event.body {
            Body::Press { .. } => last_press = t,
            Body::MoveMade { ply, uci, .. } => {
                made.insert(*ply, uci.clone());
            }
            Body::MoveRevised { ply, uci, .. } => {
                made.insert(*ply, uci.clone());
            }
            Body::MoveWithdrawn { ply, .. } => {
                made.remove(ply);
            }
            Body::MoveCompleted { ply, uci, how, .. } => {
                let index = *ply as usize - 1;
                if truth.get(index) != Some(uci) {
                    outcome.wrong += 1;
                    if outcome.note.is_empty() {
                        outcome.note = format!("ply {ply} at {t}: completed {uci} ({how:?}), played {:?}", truth.get(index));
                    }
                }
                let down = played_truth.plies.get(index);
                match (how, down) {
                    (How::Press, _) => outcome.after_press.push(t.saturating_sub(last_press)),
                    (How::Settled | How::NextMove, Some(ply)) => outcome.after_down.push(t.saturating_sub(ply.last_down)),
                    _ => {}
                }
                played.insert(*ply, uci.clone());
            }
            Body::Alarm { .. } => outcome.said_so = true,
            _ => {}
        }
    }
    // What was made and never contradicted counts as known at the end of the recording.
    for (ply, uci) in made {
        played.entry(ply).or_insert(uci);
    }
    let played: Vec<String> = played.into_values().collect();
    outcome.missing = truth.len().saturating_sub(played.len());
    outcome.exact = played == truth;
    if !outcome.exact && outcome.note.is_empty() {
        let at = played.iter().zip(&truth).take_while(|(a, b)| a == b).count();
        outcome.note = format!("from ply {} on: {:?}, played {:?}", at + 1, played.get(at), truth.get(at));
    }
    outcome
}

fn main() {
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    let (mut files, mut columns, mut most, mut seed, mut only) = (Vec::new(), Vec::new(), usize::MAX, 1u64, None);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} wants a value"));
        match arg.as_str() {
            "--games" => files.push(value()),
            "--column" => columns.push(value()),
            "--most" => most = value().parse().expect("a number of games"),
            "--seed" => seed = value().parse().expect("a seed"),
            "--only" => only = Some(value().parse::<usize>().expect("a game's number, from 1")),
            other => panic!("{other} is not known; --games FILE, --column NAME, --most N, --seed N, --only N"),
        }
    }
    if files.is_empty() {
        files = ["otb-gnuchess-book.pgn", "otb-underpromotions.pgn"].map(|f| format!("../shared/games/{f}")).to_vec();
    }
    let games: Vec<PgnGame> = files
        .iter()
        .filter_map(|file| std::fs::read(file).map_err(|e| println!("skipped: {file}: {e}")).ok())
        .flat_map(|text| read_games(&text).expect("games of the collection are legal"))
        .collect();
    let games: Vec<(usize, PgnGame)> = games.into_iter().enumerate().filter(|(i, _)| only.is_none_or(|n| n == i + 1)).take(most).collect();
    println!("{} games, seed {seed}", games.len());
    println!(
        "| column | games | exact | share | wrong completed | said so | press to completed, median / 99 % / above 5 ms | without press, median |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for column in COLUMNS.iter().filter(|c| columns.is_empty() || columns.iter().any(|n| n == c.name)) {
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some((number, game)) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let mut options = Options::new(column.hands, seed + *number as u64);
                        (column.change)(&mut options);
                        // A damaged line wants a host that answers.
                        let (events, truth) = if options.damage > 0.0 {
                            let mut rig = Rig::of(game, &options);
                            rig.run();
                            (rig.events, rig.device.games().first().cloned())
                        } else {
                            let stream = stream(game, &options);
                            (events_of(&stream), Some(stream.truth))
                        };
                        let Some(truth) = truth else { continue };
                        if only.is_some() {
                            for event in &events {
                                println!("{}", serde_json::to_string(event).expect("events are JSON"));
                            }
                        }
                        let outcome = judge(&truth, &events);
                        outcomes.lock().expect("no thread panicked").push((*number, outcome));
                    }
                });
            }
        });
        let mut outcomes = outcomes.into_inner().expect("no thread panicked");
        outcomes.sort_by_key(|(n, _)| *n);
        report(column.name, &outcomes);
    }
}

fn report(name: &str, outcomes: &[(usize, Outcome)]) {
    let exact = outcomes.iter().filter(|(_, o)| o.exact).count();
    let wrong: usize = outcomes.iter().map(|(_, o)| o.wrong).sum();
    let said = outcomes.iter().filter(|(_, o)| !o.exact && o.said_so).count();
    let mut press: Vec<u64> = outcomes.iter().flat_map(|(_, o)| o.after_press.iter().copied()).collect();
    let mut down: Vec<u64> = outcomes.iter().flat_map(|(_, o)| o.after_down.iter().copied()).collect();
    press.sort_unstable();
    down.sort_unstable();
    let quantile = |v: &[u64], q: f64| {
        v.get(((v.len() as f64 - 1.0) * q).max(0.0) as usize).map_or_else(|| String::from("–"), |ms| format!("{ms} ms"))
    };
    let late = press.iter().filter(|ms| **ms > 5).count();
    println!(
        "| {name} | {} | {exact} | {:.2} % | {wrong} | {said} of {} | {} / {} / {:.2} % | {} |",
        outcomes.len(),
        100.0 * exact as f64 / outcomes.len().max(1) as f64,
        outcomes.len() - exact,
        quantile(&press, 0.5),
        quantile(&press, 0.99),
        100.0 * late as f64 / press.len().max(1) as f64,
        quantile(&down, 0.5),
    );
    for (number, outcome) in outcomes.iter().filter(|(_, o)| !o.exact || o.wrong > 0).take(12) {
        eprintln!("  game {}: {} (missing {})", number + 1, outcome.note, outcome.missing);
    }
}
