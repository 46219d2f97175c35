//! `flagfall decode`.
use super::ExitError;

/// Arguments of `decode`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Does it.
pub fn run(_args: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("`flagfall decode` is not in this build"))
}
