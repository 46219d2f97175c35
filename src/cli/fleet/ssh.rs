//! How a Pi is reached: by the user's own `ssh`, with his keys and settings.
use crate::cli::ExitError;
use crate::config::fleet::Pi;
use std::io::ErrorKind;
use std::process::{Child, Command, Output, Stdio};

/// A Pi that does not answer must not keep the others waiting for minutes.
const OPTIONS: [&str; 6] = ["-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=4"];
/// How `ssh` itself ends where it reached nobody.
const NOT_REACHED: i32 = 255;

/// Runs a command of the shell on the Pi; what it prints.
pub(super) fn ask(pi: &Pi, script: &str, input: Stdio) -> Result<String, ExitError> {
    let done = command(pi, script).stdin(input).output().map_err(|error| not_started(&error))?;
    if done.status.success() { Ok(String::from_utf8_lossy(&done.stdout).into_owned()) } else { Err(failed(pi, &done)) }
}

/// Starts it, its output and errors in pipes.
pub(super) fn start(pi: &Pi, script: &str) -> Result<Child, ExitError> {
    command(pi, script).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| not_started(&error))
}

fn command(pi: &Pi, script: &str) -> Command {
    let mut command = Command::new("ssh");
    command.args(OPTIONS).args(["--", pi.destination(), script]);
    command
}

/// `script` for root; it never asks for a password, which nobody could type.
pub(super) fn as_root(script: &str) -> String {
    format!("sudo -n sh -c {}", quoted(script))
}

/// One word of the shell.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn not_started(error: &std::io::Error) -> ExitError {
    match error.kind() {
        ErrorKind::NotFound => ExitError::unavailable("there is no ssh here; on Debian: apt install openssh-client"),
        _ => ExitError::unavailable(format_args!("ssh cannot be started: {error}")),
    }
}

/// Why it failed, and what to do.
pub(super) fn failed(pi: &Pi, done: &Output) -> ExitError {
    let said = String::from_utf8_lossy(&done.stderr);
    // tar says why before it says that.
    let tells = |line: &&str| !line.is_empty() && !line.contains("Exiting with failure status");
    let last = said.lines().map(str::trim).rfind(tells).unwrap_or("it said nothing");
    let (name, to) = (&pi.name, pi.destination());
    if done.status.code() == Some(NOT_REACHED) {
        return ExitError::unavailable(format_args!("{name} is not reached: {last}; try `ssh {to}`, and look at its ssh in the list"));
    }
    let remedy = if said.contains("sudo") { "; its user needs the right to use sudo without a password" } else { "" };
    ExitError::unavailable(format_args!("{name}: {last}{remedy}"))
}

/// What is so on a Pi.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// The package's version, of dpkg.
    pub(super) package: String,
    /// The kind of machine, of dpkg.
    pub(super) architecture: String,
    /// The service runs, and says that it is ready.
    pub(super) active: bool,
    /// Its process.
    pub(super) process: String,
    pub(super) boards: usize,
    pub(super) up: usize,
    pub(super) games: usize,
    /// The line that the service keeps fresh.
    pub(super) status: String,
}

/// Asks a Pi. No right is needed for it.
pub(super) fn state(pi: &Pi) -> Result<State, ExitError> {
    let script = "echo package=$(dpkg-query -W -f '${Version}' flagfall 2>/dev/null); echo architecture=$(dpkg --print-architecture); \
                  echo active=$(systemctl is-active flagfall); systemctl show flagfall -p MainPID -p StatusText";
    Ok(read(&ask(pi, script, Stdio::null())?))
}

fn read(text: &str) -> State {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('=')).unwrap_or_default().trim();
    let status = value("StatusText");
    // `12 boards, 11 up, 9 games on; journal ok`.
    let counted = |word: &str| {
        let part =
            status.split([',', ';']).map(str::trim).find(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(word));
        part.and_then(|part| part.split(' ').next()?.parse().ok()).unwrap_or(0)
    };
    State {
        package: String::from(value("package")),
        architecture: String::from(value("architecture")),
        active: value("active") == "active",
        process: String::from(value("MainPID")),
        boards: counted(" board"),
        up: counted(" up"),
        games: counted(" game"),
        status: String::from(status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_service_says_of_itself_is_read() {
        let text = "package=0.1.0-1\narchitecture=arm64\nactive=active\nMainPID=77\nStatusText=12 boards, 11 up, 1 game on; journal ok\n";
        let state = read(text);
        assert_eq!((state.boards, state.up, state.games, state.active), (12, 11, 1, true));
        assert_eq!((state.package.as_str(), state.architecture.as_str(), state.process.as_str()), ("0.1.0-1", "arm64", "77"));
        assert_eq!(read("active=inactive\n"), State::default());
    }

    #[test]
    fn a_script_is_one_word() {
        assert_eq!(as_root("echo 'a' \"$b\""), r#"sudo -n sh -c 'echo '\''a'\'' "$b"'"#);
    }
}
