//! The table of `docs/recognition.md`: games of real players through simulated hands and sensors, and what recognition made of them;
//! beside it what three simple methods make of the same streams.
//!
//! ```sh
//! cargo bench --bench recognition -- --games ../shared/games/otb-gnuchess-book.pgn --column human --most 2000
//! ```
//! Every game has a seed of its own: the seed of the run plus its number in the file.
#[path = "../rig/mod.rs"]
mod rig;

use flagfall_capture::CaptureLine;
use flagfall_events::{AlarmState, Body, Event, How, Key, Mono, ResultSource, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::script::Truth;
use flagfall_simulator::stream::{ClockSide, Options, Stream, stream};
use rig::Rig;
use simple::{METHODS, Published};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

mod simple;

/// One column of the table.
#[derive(Clone, Copy)]
struct Column {
    name: &'static str,
    hands: Kind,
    change: fn(&mut Options),
}

/// Another board and other hands than usual.
#[derive(Clone, Copy, Default)]
struct Other {
    noise: Option<f64>,
    scan_ms: Option<u64>,
    turned: bool,
    bluetooth: bool,
    /// Without the simple methods.
    alone: bool,
}

const COLUMNS: [Column; 7] = [
    Column { name: "clean", hands: Kind::Clean, change: |_| {} },
    Column { name: "human", hands: Kind::Human, change: |_| {} },
    Column { name: "blitz", hands: Kind::Blitz, change: |_| {} },
    Column { name: "occupancy", hands: Kind::Human, change: |o| o.occupancy = true },
    Column { name: "occupancy-no-clock", hands: Kind::Human, change: |o| (o.occupancy, o.clock_white) = (true, ClockSide::None) },
    Column { name: "no-clock", hands: Kind::Human, change: |o| o.clock_white = ClockSide::None },
    Column { name: "damaged", hands: Kind::Human, change: |o| o.damage = 0.01 },
];

/// What became of one game.
#[derive(Default)]
struct Outcome {
    exact: bool,
    /// Plies published as completed that were not played.
    wrong: usize,
    /// Of these, corrected by an event of their own.
    corrected: usize,
    missing: usize,
    /// flagfall said that it was not sure.
    unsure: bool,
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
            CaptureLine::FromBoard(bytes) => board.bytes(*t, bytes),
            CaptureLine::Link(state) => board.link(*t, *state, None),
            _ => {}
        }
        drain(&mut board, &mut events);
    }
    // The recording ends, the board goes on standing there.
    let end = stream.lines.last().map_or(Mono::ZERO, |(t, _)| *t + 10_000);
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
                if let Some(completed) = played.get_mut(ply) {
                    outcome.corrected += usize::from(truth.get(*ply as usize - 1) == Some(uci));
                    completed.clone_from(uci);
                }
            }
            Body::MoveWithdrawn { ply, .. } => {
                made.remove(ply);
            }
            Body::MoveCompleted { ply, uci, how, assumed, .. } => {
                // A queen that was only assumed is said to be.
                outcome.unsure |= assumed;
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
            Body::Alarm { key, state: AlarmState::Raised, .. } if key.as_str() == "unsure" => outcome.unsure = true,
            // The arbiter is told that no legal play explains the board: that is said aloud, too.
            Body::Finding(finding) if finding.key == Key::DisplacedPieces => outcome.unsure = true,
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

/// What a simple method published, by the same measure: everything it publishes counts as completed.
fn judge_simple(played_truth: &Truth, published: &[Published], moves: &[String]) -> Outcome {
    let truth = played_truth.uci();
    let mut outcome = Outcome { exact: moves == truth, missing: truth.len().saturating_sub(moves.len()), ..Outcome::default() };
    for one in published {
        if truth.get(one.index) == Some(&one.uci) {
            outcome.after_down.push(one.t.saturating_sub(played_truth.plies[one.index].last_down));
        } else {
            outcome.wrong += 1;
        }
    }
    outcome
}

/// One game of one column, by flagfall and by the simple methods, on the same stream.
fn play(column: &Column, game: &PgnGame, seed: u64, other: Other, print: bool) -> Option<Vec<Outcome>> {
    let mut options = Options::new(column.hands, seed);
    (column.change)(&mut options);
    options.noise = other.noise.unwrap_or(options.noise);
    options.scan_ms = other.scan_ms.or(options.scan_ms);
    options.turned |= other.turned;
    options.bluetooth |= other.bluetooth;
    // A damaged line wants a host that answers.
    let (events, truth, pictures) = if options.damage > 0.0 {
        let mut rig = Rig::of(game, &options);
        rig.run();
        if print {
            for (t, bytes) in &rig.heard {
                println!("# {} {:02x?}", t.millis(), bytes);
            }
        }
        let pictures = simple::pictures(rig.heard.iter().map(|(t, bytes)| (t.millis(), bytes.as_slice())));
        (std::mem::take(&mut rig.events), rig.device.games().first().cloned()?, pictures)
    } else {
        let stream = stream(game, &options);
        let pictures = simple::pictures(stream.chunks().map(|(t, bytes)| (t.millis(), bytes)));
        if print {
            for (t, bytes) in stream.chunks() {
                println!("# {} {:02x?}", t.millis(), bytes);
            }
        }
        (events_of(&stream), stream.truth, pictures)
    };
    if print {
        for ply in &truth.plies {
            println!("T {} {} down {} press {:?}", ply.ply, ply.uci, ply.last_down, ply.press);
        }
        for event in &events {
            println!("{}", serde_json::to_string(event).expect("events are JSON"));
        }
    }
    let mut outcomes = vec![judge(&truth, &events)];
    for (_, method) in METHODS.into_iter().filter(|_| !other.alone) {
        let (published, moves) = simple::follow(method, game, options.occupancy, &pictures);
        outcomes.push(judge_simple(&truth, &published, &moves));
    }
    Some(outcomes)
}

fn main() {
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    let (mut files, mut columns, mut most, mut seed, mut only) = (Vec::new(), Vec::new(), usize::MAX, 1u64, Vec::new());
    let (mut other, mut list) = (Other::default(), List::Some);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} wants a value"));
        match arg.as_str() {
            "--games" => files.push(value()),
            "--column" => columns.push(value()),
            "--most" => most = value().parse().expect("a number of games"),
            "--seed" => seed = value().parse().expect("a seed"),
            "--only" => only.extend(value().split(',').map(|n| n.parse::<usize>().expect("games' numbers, from 1"))),
            "--silent" => list = List::Silent,
            "--all" => list = List::All,
            "--noise" => other.noise = Some(value().parse().expect("how often hands slip, 1 is usual")),
            "--scan" => other.scan_ms = Some(value().parse().expect("milliseconds of a scan")),
            "--turned" => other.turned = true,
            "--bluetooth" => other.bluetooth = true,
            "--alone" => other.alone = true,
            unknown => {
                panic!(
                    "{unknown} is not known; --games FILE, --column NAME, --most N, --seed N, --only N,N…, --silent, --all, --noise X, --scan MS, --turned, --bluetooth, --alone"
                )
            }
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
    let games: Vec<(usize, PgnGame)> =
        games.into_iter().enumerate().filter(|(i, _)| only.is_empty() || only.contains(&(i + 1))).take(most).collect();
    println!("{} games, seed {seed}\n", games.len());
    println!(
        "| hands | method | games | exact | wrong plies | unsure of the inexact | unsure of the exact | press to completed: median, 99 %, share above 5 ms | last piece down to move without a press: median |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for column in COLUMNS.iter().filter(|c| columns.is_empty() || columns.iter().any(|n| n == c.name)) {
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some((number, game)) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(outcome) = play(column, game, seed + *number as u64, other, only.len() == 1) else { continue };
                        outcomes.lock().expect("no thread panicked").push((*number, outcome));
                    }
                });
            }
        });
        let mut outcomes = outcomes.into_inner().expect("no thread panicked");
        outcomes.sort_by_key(|(n, _)| *n);
        for (index, name) in
            std::iter::once("flagfall").chain(METHODS.map(|(name, _)| name).into_iter().filter(|_| !other.alone)).enumerate()
        {
            let of_method: Vec<(usize, &Outcome)> = outcomes.iter().map(|(n, all)| (*n, &all[index])).collect();
            report(column.name, name, &of_method, list);
        }
    }
}

/// Which games that are not exact are named.
#[derive(Clone, Copy, PartialEq)]
enum List {
    Some,
    All,
    /// All of which flagfall did not say that it was unsure.
    Silent,
}

fn report(hands: &str, method: &str, outcomes: &[(usize, &Outcome)], list: List) {
    let ours = method == "flagfall";
    let games = outcomes.len();
    let exact = outcomes.iter().filter(|(_, o)| o.exact).count();
    let wrong: usize = outcomes.iter().map(|(_, o)| o.wrong).sum();
    let corrected: usize = outcomes.iter().map(|(_, o)| o.corrected).sum();
    let wrong_in = outcomes.iter().filter(|(_, o)| o.wrong > 0).count();
    let unsure = |of_exact: bool| match (outcomes.iter().filter(|(_, o)| o.exact == of_exact && o.unsure).count(), ours) {
        (_, false) => String::from("–"),
        (n, true) => format!("{n} of {}", if of_exact { exact } else { games - exact }),
    };
    let mut press: Vec<u64> = outcomes.iter().flat_map(|(_, o)| o.after_press.iter().copied()).collect();
    let mut down: Vec<u64> = outcomes.iter().flat_map(|(_, o)| o.after_down.iter().copied()).collect();
    press.sort_unstable();
    down.sort_unstable();
    let quantile = |v: &[u64], q: f64| {
        v.get(((v.len() as f64 - 1.0) * q).max(0.0) as usize).map_or_else(|| String::from("–"), |ms| format!("{ms} ms"))
    };
    let late = press.iter().filter(|ms| **ms > 5).count();
    let waited = if press.is_empty() {
        String::from("–")
    } else {
        format!("{}, {}, {:.2} %", quantile(&press, 0.5), quantile(&press, 0.99), 100.0 * late as f64 / press.len() as f64)
    };
    println!(
        "| {hands} | {method} | {games} | {:.2} % | {} | {} | {} | {waited} | {} |",
        // Rounded down: 100 % is all of them.
        (10_000 * exact / games.max(1)) as f64 / 100.0,
        match (wrong, corrected) {
            (0, _) => String::from("0"),
            (_, 0) => format!("{wrong} in {wrong_in} games"),
            _ => format!("{wrong} in {wrong_in} games, {corrected} corrected"),
        },
        unsure(false),
        unsure(true),
        quantile(&down, 0.5),
    );
    let named = |o: &Outcome| ours && (!o.exact || o.wrong > 0) && (list != List::Silent || !o.unsure);
    for (number, outcome) in outcomes.iter().filter(|(_, o)| named(o)).take(if list == List::Some { 12 } else { usize::MAX }) {
        let said = if outcome.unsure { "unsure" } else { "not said" };
        eprintln!("  game {}: {} (missing {}, {said})", number + 1, outcome.note, outcome.missing);
    }
    if list == List::All && ours {
        let false_alarms: Vec<usize> = outcomes.iter().filter(|(_, o)| o.exact && o.unsure).map(|(n, _)| n + 1).collect();
        eprintln!("  unsure of exact games: {false_alarms:?}");
    }
}
