//! `flagfall check`: the effective configuration on standard output, advice and mistakes on stderr.
use super::{ExitError, output};
use crate::config::list_source::ListSource;
use crate::config::{self, Config};
use crate::feeds::lichess::fits;
use crate::feeds::pairings;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The configuration; without it the one that `run` would read, or the defaults where there is none
    file: Option<PathBuf>,
}

/// Prints the effective configuration, or every mistake.
pub fn run(args: Args) -> Result<(), ExitError> {
    let (path, config) = load(args.file.as_deref())?;
    let source = match &path {
        Some(path) => format!("# What {} comes to.\n", path.display()),
        None => format!("# There is no {}: these are the defaults.\n", config::default_path(|name| env::var_os(name)).display()),
    };
    for advice in config.advice() {
        output::complain(&format!("unwise: {advice}"));
    }
    let lists = pairings::files::check(config.event.pairings.as_ref(), config.event.players.as_ref());
    for text in &lists.said {
        output::complain(&format!("pairings: {text}"));
    }
    let refusals = lichess_refusals(&config);
    for text in &refusals {
        output::complain(&format!("lichess: {text}"));
    }
    output::print(&(source + &config.to_toml()))?;
    if lists.usable && refusals.is_empty() {
        Ok(())
    } else if lists.usable {
        Err(ExitError::bad_data("not every game has room on Lichess, see above"))
    } else {
        Err(ExitError::bad_data("the configuration is well, but not the list of pairings or players, see above"))
    }
}

/// Games that have no room on Lichess.
pub(super) fn lichess_refusals(config: &Config) -> Vec<String> {
    let list = config
        .event
        .pairings
        .as_ref()
        .and_then(ListSource::file)
        .and_then(|path| fs::read(path).ok())
        .and_then(|bytes| pairings::read(&bytes).ok());
    list.map(|list| fits::refusals(&config.lichess, &list)).unwrap_or_default()
}

/// Reads `file`, or without it the configuration at its usual place; where that is missing everything has its default.
/// The path is the file that was read.
pub fn load(file: Option<&Path>) -> Result<(Option<PathBuf>, Config), ExitError> {
    let path = file.map_or_else(|| config::default_path(|name| env::var_os(name)), PathBuf::from);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if file.is_none() && error.kind() == io::ErrorKind::NotFound => return Ok((None, Config::default())),
        Err(error) => return Err(ExitError::reading(&path, &error)),
    };
    let name = path.display().to_string();
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(ExitError::config(format_args!("{name}: is not a text file (UTF-8); docs/flagfall.toml is an example")));
    };
    match Config::parse(&name, &text) {
        Ok(config) => Ok((Some(path), config)),
        Err(error) => Err(ExitError::config(error)),
    }
}
