//! Every outlet on at once: a result that comes late, a ply that was another one, a take-back and a clock that is corrected reach all of them, and
//! the old line is nowhere the main line. Results on the real daemon; what no entry does, on everything that publishes, with events made by hand.
//!
//! `everywhere/clocks.rs`: the clock, set by hand, by an entry and by a ruling.
//!
//! With `-- --nocapture` it says how long each took.
mod clocks;

use super::reading::{Read, game};
use crate::lichess::fake::Fake;
use crate::lichess::model::Lichess;
use crate::started::{Started, until};
use flagfall::config::Config;
use flagfall::feeds::event_info::desk::EventDesk;
use flagfall::feeds::event_info::task;
use flagfall::feeds::livechess::LiveChess;
use flagfall::feeds::nats::Nats;
use flagfall::feeds::push::Push;
use flagfall::feeds::running::{self, Feeds};
use flagfall::feeds::sent;
use flagfall::feeds::tree::Broadcast;
use flagfall::time::Stopwatch;
use flagfall::web::boards::Boards;
use flagfall::web::hub::Hub;
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

const GAMES: &str = "[White \"Adams\"]\n[Black \"Baker\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
                     [White \"Baker\"]\n[Black \"Adams\"]\n[Result \"*\"]\n\n1. d4 d5 2. c4 e6 *\n";
const LIST: &str = "round,board,white,black\n1,1,Adams,Baker\n2,1,Baker,Adams\n";

/// A daemon and whoever it feeds.
struct Everywhere {
    daemon: Started,
    home: PathBuf,
    /// A round on Lichess each.
    rounds: [Fake; 2],
    uuid: String,
    livechess: String,
}

/// One game as an outlet has it.
#[derive(Debug, PartialEq)]
struct Seen {
    outlet: &'static str,
    moves: String,
    result: String,
}

/// Waits until every outlet has a game so, and the operator's table says the same.
fn have(what: &str, seen: impl Fn() -> Option<Vec<Seen>>, table: impl Fn() -> Value, (moves, result): (&str, &str)) {
    let began = Stopwatch::start();
    let (mut last, mut told) = (None, Value::Null);
    for _ in 0..1200 {
        last = seen();
        if last.as_ref().is_some_and(|all| all.iter().all(|seen| seen.moves == moves && seen.result == result)) {
            told = table();
            if told.as_array().is_some_and(|rows| rows.iter().all(|row| row["lamp"] == "ok")) {
                println!("{what}: everywhere after {:.1} s", Duration::from_millis(began.now().millis()).as_secs_f64());
                return;
            }
        }
        sleep(Duration::from_millis(50));
    }
    panic!("{what}: not {moves} {result}, but {last:#?}; {told:#}");
}

fn of_pgn(outlet: &'static str, text: &str) -> Seen {
    let Read { moves, result, .. } = game(text);
    Seen { outlet, moves: moves.join(" "), result }
}

/// The cloud's JSON, and LiveChess's.
fn of_json(outlet: &'static str, text: &str) -> Option<Seen> {
    let value: Value = serde_json::from_str(text).ok()?;
    let word = |played: &Value| played.as_str().unwrap().split(' ').next().map(String::from);
    let result = match value["result"].as_str() {
        Some("WHITEWIN") => "1-0",
        Some("BLACKWIN") => "0-1",
        Some("DRAW") => "1/2-1/2",
        _ => "*",
    };
    let moves: Vec<String> = value["moves"].as_array()?.iter().filter_map(word).collect();
    Some(Seen { outlet, moves: moves.join(" "), result: String::from(result) })
}

fn of_lichess(fake: &Fake, round: &str) -> Option<Seen> {
    let there = fake.there(|model, now| model.shown(now, round)).pop()?;
    let result = there.tags.get("Result").map_or("*", String::as_str);
    Some(Seen { outlet: "Lichess", moves: there.moves.join(" "), result: String::from(result) })
}

/// A board as the page gets it.
fn of_page(board: &Value) -> Option<Seen> {
    let moves: Vec<&str> = board["moves"].as_array()?.iter().filter_map(|m| m["san"].as_str()).collect();
    Some(Seen { outlet: "the page", moves: moves.join(" "), result: String::from(board["game"]["result"].as_str()?) })
}

/// What the API of LiveChess at this address says of the first game of a round.
fn of_livechess(address: &str, round: u32) -> Option<Seen> {
    let get = |path: &str| ureq::get(format!("http://{address}/api/v1.0/{path}")).call().ok()?.body_mut().read_to_string().ok();
    let tournaments: Value = serde_json::from_str(&get("tournaments")?).ok()?;
    let shown: Value = serde_json::from_str(&get(&format!("round/{}/{}", tournaments[0]["uuid"].as_str()?, round - 1))?).ok()?;
    of_json("LiveChess", &get(&format!("game/{}", shown["pairings"][0]["uuid"].as_str()?))?)
}

/// The times of the last two plies.
fn last_two(times: &[Option<u32>]) -> Option<[u32; 2]> {
    Some([*times.get(times.len().checked_sub(2)?)?, *times.last()?].map(Option::unwrap_or_default))
}

fn pgn_times(text: &str) -> Option<[u32; 2]> {
    last_two(&game(text).times.iter().map(|[clk, _]| *clk).collect::<Vec<_>>())
}

fn cloud_times(text: &str) -> Option<[u32; 2]> {
    let value: Value = serde_json::from_str(text).ok()?;
    let time = |played: &Value| played.as_str()?.split([' ', '+']).nth(1)?.parse().ok();
    last_two(&value["moves"].as_array()?.iter().map(time).collect::<Vec<_>>())
}

/// `WhiteClock` and `BlackClock`, seconds.
fn tag_times(tag: &dyn Fn(&str) -> Option<String>) -> Option<[u32; 2]> {
    let seconds = |name: &str| tag(name)?.split(':').try_fold(0, |sum, part| Some(sum * 60 + part.parse::<u32>().ok()?));
    Some([seconds("WhiteClock")?, seconds("BlackClock")?])
}

impl Everywhere {
    /// What every outlet has of the board's game in this round; `None`: one of them has nothing.
    fn seen(&self, round: u32) -> Option<Vec<Seen>> {
        let file = |path: &str| fs::read_to_string(self.home.join(path)).ok();
        let path = format!("round-{round}/game-1");
        let cloud = format!("get/{}/{path}.json", self.uuid);
        let mut all = vec![
            of_pgn("the tree over HTTP", &self.daemon.get(&format!("/pgn/{path}.pgn"))?),
            of_pgn("the tree's folder", &file(&format!("www/pgn/{path}.pgn"))?),
            of_pgn("the upload", &file(&format!("server/{path}.pgn"))?),
            of_pgn("the page's PGN", &self.daemon.get(&format!("/api/v1/boards/1/pgn?game={round}"))?),
            of_json("the cloud over HTTP", &self.daemon.get(&format!("/{cloud}"))?)?,
            of_json("the cloud's folder", &file(&format!("www/{cloud}"))?)?,
            of_livechess(&self.livechess, round)?,
            of_lichess(&self.rounds[round as usize - 1], &format!("{round}.1"))?,
        ];
        if round == 2 {
            all.push(of_page(&self.daemon.json("/api/v1/boards/1"))?);
        }
        Some(all)
    }

    fn have(&self, what: &str, round: u32, moves: &str, result: &str) {
        have(what, || self.seen(round), || self.daemon.json("/api/v1/operator/outlets"), (moves, result));
        self.table(&self.daemon.json("/api/v1/operator/outlets"));
    }

    /// Every outlet has its row, and no game in it differs.
    fn table(&self, table: &Value) {
        let www = self.home.join("www");
        let names: Vec<&str> = table.as_array().unwrap().iter().map(|row| row["outlet"].as_str().unwrap()).collect();
        let folders = [format!("tree {}/pgn", www.display()), format!("cloud {}", www.display())];
        let livechess = format!("livechess {}", self.livechess);
        let all = ["page", &livechess, "pgn", "cloud", &folders[0], &folders[1], "lichess xVEzYJHf", "lichess akARCJwy", "upload disk"];
        assert_eq!(names, all, "{table:#}");
        for row in table.as_array().unwrap() {
            let games = row["games"].as_array().unwrap();
            assert!(games.iter().all(|game| game["equal"] == true) && row["differs"] == json!([]), "{row:#}");
            assert!(row["sent_at"].is_string() && row["delay_ms"] == 0, "{row:#}");
        }
    }

    fn enter(&self, path: &str, body: &str) {
        let (status, answer) = self.daemon.post(&format!("/api/v1/arbiter/boards/1/{path}"), body);
        assert_eq!(status, 200, "{body}: {answer}");
    }
}

/// The board's port and the daemon's configuration below `home`.
fn config(home: &Path, rounds: &[Fake; 2]) -> String {
    let at = home.display();
    let lichess = |round: &str, number: u32, fake: &Fake| {
        format!("[[lichess]]\nround = \"{round}\"\nevent_round = {number}\ntoken_file = \"{at}/token\"\nbase_url = \"{}\"\n", fake.base())
    };
    format!(
        "[livechess]\nlisten = \"127.0.0.1:0\"\n[discovery]\nserial = false\n[event]\nname = \"Test Open\"\nrounds = 2\npairings = \"{at}/list.csv\"\n\
         [tree]\nfolder = \"{at}/www/pgn\"\n[cloud]\nfolder = \"{at}/www\"\n[[upload]]\nname = \"disk\"\nkind = \"fs\"\npath = \"{at}/server\"\n\
         {}{}[[board]]\nname = \"1\"\nlink = \"serial:{at}/board\"\n",
        lichess("xVEzYJHf", 1, &rounds[0]),
        lichess("akARCJwy", 2, &rounds[1]),
    )
}

#[test]
fn results_that_come_late_or_were_wrong_reach_every_outlet() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().to_owned();
    let (runtime, token) = (Runtime::new().unwrap(), CancellationToken::new());
    let rounds = [Fake::keeping(Lichess::new(0), false), Fake::keeping(Lichess::new(0), false)];
    fs::write(home.join("flagfall.toml"), config(&home, &rounds)).unwrap();
    fs::write(home.join("list.csv"), LIST).unwrap();
    fs::write(home.join("token"), "lip_secret\n").unwrap();
    fs::create_dir(home.join("server")).unwrap();
    let options = Options { speed: 100.0, ..Options::new(Kind::Clean, 1) };
    let games = games::read_games(GAMES.as_bytes()).unwrap();
    let play = Programme { games, repeat: false, options, link: Some(home.join("board")) };
    let _board = runtime.block_on(async { pty::spawn(play, token.clone()) }).unwrap();
    let daemon = Started::at(&home);
    let livechess = until("the API of LiveChess", || daemon.serves("livechess: ws://"));
    let event = daemon.json("/api/v1/operator/event");
    let all = Everywhere { daemon, home, rounds, uuid: String::from(event["uuid"].as_str().unwrap()), livechess };
    let first = "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#";
    all.have("the first game", 1, first, "1-0");
    all.have("the second game", 2, "d4 d5 c4 e6", "*");

    all.enter("result", r#"{"game":1,"result":"0-1"}"#);
    all.have("a late result of the first game", 1, first, "0-1");
    all.have("the second game is as it was", 2, "d4 d5 c4 e6", "*");
    all.enter("result", r#"{"result":"1/2-1/2"}"#);
    all.have("a result", 2, "d4 d5 c4 e6", "1/2-1/2");
    all.enter("result", r#"{"result":"*"}"#);
    all.have("a result that was wrong", 2, "d4 d5 c4 e6", "*");
    token.cancel();
}

/// All that publishes, fed by hand.
struct Publishing {
    hub: Arc<Hub>,
    livechess: LiveChess,
    chronicle: EventDesk,
    broadcast: Broadcast,
    _feeds: Feeds,
    home: PathBuf,
    fake: Fake,
    table: String,
    token: CancellationToken,
    runtime: Runtime,
    seq: u64,
}

impl Publishing {
    fn new(home: &Path) -> Self {
        let fakes = [Fake::keeping(Lichess::new(0), false), Fake::keeping(Lichess::new(0), false)];
        fs::write(home.join("token"), "lip_secret\n").unwrap();
        fs::create_dir(home.join("server")).unwrap();
        // One round, and no list.
        let text = config(home, &fakes);
        let second = text.find("[[lichess]]\nround = \"akARCJwy\"").unwrap();
        let text = text[..second].replace(&format!("pairings = \"{}/list.csv\"\n", home.display()), "");
        let config = Config::parse("test", &text).unwrap();
        let (runtime, token, hub) = (Runtime::new().unwrap(), CancellationToken::new(), Hub::new());
        let (broadcast, chronicle, _) = runtime.block_on(async { task::start(config.event.clone(), None, hub.clone(), Boards::default()) });
        let (livechess, _) =
            LiveChess::start(&config.livechess, Stopwatch::start(), token.clone(), broadcast.event.clone(), |_| None, |_| ()).unwrap();
        let feeds = runtime
            .block_on(async { running::start(&config, (&broadcast, &broadcast), &hub, &Push::open(None, Arc::new(|_| true)), &token) });
        let sides = sent::Sides {
            delay: config.delay,
            live: broadcast.event.clone(),
            world: broadcast.clone(),
            shown: hub.clone(),
            livechess: vec![(livechess.clone(), config.delay)],
            nats: Nats::default(),
        };
        let routes = sent::routes(sides, &feeds);
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let table = format!("http://{}/api/v1/operator/outlets", listener.local_addr().unwrap());
        runtime.spawn(async move { axum::serve(listener, routes).await });
        hub.register("1");
        livechess.register("1", "serial:/nowhere");
        let [fake, _] = fakes;
        Self { hub, livechess, chronicle, broadcast, _feeds: feeds, home: home.to_owned(), fake, table, token, runtime, seq: 0 }
    }

    fn say(&mut self, body: &Value) {
        self.seq += 1;
        let at = jiff::Timestamp::from_millisecond(1_780_000_000_000 + self.seq as i64 * 1_000).unwrap();
        let mut event = json!({"seq": self.seq, "t": self.seq * 1_000, "at": at, "board": "1", "game": 1});
        event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        let event = Arc::new(serde_json::from_value(event).unwrap());
        for public in self.hub.publish_aged(&flagfall::journal::Said::of(event), 0) {
            self.livechess.publish(&public);
            self.chronicle.take(&public);
        }
    }

    fn clock(&mut self, white: i64, black: i64, source: &str) {
        self.say(&json!({"type": "clock", "white_ms": white * 1_000, "black_ms": black * 1_000, "running": null, "flag": null, "source": source, "uncertainty_ms": 100}));
    }

    fn plays(&mut self, ply: u32, (uci, san): (&str, &str), clock: (i64, i64)) {
        let by = if ply % 2 == 1 { "white" } else { "black" };
        self.say(&json!({"type": "press", "by": by}));
        self.clock(clock.0, clock.1, "device");
        let clock = json!({"white_ms": clock.0 * 1_000, "black_ms": clock.1 * 1_000});
        self.say(&json!({"type": "move-completed", "ply": ply, "by": by, "uci": uci, "san": san, "legal": true, "how": "press", "clock": clock, "spent_ms": 2000}));
    }

    fn page(&self) -> Value {
        serde_json::from_slice(&self.hub.board_json("1").unwrap()).unwrap()
    }

    /// A document as it is served, and as it stands in its folder.
    fn document(&self, path: &str) -> Option<[String; 2]> {
        let served = String::from_utf8(self.broadcast.documents.get(path)?.bytes.to_vec()).unwrap();
        Some([served, fs::read_to_string(self.home.join("www").join(path)).ok()?])
    }

    fn cloud(&self) -> Option<[String; 2]> {
        self.document(&format!("get/{}/round-1/game-1.json", self.broadcast.event.now().uuid))
    }

    fn seen(&self) -> Option<Vec<Seen>> {
        let [pgn, file] = self.document("pgn/round-1/game-1.pgn")?;
        let [json, json_file] = self.cloud()?;
        Some(vec![
            of_page(&self.page())?,
            of_pgn("the tree over HTTP", &pgn),
            of_pgn("the tree's folder", &file),
            of_pgn("the upload", &fs::read_to_string(self.home.join("server/round-1/game-1.pgn")).ok()?),
            of_json("the cloud over HTTP", &json)?,
            of_json("the cloud's folder", &json_file)?,
            of_livechess(&self.livechess.addresses()[0].to_string(), 1)?,
            of_lichess(&self.fake, "1.1")?,
        ])
    }

    fn have(&self, what: &str, moves: &str) {
        let table = || serde_json::from_str(&ureq::get(&self.table).call().unwrap().body_mut().read_to_string().unwrap()).unwrap();
        have(what, || self.seen(), table, (moves, "*"));
    }

    /// `%clk` of the last two plies wherever there is one, and the players' times in tags.
    fn times(&self) -> Option<Vec<(&'static str, [u32; 2])>> {
        let there = self.fake.there(|model, now| model.shown(now, "1.1")).pop()?;
        let [tree, folder] = self.document("pgn/round-1/game-1.pgn")?;
        let upload = fs::read_to_string(self.home.join("server/round-1/game-1.pgn")).ok()?;
        let [json, json_file] = self.cloud()?;
        let push = self.fake.seen().into_iter().rev().find(|seen| seen.what == "push")?.body;
        let moves = self.page()["moves"].as_array()?.iter().map(|m| m["clock"].clone()).collect::<Vec<_>>();
        let of = |clock: &Value, side: &str| clock[side].as_u64().map(|ms| u32::try_from(ms / 1_000).unwrap());
        let page = [of(moves.get(moves.len().checked_sub(2)?)?, "white_ms")?, of(moves.last()?, "black_ms")?];
        Some(vec![
            ("the page", page),
            ("the tree over HTTP", pgn_times(&tree)?),
            ("the tree's folder", pgn_times(&folder)?),
            ("the upload", pgn_times(&upload)?),
            ("the cloud over HTTP", cloud_times(&json)?),
            ("the cloud's folder", cloud_times(&json_file)?),
            ("Lichess", last_two(&there.clocks)?),
            ("tags of the push", tag_times(&|name| crate::lichess::fake::tag(&push, name))?),
        ])
    }

    fn show(&self, what: &str, white: u32, black: u32) {
        let began = Stopwatch::start();
        let mut last = None;
        for _ in 0..1200 {
            last = self.times();
            if last.as_ref().is_some_and(|all| all.iter().all(|(_, times)| *times == [white, black])) {
                println!("{what}: everywhere after {:.1} s", Duration::from_millis(began.now().millis()).as_secs_f64());
                return;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("{what}: not {white} and {black}, but {last:#?}");
    }
}

impl Drop for Publishing {
    fn drop(&mut self) {
        self.chronicle.end();
        self.token.cancel();
        // What waits for a signal would wait for ever.
        let runtime = std::mem::replace(&mut self.runtime, tokio::runtime::Builder::new_current_thread().build().unwrap());
        runtime.shutdown_background();
    }
}

#[test]
fn corrected_plies_take_backs_and_clocks_reach_every_outlet() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let folder = tempfile::tempdir().unwrap();
    let mut all = Publishing::new(folder.path());
    all.say(&json!({"type": "link", "state": "up"}));
    all.say(
        &json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "rapid", "time_control": "900+10", "chess960": false}),
    );
    all.clock(900, 900, "device");
    let line = [(("d2d4", "d4"), (890, 900)), (("d7d5", "d5"), (890, 880)), (("c2c4", "c4"), (870, 880)), (("e7e6", "e6"), (870, 860))];
    for (ply, (played, clock)) in (1..).zip(line) {
        all.plays(ply, played, clock);
    }
    all.have("four plies", "d4 d5 c4 e6");
    all.say(&json!({"type": "move-revised", "ply": 3, "uci": "g1f3", "san": "Nf3", "was": "c2c4"}));
    all.have("a ply that was another one", "d4 d5 Nf3 e6");
    all.say(&json!({"type": "move-withdrawn", "ply": 4, "uci": "e7e6"}));
    all.say(&json!({"type": "move-withdrawn", "ply": 3, "uci": "g1f3"}));
    all.have("a take-back", "d4 d5");
    all.plays(3, ("c2c4", "c4"), (860, 860));
    all.plays(4, ("c7c6", "c6"), (860, 850));
    all.have("another line", "d4 d5 c4 c6");
    all.show("the clock as it was pressed", 860, 850);
    // Two minutes more for White and one for Black, before the next move.
    all.clock(980, 910, "device");
    all.show("a clock that was set", 980, 910);
    all.clock(920, 910, "arbiter");
    all.show("a time that was ruled", 920, 910);
    all.have("the moves are as they were", "d4 d5 c4 c6");
}
