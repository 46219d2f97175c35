//! `flagfall fleet`: every Pi of an event from one table list.
//!
//! | to change | go to |
//! |---|---|
//! | what a list may say | `src/config/fleet.rs` |
//! | where the list is and what was made of it | `fleet/list.rs` |
//! | the files that are made, passwords, what changed | `fleet/make.rs`, `fleet/files.rs` |
//! | the broker's files | `fleet/broker.rs` |
//! | whether everything answers as listed | `fleet/check.rs`, compared in `fleet/compare.rs` |
//! | how a Pi is reached | `fleet/ssh.rs` |
//! | files to the Pis; new versions; evidence from them | `fleet/push.rs`, `fleet/upgrade.rs`, `fleet/collect.rs` |
mod broker;
mod check;
mod collect;
mod compare;
mod files;
mod list;
mod make;
mod push;
mod ssh;
mod upgrade;

use super::ExitError;

/// Arguments of `fleet`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
flagfall fleet make cup.toml                      into the folder cup
flagfall fleet push cup.toml                      to each Pi its own, by ssh
flagfall fleet check cup.toml                     is all as the list says?
flagfall fleet upgrade cup.toml flagfall_*.deb    one Pi after another
flagfall fleet collect cup.toml -o cup.tar.gz     all journals, verified
What a list looks like: docs/fleet.md.
Exit codes: 1 not all is as listed or proved, 66 no such list, 69 somebody does not answer, 78 mistakes in the list.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Makes each Pi's and hall's configuration, the broker's files and the passwords; a password is made once
    Make(make::Args),
    /// Brings each Pi its configuration and password, and restarts it where they changed
    Push(push::Args),
    /// Compares the list with what answers at the broker
    Check(check::Args),
    /// Installs a package on one Pi after another, none in the middle of a game
    Upgrade(upgrade::Args),
    /// Fetches all journals into one archive and verifies them
    Collect(collect::Args),
}

/// Does what is asked.
pub fn run(args: Args) -> Result<(), ExitError> {
    match args.command {
        Command::Make(args) => make::run(&args),
        Command::Push(args) => push::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Upgrade(args) => upgrade::run(&args),
        Command::Collect(args) => collect::run(&args),
    }
}
