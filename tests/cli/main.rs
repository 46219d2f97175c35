//! The program from outside: arguments, files, standard streams, exit codes.
//!
//! | file | holds |
//! |---|---|
//! | `captures.rs` | every capture gives the events that lie beside it |
//! | `laws_table.rs` | `docs/laws.md` is what the rulebook says |
//! | `real_captures.rs` | recordings of real boards that are not in the repository |
//! | `recordings.rs` | recordings that were sent in replay to what was played |
//! | `simulate.rs` | `flagfall simulate` |
//! | `../command_line/` | all other commands |
//! | `../rows/` | games in a row, through the simulator and the game |
mod captures;
#[path = "../command_line/mod.rs"]
mod command_line;
mod laws_table;
mod real_captures;
mod recordings;
#[path = "../rig/mod.rs"]
mod rig;
#[path = "../rows/mod.rs"]
mod rows;
#[path = "../signed_in/mod.rs"]
mod signed_in;
mod simulate;
#[path = "../tally/mod.rs"]
mod tally;
