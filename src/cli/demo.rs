//! `flagfall demo`.
use super::ExitError;

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Does it.
pub fn run(_args: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("`flagfall demo` is not in this build"))
}
