//! `flagfall run` and a line with twelve boards on one port, in bus mode: a real process, a real pty.
#![allow(clippy::unwrap_used, reason = "a test may")]
use crate::started::{Started, until};
use flagfall_events::{Colour, GameResult};
use flagfall_simulator::bus_line::LineFault;
use flagfall_simulator::bus_pty::{self, BusBoard, BusHandle, BusProgramme};
use flagfall_simulator::bus_side::BusManner;
use flagfall_simulator::games::bundled;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::script::{Act, PlyTruth, TimedAct};
use flagfall_simulator::stream::Options;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// By the order of the cable; the last one is named by nobody.
pub(crate) const ADDRESSES: [u16; 12] = [1025, 17, 3000, 4, 5, 16_000, 7, 8, 900, 10, 1111, 12];
const PLIES: usize = 10;

fn board(index: usize) -> BusBoard {
    let games = bundled();
    let mut game = games[index % games.len()].clone();
    game.moves.truncate(PLIES);
    // The last of them stays on the board.
    game.result = GameResult::Open;
    let options = Options { speed: 30.0, ..Options::new(Kind::Clean, 100 + index as u64) };
    let manner = BusManner { alternates: index % 2 == 1 };
    BusBoard { address: ADDRESSES[index], manner, games: vec![game], repeat: false, options }
}

pub(crate) fn line(port: &Path, token: &CancellationToken) -> BusHandle {
    let boards = (0..ADDRESSES.len()).map(board).collect();
    bus_pty::spawn(BusProgramme { boards, seed: 7, link: Some(port.to_owned()) }, token.clone()).unwrap()
}

fn config(home: &Path, port: &Path) {
    let mut text = String::from("time_control = \"5400+30\"\n[discovery]\nserial = false\n[livechess]\nenabled = false\n");
    for (number, address) in (1..12).zip(ADDRESSES) {
        write!(text, "[[board]]\nname = \"{number}\"\nlink = \"bus:{}\"\naddress = {address}\n", port.display()).unwrap();
    }
    fs::write(home.join("flagfall.toml"), text).unwrap();
}

fn name(index: usize) -> String {
    // Nobody named it: its serial number does.
    if index == 11 { String::from("00012") } else { (index + 1).to_string() }
}

fn played(daemon: &Started, index: usize) -> Vec<String> {
    let board = daemon.json(&format!("/api/v1/boards/{}", name(index)));
    let moves = board["moves"].as_array().cloned().unwrap_or_default();
    moves.iter().filter(|ply| ply["completed"] == true).map(|ply| String::from(ply["uci"].as_str().unwrap())).collect()
}

fn alarms(daemon: &Started) -> String {
    daemon.get("/api/v1/operator/alarms").unwrap_or_default()
}

#[test]
fn twelve_boards_on_one_line_are_read_to_the_last_ply_and_the_evidence_stands() {
    let home = tempfile::tempdir().unwrap();
    let port = home.path().join("ttyUSB0");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let token = CancellationToken::new();
    let line = runtime.block_on(async { line(&port, &token) });
    config(home.path(), &port);
    let daemon = Started::at(home.path());
    let up = |daemon: &Started| {
        let boards = daemon.json("/api/v1/boards");
        boards.as_array().map_or(0, |boards| boards.iter().filter(|board| board["link"] == "up").count())
    };
    until("twelve boards", || (up(&daemon) == 12).then_some(()));
    let games = bundled();
    for index in 0..ADDRESSES.len() {
        let wanted: Vec<String> = games[index % games.len()].uci().into_iter().take(PLIES).collect();
        until("every ply", || (played(&daemon, index) == wanted).then_some(()));
        // Who sat there knows when he pressed; the display of then is what the log has.
        let truth = &line.games(index)[0];
        let told = daemon.json(&format!("/api/v1/boards/{}", name(index)));
        for (ply, told) in truth.plies.iter().zip(told["moves"].as_array().unwrap()) {
            let Some(clock) = &ply.clock else { continue };
            let shown = |key: &str| told["clock"][key].as_i64().unwrap_or(i64::MIN);
            let near = |is: i64, was: i64| (is - was).abs() <= 2_000;
            assert!(
                near(shown("white_ms"), clock.white_ms) && near(shown("black_ms"), clock.black_ms),
                "{index} {}: {told} {clock:?}",
                ply.ply
            );
        }
    }
    // A plug is pulled: named, and the others are not disturbed.
    runtime.block_on(line.fail(LineFault::Dead(3)));
    until("board 3 down", || (daemon.json("/api/v1/boards/3")["link"] == "down").then_some(()));
    assert_eq!(up(&daemon), 11);
    until("its words", || {
        fs::read_to_string(home.path().join("log")).unwrap().contains("board 3 on line 1 does not answer since").then_some(())
    });
    runtime.block_on(line.mend());
    until("all of them back", || (up(&daemon) == 12).then_some(()));
    runtime.block_on(line.fail(LineFault::Silence));
    until("the line's alarm", || alarms(&daemon).contains("line-failing").then_some(()));
    runtime.block_on(line.mend());
    until("no alarm", || (!alarms(&daemon).contains("line-failing") && up(&daemon) == 12).then_some(()));
    daemon.end();
    token.cancel();
    runtime.block_on(line.join());
    // The line's journal has every byte, each board's replays alone.
    let journals = home.path().join("data/journals");
    let of_line = fs::read_dir(journals.join("bus line 1")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(of_line).unwrap();
    assert!(text.contains("\"heard\":\"") && text.contains("\"out\":\"83"));
    let verified = Command::new(env!("CARGO_BIN_EXE_flagfall")).arg("verify").arg(&journals).output().unwrap();
    // Whole in itself: no key was given.
    assert_eq!(verified.status.code(), Some(2), "{}", String::from_utf8_lossy(&verified.stderr));
}

/// What stands on a board when its script is over, as the host beside this file writes it: a8 first.
fn stands(index: usize) -> String {
    let BusBoard { games, options, .. } = board(index);
    let after = options.script(0, &games[0], None).after();
    (0..64_usize).map(|field| char::from(b".PRNBKQprnbkq"[after[field ^ 0x38] as usize])).collect()
}

#[test]
fn a_host_that_shares_nothing_with_ours_reads_the_same_from_such_a_line() {
    let home = tempfile::tempdir().unwrap();
    let port = home.path().join("ttyUSB0");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let token = CancellationToken::new();
    let line = runtime.block_on(async { line(&port, &token) });
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/link/bus_host.py");
    let pressed = |index: usize| {
        let BusBoard { games, options, .. } = board(index);
        let presses = |act: &TimedAct| matches!(act.act, Act::Press { ply: Some(_), .. });
        options.script(0, &games[0], None).steps.iter().filter(|act| presses(act)).count()
    };
    let presses = (0..ADDRESSES.len()).map(pressed).min().unwrap();
    let host = Command::new("python3").arg(program).arg(&port).arg(presses.to_string()).stdout(Stdio::piped()).spawn().unwrap();
    // Once the hands have begun everybody is known; from then on answers are damaged, and asked for once more.
    until("the first press", || line.games(0).first()?.plies.first()?.press);
    for _ in 0..5 {
        runtime.block_on(async {
            line.fail(LineFault::Ones).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            line.mend().await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        });
    }
    let output = host.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(read["damaged"].as_u64().unwrap() > 0, "{read}");
    assert_eq!(read["boards"].as_object().unwrap().len(), ADDRESSES.len(), "{read}");
    for (index, address) in ADDRESSES.iter().enumerate() {
        let board = &read["boards"][address.to_string()];
        let stands = stands(index);
        assert_eq!((board["image"].as_str(), board["dump"].as_str()), (Some(stands.as_str()), Some(stands.as_str())), "{address}");
        assert_eq!(board["listed"].as_u64(), Some(stands.bytes().filter(|piece| *piece != b'.').count() as u64), "{address}");
        // White sits at the clock's left; each press has the time that its player's display showed after it.
        let truth = line.games(index);
        let shown = |ply: &PlyTruth| {
            let (clock, white) = (ply.clock?, ply.by == Colour::White);
            Some(json!([if white { "left" } else { "right" }, if white { clock.white_ms } else { clock.black_ms } / 1_000]))
        };
        let wanted: Vec<Value> = truth[0].plies.iter().filter_map(shown).collect();
        assert!(wanted.len() >= presses);
        assert_eq!(board["presses"], Value::from(wanted), "{address}");
    }
    token.cancel();
    runtime.block_on(line.join());
}
