//! The running daemon with a dozen boards on ptys: how long a press takes from the tty to the event stream, how much memory and how much of a
//! core it takes.
//!
//! ```sh
//! cargo bench --bench daemon
//! ```
#![allow(clippy::unwrap_used, reason = "a bench may")]
#[path = "../scripted_board/mod.rs"]
mod scripted_board;
#[path = "../signed_in/mod.rs"]
mod signed_in;

use dgt_protocol::command::{ClockCommand, Command as BoardCommand};
use scripted_board::{Kind, ScriptedBoard};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const BOARDS: usize = 12;
const PRESSES: usize = 334 * BOARDS;
const IDLE: Duration = Duration::from_secs(20);

fn main() {
    for journaled in [false, true] {
        println!("\n{}", if journaled { "with journals, synced before anything is published" } else { "without journals" });
        measure(journaled);
    }
}

fn measure(journaled: bool) {
    let folder = tempfile::tempdir().unwrap();
    let mut config = String::new();
    let boards: Vec<ScriptedBoard> = (1..=BOARDS)
        .map(|n| {
            let board = ScriptedBoard::new(Kind::Board("24680"));
            config.push_str(&format!("[[board]]\nname = \"{n}\"\nlink = \"serial:{}\"\n", board.path.display()));
            board
        })
        .collect();
    let file = folder.path().join("flagfall.toml");
    fs::write(&file, config).unwrap();
    let mut command = Command::new(std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into()));
    if journaled {
        command.arg("run").arg("--data-dir").arg(folder.path().join("data"));
    } else {
        // Without a home there is no place for journals.
        command.arg("run").env_remove("HOME").env_remove("XDG_STATE_HOME").env_remove("STATE_DIRECTORY");
    }
    let mut child = command.args(["--listen", "127.0.0.1:0", "--config"]).arg(&file).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    let address =
        stderr.find_map(|line| line.unwrap().strip_prefix("web: http://").map(|rest| rest.trim_end_matches('/').to_owned())).unwrap();
    thread::spawn(move || stderr.count());
    let last = BoardCommand::Clock(ClockCommand::Version);
    while !boards.iter().all(|board| board.asked().contains(&last)) {
        thread::sleep(Duration::from_millis(50));
    }
    thread::sleep(Duration::from_secs(1));

    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    // The clocks are started; the snapshots end here as well.
    boards.iter().for_each(|board| board.say_now(&clock(false, 0)));
    thread::sleep(Duration::from_millis(500));

    let one_by_one: Vec<Duration> = (0..PRESSES)
        .map(|n| {
            thread::sleep(Duration::from_millis(2));
            press_and_wait(&boards[n % BOARDS..=n % BOARDS], n % BOARDS, n / BOARDS, &mut lines)[0]
        })
        .collect();
    report("one press at a time", one_by_one);
    let at_once = (PRESSES / BOARDS..2 * PRESSES / BOARDS).flat_map(|turn| {
        thread::sleep(Duration::from_millis(10));
        press_and_wait(&boards, 0, turn, &mut lines)
    });
    report("all boards pressed at once", at_once.collect());
    if journaled {
        disk_time(&address);
    }
    println!("memory (resident) with {BOARDS} boards: {:.1} MB", resident(&child));
    let (before, from) = (processor_time(&child), now());
    thread::sleep(IDLE);
    let busy = (processor_time(&child) - before) * 100.0 / from.elapsed().as_secs_f64();
    println!("idle, {BOARDS} boards kept alive: {busy:.2} % of one core");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// One press on each of these boards, the first of which is number `first` from 0; how long until the stream's reader has each event.
fn press_and_wait(boards: &[ScriptedBoard], first: usize, turn: usize, lines: &mut impl Iterator<Item = String>) -> Vec<Duration> {
    let bytes = clock(turn.is_multiple_of(2), turn);
    let mut pressed: Vec<(String, Instant)> = Vec::new();
    for (n, board) in boards.iter().enumerate() {
        pressed.push((format!("\"board\":\"{}\"", first + n + 1), now()));
        board.say_now(&bytes);
    }
    let mut taken = Vec::new();
    while !pressed.is_empty() {
        let line = lines.find(|line| line.contains("\"type\":\"press\"")).unwrap();
        if let Some(of) = pressed.iter().position(|(name, _)| line.contains(name)) {
            taken.push(pressed.swap_remove(of).1.elapsed());
        }
    }
    taken
}

/// What the daemon itself says of the disk's time and its own.
fn disk_time(address: &str) {
    let asked = ureq::get(format!("http://{address}/api/v1/operator/metrics")).header("cookie", signed_in::cookie(address));
    let text = asked.call().unwrap().body_mut().read_to_string().unwrap();
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok()).unwrap_or(0.0);
    for (what, name) in [("the disk's part of a group", "journal_disk_seconds"), ("our own part", "journal_own_seconds")] {
        let (sum, count) = (value(&format!("flagfall_{name}_sum")), value(&format!("flagfall_{name}_count")));
        println!("{what}: mean {:.0} µs over {count} groups", sum / count.max(1.0) * 1e6);
    }
}

fn report(what: &str, mut taken: Vec<Duration>) {
    taken.sort_unstable();
    let share = |p: usize| taken[(taken.len() * p / 100).min(taken.len() - 1)].as_micros();
    println!(
        "press on the tty to event on the stream, {BOARDS} boards, {what}, {} presses: median {} µs, p90 {} µs, p99 {} µs, longest {} µs",
        taken.len(),
        share(50),
        share(90),
        share(99),
        share(100)
    );
}

#[allow(clippy::disallowed_methods, reason = "a bench measures")]
fn now() -> Instant {
    Instant::now()
}

/// A running clock after `turn` presses of either side.
fn clock(right_to_move: bool, turn: usize) -> [u8; 10] {
    let left = 7_200 - turn;
    let bcd = |n: usize| (n / 10 * 16 + n % 10) as u8;
    let status = if right_to_move { 0x13 } else { 0x09 };
    [0x8D, 0x00, 0x0A, 0x01, 0x00, 0x00, (left / 3600) as u8, bcd(left / 60 % 60), bcd(left % 60), status]
}

/// Megabytes.
fn resident(child: &Child) -> f64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}

/// Seconds, user and system; the kernel counts in hundredths.
fn processor_time(child: &Child) -> f64 {
    let mut text = String::new();
    fs::File::open(format!("/proc/{}/stat", child.id())).unwrap().read_to_string(&mut text).unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}
