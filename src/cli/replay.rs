//! `flagfall replay`.
use super::ExitError;

/// Arguments of `replay`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Does it.
pub fn run(_args: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("`flagfall replay` is not in this build"))
}
