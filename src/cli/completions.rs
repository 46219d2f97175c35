//! `flagfall completions SHELL` and `flagfall man`: both made from the one definition of the command line.
use super::{ExitError, output};
use std::io::Write as _;
use std::path::PathBuf;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// For which shell
    shell: clap_complete::Shell,
}

/// Prints the completions.
pub fn run(args: Args, command: &mut clap::Command) -> Result<(), ExitError> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, command, "flagfall", &mut text);
    let mut out = output::stdout();
    out.write_all(&text)?;
    out.flush()?;
    Ok(())
}

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// Write one page a subcommand into this folder; without it the main page goes to standard output
    folder: Option<PathBuf>,
}

/// Prints or writes the manual pages.
pub fn man(args: ManArgs, command: clap::Command) -> Result<(), ExitError> {
    if let Some(folder) = args.folder {
        return clap_mangen::generate_to(command, &folder).map_err(|e| ExitError::writing(&folder, &e));
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    let mut out = output::stdout();
    out.write_all(&text)?;
    out.flush()?;
    Ok(())
}
