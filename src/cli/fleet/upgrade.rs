//! `flagfall fleet upgrade`: a package on one Pi after another; each must be back with all its boards before the next one's turn.
use super::list::{List, chosen, s};
use super::ssh::{self, State, as_root, ask, quoted};
use crate::cli::{ExitError, output};
use crate::config::fleet::Pi;
use crate::time::Stopwatch;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// A Pi is asked again after so long.
const AGAIN: Duration = Duration::from_secs(2);
/// While games are on there is no hurry.
const WAITING: Duration = Duration::from_secs(10);

/// Arguments of `fleet upgrade`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
It stops at the first Pi that fails. Started again, it goes on there: a Pi that has the version already is left alone.")]
pub(super) struct Args {
    #[command(flatten)]
    list: List,
    /// The package, under the name with which it was built: flagfall_VERSION_ARCHITECTURE.deb; one for each kind of Pi
    #[arg(required = true, value_name = "PACKAGE.deb", value_parser = package)]
    packages: Vec<Package>,
    /// This Pi only; more than once for several
    #[arg(long, value_name = "PI")]
    only: Vec<String>,
    /// Wait at each Pi until no game is on there
    #[arg(long)]
    wait: bool,
    /// In the middle of games, too: they go on a second later
    #[arg(long, conflicts_with = "wait")]
    anyway: bool,
    /// How long a Pi may take until it is back, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    patience: u64,
}

/// A package as its name tells.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Package {
    path: PathBuf,
    name: String,
    version: String,
    architecture: String,
}

fn package(text: &str) -> Result<Package, String> {
    let path = PathBuf::from(text);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let fits =
        |part: &str| !part.is_empty() && !part.starts_with('-') && part.bytes().all(|b| b.is_ascii_alphanumeric() || b".+~-".contains(&b));
    match name.strip_suffix(".deb").map(|stem| stem.split('_').collect::<Vec<_>>()).as_deref() {
        Some(["flagfall", version, architecture]) if fits(version) && fits(architecture) => {
            let (version, architecture, name) = (String::from(*version), String::from(*architecture), String::from(name));
            Ok(Package { path, name, version, architecture })
        }
        _ => Err(String::from("not named like a package of flagfall, for example flagfall_0.1.0-1_arm64.deb")),
    }
}

/// One after another.
pub(super) fn run(args: &Args) -> Result<(), ExitError> {
    let fleet = args.list.read()?;
    let pis = chosen(&fleet, &args.only)?;
    for package in &args.packages {
        File::open(&package.path).map_err(|error| ExitError::reading(&package.path, &error))?;
    }
    for (n, pi) in pis.iter().enumerate() {
        if let Err(error) = one(pi, args) {
            let left: Vec<&str> = pis[n + 1..].iter().map(|pi| pi.name.as_str()).collect();
            if !left.is_empty() {
                output::complain(&format!("not begun: {}", left.join(", ")));
            }
            output::complain("stopped here; put it right and start the same command again, it goes on at this Pi");
            return Err(error);
        }
    }
    output::complain(&format!("then: flagfall fleet check {}", args.list.list.display()));
    Ok(())
}

fn one(pi: &Pi, args: &Args) -> Result<(), ExitError> {
    let name = &pi.name;
    let before = ssh::state(pi)?;
    let Some(package) = args.packages.iter().find(|package| package.architecture == before.architecture) else {
        let text = format!("{name} wants a package for {:?}; build it, and give it beside the others", before.architecture);
        return Err(ExitError::usage(text));
    };
    if before.package == package.version && before.active {
        return output::print(&format!("{name}: has {} already\n", package.version));
    }
    let folder = copy(pi, package)?;
    // The last look, after what takes longest.
    let before = quiet(pi, args)?;
    let file = format!("{folder}/{}", package.name);
    let script = format!(
        "env DEBIAN_FRONTEND=noninteractive apt-get -q -y --allow-downgrades -o Dpkg::Options::=--force-confdef \
         -o Dpkg::Options::=--force-confold install {} >&2; done=$?; rm -r {}; exit $done",
        quoted(&file),
        quoted(&folder)
    );
    ask(pi, &as_root(&script), Stdio::null()).map_err(|error| {
        let text = format!("{error}; on the Pi, `sudo apt-get install -f` and `journalctl -u flagfall` say more");
        ExitError::unavailable(text)
    })?;
    let after = back(pi, package, &before, args.patience)?;
    output::print(&format!("{name}: {} to {}; {}\n", or_none(&before.package), package.version, after.status))
}

fn or_none(version: &str) -> &str {
    if version.is_empty() { "nothing" } else { version }
}

/// The package into a folder of its own there, which nobody else can write to.
fn copy(pi: &Pi, package: &Package) -> Result<String, ExitError> {
    let Package { path, name, .. } = package;
    let input = File::open(path).map_err(|error| ExitError::reading(path, &error))?;
    let script = format!("d=$(mktemp -d) && cat > \"$d\"/{} && chmod 755 \"$d\" && echo \"$d\"", quoted(name));
    let said = ask(pi, &script, Stdio::from(input))?;
    let folder = said.lines().last().unwrap_or_default().trim();
    if !Path::new(folder).is_absolute() {
        return Err(ExitError::unavailable(format_args!("{}: it has no room for the package; look at `df /tmp` there", pi.name)));
    }
    Ok(String::from(folder))
}

/// No game is on, or it does not matter.
fn quiet(pi: &Pi, args: &Args) -> Result<State, ExitError> {
    let mut said = false;
    loop {
        let state = ssh::state(pi)?;
        if state.games == 0 || args.anyway {
            return Ok(state);
        }
        let (name, games) = (&pi.name, state.games);
        if !args.wait {
            return Err(ExitError::unavailable(format_args!(
                "{name}: {games} game{} on; between rounds it is safe. Enter results that are missing, or give --wait, or --anyway",
                if games == 1 { " is" } else { "s are" }
            )));
        }
        if !said {
            output::complain(&format!("{name}: waiting, {games} game{} on", s(games)));
            said = true;
        }
        sleep(WAITING);
    }
}

/// The new version runs, in a new process, with as many boards as before.
fn back(pi: &Pi, package: &Package, before: &State, patience: u64) -> Result<State, ExitError> {
    let since = Stopwatch::start();
    loop {
        // The network may be away for a moment, too.
        let last = match ssh::state(pi) {
            Ok(state) => {
                let restarted = state.active && state.process != before.process;
                if restarted && state.package == package.version && state.up >= before.up {
                    return Ok(state);
                }
                if restarted && state.package == package.version {
                    format!("{} of {} boards are back", state.up, before.up)
                } else if state.active {
                    format!("version {} runs", or_none(&state.package))
                } else {
                    String::from("the service does not run")
                }
            }
            Err(error) => error.to_string(),
        };
        if since.now().millis() >= patience * 1_000 {
            let (name, to) = (&pi.name, pi.destination());
            return Err(ExitError::unavailable(format_args!(
                "{name} is not back as it was after {patience} s: {last}; look at `ssh {to} journalctl -u flagfall -n 30`"
            )));
        }
        sleep(AGAIN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_known_by_its_name() {
        let found = package("target/packages/flagfall_0.2.0~rc1-1_arm64.deb").unwrap();
        assert_eq!((found.version.as_str(), found.architecture.as_str()), ("0.2.0~rc1-1", "arm64"));
        for wrong in ["flagfall.deb", "other_1_arm64.deb", "flagfall_1_arm64", "flagfall_1;x_arm64.deb", "flagfall_-1_arm64.deb"] {
            assert!(package(wrong).is_err(), "{wrong}");
        }
    }
}
