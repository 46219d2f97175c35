//! The `flagfall` binary. Everything is in the library; the exit happens here and nowhere else.
use std::{env, process};

fn main() -> process::ExitCode {
    flagfall::cli::start(env::args_os()).into()
}
