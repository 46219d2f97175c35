//! `flagfall solve`: the child process of the solver; not for people.
use super::{ExitError, output};
use flagfall_solver::child;
use std::io;

/// Answers one question a line until standard input ends.
pub fn run() -> Result<(), ExitError> {
    child::serve(io::stdin().lock(), output::stdout())?;
    Ok(())
}
