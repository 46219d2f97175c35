//! The command line, one file a subcommand. Each has `Args` and `run(Args) -> Result<(), ExitError>`.
//!
//! | to change | go to |
//! |---|---|
//! | exit codes, what every command prints through | `exit` and `output`, a floor below |
//! | colours | `paint`, a floor below |
//! | bars for long inputs | `progress` |
//! | lines and passwords that are typed | `typed` |
//! | how `watch` and `rule` reach a daemon | `remote` |
//! | a subcommand | the file of its name |
pub mod account;
pub mod capture;
pub mod check;
pub mod completions;
pub mod decode;
pub mod demo;
pub mod doctor;
pub mod export;
#[cfg(feature = "nats")]
pub mod fleet;
pub mod hall;
pub mod key;
pub mod laws;
pub mod lichess;
pub mod pair;
pub mod pairings;
pub mod pgn;
mod progress;
mod remote;
pub mod replay;
pub mod rule;
pub mod run;
pub mod simulate;
pub mod solve;
mod typed;
pub mod verify;
pub mod watch;

pub use crate::exit::{Exit, ExitError};
pub use crate::output;

use clap::{CommandFactory as _, Parser, Subcommand};
use std::ffi::OsString;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "flagfall",
    version,
    about = "Reads DGT-compatible chess boards and clocks, applies the Laws, publishes moves and clock state"
)]
#[command(
    after_help = "Exit codes: 64 usage, 65 bad data, 66 no input, 69 unavailable, 70 bug, 74 I/O, 77 permission, 78 configuration.\n\
                        flagfall is not affiliated with DGT."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
#[non_exhaustive]
pub enum Command {
    /// The daemon: reads the boards and publishes their games
    Run(run::Args),
    /// The same pages and publishers over all boards of an event, on many machines
    Hall(hall::Args),
    /// The whole daemon on simulated boards; prints the address of the page
    Demo(demo::Args),
    /// One simulated board and clock on a pseudo-terminal, or straight into a capture
    Simulate(simulate::Args),
    /// Captures and journals through the same code as the daemon, in simulated time
    Replay(replay::Args),
    /// Recordings to send in: without names, serial numbers and times of day
    Capture(capture::Args),
    /// Whether journals are what was written: checksums, chain, signatures, and a replay that makes the same events
    Verify(verify::Args),
    /// Bytes to messages, one a line, with names
    Decode(decode::Args),
    /// What is plugged in, what answers, what stands in the way and what to do about it
    Doctor(doctor::Args),
    /// Pair a classic Bluetooth board with this machine
    Pair(pair::Args),
    /// Every Pi of an event from one table list: configurations, accounts, new versions, evidence
    #[cfg(feature = "nats")]
    Fleet(fleet::Args),
    /// Parse and check a configuration; show the effective one
    Check(check::Args),
    /// The arbiter's terminal: boards and findings live
    Watch(watch::Args),
    /// Rule on a finding, report what sensors cannot see, enter a result or what stands on board and clock
    Rule(rule::Args),
    /// A journal's or capture's games as PGN, or its incidents as a report that stands by itself
    Export(export::Args),
    /// Whether the clock times of PGN files are there and agree: ours, or anybody's
    Pgn(pgn::Args),
    /// The clause table: what the sensors show of every clause of the Laws, and what flagfall does about it
    Laws(laws::Args),
    /// How the rounds on Lichess are doing; send one again, or empty it first
    Lichess(lichess::Args),
    /// Who plays whom; what a list would change before it is taken; the next round
    Pairings(pairings::Args),
    /// Accounts of arbiters and operators
    Account(account::Args),
    /// The key that signs journals: which it is, and another one in its place
    Key(key::Args),
    /// Completions for a shell
    #[command(hide = true)]
    Completions(completions::Args),
    /// The child process of the solver: one question a line in, one answer a line out
    #[command(hide = true)]
    Solve,
    /// The manual pages
    #[command(hide = true)]
    Man(completions::ManArgs),
}

/// Parses `args` and does what they say; the result is the program's exit code, and what went wrong is on stderr.
pub fn start(args: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come here too; a reader that left early is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Ok };
        }
    };
    let done = match cli.command {
        Command::Run(args) => run::run(args),
        Command::Hall(args) => hall::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Capture(args) => capture::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Decode(args) => decode::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Pair(args) => pair::run(args),
        #[cfg(feature = "nats")]
        Command::Fleet(args) => fleet::run(args),
        Command::Check(args) => check::run(args),
        Command::Watch(args) => watch::run(args),
        Command::Rule(args) => rule::run(args),
        Command::Export(args) => export::run(args),
        Command::Pgn(args) => pgn::run(args),
        Command::Laws(args) => laws::run(args),
        Command::Lichess(args) => lichess::run(args),
        Command::Pairings(args) => pairings::run(args),
        Command::Account(args) => account::run(args),
        Command::Key(args) => key::run(args),
        Command::Completions(args) => completions::run(args, &mut Cli::command()),
        Command::Solve => solve::run(),
        Command::Man(args) => completions::man(args, Cli::command()),
    };
    match done {
        Ok(()) => Exit::Ok,
        Err(error) => {
            let text = error.to_string();
            if !text.is_empty() {
                output::fail(&text);
            }
            error.code()
        }
    }
}
