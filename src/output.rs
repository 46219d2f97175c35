//! Printing that survives a closed pipe: `println!` would panic there.
use crate::exit::ExitError;
use crate::paint::Paint;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Standard output, locked and buffered. Flush it at the end; an error ends the command through [`ExitError`], quietly for a closed pipe.
pub fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(64 * 1024, io::stdout().lock())
}

/// One line on stderr; nobody reading it is no failure.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// What went wrong, on stderr.
pub fn fail(text: &str) {
    complain(&format!("{} {text}", Paint::of_stderr().bad("flagfall:")));
}

/// Prints `text` whole.
pub fn print(text: &str) -> Result<(), ExitError> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
