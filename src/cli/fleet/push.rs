//! `flagfall fleet push`: to each Pi its configuration and password.
use super::list::{List, chosen};
use super::ssh::{self, as_root, ask};
use crate::cli::{ExitError, output};
use crate::config::fleet::{CA, FOLDER, PASSWORD, Pi};
use std::path::Path;
use std::process::{Command, Stdio};

/// Arguments of `fleet push`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each Pi's own flagfall checks the configuration before it takes the place of the old one. Where something changed the service is restarted;\n\
that takes a second, and games go on.")]
pub(super) struct Args {
    #[command(flatten)]
    list: List,
    /// This Pi only; more than once for several
    #[arg(long, value_name = "PI")]
    only: Vec<String>,
    /// In the middle of games, too
    #[arg(long)]
    anyway: bool,
}

/// One after another; one that fails does not keep the others from getting theirs.
pub(super) fn run(args: &Args) -> Result<(), ExitError> {
    let fleet = args.list.read()?;
    let dir = args.list.dir();
    let mut worst = None;
    for pi in chosen(&fleet, &args.only)? {
        match one(pi, &dir.join(&pi.name), args) {
            Ok(said) => output::print(&format!("{}: {said}\n", pi.name))?,
            Err(error) => {
                output::fail(&error.to_string());
                worst.get_or_insert(error);
            }
        }
    }
    worst.map_or(Ok(()), |error| Err(error.already_told()))
}

fn one(pi: &Pi, folder: &Path, args: &Args) -> Result<String, ExitError> {
    if !folder.join("flagfall.toml").is_file() {
        let text = format!("{}: there is no {}; make it first: flagfall fleet make", pi.name, folder.join("flagfall.toml").display());
        return Err(ExitError::no_input(text));
    }
    let files: Vec<&str> = ["flagfall.toml", PASSWORD, CA].into_iter().filter(|file| folder.join(file).is_file()).collect();
    let same = ask(pi, &as_root(&script(&files, Doing::Compare)), packed(folder, &files)?)?;
    if same.trim() == "same" {
        return Ok(String::from("has it already"));
    }
    let games = ssh::state(pi)?.games;
    if games > 0 && !args.anyway {
        let text = format!("{}: games are on there ({games}); do it between rounds, or give --anyway", pi.name);
        return Err(ExitError::unavailable(text));
    }
    let said = ask(pi, &as_root(&script(&files, Doing::Take)), packed(folder, &files)?)?;
    Ok(String::from(said.lines().last().unwrap_or_default().trim()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Compare,
    Take,
}

/// What root does with the packed files on the Pi.
fn script(files: &[&str], doing: Doing) -> String {
    let names = files.join(" ");
    let unpacked = "set -e; umask 077; d=$(mktemp -d); trap 'rm -r \"$d\"' EXIT; tar -x -C \"$d\"";
    if doing == Doing::Compare {
        return format!("{unpacked}; for f in {names}; do cmp -s \"$d/$f\" {FOLDER}/$f || {{ echo differs; exit 0; }}; done; echo same");
    }
    // Beside the old one, then in its place: nobody reads a part of it.
    format!(
        "{unpacked}; flagfall check \"$d/flagfall.toml\" >/dev/null; for f in {names}; do cp \"$d/$f\" {FOLDER}/.$f.new; \
         chown root:flagfall {FOLDER}/.$f.new; chmod 640 {FOLDER}/.$f.new; mv {FOLDER}/.$f.new {FOLDER}/$f; done; \
         systemctl restart flagfall; echo \"has it now; $(systemctl is-active flagfall)\""
    )
}

/// The files as an archive on the way to the Pi: nothing of them is in an argument.
fn packed(folder: &Path, files: &[&str]) -> Result<Stdio, ExitError> {
    let no_tar = |error: std::io::Error| ExitError::unavailable(format_args!("tar cannot be started: {error}; on Debian: apt install tar"));
    let mut tar = Command::new("tar");
    let tar =
        tar.arg("-C").arg(folder).args(["--owner=0", "--group=0", "-c", "--"]).args(files).stdin(Stdio::null()).stdout(Stdio::piped());
    let out = tar.spawn().map_err(no_tar)?.stdout.take();
    out.map(Stdio::from).ok_or_else(|| ExitError::bug("tar without an output"))
}
