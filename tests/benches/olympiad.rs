//! An event on one machine in which something fails all the time: simulated boards on ptys that play whole games, real daemons, a cluster of three brokers,
//! two halls, and a fault of a kind that the seed draws as soon as the last one is over. At the end every game is compared with what was played.
//!
//! ```sh
//! cargo bench --bench olympiad
//! FLAGFALL_OLYMPIAD="boards=8 of-one=2 rounds=2 speed=2 seed=1 faults=24 every=5" cargo bench --profile dev --bench olympiad
//! ```
//! Thinking is divided by `speed`; `every` is how many seconds pass after all is well again; with `faults=0` it is only measured, for `measure` seconds, what
//! everything costs. A disk can be full only as root. Exits with 1 where anything is lost.
#![allow(clippy::unwrap_used, dead_code, reason = "a bench may; the tests' helpers have more than it needs")]
#[path = "../whole/checks.rs"]
mod checks;
#[path = "../nats/compare.rs"]
mod compare;
#[path = "../whole/faults.rs"]
mod faults;
#[path = "../whole/floor.rs"]
mod floor;
#[path = "../free_port/mod.rs"]
mod free_port;
#[path = "../whole/halls.rs"]
mod halls;
#[path = "../whole/measure.rs"]
mod measure;
#[path = "../whole/network.rs"]
mod network;
#[path = "../whole/olympiad.rs"]
mod olympiad;
#[path = "../whole/receiver.rs"]
mod receiver;
#[path = "../nats/server.rs"]
mod server;
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../nats/table.rs"]
mod table;
#[path = "../whole/usage.rs"]
mod usage;
#[path = "../whole/watch.rs"]
mod watch;

use olympiad::Olympiad;

fn main() {
    let mut plan = Olympiad { boards: 8, of_one: 2, rounds: 2, speed: 2.0, seed: 1, faults: 24, every: 5, measure: 60, read: false };
    let text = std::env::var("FLAGFALL_OLYMPIAD").unwrap_or_default();
    for (name, value) in text.split_whitespace().filter_map(|word| word.split_once('=')) {
        let number: f64 = value.parse().unwrap();
        match name {
            "boards" => plan.boards = number as usize,
            "of-one" => plan.of_one = number as usize,
            "rounds" => plan.rounds = number as usize,
            "speed" => plan.speed = number,
            "seed" => plan.seed = number as u64,
            "faults" => plan.faults = number as usize,
            "every" => plan.every = number as u64,
            "read" => plan.read = number > 0.0,
            "measure" => plan.measure = number as u64,
            _ => panic!("{name} is not known; boards, of-one, rounds, speed, seed, faults, every, measure, read"),
        }
    }
    if olympiad::hold(&plan) == Some(false) {
        std::process::exit(1);
    }
}
