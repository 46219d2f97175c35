//! The real daemon in mid-round, its FTP server killed and started again: in the end the server has what the daemon itself serves.
use super::{arrives, below, servers};
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// The real daemon; it ends with this.
pub(crate) struct Daemon {
    child: Child,
    /// Where its page is, with a slash behind.
    pub(crate) url: String,
}

impl Daemon {
    /// Waits until it listens.
    pub(crate) fn start(folder: &Path, config: &str) -> Self {
        let file = folder.join("flagfall.toml");
        fs::write(&file, config).unwrap();
        let mut command = Command::new(std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into()));
        let command = command.args(["run", "--listen", "127.0.0.1:0", "--config"]).arg(&file).stdin(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut daemon = Self { child, url: String::new() };
        let mut line = String::new();
        while !line.starts_with("web: ") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before it listened");
        }
        daemon.url = String::from(line["web: ".len()..].trim_end());
        thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
        daemon
    }

    /// The most memory that it ever held, bytes.
    pub(crate) fn peak(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the daemon answers at this path; `None`: anything but 200.
pub(crate) fn get(url: &str, path: &str) -> Option<String> {
    ureq::get(format!("{url}{path}")).call().ok().and_then(|mut answer| answer.body_mut().read_to_string().ok())
}

/// Waits until board 1 has so many completed plies.
pub(crate) fn until_played(url: &str, wanted: u64) {
    let plies = || {
        let board: Value = serde_json::from_str(&get(url, "api/v1/boards/1").unwrap_or_default()).unwrap_or_default();
        board["plies_completed"].as_u64().unwrap_or(0)
    };
    for _ in 0..1200 {
        if plies() >= wanted {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("{wanted} plies were never played; at last {}", plies());
}

#[test]
fn the_round_of_a_daemon_is_on_a_server_that_was_away_in_the_middle_of_it() {
    let home = tempfile::tempdir().unwrap();
    let Some(mut server) = servers::ftp(home.path()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (link, secret) = (folder.path().join("board"), folder.path().join("secret"));
    fs::write(&secret, "secret\n").unwrap();
    let config = format!(
        "data_dir = \"{0}/data\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n[[board]]\nname = \"1\"\nlink = \"serial:{1}\"\n\
         [[upload]]\nkind = \"ftp\"\nname = \"chess.com\"\nurl = \"ftp://127.0.0.1:{2}/live\"\nuser = \"chess\"\npassword_file = \"{3}\"\nwhat = [\"pgn\"]\n",
        folder.path().display(),
        link.display(),
        server.port,
        secret.display()
    );
    let (runtime, token) = (Runtime::new().unwrap(), CancellationToken::new());
    let mut game = games::bundled().swap_remove(0);
    game.moves.truncate(16);
    let options = Options { speed: 100.0, ..Options::new(Kind::Clean, 3) };
    let play = Programme { games: vec![game], repeat: false, options, link: Some(link) };
    let _board = runtime.block_on(async { pty::spawn(play, token.clone()) }).unwrap();

    let daemon = Daemon::start(folder.path(), &config);
    let get = |path: &str| get(&daemon.url, path);
    let until = |wanted: u64| until_played(&daemon.url, wanted);
    until(4);
    server.kill();
    until(10);
    server.start();
    until(15);
    let names = ["tournament.json", "round-1/index.json", "round-1/game-1.pgn", "round-1/games.pgn"];
    let served = || names.iter().filter_map(|name| Some(((*name).to_owned(), get(&format!("pgn/{name}"))?))).collect::<BTreeMap<_, _>>();
    // What runs on the clock goes on changing: compare until both were the same at once.
    let mut last = BTreeMap::new();
    for _ in 0..1_800 {
        last = served();
        if last.len() == names.len() && below(&home.path().join("live")) == last {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    arrives("the daemon's tree", &last, || below(&home.path().join("live")));
    assert!(last["round-1/games.pgn"].contains("[Round \"1.1\"]") && last["round-1/games.pgn"].contains("1. "), "{last:?}");
    token.cancel();
}
