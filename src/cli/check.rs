//! `flagfall check`.
use super::ExitError;

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Does it.
pub fn run(_args: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("`flagfall check` is not in this build"))
}
