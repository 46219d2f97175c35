//! Faults of simulated clocks: found, named rightly within three moves, none taken for another; right clocks let alone; think times exact.
mod complete;
mod measure;
mod proposed;

use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, stream};
use measure::{FAULTS, RIGHT, TEMPOS, alarms_of, events_of, faults_of, games, inject, options, think_errors};

/// Games a row; `cargo bench --bench clock` plays more.
const GAMES: u64 = 6;

#[test]
fn every_fault_is_found_and_named_within_three_moves() {
    let games = games();
    let mut wrong = Vec::new();
    for fault in &FAULTS {
        for n in 0..GAMES {
            let control = fault.controls[n as usize % fault.controls.len()];
            let game = n as usize * 7 % games.len();
            let found = inject(&games[game], fault, control, Kind::Human, n + 1);
            if found.names != [fault.name] || found.plies > 6 {
                wrong.push(format!("{} {control} seed {} game {game}: {found:?}", fault.incident, n + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// 6.10: at any moment, running or stopped, the times proposed are those that the clock would show without its fault.
#[test]
fn the_times_proposed_are_those_of_the_clock_without_its_fault() {
    let games = games();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for fault in &proposed::COMPARED {
        for (n, control) in (0..).zip(fault.controls.iter()) {
            let game = &games[n as usize * 17 % games.len()];
            compared += proposed::compare(game, fault, control, Kind::Human, n + 1, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{} of {compared} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 150, "only {compared} were compared");
}

#[test]
fn right_clocks_are_let_alone() {
    let games = games();
    let mut wrong = Vec::new();
    for control in RIGHT {
        for n in 0..GAMES {
            let mut options = options(control, None, if n == 0 { Kind::Blitz } else { Kind::Human }, n + 1);
            options.damage = if n == 1 { 0.01 } else { 0.0 };
            options.bluetooth = n == 2;
            let alarms = alarms_of(&games[n as usize * 11 % games.len()], &options);
            if !alarms.is_empty() {
                wrong.push(format!("{control} seed {} damage {} blue {}: {alarms:?}", n + 1, options.damage, options.bluetooth));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Reports late by anything up to most of a second, presses together, two presses in one: odd seeds, which nothing was fitted to.
#[test]
fn right_clocks_of_many_people_are_let_alone() {
    let games = games();
    let mut wrong = Vec::new();
    for tempo in TEMPOS {
        for n in 0..2 * GAMES {
            let seed = 2 * n + 1;
            let found = faults_of(&games[seed as usize * 7 % games.len()], &Options::people(tempo, seed));
            wrong.extend(found.iter().map(|found| format!("{tempo:?} seed {seed}: {found}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn think_times_are_finer_than_a_second_and_within_their_bound() {
    let games = games();
    let mut errors = Vec::new();
    for n in 0..2 * GAMES {
        let stream = stream(&games[n as usize * 13 % games.len()], &options(RIGHT[n as usize % RIGHT.len()], None, Kind::Human, n + 1));
        errors.extend(think_errors(&stream, &events_of(&stream)));
    }
    errors.sort_unstable();
    let median = errors[errors.len() / 2].0;
    assert!(errors.len() > 300 && median < 50, "median {median} ms of {}", errors.len());
    let outside: Vec<_> = errors.iter().filter(|(error, bound)| error > bound).collect();
    assert!(outside.is_empty(), "{outside:?}");
}
