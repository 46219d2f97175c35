//! A hall under load: 64 boards at blitz pace on ptys, journals on disk, and what 200 WebSocket clients, event streams and a client that takes nothing change
//! for the boards.
//!
//! ```sh
//! cargo bench --bench load
//! ```
//! `FLAGFALL_LOAD_SECONDS` is how long each of the four phases lasts (40): without clients, with them, and both again.
#![allow(clippy::unwrap_used, reason = "a bench may")]
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;
use tokio_util::sync::CancellationToken;

const BOARDS: usize = 64;
const CLIENTS: usize = 200;
const STREAMS: usize = 20;
/// Boards each client follows, with a setup.
const FOLLOWED: usize = 4;

fn main() {
    let seconds = std::env::var("FLAGFALL_LOAD_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(40);
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let token = CancellationToken::new();
    let mut config = format!(
        "play = \"blitz\"\ntime_control = \"180+2\"\ndata_dir = \"{}\"\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nlisten = \"127.0.0.1:0\"\n[discovery]\nserial = false\n",
        folder.path().display()
    );
    let boards: Vec<_> = (1..=BOARDS)
        .map(|n| {
            let link = folder.path().join(format!("board-{n}"));
            write!(config, "[[board]]\nname = \"{n}\"\nlink = \"serial:{}\"\n", link.display()).unwrap();
            let mut games = games::bundled();
            games.rotate_left(n % 8);
            let mut options = Options::new(Kind::Blitz, n as u64);
            options.show_result = true;
            runtime.block_on(async { pty::spawn(Programme { games, repeat: true, options, link: Some(link) }, token.clone()) }).unwrap()
        })
        .collect();
    let file = folder.path().join("flagfall.toml");
    std::fs::write(&file, config).unwrap();
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_flagfall")).args(["run", "--config"]).arg(&file).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut address = |before: &str, after: &str| -> SocketAddr {
        stderr
            .find_map(|line| line.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).map(|text| text.parse().unwrap()))
            .unwrap()
    };
    let (web, livechess) = (address("web: http://", "/"), address("livechess: ws://", "/api/v1.0"));
    thread::spawn(move || stderr.count());

    let seen = Seen::watch(web);
    println!("{BOARDS} boards at blitz pace, journals on disk; latency from the read on the tty to a reader of /api/v1/events");
    thread::sleep(Duration::from_secs(20));
    for _ in 0..2 {
        seen.phase("without clients", seconds, &child);
        let clients = runtime.block_on(Clients::open(livechess, web));
        thread::sleep(Duration::from_secs(3));
        seen.phase(&format!("with {CLIENTS} WebSocket clients, {STREAMS} event streams, one stalled client"), seconds, &child);
        clients.close(seconds, &seen);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    token.cancel();
    boards.into_iter().for_each(|board| runtime.block_on(board.join()));
}

/// What one reader of all events sees: how old each is when it comes, in milliseconds.
struct Seen {
    taken: Arc<Mutex<HashMap<&'static str, Vec<i64>>>>,
    /// When each completed move was read on the tty, by board and ply; the newest game of a board wins.
    completed: Arc<Mutex<HashMap<(String, u64), i64>>>,
}

impl Seen {
    fn watch(web: SocketAddr) -> Self {
        let seen = Self { taken: Arc::default(), completed: Arc::default() };
        let (taken, completed) = (seen.taken.clone(), seen.completed.clone());
        thread::spawn(move || {
            for line in stream(web).lines().map_while(Result::ok) {
                let Some(data) = line.strip_prefix("data: ") else { continue };
                let arrived = now_ms();
                let event: Value = serde_json::from_str(data).unwrap();
                let kind = match event["type"].as_str() {
                    Some("press") => "press",
                    Some("placement") => "placement",
                    Some("move-completed") => "move-completed",
                    _ => continue,
                };
                let at: jiff::Timestamp = event["at"].as_str().unwrap().parse().unwrap();
                taken.lock().unwrap().entry(kind).or_default().push(arrived - at.as_millisecond());
                if kind == "move-completed" {
                    let key = (event["board"].as_str().unwrap().to_owned(), event["ply"].as_u64().unwrap());
                    completed.lock().unwrap().insert(key, at.as_millisecond());
                }
            }
        });
        seen
    }

    fn phase(&self, what: &str, seconds: u64, child: &Child) {
        self.taken.lock().unwrap().clear();
        let (before, from) = (processor_time(child), now_ms());
        thread::sleep(Duration::from_secs(seconds));
        let busy = (processor_time(child) - before) * 100_000.0 / (now_ms() - from) as f64;
        println!("{what}: {busy:.0} % of one core, {:.1} MB resident", resident(child));
        for (kind, taken) in &mut *self.taken.lock().unwrap() {
            println!("  {kind}: {}", share(taken));
        }
    }
}

/// All clients of one phase.
struct Clients {
    stop: CancellationToken,
    frames: Arc<AtomicU64>,
    lists: Arc<AtomicU64>,
    broken: Arc<AtomicU64>,
    bytes: Arc<AtomicU64>,
    reading: Arc<AtomicBool>,
    late: Arc<Mutex<Vec<(String, u64, i64)>>>,
    _stalled: TcpStream,
}

impl Clients {
    async fn open(livechess: SocketAddr, web: SocketAddr) -> Self {
        let clients = Self {
            stop: CancellationToken::new(),
            frames: Arc::default(),
            lists: Arc::default(),
            broken: Arc::default(),
            bytes: Arc::default(),
            reading: Arc::new(AtomicBool::new(true)),
            late: Arc::default(),
            _stalled: stalled(livechess),
        };
        for client in 0..CLIENTS {
            let followed = (0..FOLLOWED).map(|i| (client + i * BOARDS / FOLLOWED) % BOARDS + 1).collect();
            tokio::spawn(clients.client(livechess, followed));
        }
        for _ in 0..STREAMS {
            let (bytes, reading) = (clients.bytes.clone(), clients.reading.clone());
            thread::spawn(move || {
                for line in stream(web).lines().map_while(Result::ok) {
                    bytes.fetch_add(line.len() as u64, Ordering::Relaxed);
                    if !reading.load(Ordering::Relaxed) {
                        return;
                    }
                }
            });
        }
        clients
    }

    /// Follows boards; every list must be the one before and one move more, until a new game is set up.
    fn client(&self, address: SocketAddr, followed: Vec<usize>) -> impl Future<Output = ()> + Send + 'static {
        let (stop, frames, lists, broken, late) =
            (self.stop.clone(), self.frames.clone(), self.lists.clone(), self.broken.clone(), self.late.clone());
        async move {
            let (mut socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/api/v1.0")).await.unwrap();
            for board in &followed {
                let subscribe = format!(
                    r#"{{"id":{board},"call":"subscribe","param":{{"feed":"eboardevent","id":{board},"param":{{"serialnr":"{board}"}}}}}}"#
                );
                socket.send(Message::text(subscribe)).await.unwrap();
                socket.send(setup(*board)).await.unwrap();
            }
            let mut known: HashMap<u64, Vec<Value>> = HashMap::new();
            loop {
                let message = tokio::select! {
                    () = stop.cancelled() => return,
                    message = socket.next() => message,
                };
                let Some(Ok(Message::Text(text))) = message else { continue };
                frames.fetch_add(1, Ordering::Relaxed);
                if !text.contains("\"start\"") && !text.contains("\"board\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"") {
                    continue;
                }
                let arrived = now_ms();
                let frame: Value = serde_json::from_str(&text).unwrap();
                let (board, param) = (frame["id"].as_u64().unwrap(), &frame["param"]);
                if param.get("start").is_none() {
                    // The next game's pieces stand: its list begins.
                    socket.send(setup(board as usize)).await.unwrap();
                    continue;
                }
                let list = param["san"].as_array().cloned().unwrap_or_default();
                match known.get(&board) {
                    Some(before) if list.len() == before.len() + 1 && list.starts_with(before) => {
                        lists.fetch_add(1, Ordering::Relaxed);
                        late.lock().unwrap().push((board.to_string(), list.len() as u64, arrived));
                    }
                    // What answers a setup starts anew.
                    Some(before) if param["match"].is_boolean() && !before.is_empty() && list.len() > 1 && !list.starts_with(before) => {
                        broken.fetch_add(1, Ordering::Relaxed);
                    }
                    _ => {}
                }
                known.insert(board, list);
            }
        }
    }

    fn close(self, seconds: u64, seen: &Seen) {
        self.stop.cancel();
        self.reading.store(false, Ordering::Relaxed);
        let completed = seen.completed.lock().unwrap();
        let mut taken: Vec<i64> = self
            .late
            .lock()
            .unwrap()
            .iter()
            .filter_map(|(board, ply, arrived)| Some(arrived - completed.get(&(board.clone(), *ply))?))
            // A list that began in mid-game counts other plies.
            .filter(|ms| (0..5_000).contains(ms))
            .collect();
        let count = |n: &AtomicU64| n.load(Ordering::Relaxed);
        println!(
            "  clients: {} frames/s, {} lists that grew by one move, {} that did not; event streams {} kB/s",
            count(&self.frames) / (seconds + 3),
            count(&self.lists),
            count(&self.broken),
            count(&self.bytes) / 1000 / (seconds + 3)
        );
        println!("  completed move at a WebSocket client: {}", share(&mut taken));
    }
}

fn setup(board: usize) -> Message {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    Message::text(format!(r#"{{"id":{board},"call":"call","param":{{"id":{board},"method":"setup","param":{{"fen":"{fen}"}}}}}}"#))
}

/// A client that follows every board and never reads.
fn stalled(address: SocketAddr) -> TcpStream {
    let mut socket = TcpStream::connect(address).unwrap();
    let head = format!(
        "GET /api/v1.0 HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    socket.write_all(head.as_bytes()).unwrap();
    let mut frame = |text: &str| {
        // Masked with zeros: the payload as it is.
        let mut bytes = vec![0x81, 0x80 | 126, 0, text.len() as u8, 0, 0, 0, 0];
        bytes.extend_from_slice(text.as_bytes());
        socket.write_all(&bytes).unwrap();
    };
    for board in 1..=BOARDS {
        frame(&format!(
            r#"{{"id":{board},"call":"subscribe","param":{{"feed":"eboardevent","id":{board},"param":{{"serialnr":"{board}"}}}},"pad":"{:40}"}}"#,
            ""
        ));
    }
    // Asks for more than fits into the socket.
    for _ in 0..2_000 {
        let ask = format!(r#"{{"id":0,"call":"eboards","pad":"{:100}"}}"#, "");
        let mut bytes = vec![0x81, 0x80 | 126, 0, ask.len() as u8, 0, 0, 0, 0];
        bytes.extend_from_slice(ask.as_bytes());
        socket.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
        if socket.write_all(&bytes).is_err() {
            break;
        }
    }
    socket
}

fn stream(web: SocketAddr) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(web).unwrap();
    write!(stream, "GET /api/v1/events HTTP/1.0\r\nHost: {web}\r\n\r\n").unwrap();
    BufReader::new(stream)
}

fn share(taken: &mut [i64]) -> String {
    taken.sort_unstable();
    let Some(last) = taken.len().checked_sub(1) else { return String::from("none") };
    let at = |p: usize| taken[(taken.len() * p / 100).min(last)];
    format!("{} events, median {} ms, p90 {} ms, p99 {} ms, longest {} ms", taken.len(), at(50), at(90), at(99), at(100))
}

#[allow(clippy::disallowed_methods, reason = "a bench measures")]
fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// Megabytes.
fn resident(child: &Child) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}

/// Seconds, user and system; the kernel counts in hundredths.
fn processor_time(child: &Child) -> f64 {
    let mut text = String::new();
    std::fs::File::open(format!("/proc/{}/stat", child.id())).unwrap().read_to_string(&mut text).unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}
