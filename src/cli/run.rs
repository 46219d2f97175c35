//! `flagfall run`.
use super::ExitError;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Does it.
pub fn run(_args: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("`flagfall run` is not in this build"))
}
