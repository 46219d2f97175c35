//! Boards at tables, on which games are being played, each on the cable of its table, and a daemon that reads them.
use crate::started::{Started, until};
use flagfall_events::GameResult;
use flagfall_simulator::device::Device;
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme, PtyHandle};
use flagfall_simulator::script::Truth;
use flagfall_simulator::stream::Options;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// What is played at the first table. What stands after the seventh ply tells how it came from the fourth one.
pub(super) const ONE: &str = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 1/2-1/2";
/// And at the second one.
pub(super) const TWO: &str = "1.d4 d5 2.Nf3 Nf6 3.Bf4 e6 4.Bg3 Be7 5.e3 O-O 6.Bd3 b6 7.O-O Bb7 8.c3 Nbd7 1-0";

pub(super) struct Tables {
    pub(super) home: tempfile::TempDir,
    runtime: Runtime,
    ended: CancellationToken,
    boards: Vec<PtyHandle>,
}

pub(super) fn games(text: &str) -> Vec<PgnGame> {
    read_games(text.as_bytes()).unwrap()
}

impl Tables {
    /// These games are played, at a table each in a row; the players make their first move when somebody listens, and wait.
    pub(super) fn new(all: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let mut tables = Self { home, runtime, ended: CancellationToken::new(), boards: Vec::new() };
        for (n, text) in (1..).zip(all) {
            let options = Options { speed: 20.0, show_result: true, serial: Some(30_000 + n), ..Options::new(Kind::Clean, n.into()) };
            let play = Programme { games: games(text), repeat: false, options, link: Some(tables.board(n.into())) };
            let board = tables.runtime.block_on(async { pty::spawn(play, tables.ended.clone()) }).unwrap();
            tables.boards.push(board);
            tables.at(n.into(), Device::hold);
            tables.cable(n.into(), n.into());
        }
        tables.configure(|text| text);
        tables
    }

    fn board(&self, n: usize) -> PathBuf {
        self.home.path().join(format!("board-{n}"))
    }

    /// Where the machine finds the cable of a table.
    pub(super) fn port(&self, table: usize) -> PathBuf {
        self.home.path().join(format!("port-{table}"))
    }

    /// Board `n` is on the cable of this table.
    pub(super) fn cable(&self, n: usize, table: usize) {
        _ = fs::remove_file(self.port(table));
        std::os::unix::fs::symlink(self.board(n), self.port(table)).unwrap();
    }

    /// Writes the configuration, changed so.
    pub(super) fn configure(&self, change: impl FnOnce(String) -> String) {
        let mut text = format!(
            "play = \"standard\"\ntime_control = \"5400+30\"\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n\
             [event]\nname = \"Open\"\n[tree]\nfolder = {:?}\n",
            self.home.path().join("tree")
        );
        for table in 1..=self.boards.len() {
            text += &format!("[[board]]\nname = \"{table}\"\nlink = \"serial:{}\"\n", self.port(table).display());
        }
        fs::write(self.home.path().join("flagfall.toml"), change(text)).unwrap();
    }

    pub(super) fn daemon(&self) -> Started {
        Started::at(self.home.path())
    }

    /// Somebody does or reads something at board `n`.
    pub(super) fn at<T: Send + 'static>(&self, n: usize, act: impl FnOnce(&mut Device, flagfall_events::Mono) -> T + Send + 'static) -> T {
        self.runtime.block_on(self.boards[n - 1].at_table(act)).unwrap()
    }

    pub(super) fn unplug(&self, n: usize) {
        self.runtime.block_on(self.boards[n - 1].unplug());
    }

    pub(super) fn replug(&self, n: usize) {
        self.runtime.block_on(self.boards[n - 1].replug()).unwrap();
    }

    /// So many plies are made and pressed at these tables, then their players wait.
    pub(super) fn make(&self, boards: &[usize], plies: usize) {
        let waiting = |n: usize| until("players who wait", || self.at(n, |device, _| device.is_held()).then_some(()));
        for _ in 0..plies {
            boards.iter().for_each(|n| waiting(*n));
            for n in boards {
                self.at(*n, |device, now| {
                    device.go_on(now);
                    device.hold(now);
                });
            }
        }
        boards.iter().for_each(|n| waiting(*n));
    }

    /// Four plies are made at these tables, and recorded.
    pub(super) fn begin(&self, daemon: &Started, boards: &[usize]) {
        self.make(boards, 3);
        boards.iter().for_each(|n| recorded(daemon, *n, 4));
    }

    /// The players play on to the end.
    pub(super) fn go_on(&self, boards: &[usize]) {
        boards.iter().for_each(|n| self.at(*n, Device::go_on));
    }

    /// The page shows every ply that was pressed, and the players play on to the end.
    pub(super) fn well_again(&self, daemon: &Started, boards: &[usize]) {
        boards.iter().for_each(|n| recorded(daemon, *n, self.pressed(*n)));
        self.go_on(boards);
    }

    pub(super) fn truths(&self, n: usize) -> Vec<Truth> {
        self.boards[n - 1].games()
    }

    /// Plies that were pressed on board `n`.
    pub(super) fn pressed(&self, n: usize) -> usize {
        self.truths(n).iter().flat_map(|truth| &truth.plies).filter(|ply| ply.press.is_some()).count()
    }

    /// Waits until the record of `board` is whole: what was played in game `game` of board `n`, with its result, in round `round` of the tree.
    pub(super) fn whole(&self, daemon: &Started, board: usize, n: usize, game: usize, round: usize) -> PgnGame {
        let seen = until("whole game", || {
            let pgn = daemon.get(&format!("/pgn/round-{round}/game-{board}.pgn"))?;
            let read = read_games(pgn.as_bytes()).ok()?.remove(0);
            let played = self.truths(n).get(game)?.uci().len();
            // Where no list names rounds, the next game takes the place of the last one with its first move.
            (read.result != GameResult::Open && (game == 0 || read.moves.len() == played)).then_some(read)
        });
        let truth = &self.truths(n)[game];
        assert_eq!((seen.uci(), seen.result), (truth.uci(), truth.result), "board {board}");
        seen
    }
}

impl Drop for Tables {
    fn drop(&mut self) {
        self.ended.cancel();
    }
}

/// Completed plies that the daemon has of a board.
pub(super) fn known(daemon: &Started, board: usize) -> usize {
    let board = daemon.json(&format!("/api/v1/boards/{board}"));
    board["moves"].as_array().map_or(0, |moves| moves.iter().filter(|m| m["completed"] == true).count())
}

/// Waits until it has so many.
pub(super) fn recorded(daemon: &Started, board: usize, plies: usize) {
    until("recorded plies", || (known(daemon, board) >= plies).then_some(()));
}

/// The alarms that stand, as `KEY BOARD`.
pub(super) fn alarms(daemon: &Started) -> Vec<String> {
    let list = daemon.json("/api/v1/operator/alarms");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |alarm: &Value| format!("{} {}", text(&alarm["key"]), text(&alarm["board"]) + &text(&alarm["about"]));
    list.as_array().unwrap_or_else(|| panic!("no list of alarms: {list}")).iter().map(of).collect()
}

/// Waits until this alarm, `KEY BOARD`, stands.
pub(super) fn raised(daemon: &Started, alarm: &str) {
    until(alarm, || alarms(daemon).contains(&alarm.to_owned()).then_some(()));
}

/// Waits until it does not.
pub(super) fn cleared(daemon: &Started, alarm: &str) {
    until(&format!("end of {alarm}"), || (!alarms(daemon).contains(&alarm.to_owned())).then_some(()));
}

/// What was told of a board's game, as an arbiter sees it.
pub(super) fn findings(daemon: &Started, board: usize) -> Vec<Value> {
    let all = daemon.json(&format!("/api/v1/arbiter/boards/{board}/findings"));
    all.as_array().unwrap_or_else(|| panic!("no list of findings: {all}")).clone()
}

/// An arbiter's entry on a page.
pub(super) fn enter(daemon: &Started, board: usize, entry: &Value) {
    let (status, answer) = daemon.post(&format!("/api/v1/arbiter/boards/{board}/entries"), &entry.to_string());
    assert_eq!(status, 200, "{answer}");
}
