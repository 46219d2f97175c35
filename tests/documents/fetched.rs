//! The daemon with the pairings of a team round at an address: 64 boards named in every outlet, without typing; what changes there, and what fails.
use crate::lichess::fake::{Fake, split, tag};
use crate::started::{Started, said, until};
use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse as _;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Runtime;

const BOARDS: usize = 64;
/// Boards a match.
const A_MATCH: usize = 4;

/// A web server with one list; its tag changes with it.
struct Shelf {
    list: Arc<Mutex<Option<String>>>,
    address: SocketAddr,
    _runtime: Runtime,
}

impl Shelf {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let list = Arc::new(Mutex::new(None::<String>));
        let served = list.clone();
        let app = Router::new().fallback(move |headers: HeaderMap| {
            let list = served.lock().unwrap().clone();
            async move {
                let Some(text) = list else { return StatusCode::NOT_FOUND.into_response() };
                let tag = format!("\"{}\"", blake3::hash(text.as_bytes()).to_hex());
                if headers.get("if-none-match").is_some_and(|sent| sent.as_bytes() == tag.as_bytes()) {
                    return StatusCode::NOT_MODIFIED.into_response();
                }
                ([("etag", tag)], text).into_response()
            }
        });
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self { list, address, _runtime: runtime }
    }

    fn put(&self, list: Option<String>) {
        *self.list.lock().unwrap() = list;
    }
}

/// The player who sits there: `White of 3.2` is `W03-2, Jo`.
fn name(side: char, board: usize) -> String {
    format!("{side}{:02}{}, Jo", board / A_MATCH + 1, ["an", "bel", "cor", "dov"][board % A_MATCH])
}

fn team_round() -> String {
    let mut list = String::from("board;white;black;whiteteam;blackteam;whiteelo\n");
    for i in 0..BOARDS {
        let (of, board) = (i / A_MATCH + 1, i % A_MATCH + 1);
        let (home, away) = (format!("Home {of}"), format!("Away {of}"));
        // Colours change from board to board.
        let (one, two) = if board % 2 == 1 { (home, away) } else { (away, home) };
        writeln!(list, "{of}.{board};{};{};{one};{two};{}", name('W', i), name('B', i), 2000 + i).unwrap();
    }
    list
}

fn pairings(daemon: &Started, args: &[&str]) -> String {
    said(daemon.asked(&[&["pairings"], args].concat()))
}

/// The text of an alarm about the lists.
fn alarm(daemon: &Started, key: &str) -> Option<String> {
    let hall = daemon.json("/api/v1/arbiter/hall");
    let alarms = hall["alarms"].as_array().unwrap();
    alarms.iter().find(|alarm| alarm["key"] == key).map(|alarm| alarm["text"].as_str().unwrap().to_owned())
}

/// White on every board as the page has it.
fn page(daemon: &Started) -> Vec<String> {
    let mut boards = daemon.json("/api/v1/boards").as_array().unwrap().clone();
    boards.sort_by_key(|board| board["board"].as_str().unwrap().parse::<u32>().unwrap());
    boards.iter().map(|board| board["game"]["white"].as_str().unwrap_or_default().to_owned()).collect()
}
#[test]
fn a_team_round_of_64_boards_is_named_everywhere_without_typing() {
    let home = tempfile::tempdir().unwrap();
    let (shelf, fake) = (Shelf::new(), Fake::new([]));
    shelf.put(Some(team_round()));
    let list = format!("http://{}/round.csv", shelf.address);
    let mut config = format!(
        "data_dir = \"{0}/data\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n[event]\nname = \"Team Cup\"\npairings = \"{list}\"\n\
         [lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"{0}/token\"\nbase_url = \"{1}\"\n",
        home.path().display(),
        fake.base()
    );
    fs::write(home.path().join("token"), "lip_secret\n").unwrap();
    for board in 1..=BOARDS {
        writeln!(config, "[[board]]\nname = \"{board}\"\nlink = \"serial:{}/none{board}\"", home.path().display()).unwrap();
    }
    let file = home.path().join("flagfall.toml");
    fs::write(&file, config).unwrap();
    let whites: Vec<String> = (0..BOARDS).map(|i| name('W', i)).collect();

    let start = flagfall_time::Stopwatch::start();
    let daemon = Started::at(home.path());
    let took = |what: &str| println!("{what}: {:.1} s after flagfall run", Duration::from_micros(start.micros()).as_secs_f64());
    took("it listens");
    until("names on the page", || (page(&daemon) == whites).then_some(()));
    took("names of 64 boards on the page");
    let games = |text: &str| {
        split(text)
            .iter()
            .map(|game| ["White", "WhiteTeam", "BlackTeam", "WhiteElo"].map(|n| tag(game, n).unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    let wanted: Vec<[String; 4]> = (0..BOARDS)
        .map(|i| {
            let teams = [format!("Home {}", i / A_MATCH + 1), format!("Away {}", i / A_MATCH + 1)];
            let [one, two] = if i % 2 == 0 {
                teams
            } else {
                let [home, away] = teams;
                [away, home]
            };
            [name('W', i), one, two, (2000 + i).to_string()]
        })
        .collect();
    until("names in the tree", || (games(&daemon.get("/pgn/round-1/games.pgn").unwrap()) == wanted).then_some(()));
    took("names and teams in the PGN tree");
    let event = daemon.json("/api/v1/operator/event");
    let index = daemon.json(&format!("/get/{}/round-1/index.json", event["uuid"].as_str().unwrap()));
    let last: Vec<_> =
        index["pairings"].as_array().unwrap().iter().map(|p| p["white"]["lname"].as_str().unwrap().to_owned() + ", Jo").collect();
    assert_eq!(last, whites);
    took("names in the cloud's JSON");
    fake.wait("names on Lichess", |seen| seen.last().is_some_and(|push| games(&push.body) == wanted));
    took("names and teams on Lichess");

    // What an operator asks.
    let shown = pairings(&daemon, &["show"]);
    assert!(shown.lines().count() == BOARDS + 1 && shown.contains("3.2  e-board 10  W03bel, Jo (Away 3)"), "{shown}");
    let checked =
        said(Command::new(env!("CARGO_BIN_EXE_flagfall")).args(["pairings", "check", &list, "--config"]).arg(&file).output().unwrap());
    assert!(checked.contains("64 pairings, 32 teams") && checked.contains("16.4: e-board 64"), "{checked}");
    // Two boards change places on the list: it is told before, and followed, for nobody plays there yet.
    let swapped = team_round().replace("3.2;", "x;").replace("3.4;", "3.2;").replace("x;", "3.4;");
    fs::write(home.path().join("swapped.csv"), &swapped).unwrap();
    let diff = pairings(&daemon, &["diff", home.path().join("swapped.csv").to_str().unwrap()]);
    assert!(diff.contains("boards 3.2 and 3.4 change places"), "{diff}");
    assert_eq!(page(&daemon), whites, "nothing was taken");
    shelf.put(Some(swapped));
    daemon.post("/api/v1/operator/event/reload", "");
    until("the two at their new boards", || (page(&daemon)[9] == whites[11] && page(&daemon)[11] == whites[9]).then_some(()));
    // A line that cannot be read, then no list at all: what was read still holds, and the alarm has the words for each.
    let reload_until = |what: &str, words: Option<&str>| {
        until(what, || {
            daemon.post("/api/v1/operator/event/reload", "");
            let text = alarm(&daemon, "pairings-failing");
            (text.is_some() == words.is_some() && words.is_none_or(|words| text.is_some_and(|text| text.contains(words)))).then_some(())
        });
        assert_eq!(page(&daemon)[9], whites[11]);
    };
    shelf.put(Some(String::from("board,white,black\n1,Adams,Clark\n1,Baker,Davis\n")));
    reload_until("mistake", Some("line 3: board 1 is already in line 2"));
    shelf.put(None);
    reload_until("404", Some("nothing at this address (status 404)"));
    shelf.put(Some(team_round().replace("3.2;", "x;").replace("3.4;", "3.2;").replace("x;", "3.4;")));
    reload_until("recovery", None);
    // A program posts a list.
    let posted = json!({"round": 1, "pairings": [{"match": 1, "board": 1, "white": {"name": "Ivers, Al", "team": "Home 1"}, "black": name('B', 0)}]});
    let (status, answer) = daemon.post("/api/v1/operator/event/pairings?dry_run=true", &posted.to_string());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let changes = answer["changes"].as_array().unwrap();
    assert_eq!((status, answer["taken"].as_bool()), (200, Some(false)));
    assert!(
        changes.iter().any(|change| change.as_str().unwrap().contains("board 1.1: Ivers, Al plays White instead of W01an, Jo")),
        "{answer}"
    );
    assert_eq!(page(&daemon)[0], whites[0]);
    let (status, answer) = daemon.post("/api/v1/operator/event/pairings", "{\"pairings\": [\n{\"white\": \"Adams\"}]}");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert!(status == 422 && answer["error"].as_str().unwrap().contains("line 2: has no board"), "{answer}");
    let next = pairings(&daemon, &["next"]);
    assert!(next.starts_with("round 2\nno pairings yet\n"), "{next}");
}
