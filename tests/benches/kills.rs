//! A thousand kills: the daemon is killed (SIGKILL) at random moments while simulated boards play on and clients record everything.
//!
//! ```sh
//! cargo bench --bench kills -- --kills 1000 --boards 6
//! ```
//!
//! It fails at the first event that was published and is not in the journal, the first acknowledged entry that is gone, the first board that
//! does not go on as its journal says, and the first journal that does not verify.
#![allow(clippy::unwrap_used, reason = "a bench may")]
#[path = "../kills/mod.rs"]
mod kills;
#[path = "../signed_in/mod.rs"]
mod signed_in;

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
