//! `flagfall demo` for some minutes, and what its journals hold beside what was really played: games begun, finished, results read, entered and
//! missing, boards stuck, findings by key with their cause, journal bytes a game.
//!
//! ```sh
//! cargo bench --bench demo -- --boards 60 --speed 4 --minutes 15
//! ```
//!
//! Where no result was shown an operator enters it half a minute later for every second game (`--enter SHARE`), mostly while the next one is being
//! played. It fails where a board is stuck. `DEMO_KEEP=DIR` leaves journals and what was played in a folder below `DIR`.
#![allow(clippy::unwrap_used, reason = "a bench may")]
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../tally/mod.rs"]
mod tally;

use flagfall::journal::read::events;
use flagfall::journal::store::journals;
use flagfall::time::Stopwatch;
use flagfall_events::{Event, GameResult, Wall};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;
use tally::{Played, Tally, standing};

/// From the end of a game whose result nobody showed to the operator's entry, milliseconds.
const ENTERED_AFTER: u64 = 30_000;

/// What the operator did.
#[derive(Default)]
struct Operator {
    looked_at: BTreeSet<(String, usize)>,
    entered: usize,
    /// Of those: for a game that was over for the board, too.
    of_earlier: usize,
    /// By what was answered.
    refused: BTreeMap<String, usize>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str, or: f64| -> f64 {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(or)
    };
    let (boards, seconds, enter) = (value("--boards", 60.0) as usize, (60.0 * value("--minutes", 15.0)) as u64, value("--enter", 0.5));
    let keep = std::env::var_os("DEMO_KEEP");
    keep.iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
    let mut folder = keep.map_or_else(tempfile::tempdir, tempfile::tempdir_in).unwrap();
    folder.disable_cleanup(std::env::var_os("DEMO_KEEP").is_some());
    let (data, file) = (folder.path().join("data"), folder.path().join("played"));
    let mut demo = Demo::start(boards, value("--speed", 4.0), value("--incidents", 0.2), &data, &file);
    println!("{boards} boards, {seconds} s; {}", folder.path().display());

    let (stopwatch, mut operator) = (Stopwatch::start(), Operator::default());
    while stopwatch.now().millis() < 1000 * seconds {
        std::thread::sleep(Duration::from_secs(2));
        assert!(demo.child.try_wait().unwrap().is_none(), "the demo ended");
        operator.work(&demo.address, &data, &played(&file), enter);
    }
    let memory = demo.peak();
    demo.terminate();

    let (played, end) = (played(&file), now());
    let (mut tally, mut bytes) = (Tally::default(), 0);
    for n in 1..=boards {
        let name = n.to_string();
        let (said, size) = recorded(&data, &name);
        bytes += size;
        tally.board(&name, played.get(&name).map_or(&[][..], Vec::as_slice), &said, at, end);
    }
    println!("{tally}");
    println!("entered by the operator {} (for an earlier game {}), refused {:?}", operator.entered, operator.of_earlier, operator.refused);
    println!(
        "journals {} kB, {:.0} kB a game begun; memory of the demo at its peak {memory} kB",
        bytes / 1024,
        bytes as f64 / 1024.0 / tally.begun.max(1) as f64
    );
    if tally.stuck_boards.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn now() -> u64 {
    flagfall::time::now().since(Wall::EPOCH)
}

fn at(event: &Event) -> u64 {
    event.at.since(Wall::EPOCH)
}

/// What was played so far, by board.
fn played(file: &Path) -> BTreeMap<String, Vec<Played>> {
    let mut boards: BTreeMap<String, Vec<Played>> = BTreeMap::new();
    // The last line may still be being written.
    let text = fs::read_to_string(file).unwrap_or_default();
    for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        boards.entry(line["board"].as_str().unwrap().to_owned()).or_default().push(Played::read(&line));
    }
    boards
}

/// A board's events, and how many bytes its journals have.
fn recorded(data: &Path, board: &str) -> (Vec<Event>, u64) {
    let (mut said, mut size) = (Vec::new(), 0);
    for path in journals(data, board).unwrap() {
        let bytes = fs::read(path).unwrap();
        size += bytes.len() as u64;
        said.extend(events(&bytes).iter().map(|event| Event::clone(event)));
    }
    (said, size)
}

impl Operator {
    /// Enters what is due.
    fn work(&mut self, address: &str, data: &Path, played: &BTreeMap<String, Vec<Played>>, share: f64) {
        let now = now();
        for (board, games) in played {
            for (n, game) in games.iter().enumerate() {
                let due = game.whole && !game.is_shown() && game.result != GameResult::Open && game.over + ENTERED_AFTER <= now;
                if !due || !self.looked_at.insert((board.clone(), n)) {
                    continue;
                }
                // Every so many of all that are looked at.
                let turn = self.looked_at.len() as f64;
                if (turn * share).floor() > ((turn - 1.0) * share).floor() {
                    self.enter(address, data, board, games, n);
                }
            }
        }
    }

    fn enter(&mut self, address: &str, data: &Path, board: &str, games: &[Played], n: usize) {
        let (said, _) = recorded(data, board);
        // What the record calls it; nothing to enter where it was not recorded, or has a result.
        let Some((number, earlier)) = standing(games, &said, at, n) else { return };
        let order = json!({ "do": "result", "result": games[n].result, "game": number });
        let answer = ureq::post(format!("http://{address}/api/v1/arbiter/boards/{board}/entries"))
            .config()
            .http_status_as_error(false)
            .build()
            .content_type("application/json")
            .header("cookie", signed_in::cookie(address))
            .send(order.to_string());
        match answer {
            Ok(answer) if answer.status().is_success() => {
                self.entered += 1;
                self.of_earlier += usize::from(earlier);
            }
            Ok(mut answer) => {
                let why = answer.body_mut().read_to_string().unwrap_or_default();
                *self.refused.entry(format!("{}: {why}", answer.status())).or_default() += 1;
            }
            Err(error) => *self.refused.entry(error.to_string()).or_default() += 1,
        }
    }
}

/// The demo; killed when dropped.
struct Demo {
    child: Child,
    address: String,
}

impl Demo {
    fn start(boards: usize, speed: f64, incidents: f64, data: &Path, played: &Path) -> Self {
        let binary = std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into());
        let mut command = Command::new(binary);
        command.args(["demo", "--listen", "127.0.0.1:0"]);
        for (name, value) in [("--boards", boards.to_string()), ("--speed", speed.to_string()), ("--incidents", incidents.to_string())] {
            command.arg(name).arg(value);
        }
        command.arg("--data-dir").arg(data).arg("--played").arg(played);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (mut line, mut said) = (String::new(), String::new());
        while !line.starts_with("web: ") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before it listened: {said}");
            said += &line;
        }
        // Warnings are for whoever looks; a full pipe must not stop it.
        std::thread::spawn(move || stderr.lines().map_while(Result::ok).for_each(|line| eprintln!("{line}")));
        Self { child, address: line["web: http://".len()..].trim_end().trim_end_matches('/').to_owned() }
    }

    /// Kilobytes (resident) at the peak.
    fn peak(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        line.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0)
    }

    fn terminate(&mut self) {
        assert!(Command::new("sh").args(["-c", &format!("kill -TERM {}", self.child.id())]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
