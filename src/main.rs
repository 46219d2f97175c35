//! The `flagfall` binary. Everything is in the library; the exit happens here and nowhere else.
use flagfall::exit::Exit;
use flagfall::{cli, output};
use std::{env, panic, process};

fn main() -> process::ExitCode {
    let exit = panic::catch_unwind(|| cli::start(env::args_os())).unwrap_or_else(|_| {
        output::complain("flagfall: this is a mistake in flagfall itself; please report it with the lines above");
        Exit::Bug
    });
    exit.into()
}
