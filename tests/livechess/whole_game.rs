//! A whole game through the real daemon: a simulated board on a pty, a client with `setup`, and one that comes back in mid-game.
use super::client::Client;
use super::table::START;
use flagfall_simulator::games::read_games;
use flagfall_simulator::pace::Kind as Hands;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use tokio_util::sync::CancellationToken;

/// An underpromotion that captures, both castlings, and at ply 11 a player who puts his knight elsewhere first.
const GAME: &str = "[White \"W\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[TimeControl \"300+3\"]\n\n\
                    1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 e6 5. bxa8=N Be7 6. Nf3 O-O 7. Be2 Qb6 8. O-O 1-0\n";
const MOVES: &str = "e4 d5 exd5 c6 dxc6 Nf6 cxb7 e6 bxa8=N Be7 Nf3 O-O Be2 Qb6 O-O";
const AFTER_FOUR: &str = "rnbqkbnr/pp2pppp/2p5/3P4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";

struct Daemon {
    child: Child,
    web: SocketAddr,
    livechess: SocketAddr,
}

impl Daemon {
    fn start(folder: &std::path::Path, port: &std::path::Path) -> Self {
        let config = folder.join("flagfall.toml");
        let text = format!(
            "play = \"blitz\"\ntime_control = \"300+3\"\ndata_dir = \"{}\"\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nlisten = \"127.0.0.1:0\"\n\
             [discovery]\nserial = false\n[[board]]\nname = \"1\"\nlink = \"serial:{}\"\n",
            folder.display(),
            port.display()
        );
        std::fs::write(&config, text).unwrap();
        let mut child =
            Command::new(env!("CARGO_BIN_EXE_flagfall")).args(["run", "--config"]).arg(&config).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut address = |before: &str, after: &str| loop {
            let mut line = String::new();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before it listened");
            if let Some(address) = line.trim().strip_prefix(before).and_then(|rest| rest.strip_suffix(after)) {
                break address.parse().unwrap();
            }
        };
        let (web, livechess) = (address("web: http://", "/"), address("livechess: ws://", "/api/v1.0"));
        // Whoever writes warnings must not be stopped by a full pipe.
        std::thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
        Self { child, web, livechess }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until the board answers, and follows it from `fen` on.
fn follow(address: SocketAddr, fen: &str) -> (Client, Vec<String>) {
    let mut client = Client::new(address);
    let mut asked = 0;
    let serial = loop {
        let boards = client.call(r#"{"id":1,"call":"eboards"}"#);
        let board = &boards["param"][0];
        if board["state"] == "ACTIVE" && board["board"].is_string() {
            break board["serialnr"].as_str().unwrap().to_owned();
        }
        asked += 1;
        assert!(asked < 1200, "{boards}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    client.subscribe(&serial);
    let told = client.setup(fen);
    let sans = told["san"].as_array().map(|list| list.iter().map(|san| san.as_str().unwrap().to_owned()).collect());
    (client, sans.unwrap_or_default())
}

/// Reads lists until there are `count` moves: each list is the one before and one move more.
fn read_to(client: &mut Client, known: &mut Vec<String>, count: usize) {
    while known.len() < count {
        let list: Vec<String> = client.list().split(' ').map(String::from).collect();
        assert_eq!(list[..list.len() - 1], known[..], "a list grows by one move and never changes");
        *known = list;
    }
}

#[test]
fn a_whole_game_comes_move_by_move_each_once_final_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let mut options = Options::new(Hands::Clean, 5);
    options.speed = 20.0;
    options.control = Some("300+3".parse().unwrap());
    options.incidents = vec!["changed-mind@11".parse().unwrap()];
    options.show_result = true;
    let play = Programme { games: read_games(GAME.as_bytes()).unwrap(), repeat: false, options, link: Some(port.clone()) };
    let token = CancellationToken::new();
    let board = runtime.block_on(async { pty::spawn(play, token.clone()) }).unwrap();
    let daemon = Daemon::start(folder.path(), &port);

    let (mut client, mut known) = follow(daemon.livechess, START);
    read_to(&mut client, &mut known, 6);
    let (mut late, mut since) = follow(daemon.livechess, AFTER_FOUR);
    assert!(since.len() >= 2, "what was completed while it was away comes at once: {since:?}");
    read_to(&mut client, &mut known, 15);
    read_to(&mut late, &mut since, 11);
    assert_eq!(known.join(" "), MOVES);
    assert_eq!(since.join(" "), MOVES.split(' ').skip(4).collect::<Vec<_>>().join(" "));

    // The kings show the result: no move, a word in REST.
    let uuid = super::client::get(daemon.livechess, "tournaments")[0]["uuid"].as_str().unwrap().to_owned();
    let mut asked = 0;
    let pairing = loop {
        let pairing = super::client::get(daemon.livechess, &format!("round/{uuid}/0"))["pairings"][0].clone();
        if !pairing["result"].is_null() {
            break pairing;
        }
        asked += 1;
        assert!(asked < 1200, "{pairing}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    assert_eq!((&pairing["result"], &pairing["live"]), (&"WHITEWIN".into(), &false.into()));
    let game = super::client::get(daemon.livechess, &format!("game/{}", pairing["uuid"].as_str().unwrap()));
    let moves: Vec<&str> = game["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    assert_eq!(moves.iter().map(|m| m.split(' ').next().unwrap()).collect::<Vec<_>>().join(" "), MOVES);
    for m in moves {
        let (_, times) = m.split_once(' ').unwrap_or_else(|| panic!("{m}: no time"));
        let (clk, emt) = times.split_once('+').unwrap_or_else(|| panic!("{m}: clk+emt"));
        assert!(clk.parse::<u32>().is_ok_and(|clk| clk <= 345) && emt.parse::<u32>().is_ok_and(|emt| emt < 60), "{m}");
    }
    for frame in client.rest() {
        assert!(frame["param"].get("san").is_none(), "{frame}");
    }

    // The board is gone: the operator is told, nobody else.
    token.cancel();
    runtime.block_on(board.join());
    let cookie = crate::signed_in::cookie(&daemon.web.to_string());
    let mut asked = 0;
    let alarms = loop {
        let (status, _, body) = super::client::request(daemon.web, "GET", "/api/v1/operator/alarms", &format!("Cookie: {cookie}\r\n"));
        assert_eq!(status, 200, "{body}");
        if body.contains("board-lost") {
            break serde_json::from_str::<serde_json::Value>(&body).unwrap();
        }
        asked += 1;
        assert!(asked < 1200, "{body}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let lost = alarms.as_array().unwrap().iter().find(|alarm| alarm["key"] == "board-lost").unwrap();
    assert_eq!((&lost["board"], &lost["text"]["en"]), (&"1".into(), &"The board does not answer".into()));
    assert!(lost["todo"]["ru"].is_string() && lost["since"].is_string(), "{lost}");
    let boards = super::client::get(daemon.livechess, "eboards");
    assert_eq!((&boards[0]["state"], &boards[0]["source"]), (&"INACTIVE".into(), &serde_json::Value::Null));
    drop(daemon);
}
