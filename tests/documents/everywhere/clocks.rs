//! A clock that is set by hand, by an entry and by a ruling, on the real daemon: page, streams, PGN, JSON, LiveChess, Lichess and uploads show it.
use super::{Everywhere, LIST, cloud_times, config, pgn_times, tag_times};
use crate::documents::seats::Table;
use crate::lichess::fake::{Fake, tag};
use crate::lichess::model::Lichess;
use crate::livechess::client::{Client, get};
use crate::ringing::double::Double;
use crate::started::{Started, until};
use flagfall::time::Stopwatch;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::Duration;
use tokio::runtime::Runtime;

/// What somebody who listens was told of both displays last, in seconds.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Option<[i64; 2]>>>);

impl Told {
    fn set(&self, clock: &Value, names: [&str; 2], unit: i64) {
        if let [Some(white), Some(black)] = names.map(|name| clock[name].as_i64()) {
            *self.0.lock().unwrap() = Some([white / unit, black / unit]);
        }
    }

    fn now(&self) -> Option<[i64; 2]> {
        *self.0.lock().unwrap()
    }

    /// A public stream of events, until the daemon ends.
    fn of_events(url: String) -> Self {
        let told = Self::default();
        let teller = told.clone();
        thread::spawn(move || {
            let answer = ureq::get(url).call().unwrap();
            let mut kind = String::new();
            for line in BufReader::new(answer.into_body().into_reader()).lines().map_while(Result::ok) {
                if let Some(name) = line.strip_prefix("event: ") {
                    kind = name.to_owned();
                } else if let Some(data) = line.strip_prefix("data: ") {
                    let value: Value = serde_json::from_str(data).unwrap();
                    let clock = if kind == "snapshot" { &value["clock"] } else { &value };
                    if matches!(kind.as_str(), "clock" | "snapshot") {
                        teller.set(clock, ["white_ms", "black_ms"], 1_000);
                    }
                }
            }
        });
        told
    }

    /// A client of LiveChess that watches the only board.
    fn of_livechess(address: SocketAddr) -> Self {
        let told = Self::default();
        let teller = told.clone();
        let serial = get(address, "eboards")[0]["serialnr"].as_str().unwrap().to_owned();
        thread::spawn(move || {
            let mut client = Client::new(address);
            let first = client.subscribe(&serial);
            teller.set(&first["clock"], ["white", "black"], 1);
            while let Some(frame) = client.next() {
                let frame: Value = serde_json::from_str(&frame).unwrap();
                teller.set(&frame["param"]["clock"], ["white", "black"], 1);
            }
        });
        told
    }
}

struct Hall {
    all: Everywhere,
    table: Table,
    runtime: Runtime,
    listeners: Vec<(&'static str, Told)>,
}

/// `%clk` of each player's last ply, and both displays, wherever they stand.
type Times = Vec<(&'static str, [i64; 2])>;

impl Hall {
    fn plies(&self) -> Option<Times> {
        let signed = |times: [u32; 2]| times.map(i64::from);
        let board = self.all.daemon.json("/api/v1/boards/1");
        let moves = board["moves"].as_array()?;
        let of = |nth: usize, side: &str| moves.get(moves.len().checked_sub(nth)?)?["clock"][side].as_i64().map(|ms| ms / 1_000);
        let mut all = vec![("moves of the board", [of(2, "white_ms")?, of(1, "black_ms")?])];
        for (name, text) in self.pgns()? {
            all.push((name, signed(pgn_times(&text)?)));
        }
        for (name, text) in self.clouds()? {
            all.push((name, signed(cloud_times(&text)?)));
        }
        let there = self.all.rounds[0].there(|model, now| model.shown(now, "1.1")).pop()?;
        let [.., white, black] = there.clocks[..] else { return None };
        all.push(("Lichess", [i64::from(white?), i64::from(black?)]));
        let push = self.all.rounds[0].seen().into_iter().rev().find(|seen| seen.what == "push")?.body;
        all.push(("tags of the push", signed(tag_times(&|name| tag(&push, name))?)));
        Some(all)
    }

    fn displays(&self) -> Option<Times> {
        let clock = self.all.daemon.json("/api/v1/boards/1")["clock"].clone();
        let of = |name: &str| clock[name].as_i64().map(|ms| ms / 1_000);
        let mut all = vec![("the board", [of("white_ms")?, of("black_ms")?])];
        for (name, text) in self.pgns()? {
            if name != "the page's PGN" {
                let read = crate::documents::reading::game(&text);
                all.push((name, tag_times(&|name| read.tag(name).map(String::from))?.map(i64::from)));
            }
        }
        for (name, text) in self.clouds()? {
            let clock = &serde_json::from_str::<Value>(&text).ok()?["clock"];
            all.push((name, [clock["white"].as_i64()?, clock["black"].as_i64()?]));
        }
        for (name, told) in &self.listeners {
            all.push((name, told.now()?));
        }
        Some(all)
    }

    fn pgns(&self) -> Option<[(&'static str, String); 4]> {
        let file = |path: &str| std::fs::read_to_string(self.all.home.join(path)).ok();
        Some([
            ("the page's PGN", self.all.daemon.get("/api/v1/boards/1/pgn")?),
            ("the tree over HTTP", self.all.daemon.get("/pgn/round-1/game-1.pgn")?),
            ("the tree's folder", file("www/pgn/round-1/game-1.pgn")?),
            ("the upload", file("server/round-1/game-1.pgn")?),
        ])
    }

    fn clouds(&self) -> Option<[(&'static str, String); 2]> {
        let path = format!("get/{}/round-1/game-1.json", self.all.uuid);
        let folder = std::fs::read_to_string(self.all.home.join("www").join(&path)).ok()?;
        Some([("the cloud over HTTP", self.all.daemon.get(&format!("/{path}"))?), ("the cloud's folder", folder)])
    }

    /// Waits until everybody shows this, and says how long that took.
    fn show(&self, what: &str, seen: impl Fn() -> Option<Times>, wanted: impl Fn([i64; 2]) -> bool) {
        let began = Stopwatch::start();
        let mut last = None;
        for _ in 0..1200 {
            last = seen();
            if last.as_ref().is_some_and(|all| all.iter().all(|(_, times)| wanted(*times))) {
                println!("{what}: everywhere after {:.1} s", Duration::from_millis(began.now().millis()).as_secs_f64());
                return;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("{what}: {last:#?}");
    }

    fn shows(&self, what: &str, white: i64, black: i64) {
        self.show(what, || self.displays(), |times| times == [white, black]);
        // White has thought for a moment since Black's last press; his last move does not have that.
        let thought = |of_white: i64| (white..white + 4).contains(&of_white);
        self.show(&format!("{what}, in the record"), || self.plies(), |[of_white, of_black]| thought(of_white) && of_black == black);
    }
}

/// A table, the daemon, and everybody it feeds; both players have made two moves.
fn hall(folder: &std::path::Path) -> Hall {
    let home = folder.to_owned();
    let runtime = Runtime::new().unwrap();
    let rounds = [Fake::keeping(Lichess::new(0), false), Fake::keeping(Lichess::new(0), false)];
    let table = Table::set_up(900, 10);
    symlink(&table.path, home.join("board")).unwrap();
    let text = format!("time_control = \"900+10\"\nclock_white = \"left\"\n{}", config(&home, &rounds));
    std::fs::write(home.join("flagfall.toml"), text).unwrap();
    std::fs::write(home.join("list.csv"), LIST).unwrap();
    std::fs::write(home.join("token"), "lip_secret\n").unwrap();
    std::fs::create_dir(home.join("server")).unwrap();
    let daemon = Started::at(&home);
    let livechess = until("the API of LiveChess", || daemon.serves("livechess: ws://"));
    let uuid = String::from(daemon.json("/api/v1/operator/event")["uuid"].as_str().unwrap());
    // It has seen the pieces where a game begins, not only answered.
    until("the board", || daemon.json("/api/v1/boards/1")["game"]["start_fen"].is_string().then_some(()));
    runtime.block_on(async {
        table.start().await;
        table.play("d2d4 d7d5 c2c4 e7e6").await;
        table.stop_clock().await;
    });
    let events = |path: &str| Told::of_events(format!("http://{}{path}", daemon.address));
    let listeners = vec![
        ("the board's stream", events("/api/v1/boards/1/events")),
        ("the page's stream", events("/api/v1/events?boards=1")),
        ("a client of LiveChess", Told::of_livechess(livechess.parse().unwrap())),
    ];
    Hall { all: Everywhere { daemon, home, rounds, uuid, livechess }, table, runtime, listeners }
}

#[test]
fn times_that_are_set_or_ruled_reach_every_outlet() {
    let folder = tempfile::tempdir().unwrap();
    let hall = hall(folder.path());
    hall.all.have("four plies", 1, "d4 d5 c4 e6", "*");

    // Two minutes more for White and one for Black, before the next move.
    hall.runtime.block_on(hall.table.set(1_020, 960, "white"));
    hall.shows("a clock that was set", 1_020, 960);
    hall.all.enter("set-clock", &json!({"white_ms": 930_000, "black_ms": 945_000, "run": "stopped"}).to_string());
    hall.shows("times that were entered", 930, 945);
    hall.runtime.block_on(hall.table.set(930, 945, "white"));
    hall.shows("the clock was set to them", 930, 945);

    // An illegal move: Black gets two minutes.
    hall.runtime.block_on(async {
        hall.table.start().await;
        hall.table.carry("a1", "a3").await;
        hall.table.press().await;
        hall.table.stop_clock().await;
    });
    let board = || hall.all.daemon.json("/api/v1/arbiter/boards/1");
    let open = |board: &Value| board["findings"].as_array()?.iter().find(|f| f["key"] == "illegal-move" && f["status"] == "open").cloned();
    let finding = until("the finding", || open(&board()).filter(|finding| finding["proposal"]["clock"].is_object()));
    hall.all.enter(&format!("findings/{}/ruling", finding["id"]), r#"{"decision":"confirm"}"#);
    let ruled = until("the ruling", || {
        let findings = board()["findings"].as_array()?.clone();
        findings.into_iter().find(|f| f["id"] == finding["id"] && f["status"] == "confirmed")
    });
    let clock = &ruled["proposal"]["clock"];
    let [white, black] = ["white_ms", "black_ms"].map(|side| clock[side].as_i64().unwrap() / 1_000);
    assert!(black > 945 + 60, "{ruled:#}");
    hall.show("times that were ruled, on displays", || hall.displays(), |times| times == [white, black]);
    hall.show("times that were ruled, in the record", || hall.plies(), |[_, of_black]| of_black == black);
    hall.runtime.block_on(async {
        hall.table.carry("a3", "a1").await;
        hall.table.set(white, black, "white").await;
    });
    hall.show("the clock was set as ruled", || hall.displays(), |times| times == [white, black]);
    hall.all.have("the moves are as they were", 1, "d4 d5 c4 e6", "*");
    until("the times on Lichess stay", || Some(hall.plies()?.iter().all(|(_, [_, of_black])| *of_black == black)).filter(|all| *all));
}

#[test]
fn a_webhook_is_told_of_a_finding_and_of_every_result() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    let mut webhook = runtime.block_on(Double::start());
    let table = Table::set_up(900, 10);
    let home = folder.path();
    let text = format!(
        "time_control = \"900+10\"\nclock_white = \"left\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n\
         [[alert]]\nurl = \"{}/hook\"\nkind = \"webhook\"\nalarms = false\n[[board]]\nname = \"1\"\nlink = \"serial:{}\"\n",
        webhook.root,
        table.path.display()
    );
    std::fs::write(home.join("flagfall.toml"), text).unwrap();
    let daemon = Started::at(home);
    // It has seen the pieces where a game begins, not only answered.
    until("the board", || daemon.json("/api/v1/boards/1")["game"]["start_fen"].is_string().then_some(()));
    runtime.block_on(async {
        table.start().await;
        table.play("d2d4 d7d5").await;
        table.carry("a1", "a3").await;
        table.press().await;
        table.stop_clock().await;
    });
    let mut next = |what: &str| {
        let began = Stopwatch::start();
        let sent = runtime.block_on(webhook.next());
        println!("{what}: after {:.1} s", Duration::from_millis(began.now().millis()).as_secs_f64());
        serde_json::from_str::<Value>(sent.text()).unwrap()
    };
    let told = next("a finding");
    assert_eq!((&told["kind"], &told["event"]["key"], &told["event"]["by"]), (&"finding".into(), &"illegal-move".into(), &"white".into()));
    for result in ["1-0", "1/2-1/2", "*"] {
        let (status, answer) = daemon.post("/api/v1/arbiter/boards/1/result", &json!({"result": result}).to_string());
        assert_eq!(status, 200, "{answer}");
        let told = next(&format!("the result {result}"));
        assert_eq!((&told["kind"], &told["event"]["result"]), (&"result".into(), &result.into()), "{told}");
    }
}
