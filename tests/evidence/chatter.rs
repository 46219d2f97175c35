//! Boards that say more than a board can: what they cost while they do, and after a restart.
use crate::rig::{flagfall, program, until};
use crate::scripted_board::{Kind, ScriptedBoard};
use dgt_protocol::message::Message;
use dgt_protocol::square::{PieceCode, WireSquare};
use flagfall::journal::store::journals;
use flagfall::time::Stopwatch;
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

struct Daemon {
    child: Child,
    address: String,
}

impl Daemon {
    fn start(config: &Path, data: &Path) -> Self {
        let mut child = Command::new(program())
            .args(["run", "--config"])
            .arg(config)
            .arg("--data-dir")
            .arg(data)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("web: ") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before it listened");
        }
        std::thread::spawn(move || stderr.lines().count());
        Self { child, address: line["web: ".len()..].trim_end().trim_end_matches('/').to_owned() }
    }

    fn board(&self, board: &str) -> Option<Value> {
        ureq::get(format!("{}/api/v1/boards/{board}", self.address)).call().ok()?.body_mut().read_json().ok()
    }

    /// Kilobytes at the peak.
    fn peak(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Bytes of a board's journals.
fn journaled(data: &Path, board: &str) -> u64 {
    journals(data, board).unwrap().iter().map(|path| fs::metadata(path).unwrap().len()).sum()
}

/// Where pieces stood, as its events say one after another.
fn placements(data: &Path, board: &str) -> Vec<String> {
    let text: String = journals(data, board).unwrap().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    text.split("\"placement\":\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

/// The board says that the pawn of a2 has left or is back, whichever is news: what it says is read together with a picture that is asked for meanwhile.
fn change(board: &ScriptedBoard, stands: &[String]) {
    let there = stands.last().and_then(|placement| placement.split('/').nth(6)).is_some_and(|rank| rank.starts_with('P'));
    let piece = if there { PieceCode::Empty } else { PieceCode::WhitePawn };
    board.say_now(&Message::FieldUpdate { square: WireSquare::new(48).unwrap(), piece }.encode());
}

/// A board that says `what` for so long, as fast as it is let, and a second one that changes a field every quarter of a second; then a kill and a restart.
fn attacked(name: &str, seconds: u64, say: impl Fn(&ScriptedBoard, u64) -> usize) -> (Vec<String>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let (data, config) = (folder.path().join("data"), folder.path().join("flagfall.toml"));
    let (loud, quiet) = (ScriptedBoard::new(Kind::Board("00001")), ScriptedBoard::new(Kind::Board("00002")));
    let board = |name: &str, board: &ScriptedBoard| format!("[[board]]\nname = \"{name}\"\nlink = \"serial:{}\"\n", board.path.display());
    let text = "[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n";
    fs::write(&config, format!("{text}{}{}", board("1", &loud), board("2", &quiet))).unwrap();
    let daemon = Daemon::start(&config, &data);
    until("up", || ["1", "2"].iter().all(|name| daemon.board(name).is_some_and(|board| board["placement"].is_string())));
    let before = daemon.peak();
    let (began, mut turns, mut said, mut slowest) = (Stopwatch::start(), 0, 0, 0);
    while began.now().millis() < seconds * 1_000 {
        said += say(&loud, turns);
        turns += 1;
        if turns % 16 == 0 {
            let (was, changed, mut looks) = (placements(&data, "2").len(), Stopwatch::start(), 0);
            until("journaled", || {
                let stands = placements(&data, "2");
                // Every two seconds anew, until it is told.
                if looks % 40 == 0 && stands.len() <= was {
                    change(&quiet, &stands);
                }
                looks += 1;
                stands.len() > was
            });
            slowest = slowest.max(changed.now().millis());
        }
        std::thread::sleep(Duration::from_millis(15));
    }
    let (peak, bytes, of_quiet) = (daemon.peak(), journaled(&data, "1"), journaled(&data, "2"));
    println!("{name}: {said} bytes; memory {before} kB, at the peak {peak} kB; journal {bytes} bytes, of the other board {of_quiet};");
    println!("{name}: the other board's slowest change was journaled after {slowest} ms");
    assert!(peak < 200_000, "{peak} kB");
    assert!(bytes < 12_000_000, "{bytes} bytes of journal");
    // A machine that is busy with other things still reads what was said meanwhile.
    let written = || fs::read_to_string(journals(&data, "1").unwrap().last().unwrap()).unwrap();
    until("said", || written().contains("\"key\":\"board-chatters\",\"state\":\"raised\""));
    let raised = written();
    drop(daemon);
    let began = Stopwatch::start();
    let daemon = Daemon::start(&config, &data);
    until("back", || daemon.board("1").is_some_and(|board| board["placement"].is_string()));
    let back = daemon.peak();
    println!("{name}: after a kill the boards are there again in {} ms, with {back} kB at the peak", began.now().millis());
    assert!(back < 200_000, "{back} kB after a restart");
    drop(daemon);
    drop((loud, quiet));
    let (code, said, complaint) = flagfall(&["verify", data.to_str().unwrap()]);
    assert_eq!(code, 2, "{said}{complaint}");
    (raised.lines().map(String::from).collect(), bytes)
}

#[test]
fn a_board_that_chatters_costs_no_more_than_a_long_game() {
    // 34 KB a second of valid updates, as a board never says them.
    let (lines, _) = attacked("updates", 15, |board, turn| {
        let mut bytes = Vec::new();
        for n in 0..102_u8 {
            let square = WireSquare::new(16 + n % 32).unwrap();
            let piece = if (u64::from(n / 32) + turn).is_multiple_of(2) { PieceCode::BlackKnight } else { PieceCode::Empty };
            bytes.extend(Message::FieldUpdate { square, piece }.encode());
        }
        board.flood(&bytes)
    });
    assert!(lines.iter().any(|line| line.contains("\"drop\":{\"from\":")), "what was left out is journaled");
    assert!(lines.iter().any(|line| line.contains("\"key\":\"board-chatters\",\"state\":\"raised\"")), "and said");
}

#[test]
fn garbage_without_end_costs_no_more_than_a_long_game() {
    let noise: Vec<u8> = (0..105_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
    let (lines, _) = attacked("garbage", 12, |board, _| board.flood(&noise));
    assert!(lines.iter().any(|line| line.contains("\"drop\":{\"from\":")));
}
