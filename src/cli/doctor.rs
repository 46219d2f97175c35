//! `flagfall doctor`: what is plugged in, what answers, and what stands in the way.
mod bluetooth;
mod bus;
#[cfg(feature = "nats")]
pub(super) mod hall;
mod hurdles;
mod machine;
mod source;

use super::{ExitError, output, remote};
use crate::link;
use crate::link::bus::{Asked, may_be_a_line};
use crate::link::discovery::{self, Candidate};
use crate::link::identity::{ClockPresence, Identity};
use crate::link::open::OpenError;
use crate::link::serial::Connection;
use crate::link::startup::Loss;
use crate::time::Stopwatch;
use machine::{Machine, shut};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Ports to ask, /dev/ttyUSB0 or a link in /dev/serial/by-id; without any, all on which a board could be
    ports: Vec<PathBuf>,
    /// The ports are lines with several boards in bus mode: ask who is there
    #[arg(long, requires = "ports", conflicts_with_all = ["source_url", "hall"])]
    bus: bool,
    /// Leave Bluetooth out
    #[arg(long)]
    no_bluetooth: bool,
    /// Instead: fetch this address as Lichess would, and say what it would not like
    #[arg(long, value_name = "URL", conflicts_with = "ports")]
    source_url: Option<String>,
    /// Instead: which Pis, streams, consumers and leases stand at the broker, and what is behind
    #[arg(long, conflicts_with_all = ["ports", "source_url"])]
    hall: bool,
    /// The configuration with the broker's address [default: as for `run`]
    #[arg(long, value_name = "FILE", requires = "hall")]
    config: Option<PathBuf>,
    /// Another folder of devices
    #[arg(long, value_name = "DIR", hide = true, default_value = "/dev")]
    dev_dir: PathBuf,
}

/// What became of one port.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Board(Box<Identity>),
    Shut(OpenError),
    Refused(Loss),
    Line(Asked),
}

/// Asks every port and says what it found. Good when at least one board answers.
pub fn run(args: Args) -> Result<(), ExitError> {
    if args.hall {
        #[cfg(feature = "nats")]
        return hall::run(args.config.as_deref());
        #[cfg(not(feature = "nats"))]
        return Err(ExitError::unavailable("this flagfall was built without NATS; build it with `--features nats`"));
    }
    if let Some(url) = &args.source_url {
        return try_source(url);
    }
    if args.bus {
        return bus::run(&args.ports, &Machine::this());
    }
    let sys = Path::new("/sys");
    let found = discovery::candidates(&args.dev_dir, sys).unwrap_or_default();
    let named = !args.ports.is_empty();
    let asked: Vec<(PathBuf, Option<Candidate>)> = if args.ports.is_empty() {
        found.into_iter().map(|candidate| (candidate.path.clone(), Some(candidate))).collect()
    } else {
        let place = |port: PathBuf| if port.components().count() == 1 && !port.exists() { args.dev_dir.join(port) } else { port };
        let known = |port: &Path| port.canonicalize().ok().and_then(|node| found.iter().find(|c| c.node == node).cloned());
        args.ports.into_iter().map(place).map(|port| (port.clone(), known(&port))).collect()
    };
    let machine = Machine::this();
    // Who names a port wants to know about that port.
    let daemons = if named { String::new() } else { remote::daemons() + &super::key::said() };
    let heard = if named || args.no_bluetooth { bluetooth::Heard::default() } else { bluetooth::listen() };
    if asked.is_empty() {
        output::print(&(nothing_plugged_in(&machine, &hurdles::boards_without_port(sys)) + &heard.text + &daemons))?;
        return if heard.boards > 0 { Ok(()) } else { Err(ExitError::unavailable("no board answers; what to do stands above")) };
    }
    if io::stderr().is_terminal() {
        output::complain("asking; a port that is silent takes six seconds");
    }
    let answers = ask(asked.iter().map(|(port, _)| port.clone()).collect())?;
    let width = asked.iter().map(|(port, _)| port.display().to_string().len()).max().unwrap_or(0);
    let mut text = String::new();
    for ((port, candidate), answer) in asked.iter().zip(&answers) {
        let mut lines = describe(port, candidate.as_ref(), answer, &machine).into_iter();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:width$}  {}", port.display(), lines.next().unwrap_or_default());
        for line in lines {
            let _ = writeln!(text, "{:width$}  {line}", "");
        }
    }
    output::print(&(text + &heard.text + &daemons))?;
    if heard.boards > 0 || answers.iter().any(|answer| matches!(answer, Answer::Board(_) | Answer::Line(_))) {
        Ok(())
    } else if answers.iter().all(|answer| *answer == Answer::Shut(OpenError::Permission)) {
        Err(ExitError::permission("no board could be asked: this user may not open the ports; what to do stands above"))
    } else {
        Err(ExitError::unavailable("no board answers; what to do stands above"))
    }
}

/// Says whether Lichess can poll `url`.
fn try_source(url: &str) -> Result<(), ExitError> {
    let report = source::ask(url)?;
    let lines = report.so.iter().chain(&report.wrong).fold(String::new(), |text, line| text + line + "\n");
    output::print(&lines)?;
    if report.wrong.is_empty() {
        return output::print("Lichess can poll this address, as far as can be seen from here\n");
    }
    Err(ExitError::unavailable(format_args!("Lichess cannot poll {url} as it is")))
}

/// Asks all ports at the same time.
fn ask(ports: Vec<PathBuf>) -> Result<Vec<Answer>, ExitError> {
    let cannot = |error| ExitError::unavailable(format_args!("cannot start: {error}; is the system out of memory or files?"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(cannot)?;
    let stopwatch = Stopwatch::start();
    let answers = runtime.block_on(futures_util::future::join_all(ports.into_iter().map(async |port| {
        let mut connection = match Connection::open(&port, stopwatch).await {
            Ok(connection) => connection,
            Err(error) => return Answer::Shut(error),
        };
        let loss = match connection.settle().await {
            Ok(identity) => return Answer::Board(Box::new(identity.clone())),
            Err(loss) => loss,
        };
        drop(connection);
        if !may_be_a_line(&port, &loss) {
            return Answer::Refused(loss);
        }
        match link::bus::bring_back(&port, stopwatch).await {
            Ok(asked) if !asked.boards.is_empty() => Answer::Line(asked),
            _ => Answer::Refused(loss),
        }
    })));
    runtime.shutdown_background();
    Ok(answers)
}

/// What to say about one port: first what is so, then what to do.
fn describe(port: &Path, candidate: Option<&Candidate>, answer: &Answer, machine: &Machine) -> Vec<String> {
    let mut lines = Vec::new();
    let node = port.canonicalize().unwrap_or_else(|_| port.to_owned());
    match answer {
        Answer::Board(identity) => {
            lines.push(board(identity));
            lines.push(clock(identity.clock));
            let stable = candidate.map_or(port, Candidate::stable);
            lines.push(format!("in the configuration: link = \"serial:{}\"", stable.display()));
        }
        Answer::Line(asked) => {
            lines.extend(bus::told(asked).lines().map(String::from));
            lines.push(format!(
                "several boards share this line: in the configuration, link = \"bus:{}\" and each one's address",
                candidate.map_or(port, Candidate::stable).display()
            ));
        }
        Answer::Shut(error) => lines.extend(shut(port, &node, error, machine)),
        Answer::Refused(loss) => {
            lines.push(loss.to_string());
            match loss {
                Loss::Mute => {
                    lines.push(String::from("if it is: check the cable, switch it off and on; this port may also belong to another device"))
                }
                Loss::NotABoard => {
                    lines.push(String::from("this port belongs to another device, or the board hangs: switch it off and on"))
                }
                _ => lines.push(String::from("plug it in again, then ask again")),
            }
        }
    }
    if let Some(usb) = candidate.and_then(|c| c.usb.as_ref()).filter(|_| !matches!(answer, Answer::Board(_) | Answer::Line(_))) {
        lines.push(format!("USB {:04x}:{:04x} {}", usb.vendor, usb.product, usb.name.as_deref().unwrap_or_default()).trim_end().to_owned());
    }
    // Both talk to every new port for a while and send it bytes of their own.
    if matches!(answer, Answer::Refused(_) | Answer::Shut(OpenError::InUse)) {
        lines.extend(machine.meddlers());
    }
    lines
}

fn board(identity: &Identity) -> String {
    let mut text = String::from("a board");
    let mut add = |what: &str, value: Option<String>| {
        if let Some(value) = value {
            let separator = if text.len() == "a board".len() { ":" } else { "," };
            text.push_str(&format!("{separator} {what} {value}"));
        }
    };
    add("serial number", identity.serial.clone().or_else(|| identity.long_serial.clone()));
    add("firmware", identity.firmware_text());
    add("hardware", identity.hardware.map(|(main, sub)| format!("{main}.{sub:02}")));
    add("battery", identity.battery.map(|battery| format!("{} %", battery.percent)));
    text
}

fn clock(presence: ClockPresence) -> String {
    match presence {
        ClockPresence::Unknown => String::from("clock: nothing was heard of one"),
        ClockPresence::Absent => String::from("clock: none on the board's jack; plug it in and switch it on"),
        ClockPresence::Times => String::from("clock: reports its times, answers no commands"),
        ClockPresence::Answers { main, sub } => {
            let kind = match main {
                1 => "DGT XL ",
                2 => "DGT3000 ",
                _ => "",
            };
            format!("clock: {kind}{main}.{sub:02}")
        }
    }
}

fn nothing_plugged_in(machine: &Machine, without_port: &[String]) -> String {
    let mut text = String::from("No serial port is there on which a board could be (ttyACM*, ttyUSB*, rfcomm*).\n");
    if without_port.is_empty() {
        text.push_str("Plug the board in and switch it on. Another port is asked by its path: flagfall doctor /dev/ttyS0\n");
    }
    for id in without_port {
        text.push_str(&format!(
            "USB device {id} looks like a board's but has no port: another program took it, or its driver is missing.\n"
        ));
    }
    for line in machine.meddlers() {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::hurdles::Process;
    use super::*;

    fn machine(programs: &[&str]) -> Machine {
        let processes = programs.iter().zip(1..).map(|(name, id)| Process { id, name: String::from(*name) }).collect();
        Machine { processes, user: Some(String::from("pi")), proc: "/nonexistent".into(), groups: "/nonexistent".into() }
    }

    fn text(answer: &Answer, machine: &Machine) -> String {
        describe(Path::new("/dev/ttyUSB9"), None, answer, machine).join("\n")
    }

    #[test]
    fn a_board_is_described_with_the_line_for_its_configuration() {
        let identity = Identity {
            serial: Some(String::from("01025")),
            firmware: Some((1, 8)),
            clock: ClockPresence::Answers { main: 2, sub: 2 },
            ..Identity::default()
        };
        let text = text(&Answer::Board(Box::new(identity)), &machine(&["ModemManager"]));
        assert_eq!(
            text,
            "a board: serial number 01025, firmware 1.08\nclock: DGT3000 2.02\nin the configuration: link = \"serial:/dev/ttyUSB9\""
        );
        assert_eq!(board(&Identity::default()), "a board");
    }

    #[test]
    fn every_hurdle_comes_with_something_to_do() {
        let quiet = machine(&["bash"]);
        for answer in [
            Answer::Shut(OpenError::Missing),
            Answer::Shut(OpenError::Permission),
            Answer::Shut(OpenError::InUse),
            Answer::Refused(Loss::Mute),
            Answer::Refused(Loss::NotABoard),
            Answer::Refused(Loss::HungUp),
        ] {
            assert!(text(&answer, &quiet).lines().count() >= 2, "{answer:?}");
        }
    }

    #[test]
    fn programs_that_take_ports_are_named_where_they_matter() {
        let busy = machine(&["ModemManager", "brltty"]);
        assert!(text(&Answer::Refused(Loss::NotABoard), &busy).contains("disable --now ModemManager"));
        assert!(text(&Answer::Shut(OpenError::InUse), &busy).contains("apt remove brltty"));
        assert!(!text(&Answer::Shut(OpenError::Missing), &busy).contains("ModemManager"));
        assert!(nothing_plugged_in(&busy, &[String::from("0403:6001")]).contains("0403:6001"));
    }
}
