//! `flagfall simulate`.
use super::ExitError;

/// Arguments of `simulate`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Does it.
pub fn run(_args: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("`flagfall simulate` is not in this build"))
}
