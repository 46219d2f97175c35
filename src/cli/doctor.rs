//! `flagfall doctor`.
use super::ExitError;

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Does it.
pub fn run(_args: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("`flagfall doctor` is not in this build"))
}
