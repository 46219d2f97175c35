//! The `flagfall` binary. Everything is in the library; the exit happens here and nowhere else.
use flagfall::cli::{self, Exit};
use std::{env, panic, process};

fn main() -> process::ExitCode {
    // The panic's own message is on stderr by then.
    panic::catch_unwind(|| cli::start(env::args_os())).unwrap_or(Exit::Bug).into()
}
