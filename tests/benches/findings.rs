//! No false alarm: games of real players through human hands and a right clock, and what was found in them, under each edition.
//!
//! ```sh
//! cargo bench --bench findings -- --games ../shared/games/otb-gnuchess-book.pgn --most 2000
//! ```
//! Every game has a seed of its own: the seed of the run plus its number in the file. `--hands blitz` takes other hands, `--rules EDITION` one
//! edition, `--only N` prints what was found in one game.
use flagfall_capture::CaptureLine;
use flagfall_events::{Body, Event, Grade, Rules, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_game::settings::Settings;
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, stream};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const EDITIONS: [Rules; 4] = [Rules::Fide2023, Rules::Fide2018, Rules::Fide1997, Rules::Russia116];

/// Findings by key and grade, and the games (from 1) they were in.
type Found = BTreeMap<(String, Grade), Vec<usize>>;

fn play(game: &PgnGame, rules: Rules, hands: Kind, seed: u64, number: usize, print: bool, found: &mut Found) {
    let stream = stream(game, &Options::new(hands, seed));
    let settings = Settings { rules, ..stream.settings.clone() };
    let mut board = Board::new("bench", Wall::EPOCH, settings);
    let mut events = Vec::new();
    for (t, line) in &stream.lines {
        while let Some(deadline) = board.deadline().filter(|d| d <= t) {
            board.timeout(deadline);
            drain(&mut board, &mut events);
        }
        match line {
            CaptureLine::FromBoard(bytes) => board.bytes(*t, bytes),
            CaptureLine::Link(state) => board.link(*t, *state, None),
            CaptureLine::Entry(entry) => board.entry(*t, entry.clone()),
            CaptureLine::ToBoard(_) => {}
        }
        drain(&mut board, &mut events);
    }
    for event in &events {
        if print {
            println!("{}", serde_json::to_string(event).expect("events are JSON"));
        }
        if let Body::Finding(finding) = &event.body {
            found.entry((finding.key.to_string(), finding.grade)).or_default().push(number);
        }
    }
}

fn drain(board: &mut Board, events: &mut Vec<Event>) {
    while let Some(output) = board.poll() {
        if let Output::Event(event) = output {
            events.push(event);
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    let (mut files, mut most, mut seed, mut only, mut hands) = (Vec::new(), usize::MAX, 1_u64, None, Kind::Human);
    let mut editions = EDITIONS.to_vec();
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} wants a value"));
        match arg.as_str() {
            "--games" => files.push(value()),
            "--most" => most = value().parse().expect("a number of games"),
            "--seed" => seed = value().parse().expect("a seed"),
            "--only" => only = Some(value().parse::<usize>().expect("a game's number, from 1")),
            "--rules" => {
                let name = value();
                editions.retain(|rules| rules.as_str() == name);
            }
            "--hands" => {
                hands = match value().as_str() {
                    "clean" => Kind::Clean,
                    "blitz" => Kind::Blitz,
                    _ => Kind::Human,
                }
            }
            other => panic!("{other} is not known; --games FILE, --most N, --seed N, --only N, --rules EDITION, --hands KIND"),
        }
    }
    if files.is_empty() {
        files.push(String::from("../shared/games/otb-gnuchess-book.pgn"));
    }
    let games: Vec<PgnGame> = files
        .iter()
        .filter_map(|file| std::fs::read(file).map_err(|e| println!("skipped: {file}: {e}")).ok())
        .flat_map(|text| read_games(&text).expect("games of the collection are legal"))
        .collect();
    let games: Vec<(usize, PgnGame)> = games.into_iter().enumerate().filter(|(i, _)| only.is_none_or(|n| n == i + 1)).take(most).collect();
    println!("{} games, {hands:?} hands, seed {seed}\n", games.len());
    println!("| edition | grade | key | findings | games |\n|---|---|---|---|---|");
    for rules in editions {
        let (next, all) = (AtomicUsize::new(0), Mutex::new(Found::new()));
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    let mut found = Found::new();
                    while let Some((number, game)) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                        play(game, rules, hands, seed + *number as u64, number + 1, only.is_some(), &mut found);
                    }
                    let mut all = all.lock().expect("no thread panicked");
                    found.into_iter().for_each(|(key, games)| all.entry(key).or_default().extend(games));
                });
            }
        });
        let found = all.into_inner().expect("no thread panicked");
        let alarms: usize = found.iter().filter(|((_, grade), _)| *grade != Grade::Note).map(|(_, games)| games.len()).sum();
        println!("| {} | ruling, attention | all | {alarms} | |", rules.as_str());
        for ((key, grade), mut games) in found {
            let count = games.len();
            games.sort_unstable();
            games.dedup();
            println!("| {} | {grade:?} | {key} | {count} | {} |", rules.as_str(), games.len());
            if grade != Grade::Note {
                eprintln!("  {key}: games {:?}", &games[..games.len().min(12)]);
            }
        }
    }
}
