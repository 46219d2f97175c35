//! Two real daemons over the same journals with the same delay: in one of them everything happens, in the other nothing. Nobody without an account can
//! tell them apart.
use crate::started::{Started, agent, until};
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::SystemTime;
use tokio_util::sync::CancellationToken;

/// A daemon, and where its API of LiveChess is.
struct Daemon {
    daemon: Started,
    livechess: String,
}

impl Daemon {
    fn start(home: &Path, config: &str) -> Self {
        fs::write(home.join("flagfall.toml"), config).unwrap();
        let daemon = Started::at(home);
        let livechess = until("LiveChess", || daemon.serves("livechess: ws://"));
        Self { daemon, livechess }
    }

    /// Status, headers and body as anybody gets them, without what two daemons cannot have in common.
    fn anybody(&self, address: &str, path: &str) -> String {
        let mut answer = agent().get(format!("http://{address}{path}")).call().unwrap();
        let mut text = format!("{}\n", answer.status());
        for (name, value) in answer.headers() {
            text += &format!("{name}: {}\n", if name == "date" { "…" } else { value.to_str().unwrap() });
        }
        if answer.headers().get("content-type").is_some_and(|kind| kind == "text/event-stream") {
            // What a stream begins with, up to the last snapshot, which has the id.
            let (mut body, mut bytes) = (answer.body_mut().as_reader(), [0; 1]);
            let mut stream = Vec::new();
            while !(stream.ends_with(b"\n\n") && stream.windows(5).any(|five| five == b"\nid: ")) && body.read(&mut bytes).unwrap() > 0 {
                stream.push(bytes[0]);
            }
            text += &String::from_utf8(stream).unwrap();
        } else {
            text += &answer.body_mut().read_to_string().unwrap();
        }
        let port = |address: &str| format!(":{}", address.rsplit_once(':').unwrap().1);
        let text = text.replace(&port(&self.daemon.address), ":WEB").replace(&port(&self.livechess), ":LIVECHESS");
        text.lines().map(|line| masked(line) + "\n").collect()
    }

    fn enter(&self, board: &str, entry: &str) -> u16 {
        self.daemon.post(&format!("/api/v1/arbiter/boards/{board}/entries"), entry).0
    }
}

/// Without the word that every process draws for its streams, how old a reading is, and how many come and go meanwhile.
fn masked(line: &str) -> String {
    let line = match line.strip_prefix("id: ").and_then(|id| id.split_once('-')) {
        Some((_, number)) => format!("id: …-{number}"),
        None => String::from(line),
    };
    let mut parts = line.split(",\"age_ms\":");
    let first = parts.next().unwrap_or_default().to_owned();
    let line = parts.fold(first, |all, part| all + part.trim_start_matches(|c: char| c.is_ascii_digit()));
    if line.starts_with("flagfall_stream_") && !line.starts_with('#') { String::new() } else { line }
}

/// Everything that anybody can read, by name.
fn public(daemon: &Daemon, home: &Path) -> BTreeMap<String, String> {
    let uuid = fs::read_dir(home.join("www/get")).unwrap().next().unwrap().unwrap().file_name().into_string().unwrap();
    let mut paths: Vec<String> = [
        "/",
        "/healthz",
        "/metrics",
        "/api/v1/boards",
        "/api/v1/events",
        "/pgn/tournament.json",
        "/pgn/round-1/games.pgn",
        "/pgn/round-1/index.json",
    ]
    .map(String::from)
    .into();
    paths.extend(["", "/pgn", "/pgn?game=1", "/pgn?game=2", "/events"].map(|end| format!("/api/v1/boards/1{end}")));
    paths.extend(["/api/v1/boards/2", "/api/v1/boards/3"].map(String::from));
    paths.extend(["tournament.json", "round-1/index.json", "round-1/game-1.json"].map(|end| format!("/get/{uuid}/{end}")));
    let mut all: BTreeMap<String, String> =
        paths.into_iter().map(|path| (path.clone(), daemon.anybody(&daemon.daemon.address, &path))).collect();
    for path in ["eboards", "tournaments"] {
        all.insert(format!("LiveChess {path}"), daemon.anybody(&daemon.livechess, &format!("/api/v1.0/{path}")));
    }
    if let Some(metrics) = all.get_mut("/metrics") {
        let mut lines: Vec<&str> = metrics.lines().collect();
        lines.sort_unstable();
        *metrics = lines.join("\n");
    }
    let mut files = BTreeMap::new();
    below(&home.join("www"), &mut files);
    all.extend(files.into_iter().map(|(path, (text, _))| (path.replace(&home.display().to_string(), ""), text)));
    all
}

fn below(folder: &Path, into: &mut BTreeMap<String, (String, SystemTime)>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            below(&path, into);
        } else if let (Ok(text), Ok(about)) = (fs::read_to_string(&path), fs::metadata(&path)) {
            into.insert(path.display().to_string(), (text, about.modified().unwrap()));
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else if kind.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn of_two_daemons_nobody_can_say_in_which_one_the_games_went_on() {
    let folder = tempfile::tempdir().unwrap();
    let homes = ["before", "one", "other"].map(|name| folder.path().join(name));
    homes.iter().for_each(|home| fs::create_dir_all(home).unwrap());
    let [before, one, other] = &homes;
    let config = |home: &Path, delay: &str| {
        format!(
            "delay = \"{delay}\"\n[livechess]\nlisten = \"127.0.0.1:0\"\n[discovery]\nserial = false\n[event]\nname = \"Test Open\"\npairings = {:?}\n[tree]\nfolder = {:?}\n\
             [cloud]\nfolder = {:?}\n[[board]]\nname = \"1\"\nlink = \"serial:{3}/board1\"\n[[board]]\nname = \"2\"\nlink = \"serial:{3}/board2\"\n",
            home.join("pairings.csv"),
            home.join("www/pgn"),
            home.join("www"),
            home.display(),
        )
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let play = |home: &Path, board: u32, which: usize, seed: u64| {
        let token = CancellationToken::new();
        let mut game = games::bundled().swap_remove(which);
        game.moves.truncate(24);
        let options = Options { speed: 60.0, ..Options::new(Kind::Clean, seed) };
        let play = Programme { games: vec![game], repeat: false, options, link: Some(home.join(format!("board{board}"))) };
        let board = runtime.block_on(async { pty::spawn(play, token.clone()) }).unwrap();
        (token, board)
    };

    // A game is played, and the world sees its beginning.
    let board = play(before, 1, 0, 3);
    fs::write(before.join("pairings.csv"), "board,white,black\n1,\"Adams, Mary\",Clark\n2,Baker,Davis\n").unwrap();
    let daemon = Daemon::start(before, &config(before, "2s"));
    until("public moves", || {
        let board: Value = serde_json::from_str(daemon.anybody(&daemon.daemon.address, "/api/v1/boards/1").lines().last()?).ok()?;
        (board["plies_completed"].as_u64()? >= 6 && board["game"]["white"] == "Adams, Mary").then_some(())
    });
    until("documents", || fs::read_to_string(before.join("www/pgn/round-1/game-1.pgn")).ok().filter(|text| text.contains("1. ")));
    daemon.daemon.end();
    board.0.cancel();

    // From the same journals, an hour behind: in one nothing happens, in the other everything.
    for home in [one, other] {
        copy(&before.join("data"), &home.join("data"));
        fs::copy(before.join("pairings.csv"), home.join("pairings.csv")).unwrap();
    }
    let [quiet, busy] = [one, other].map(|home| Daemon::start(home, &config(home, "1h")));
    let documents = |home: &Path| {
        until("documents", || fs::read_to_string(home.join("www/pgn/tournament.json")).ok());
        until("the round", || fs::read_to_string(home.join("www/pgn/round-1/games.pgn")).ok());
        until("the cloud", || fs::read_dir(home.join("www/get")).ok()?.next()?.ok());
    };
    documents(one);
    documents(other);
    // What the journals bring back is there a moment after the pages.
    let tree = |home: &Path| {
        let mut files = BTreeMap::new();
        below(&home.join("www"), &mut files);
        let texts: BTreeMap<String, String> =
            files.into_iter().map(|(path, (text, _))| (path.replace(&home.display().to_string(), ""), text)).collect();
        texts
    };
    let known = |(path, text): (&String, &String)| path.contains("/get/") && path.ends_with("/game-1.json") && text.contains("0000024680");
    until("the same documents", || (tree(one) == tree(other) && tree(one).iter().any(known)).then_some(()));
    let mut times = BTreeMap::new();
    below(&other.join("www"), &mut times);
    let began = public(&busy, other);
    assert!(began["/api/v1/boards/1"].contains("\"delay_ms\":3600000"), "{began:?}");
    assert!(began["/api/v1/boards/1/pgn"].contains("1. ") && began["/api/v1/boards/1"].contains("Adams, Mary"), "{began:?}");

    let boards = [play(other, 1, 1, 5), play(other, 2, 2, 6)];
    fs::write(other.join("pairings.csv"), "board,white,black\n1,\"Evans, Joan\",Frank\n2,Ghosh,Hill\n").unwrap();
    until("the second board's moves", || {
        busy.daemon.json("/api/v1/arbiter/boards/2")["plies_completed"].as_u64().filter(|plies| *plies >= 3)
    });
    until("the new names", || busy.daemon.json("/api/v1/operator/event").to_string().contains("Evans").then_some(()));
    assert_eq!(busy.enter("1", "{\"do\":\"result\",\"result\":\"0-1\"}"), 200);
    until("a result", || (busy.daemon.json("/api/v1/arbiter/boards/1")["game"]["result"] == "0-1").then_some(()));
    assert_eq!(busy.enter("2", "{\"do\":\"report\",\"key\":\"two-hands\",\"by\":\"white\"}"), 200);

    let (one_sees, other_sees) = (public(&quiet, one), public(&busy, other));
    for (name, text) in &one_sees {
        assert_eq!(Some(text), other_sees.get(name), "{name}");
    }
    assert_eq!(one_sees.len(), other_sees.len());
    let mut after = BTreeMap::new();
    below(&other.join("www"), &mut after);
    assert_eq!(times, after, "no file was written");
    println!("{} public outlets of two daemons, byte by byte", one_sees.len());
    boards.iter().for_each(|(token, _)| token.cancel());

    // A restart tells nothing either.
    busy.daemon.end();
    let busy = Daemon::start(other, &config(other, "1h"));
    documents(other);
    for path in ["/api/v1/boards", "/api/v1/boards/1", "/api/v1/boards/1/pgn", "/pgn/round-1/games.pgn"] {
        assert_eq!(Some(&busy.anybody(&busy.daemon.address, path)), one_sees.get(path), "{path}");
    }
    quiet.daemon.end();
}

#[test]
fn where_nothing_is_public_who_has_an_account_sees_everything_and_nobody_else_a_board() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let config = format!(
        "lan_public = false\n[livechess]\nlisten = \"127.0.0.1:0\"\n[discovery]\nserial = false\n[[board]]\nname = \"1\"\nlink = \"serial:{}/board1\"\n",
        home.display()
    );
    let daemon = Daemon::start(home, &config);
    let anybody = |path: &str| daemon.anybody(&daemon.daemon.address, path);
    let page = anybody("/");
    assert!(page.starts_with("403 ") && page.contains("Ask the organiser") && page.contains("у организатора"), "{page}");
    for path in [
        "/api/v1/boards",
        "/api/v1/boards/1",
        "/api/v1/boards/1/pgn",
        "/api/v1/events",
        "/metrics",
        "/pgn/tournament.json",
        "/get/x/y.json",
    ] {
        let text = anybody(path);
        assert!(
            text.starts_with("403 ") && text.contains("\"error\":\"nothing is public here\"") && text.contains("\"hint\":"),
            "{path}: {text}"
        );
    }
    assert!(
        anybody("/healthz").starts_with("200 ") && anybody("/page/page.css").starts_with("200 ") && anybody("/arbiter").starts_with("200 ")
    );
    // Programs of this machine go on.
    assert!(daemon.anybody(&daemon.livechess, "/api/v1.0/eboards").starts_with("200 "));
    assert_eq!(daemon.daemon.json("/api/v1/boards")[0]["board"], "1");
    assert!(daemon.daemon.json("/pgn/tournament.json").is_object());
    daemon.daemon.end();
}
