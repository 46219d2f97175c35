//! `flagfall run` and boards that are plugged in, pulled out, moved to another port; real processes, real ptys.
#![allow(clippy::unwrap_used, reason = "a test may")]
use crate::scripted_board::{Kind, ScriptedBoard};
use dgt_protocol::command::{ClockCommand, Command as BoardCommand};
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind as Hands;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A running daemon; killed when dropped.
struct Daemon {
    child: Child,
    address: String,
}

impl Daemon {
    fn start(dev: &Path, args: &[&str]) -> Self {
        let mut child =
            flagfall().args(["run", "--listen", "127.0.0.1:0", "--dev-dir"]).arg(dev).args(args).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("web: ") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before it listened");
        }
        // Whoever writes warnings must not be stopped by a full pipe.
        std::thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
        Self { child, address: String::from(line["web: ".len()..].trim_end()) }
    }

    fn get(&self, path: &str) -> Value {
        ureq::get(&format!("{}api/v1/{path}", self.address)).call().unwrap().body_mut().read_json().unwrap()
    }

    /// Names and links of all boards, as `NAME up`.
    fn boards(&self) -> Vec<String> {
        let text = |value: &Value| String::from(value.as_str().unwrap());
        self.get("boards").as_array().unwrap().iter().map(|b| format!("{} {}", text(&b["board"]), text(&b["link"]))).collect()
    }

    /// Waits until the boards are these.
    fn until_boards(&self, wanted: &[&str]) {
        until(&format!("{wanted:?}"), || {
            let boards = self.boards();
            if boards == wanted { Ok(()) } else { Err(format!("{boards:?}")) }
        });
    }

    /// Ends it as systemd does.
    fn terminate(mut self) -> i32 {
        let killed = Command::new("sh").args(["-c", &format!("kill -TERM {}", self.child.id())]).status().unwrap();
        assert!(killed.success());
        self.child.wait().unwrap().code().unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn flagfall() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
    command.env_clear().stdin(Stdio::null());
    command
}

/// Asks again and again; the time is only how long to wait before giving up.
fn until<T>(what: &str, mut ask: impl FnMut() -> Result<T, String>) -> T {
    let mut last = String::new();
    for _ in 0..1_200 {
        match ask() {
            Ok(answer) => return answer,
            Err(seen) => last = seen,
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("never {what}; at last {last}");
}

fn dev() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let dev = folder.path().join("dev");
    fs::create_dir_all(dev.join("serial/by-id")).unwrap();
    (folder, dev)
}

#[test]
fn a_board_that_comes_back_under_another_node_is_the_same_board() {
    let (_folder, dev) = dev();
    let daemon = Daemon::start(&dev, &[]);
    daemon.until_boards(&[]);
    let board = ScriptedBoard::new(Kind::Board("24680"));
    board.plug(&dev.join("ttyUSB0"));
    daemon.until_boards(&["24680 up"]);
    let seq = daemon.get("boards/24680")["seq"].as_u64().unwrap();
    fs::remove_file(dev.join("ttyUSB0")).unwrap();
    board.hang_up();
    daemon.until_boards(&["24680 down"]);
    let board = ScriptedBoard::new(Kind::Board("24680"));
    board.plug(&dev.join("ttyUSB1"));
    daemon.until_boards(&["24680 up"]);
    assert!(daemon.get("boards/24680")["seq"].as_u64().unwrap() > seq, "its events count on");
}

#[test]
fn several_boards_are_found_among_other_devices() {
    let (_folder, dev) = dev();
    let ports = [
        ("ttyACM0", Kind::Modem),
        ("ttyUSB0", Kind::Board("00101")),
        ("ttyUSB1", Kind::Mute),
        ("ttyACM7", Kind::Board("00102")),
        ("rfcomm0", Kind::Board("00000")),
    ];
    let _plugged = ports.map(|(name, kind)| {
        let board = ScriptedBoard::new(kind);
        board.plug(&dev.join(name));
        board
    });
    let daemon = Daemon::start(&dev, &[]);
    // A board that was never given a number goes by its port's name.
    daemon.until_boards(&["00101 up", "00102 up", "rfcomm0 up"]);
}

#[test]
fn a_named_board_is_left_to_its_name() {
    let (folder, dev) = dev();
    let stable = dev.join("serial/by-id/usb-DGT_board-if00");
    let config = folder.path().join("flagfall.toml");
    fs::write(&config, format!("[[board]]\nname = \"table 5\"\nlink = \"serial:{}\"\n", stable.display())).unwrap();
    let daemon = Daemon::start(&dev, &["--config", config.to_str().unwrap()]);
    daemon.until_boards(&["table 5 down"]);
    let board = ScriptedBoard::new(Kind::Board("24680"));
    board.plug(&dev.join("ttyUSB3"));
    std::os::unix::fs::symlink("../../ttyUSB3", &stable).unwrap();
    daemon.until_boards(&["table 5 up"]);
    let other = ScriptedBoard::new(Kind::Board("13579"));
    other.plug(&dev.join("ttyUSB4"));
    daemon.until_boards(&["13579 up", "table 5 up"]);
}

#[test]
fn a_game_goes_on_after_the_cable_was_pulled_and_the_moves_made_meanwhile_are_there() {
    let (_folder, dev) = dev();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let game = games::bundled().swap_remove(0);
    let mut options = Options::new(Hands::Clean, 3);
    // About as fast as hands allow: the board is away for two or three plies.
    options.speed = 20.0;
    let played = game.uci();
    let play = Programme { games: vec![game], repeat: false, options, link: Some(dev.join("ttyUSB0")) };
    let token = CancellationToken::new();
    let board = runtime.block_on(async { pty::spawn(play, token.clone()) }).unwrap();
    let daemon = Daemon::start(&dev, &[]);
    let moves = |daemon: &Daemon| daemon.get("boards/24680")["moves"].as_array().cloned().unwrap_or_default();
    daemon.until_boards(&["24680 up"]);
    let before = until("six moves", || {
        let made = moves(&daemon).len();
        if made >= 6 { Ok(made) } else { Err(made.to_string()) }
    });
    runtime.block_on(board.unplug());
    daemon.until_boards(&["24680 down"]);
    std::thread::sleep(Duration::from_millis(1_500));
    runtime.block_on(board.replug()).unwrap();
    daemon.until_boards(&["24680 up"]);
    let seen = until("moves after the return", || {
        let seen = moves(&daemon);
        if seen.len() >= (before + 8).min(played.len()) { Ok(seen) } else { Err(format!("{} moves", seen.len())) }
    });
    let uci: Vec<_> = seen.iter().map(|m| m["uci"].as_str().unwrap()).collect();
    assert_eq!(uci[..uci.len() - 1], played[..uci.len() - 1], "the last one may still be revised");
    assert!(seen.iter().any(|m| m["how"] == "recovered"), "{seen:#?}");
    token.cancel();
    runtime.block_on(board.join());
}

#[test]
fn a_stop_leaves_a_whole_capture_that_replays() {
    let (folder, dev) = dev();
    let captures = folder.path().join("captures");
    let board = ScriptedBoard::new(Kind::Board("24680"));
    board.plug(&dev.join("ttyUSB0"));
    let daemon = Daemon::start(&dev, &["--capture", captures.to_str().unwrap()]);
    until("the end of the greeting", || {
        let asked = board.asked();
        if asked.contains(&BoardCommand::Clock(ClockCommand::Version)) { Ok(()) } else { Err(format!("{asked:?}")) }
    });
    // e2-e4: the piece comes down, then its old square reads empty.
    board.say(&[0x8E, 0x00, 0x05, 0x24, 0x01, 0x8E, 0x00, 0x05, 0x34, 0x00]);
    until("the move", || {
        let placement = daemon.get("boards/24680")["placement"].clone();
        if placement == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR" { Ok(()) } else { Err(placement.to_string()) }
    });
    assert_eq!(daemon.terminate(), 0);
    let Output { status, stdout, stderr } = flagfall().args(["replay", "--format", "events"]).arg(&captures).output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    let text = String::from_utf8(stdout).unwrap();
    assert!(text.contains("\"serial\":\"24680\"") && text.contains("/8/8/4P3/8/PPPP1PPP/"), "{text}");
}

#[test]
fn the_doctor_tells_boards_from_the_rest_and_who_holds_a_port() {
    let (_folder, dev) = dev();
    let ports = [("ttyUSB0", Kind::Board("00101")), ("ttyUSB1", Kind::Modem), ("ttyUSB2", Kind::Mute)];
    let _plugged = ports.map(|(name, kind)| {
        let board = ScriptedBoard::new(kind);
        board.plug(&dev.join(name));
        board
    });
    let doctor = || {
        let Output { status, stdout, .. } = flagfall().args(["doctor", "--dev-dir"]).arg(&dev).output().unwrap();
        (status.code(), String::from_utf8(stdout).unwrap())
    };
    let (code, text) = doctor();
    assert_eq!(code, Some(0), "{text}");
    for said in ["serial number 00101, firmware 1.08", "clock: DGT3000 2.00", "not as a board", "nothing answers here"] {
        assert!(text.contains(said), "{said:?} is missing in:\n{text}");
    }
    let daemon = Daemon::start(&dev, &[]);
    daemon.until_boards(&["00101 up"]);
    let (code, text) = doctor();
    assert_eq!(code, Some(69), "{text}");
    assert!(text.contains("in use by flagfall (process "), "{text}");
}

#[test]
fn the_doctor_says_when_nothing_is_plugged_in() {
    let (_folder, dev) = dev();
    let Output { status, stdout, .. } = flagfall().args(["doctor", "--dev-dir"]).arg(&dev).output().unwrap();
    assert_eq!(status.code(), Some(69));
    assert!(String::from_utf8(stdout).unwrap().contains("Plug the board in"));
}

#[test]
fn the_doctor_says_which_key_signs_the_evidence() {
    let (folder, dev) = dev();
    let state = folder.path().join("state");
    let doctor = || {
        let mut command = flagfall();
        command.env_remove("STATE_DIRECTORY").env("XDG_STATE_HOME", &state);
        String::from_utf8(command.args(["doctor", "--no-bluetooth", "--dev-dir"]).arg(&dev).output().unwrap().stdout).unwrap()
    };
    fs::create_dir_all(state.join("flagfall")).unwrap();
    let text = doctor();
    assert!(text.contains("there is no key in ") && text.contains("at its first start"), "{text}");
    let key = flagfall::journal::key::Key::of(&state.join("flagfall")).unwrap().key.public();
    let text = doctor();
    assert!(text.contains(&format!("the key {};", flagfall::journal::checkpoint::fingerprint(&key))), "{text}");
    fs::write(state.join("flagfall/journal.key"), "nothing").unwrap();
    let text = doctor();
    assert!(text.contains("cannot be read") && text.contains("64 hex digits"), "{text}");
}

#[cfg(not(feature = "ble"))]
#[test]
fn a_link_of_another_kind_is_refused_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("flagfall.toml");
    for link in ["rfcomm:00:06:66:00:00:01", "ble:DGT_PEGASUS_1"] {
        fs::write(&config, format!("[[board]]\nname = \"1\"\nlink = \"{link}\"\n")).unwrap();
        let Output { status, stderr, .. } = flagfall().args(["run", "--config"]).arg(&config).output().unwrap();
        let said = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(78), "{said}");
        assert!(said.contains(link) && said.contains("flagfall doctor"), "{said}");
    }
}
