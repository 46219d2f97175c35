//! `flagfall fleet`: every Pi of an event from one table list.
//!
//! | to change | go to |
//! |---|---|
//! | what a list may say | `src/config/fleet.rs` |
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
mod make;
mod push;
mod ssh;
mod upgrade;

use super::ExitError;
use crate::config::fleet::{self, Fleet, Pi};
use std::fs;
use std::path::{Path, PathBuf};

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

/// The list, and what was made of it.
#[derive(Debug, clap::Args)]
struct List {
    /// The table list (TOML)
    list: PathBuf,
    /// The folder with what was made of it [default: beside the list, without its .toml]
    #[arg(long, visible_alias = "into", value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl List {
    fn read(&self) -> Result<Fleet, ExitError> {
        let path = &self.list;
        let text = fs::read(path).map_err(|error| ExitError::reading(path, &error))?;
        let name = path.display().to_string();
        let text = String::from_utf8(text)
            .map_err(|_| ExitError::config(format_args!("{name}: is not a text file (UTF-8); docs/fleet.md has an example")))?;
        fleet::parse(&name, &text).map_err(ExitError::config)
    }

    fn dir(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(|| {
            let stem = self.list.with_extension("");
            // A list without an extension cannot have a folder of its own name beside it.
            if stem == self.list { self.list.with_extension("made") } else { stem }
        })
    }

    /// Where a path of the list leads: beside the list.
    fn beside(&self, path: &Path) -> PathBuf {
        self.list.parent().unwrap_or(Path::new("")).join(path)
    }
}

/// The Pis that were named, or all.
fn chosen<'f>(fleet: &'f Fleet, only: &[String]) -> Result<Vec<&'f Pi>, ExitError> {
    if let Some(unknown) = only.iter().find(|name| !fleet.pis.iter().any(|pi| pi.name == **name)) {
        let all: Vec<&str> = fleet.pis.iter().map(|pi| pi.name.as_str()).collect();
        return Err(ExitError::usage(format_args!("--only {unknown}: the list has no such Pi; it has {}", all.join(", "))));
    }
    Ok(fleet.pis.iter().filter(|pi| only.is_empty() || only.contains(&pi.name)).collect())
}

fn s(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
