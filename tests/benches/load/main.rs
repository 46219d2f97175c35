//! A hall under load: boards at blitz pace on ptys, journals on disk, and what crowds, clients that hang and a disk that stalls change for the boards.
//!
//! ```sh
//! cargo bench --bench load
//! ```
//! | setting | what |
//! |---|---|
//! | `FLAGFALL_LOAD_BOARDS` | how many boards (64) |
//! | `FLAGFALL_LOAD_PHASES` | in which order (`quiet clients quiet clients`): `quiet`, `clients`, `listeners`, `spectators`, `hung`, `disk` |
//! | `FLAGFALL_LOAD_SECONDS` | how long each lasts (40); from two minutes on the memory of each minute is printed |
//! | `FLAGFALL_LOAD_LISTENERS` | people who listen to one board each (2,000) |
//! | `FLAGFALL_LOAD_SPECTATORS` | people who have the page of all boards open (200) |
//! | `FLAGFALL_BIN` | another build of flagfall, to compare |
#![allow(clippy::unwrap_used, reason = "a bench may")]
mod clients;
mod faults;
mod seen;

use clients::{CLIENTS, Clients, STREAMS};
use faults::{Hung, Listeners, Spectators, StalledDisk, Webhook};
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use seen::Seen;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

fn setting(name: &str, other: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other)
}

fn main() {
    let seconds = setting("FLAGFALL_LOAD_SECONDS", 40) as u64;
    let (count, crowd) = (setting("FLAGFALL_LOAD_BOARDS", 64), setting("FLAGFALL_LOAD_LISTENERS", 2_000));
    let phases = std::env::var("FLAGFALL_LOAD_PHASES").unwrap_or_else(|_| String::from("quiet clients quiet clients"));
    let program = std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into());
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let _inside = runtime.enter();
    let token = CancellationToken::new();
    let webhook = Webhook::default();
    let data = folder.path().join("data");
    let mut config = format!(
        "play = \"blitz\"\ntime_control = \"180+2\"\ndata_dir = \"{}\"\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nlisten = \"127.0.0.1:0\"\n\
         [discovery]\nserial = false\n[[alert]]\nurl = \"http://{}/\"\n",
        data.display(),
        webhook.listen()
    );
    let boards: Vec<_> = (1..=count)
        .map(|n| {
            let link = folder.path().join(format!("board-{n}"));
            write!(config, "[[board]]\nname = \"{n}\"\nlink = \"serial:{}\"\n", link.display()).unwrap();
            let mut games = games::bundled();
            games.rotate_left(n % 8);
            let mut options = Options::new(Kind::Blitz, n as u64);
            options.show_result = true;
            runtime.block_on(async { pty::spawn(Programme { games, repeat: true, options, link: Some(link) }, token.clone()) }).unwrap()
        })
        .collect();
    let file = folder.path().join("flagfall.toml");
    std::fs::write(&file, config).unwrap();
    let mut child = Command::new(&program).args(["run", "--config"]).arg(&file).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut address = |before: &str, after: &str| -> SocketAddr {
        stderr
            .find_map(|line| line.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).map(|text| text.parse().unwrap()))
            .unwrap()
    };
    let (web, livechess) = (address("web: http://", "/"), address("livechess: ws://", "/api/v1.0"));
    thread::spawn(move || stderr.count());

    let (seen, process) = (Seen::watch(web), child.id());
    println!("{count} boards at blitz pace, journals on disk; latency from the read on the tty to a reader of /api/v1/events");
    thread::sleep(Duration::from_secs(20));
    for phase in phases.split_whitespace() {
        match phase {
            "quiet" => seen.phase("nobody else", seconds, process),
            "clients" => {
                let clients = runtime.block_on(Clients::open(livechess, web, count));
                thread::sleep(Duration::from_secs(3));
                seen.phase(&format!("{CLIENTS} WebSocket clients, {STREAMS} event streams, one stalled client"), seconds, process);
                clients.close(seconds, &seen);
            }
            "listeners" => {
                let listeners = Listeners::open(web, crowd, count);
                thread::sleep(Duration::from_secs(3));
                seen.phase(&format!("{crowd} who want to listen to one board each"), seconds, process);
                listeners.close();
            }
            "spectators" => {
                let people = setting("FLAGFALL_LOAD_SPECTATORS", 200);
                let spectators = Spectators::open(web, people, count);
                thread::sleep(Duration::from_secs(5));
                spectators.bytes();
                seen.phase(&format!("{people} who have the page open"), seconds, process);
                spectators.close(seconds);
            }
            "hung" => {
                webhook.silent.store(true, Ordering::Relaxed);
                let hung = Hung::open(web, livechess, count);
                seen.phase("readers that take nothing, a webhook that never answers", seconds, process);
                hung.close();
                webhook.answer();
            }
            "disk" => {
                let Some(stalled) = StalledDisk::stall(process) else {
                    println!("skipped: a disk that stalls: strace is missing or may not trace");
                    continue;
                };
                seen.phase("the disk stalls", seconds, process);
                drop(stalled);
                seen.phase("after it answers again", seconds, process);
            }
            other => println!("skipped: there is no phase {other}"),
        }
    }
    println!("{} alerts reached the webhook in all", webhook.taken());
    // By a signal, so that the journals are complete.
    Command::new("kill").arg(process.to_string()).status().unwrap();
    let ended = child.wait().unwrap();
    token.cancel();
    boards.into_iter().for_each(|board| runtime.block_on(board.join()));
    let verified = Command::new(&program).arg("verify").arg(data.join("journals")).output().unwrap();
    let text = String::from_utf8_lossy(&verified.stdout);
    println!("{ended}; journals: {}, {}", verified.status, text.lines().last().unwrap_or_default());
    // 2: whole, and nobody gave a key to prove it by.
    if !matches!(verified.status.code(), Some(0 | 2)) {
        text.lines().filter(|line| line.contains("changed")).for_each(|line| println!("  {line}"));
        println!("the journals are kept in {}", folder.keep().display());
    }
}
