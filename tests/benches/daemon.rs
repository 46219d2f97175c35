//! The running daemon with a dozen boards on ptys: how long a press takes from the tty to the event stream, how much memory and how much of a
//! core it takes.
//!
//! ```sh
//! cargo bench --bench daemon
//! ```
#![allow(clippy::unwrap_used, reason = "a bench may")]
#[path = "../scripted_board/mod.rs"]
mod scripted_board;

use dgt_protocol::command::{ClockCommand, Command as BoardCommand};
use scripted_board::{Kind, ScriptedBoard};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const BOARDS: usize = 12;
const PRESSES: usize = 4_000;
const IDLE: Duration = Duration::from_secs(20);

fn main() {
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
    let mut child = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(["run", "--listen", "127.0.0.1:0", "--config"])
        .arg(&file)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
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

    let mut taken: Vec<Duration> = (0..PRESSES)
        .map(|n| {
            let (board, turn) = (n % BOARDS, n / BOARDS);
            thread::sleep(Duration::from_millis(2));
            let pressed = now();
            boards[board].say_now(&clock(turn % 2 == 0, turn));
            let name = format!("\"board\":\"{}\"", board + 1);
            lines.find(|line| line.contains("\"type\":\"press\"") && line.contains(&name)).unwrap();
            pressed.elapsed()
        })
        .collect();
    taken.sort_unstable();
    let share = |p: usize| taken[(taken.len() * p / 100).min(taken.len() - 1)].as_micros();
    println!(
        "press on the tty to event on the stream, {BOARDS} boards, {PRESSES} presses: median {} µs, p90 {} µs, p99 {} µs, longest {} µs",
        share(50),
        share(90),
        share(99),
        share(100)
    );
    println!("memory (resident) with {BOARDS} boards: {:.1} MB", resident(&child));
    let (before, from) = (processor_time(&child), now());
    thread::sleep(IDLE);
    let busy = (processor_time(&child) - before) * 100.0 / from.elapsed().as_secs_f64();
    println!("idle, {BOARDS} boards kept alive: {busy:.2} % of one core");
    child.kill().unwrap();
    child.wait().unwrap();
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
