//! A thousand kills: the daemon is killed (SIGKILL) at random moments while simulated boards play on and clients record everything.
//!
//! ```sh
//! cargo bench --bench kills -- --kills 1000 --boards 6
//! cargo bench --bench kills -- --hall --kills 1000 --boards 4 --lives 1500
//! ```
//!
//! It fails at the first event that was published and is not in the journal, the first acknowledged entry that is gone, the first board that
//! does not go on as its journal says, and the first journal that does not verify.
//!
//! With `--hall` the daemon publishes to a real `nats-server`, a hall shows its boards, and either of them is killed, both at once, or one while the other
//! one starts. Then the stream must equal the journals, and the hall's pages the machine's; no look at the hall may show less than before, and nothing may
//! come twice to a reader of its streams who returns.
#![allow(clippy::unwrap_used, dead_code, reason = "a bench may; the tests' helpers have more than it needs")]
#[path = "../whole/checks.rs"]
mod checks;
#[path = "../nats/compare.rs"]
mod compare;
#[path = "../whole/floor.rs"]
mod floor;
#[path = "../free_port/mod.rs"]
mod free_port;
#[path = "../whole/halls.rs"]
mod halls;
#[path = "../kills/mod.rs"]
mod kills;
#[path = "../whole/network.rs"]
mod network;
#[path = "../kills/reader.rs"]
mod reader;
#[path = "../whole/receiver.rs"]
mod receiver;
#[path = "../nats/server.rs"]
mod server;
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../nats/table.rs"]
mod table;
#[path = "../kills/together.rs"]
mod together;
#[path = "../whole/watch.rs"]
mod watch;

use kills::{Outcome, Plan, run};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, or: u64| {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(or)
    };
    let plan = Plan {
        kills: number("--kills", 1_000) as usize,
        boards: number("--boards", 6) as usize,
        seed: number("--seed", 1),
        lives: number("--lives", 2_000),
    };
    println!("{} kills, {} boards, seed {}, each life at most {} ms", plan.kills, plan.boards, plan.seed, plan.lives);
    if args.iter().any(|arg| arg == "--hall") {
        return both(plan);
    }
    let Outcome { mut restarts, received, acknowledged, continued, torn, journaled, moves, took } = run(plan, |kill| {
        if kill > 0 && kill % 50 == 0 {
            println!("{kill} kills");
        }
    });
    restarts.sort_unstable();
    let share = |p: usize| restarts[(restarts.len() * p / 100).min(restarts.len() - 1)];
    println!("{received} events received, all in the journals, to the letter; {acknowledged} acknowledged entries, all there");
    println!("{continued} times a game was in progress on a board when the daemon was killed; each went on in the same state");
    println!("{journaled} events in the journals, numbered without a gap; {torn} torn lines cut; every journal verifies");
    println!("{} moves completed, {} of them found after the link came back", moves.0, moves.1);
    println!(
        "restart, from the start of the program until it answers with the boards as they were: median {} ms, p99 {} ms, longest {} ms",
        share(50),
        share(99),
        share(100)
    );
    println!("in all {} s", took / 1_000);
}

/// Daemon and hall.
fn both(plan: Plan) {
    let mut told = 0;
    let outcome = together::run(plan, |killed| {
        if killed / 50 > told {
            told = killed / 50;
            println!("{killed} kills");
        }
    });
    let Some(outcome) = outcome else { return };
    let together::Outcome { kills: [daemon, hall], meanwhile, received, acknowledged, continued, .. } = outcome;
    println!("the daemon was killed {daemon} times, the hall {hall} times; {meanwhile} times one of them while the other one started");
    println!(
        "{received} events received from the daemon, all in the journals, to the letter; {acknowledged} acknowledged entries, all there"
    );
    println!("{continued} times a game was in progress on a board when the daemon was killed; each went on in the same state");
    println!("{} events in the journals, {} messages in the stream", outcome.journaled, outcome.messages);
    println!("{} moves completed, {} of them found after the link came back", outcome.moves.0, outcome.moves.1);
    println!(
        "{} looks at the hall; {} events received from it by readers that came back {} times",
        outcome.looks, outcome.heard, outcome.returned
    );
    println!("in all {} s", outcome.took / 1_000);
    if !outcome.right {
        std::process::exit(1);
    }
}
