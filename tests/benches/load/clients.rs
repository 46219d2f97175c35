//! Broadcast software and readers that take everything, and one client that takes nothing.
use super::seen::{Seen, now_ms, share, stream};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;
use tokio_util::sync::CancellationToken;

pub(super) const CLIENTS: usize = 200;
pub(super) const STREAMS: usize = 20;
/// Boards each client follows, with a setup.
const FOLLOWED: usize = 4;

/// All clients of one phase.
pub(super) struct Clients {
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
    pub(super) async fn open(livechess: SocketAddr, web: SocketAddr, boards: usize) -> Self {
        let clients = Self {
            stop: CancellationToken::new(),
            frames: Arc::default(),
            lists: Arc::default(),
            broken: Arc::default(),
            bytes: Arc::default(),
            reading: Arc::new(AtomicBool::new(true)),
            late: Arc::default(),
            _stalled: stalled(livechess, boards),
        };
        for client in 0..CLIENTS {
            let followed = (0..FOLLOWED).map(|i| (client + i * boards / FOLLOWED) % boards + 1).collect();
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

    pub(super) fn close(self, seconds: u64, seen: &Seen) {
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
pub(super) fn stalled(address: SocketAddr, boards: usize) -> TcpStream {
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
    for board in 1..=boards {
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
