//! Scenarios of the Laws: what an e-board and a clock show, hand by hand, and what an arbiter must then be told.
//!
//! They are written from the contract and the texts of the Laws, and share nothing with `src/simulator`: `table.rs` is a board with a
//! scanner, a clock and hands of its own, and gives what real ones would send. Every scenario is a capture; it goes through the same code as
//! `flagfall replay`, once as the board says it unasked and once with the answers to what a host asks, and must end the same.
//!
//! A scenario names the editions it is run under and the rows of the clause table that it covers, `law("fide-2018 fide-2023", &["7.5.1 illegal-move"], …)`:
//! the article as the table has it, and the key, or `-` for a row without one. `tests/cli/laws_table.rs` compares them with the table. A scenario may cover
//! several rows, and a row may have several scenarios: what must be found, and what must not.
//!
//! `HAND=200 cargo test --test game laws` lets every hand take so many milliseconds (350 where nothing is said).
//!
//! `NOT_YET` names scenarios that are known to fail. Each still runs, and one that holds fails the test until its name is taken off the list.
//!
//! | file | holds |
//! |---|---|
//! | `table.rs` | the board and the hands: a capture as it is made |
//! | `pen.rs` | the arbiter's inputs, and the replay |
//! | `device.rs` | a chess clock as it shows on the wire, right or faulty |
//! | `story.rs` | what flagfall said, and questions to it |
//! | `referee.rs` | what must hold in every stream of events |
//! | the rest | the scenarios, one subject each |
#![allow(clippy::unwrap_used, reason = "a test may")]
mod beginnings;
mod clocks;
mod completion;
mod device;
mod displaced;
mod disturbed;
mod draws;
mod editions;
mod endings;
mod false_alarms;
mod flags;
mod hands;
mod illegal;
mod pen;
mod presses;
mod put_right;
mod quiet_games;
mod referee;
mod rulings;
mod story;
mod table;
mod variants;
mod verdicts;

use std::any::type_name;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use table::Table;

/// Scenarios that do not hold yet.
const NOT_YET: &[&str] = &[];

/// Runs a scenario, named after its function, under each of these editions; `rows` is for `tests/cli/laws_table.rs`.
fn law<F: Fn(&mut Table)>(editions: &str, rows: &[&str], script: F) {
    run(type_name::<F>(), editions, rows, &[()], |table, ()| script(table));
}

/// The same for each of these cases.
fn law_for<C, F: Fn(&mut Table, &C)>(cases: &[C], editions: &str, rows: &[&str], script: F) {
    run(type_name::<F>(), editions, rows, cases, script);
}

fn run<C>(path: &'static str, editions: &str, rows: &[&str], cases: &[C], script: impl Fn(&mut Table, &C)) {
    let name = path.trim_end_matches("::{{closure}}").rsplit("::").next().unwrap();
    assert!(rows.iter().all(|row| row.split(' ').count() == 2), "{name}: a row is \"ARTICLE KEY\"");
    held(name, || {
        for edition in editions.split(' ') {
            for case in cases {
                for dumps in [false, true] {
                    let mut table = Table::new(name, edition, dumps);
                    script(&mut table, case);
                    table.finish();
                }
            }
        }
    });
}

/// Fails where it fails; one in `NOT_YET` fails where it does not.
fn held(name: &str, scenario: impl FnOnce()) {
    match (NOT_YET.contains(&name), catch_unwind(AssertUnwindSafe(scenario))) {
        (false, Err(failed)) => resume_unwind(failed),
        (true, Ok(())) => panic!("{name} holds now: remove it from NOT_YET in tests/laws/mod.rs"),
        _ => {}
    }
}
