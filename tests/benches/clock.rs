//! The tables of `docs/clock-faults.md`: faults injected into simulated clocks against what was found, right clocks, and think times.
//!
//! ```sh
//! cargo bench --bench clock -- --most 40
//! ```
//! `--most N` games a row, `--people N` games of many people a pace (odd seeds); `--only NAME` one fault; `--show` prints what went otherwise.
#[path = "../clock_faults/measure.rs"]
mod measure;

use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, stream};
use measure::{FAULTS, RIGHT, TEMPOS, alarms_of, events_of, faults_of, games, inject, options, think_errors};
use std::collections::BTreeMap;

fn main() {
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    let (mut most, mut seed, mut only, mut show, mut people) = (40_usize, 1_u64, None, false, 0_u64);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} wants a value"));
        match arg.as_str() {
            "--most" => most = value().parse().expect("a number of games"),
            "--seed" => seed = value().parse().expect("a seed"),
            "--only" => only = Some(value()),
            "--show" => show = true,
            "--people" => people = value().parse().expect("a number of games"),
            other => panic!("{other} is not known; --most N, --people N, --seed N, --only NAME, --show"),
        }
    }
    let games = games();
    confusion(&games, most, seed, only.as_deref(), show);
    if only.is_none() {
        right_clocks(&games, most, seed, show);
        think_times(&games, most, seed);
        many_people(&games, people, show);
    }
}

/// Right clocks of many people, on seeds that nothing is fitted to.
fn many_people(games: &[flagfall_simulator::games::PgnGame], most: u64, show: bool) {
    println!("\n| right clock, many people | games | with a finding of the clock |\n|---|---|---|");
    for tempo in TEMPOS.into_iter().filter(|_| most > 0) {
        let mut with = 0;
        for seed in (0..most).map(|n| 2 * n + 1) {
            let found = faults_of(&games[seed as usize * 7 % games.len()], &Options::people(tempo, seed));
            with += usize::from(!found.is_empty());
            if show {
                found.iter().for_each(|found| eprintln!("{tempo:?} seed {seed}: {found}"));
            }
        }
        println!("| {tempo:?} | {most} | {with} |");
    }
}

fn confusion(games: &[flagfall_simulator::games::PgnGame], most: usize, seed: u64, only: Option<&str>, show: bool) {
    let mut columns: Vec<&str> = FAULTS.iter().map(|fault| fault.name).collect();
    columns.sort_unstable();
    columns.dedup();
    println!("| injected | games | {} | another too | nothing | in three moves | plies, median / most |", columns.join(" | "));
    println!("|---{}|---|---|---|---|---|", "|---".repeat(columns.len()));
    for fault in FAULTS.iter().filter(|fault| only.is_none_or(|name| name == fault.incident)) {
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        let (mut also, mut nothing, mut in_time, mut plies, mut played) = (0, 0, 0, Vec::new(), 0);
        for n in 0..most {
            let seed = seed + n as u64;
            let control = fault.controls[n % fault.controls.len()];
            let game = &games[(n * 7) % games.len()];
            let found = inject(game, fault, control, Kind::Human, seed);
            played += 1;
            match found.names.first() {
                None => nothing += 1,
                Some(name) => {
                    *first.entry(name.clone()).or_default() += 1;
                    also += usize::from(found.names.iter().any(|other| other != name));
                    in_time += usize::from(name == fault.name && found.plies <= 6);
                    plies.push(found.plies);
                }
            }
            if show && (found.names.first().map(String::as_str) != Some(fault.name) || found.names.len() > 1 || found.plies > 6) {
                eprintln!("{} {control} seed {seed} game {}: {found:?}", fault.incident, (n * 7) % games.len());
            }
        }
        plies.sort_unstable();
        let median = plies.get(plies.len() / 2).copied().unwrap_or(0);
        let cells: Vec<String> = columns
            .iter()
            .map(|name| {
                first.get(*name).map_or_else(|| String::from("·"), |n| if *name == fault.name { format!("**{n}**") } else { n.to_string() })
            })
            .collect();
        println!(
            "| {} | {played} | {} | {also} | {nothing} | {in_time} | {median} / {} |",
            fault.incident,
            cells.join(" | "),
            plies.last().copied().unwrap_or(0)
        );
    }
}

fn right_clocks(games: &[flagfall_simulator::games::PgnGame], most: usize, seed: u64, show: bool) {
    println!("\n| right clock | games | with a finding or alarm |");
    println!("|---|---|---|");
    for control in RIGHT {
        let mut wrong = 0;
        for n in 0..most {
            let mut options = options(control, None, Kind::Human, seed + n as u64);
            options.damage = if n % 4 == 3 { 0.01 } else { 0.0 };
            let alarms = alarms_of(&games[(n * 11) % games.len()], &options);
            wrong += usize::from(!alarms.is_empty());
            if show && !alarms.is_empty() {
                eprintln!("{control} seed {} damage {} game {}: {alarms:?}", options.seed, options.damage, (n * 11) % games.len());
            }
        }
        println!("| {control} | {most} | {wrong} |");
    }
}

fn think_times(games: &[flagfall_simulator::games::PgnGame], most: usize, seed: u64) {
    println!("\n| think times | moves | median error | 99 % | worst | outside the bound |");
    println!("|---|---|---|---|---|---|");
    for (name, damage) in [("every report arrives", 0.0), ("1 % of messages lost or damaged", 0.01)] {
        for kind in [Kind::Human, Kind::Blitz] {
            let mut errors = Vec::new();
            for n in 0..most {
                let control = if kind == Kind::Blitz { "180+2" } else { RIGHT[n % RIGHT.len()] };
                let mut options = options(control, None, kind, seed + n as u64);
                options.damage = damage;
                let stream = stream(&games[(n * 13) % games.len()], &options);
                errors.extend(think_errors(&stream, &events_of(&stream)));
            }
            let outside = errors.iter().filter(|(error, bound)| error > bound).count();
            let mut sizes: Vec<u64> = errors.iter().map(|(error, _)| *error).collect();
            sizes.sort_unstable();
            let at = |q: f64| sizes.get(((sizes.len() as f64 - 1.0) * q).max(0.0) as usize).copied().unwrap_or(0);
            println!("| {kind:?}, {name} | {} | {} ms | {} ms | {} ms | {outside} |", sizes.len(), at(0.5), at(0.99), at(1.0));
        }
    }
}
