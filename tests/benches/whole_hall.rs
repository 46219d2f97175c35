//! A whole event on one machine: simulated boards on ptys that play whole games, real daemons beside them, a cluster of three brokers with replicated
//! streams, two halls. Everything that may fail does, one after the other, during play; at the end every game is compared with what was played.
//!
//! ```sh
//! cargo bench --bench whole_hall                        # 12 boards: 15 minutes
//! FLAGFALL_WHOLE="12 100 500" cargo bench --bench whole_hall
//! ```
//! `FLAGFALL_WHOLE_ROUNDS` whole games are played on every board (3: short ones of `../shared/games`), `FLAGFALL_WHOLE_SPEED` divides the players' thinking (1),
//! `FLAGFALL_WHOLE_OF_ONE` is how many boards a daemon has (12, 4 where there are 12 boards). With `FLAGFALL_WHOLE_FAILURES=0` nothing fails. Exits with 1 where anything is lost, doubled or not equal.
#![allow(clippy::unwrap_used, dead_code, reason = "a bench may; the tests' helpers have more than it needs")]
#[path = "../whole/checks.rs"]
mod checks;
#[path = "../nats/compare.rs"]
mod compare;
#[path = "../whole/failures.rs"]
mod failures;
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
#[path = "../whole/receiver.rs"]
mod receiver;
#[path = "../nats/server.rs"]
mod server;
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../nats/table.rs"]
mod table;

use checks::Found;
use flagfall::time::Stopwatch;
use floor::{Floor, Plan};
use halls::{Halls, context, pause, wait};
use measure::{Late, cost, quantile};
use network::Cable;
use server::Broker;
use table::Daemon;

fn setting(name: &str, other: f64) -> f64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other)
}

fn main() {
    let sizes = std::env::var("FLAGFALL_WHOLE").unwrap_or_else(|_| String::from("12"));
    let mut right = true;
    for boards in sizes.split_whitespace().map(|n| n.parse::<usize>().unwrap()) {
        let of_one = setting("FLAGFALL_WHOLE_OF_ONE", if boards < 24 { 4.0 } else { 12.0 }) as usize;
        let (rounds, speed) = (setting("FLAGFALL_WHOLE_ROUNDS", 3.0) as usize, setting("FLAGFALL_WHOLE_SPEED", 1.0));
        let fails = setting("FLAGFALL_WHOLE_FAILURES", 1.0) > 0.0;
        let Some(equal) = event(Plan { boards, of_one, rounds, speed, fails }) else { return };
        right &= equal;
    }
    if !right {
        std::process::exit(1);
    }
}

/// One event; whether all of it is as it should be. `None`: there is no broker.
fn event(plan: Plan) -> Option<bool> {
    let machines = floor::names(&plan);
    let boards: Vec<Vec<&str>> = machines.iter().map(|(_, boards)| boards.iter().map(String::as_str).collect()).collect();
    let accounts: Vec<(&str, &[&str])> = machines.iter().zip(&boards).map(|((pi, _), boards)| (pi.as_str(), boards.as_slice())).collect();
    let mut broker = Broker::three(&accounts)?;
    let mut floor = Floor::new(plan.clone());
    println!("\n## {} boards in {} daemons, {} games each, three brokers, two halls\n", plan.boards, machines.len(), plan.rounds);
    let mut halls = Halls::start(&floor, &broker);
    wait("hall that speaks", 60, || halls.speaker())?;
    let brokers = broker.servers().iter().map(|server| server.trim_start_matches("nats://").parse().unwrap()).collect::<Vec<_>>();
    let cable = floor.runtime.block_on(Cable::lay(&brokers)).unwrap();
    let last = machines.len() - 1;
    for machine in 0..machines.len() {
        floor.start(&broker, machine, Some(&cable).filter(|_| machine == last));
    }
    floor.operator();
    // Players come one after the other; those of the last machine when it is cut off.
    for machine in 0..last + usize::from(!plan.fails) {
        floor.sit_down(machine, plan.speed);
        pause(1);
    }
    pause(30);
    wait("empty queue", 60, || (floor.behind() < plan.boards as u64).then_some(()));
    let late = [Late::default(), Late::default()];
    late.iter().enumerate().for_each(|(n, late)| late.listen(halls.get(n).address()));
    costs(&broker, &floor, &halls, &late);
    let mut found = Found::default();
    let voices = halls.listen();
    if plan.fails {
        failures::all(&mut broker, &mut floor, &mut halls, &cable, &mut found);
    }

    let (mut over, all, mut still) = (0, plan.boards * plan.rounds, Stopwatch::start());
    while over < all && still.now().millis() < 600_000 {
        pause(1);
        if floor.over() > over {
            (over, still) = (floor.over(), Stopwatch::start());
        }
    }
    println!("played: {over} of {all} games to their ends, {} results entered by the operator", floor.entered.lock().unwrap());
    // What settles after the last move, and what was published of it.
    pause(5);
    floor.quiet();
    pause(10);
    wait("empty queue", 60, || (floor.behind() == 0).then_some(()));
    let hall = context(&floor, &broker);
    let (messages, bytes) = checks::journals(&floor, &hall, &mut found);
    let plies: usize = floor.truths().iter().flatten().map(|truth| truth.plies.len()).sum();
    println!(
        "stream: {messages} messages, {:.1} MB: {:.0} messages and {:.0} KB a game, {:.1} messages a ply, {} bytes a message (one replica)",
        bytes as f64 / 1e6,
        messages as f64 / all as f64,
        bytes as f64 / 1024.0 / all as f64,
        messages as f64 / plies as f64,
        bytes / messages.max(1)
    );
    checks::pages(&floor, &[halls.get(0), halls.get(1)], &mut found);
    for (n, name) in Halls::NAMES.iter().enumerate() {
        let text = halls.get(n).metrics();
        let figure = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok()).unwrap_or(u64::MAX);
        let counts = ["events_missing", "events_odd"].map(|what| figure(&format!("flagfall_hall_{what}_total")));
        found.halls(name, counts == [0, 0], &counts);
    }
    let (looks, double) = voices.count();
    found.voices(looks, double);
    let right = found.tell();
    floor.end(!right);
    Some(right)
}

/// A minute of play: how late presses are on both halls' pages, and what everything costs.
fn costs(broker: &Broker, floor: &Floor, halls: &Halls, late: &[Late; 2]) {
    for late in late {
        let _ = late.take();
    }
    let ids = || -> [Vec<u32>; 4] {
        let of_halls = halls.all.iter().flatten().map(Daemon::id).collect();
        [of_halls, broker.ids(), floor.daemons().map(Daemon::id).collect(), vec![std::process::id()]]
    };
    let (watch, before) = (Stopwatch::start(), ids().map(|ids| cost(&ids).0));
    pause(60);
    let (took, after) = (watch.now().millis() as f64 / 1e3, ids().map(|ids| cost(&ids)));
    for (name, late) in Halls::NAMES.iter().zip(late) {
        let [(presses, p50, p99), (moves, m50, m99)] = late.take();
        println!("{name}: {presses} presses p50 {p50:.1} ms p99 {p99:.1} ms; {moves} completed moves p50 {m50:.1} ms p99 {m99:.1} ms");
    }
    for (what, before, (processor, memory)) in ["two halls", "three brokers", "all daemons", "the simulator"]
        .iter()
        .zip(before)
        .zip(after)
        .map(|((what, before), after)| (what, before, after))
    {
        println!("{what}: {:.1} % of a core, {memory:.0} MB", (processor - before) / took * 100.0);
    }
}

/// The middle one.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    quantile(values, 0.5)
}
