//! What somebody types: lines, and passwords without showing them.
use super::ExitError;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use std::io::{self, BufRead as _, Write as _};

/// What is typed, without showing it.
pub(super) fn hidden(prompt: &str) -> Result<String, ExitError> {
    let _ = write!(io::stderr(), "{prompt}");
    let stdin = io::stdin();
    let before = tcgetattr(&stdin).map_err(|error| ExitError::io(format_args!("cannot hide what is typed: {error}")))?;
    let mut quiet = before.clone();
    quiet.local_modes.remove(LocalModes::ECHO);
    tcsetattr(&stdin, OptionalActions::Flush, &quiet).map_err(|error| ExitError::io(format_args!("cannot hide what is typed: {error}")))?;
    let typed = line();
    // What cannot be set back is the terminal's own trouble.
    let _ = tcsetattr(&stdin, OptionalActions::Now, &before);
    let _ = writeln!(io::stderr());
    typed
}

/// A line of standard input.
pub(super) fn line() -> Result<String, ExitError> {
    let mut text = String::new();
    io::stdin().lock().read_line(&mut text).map_err(|error| ExitError::io(format_args!("cannot read the password: {error}")))?;
    Ok(String::from(text.trim_end_matches(['\r', '\n'])))
}
