//! What clients of one life of the daemon saw: every event of the arbiters' and the public stream, every entry that was acknowledged.
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What was seen in one life.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// The data of each of the arbiters' events, as it came.
    pub(crate) events: Vec<String>,
    /// The same of public events.
    pub(crate) public: Vec<String>,
    /// Board, note and number of each entry that was acknowledged.
    pub(crate) acknowledged: Vec<(String, String, u64)>,
}

/// The clients of one life.
pub(crate) struct Client {
    streams: Vec<JoinHandle<Vec<String>>>,
    entries: JoinHandle<Vec<(String, String, u64)>>,
    over: Arc<AtomicBool>,
}

impl Client {
    pub(crate) fn connect(address: &str, boards: usize, life: usize) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let cookie = crate::signed_in::cookie(address);
        let streams = ["/api/v1/arbiter/events", "/api/v1/events"].map(|path| {
            let (address, cookie) = (address.to_owned(), cookie.clone());
            thread::spawn(move || listen(&address, path, &cookie))
        });
        let (address, ended) = (address.to_owned(), over.clone());
        let entries = thread::spawn(move || enter(&address, &cookie, boards, life, &ended));
        Self { streams: streams.into(), entries, over }
    }

    /// Nothing more is entered; they go on reading.
    #[allow(dead_code, reason = "who kills the daemon only does not ask")]
    pub(crate) fn be_quiet(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// The daemon is gone: what they have.
    pub(crate) fn end(self) -> Said {
        self.over.store(true, Ordering::Relaxed);
        let mut streams = self.streams.into_iter().map(|stream| stream.join().unwrap());
        let (events, public) = (streams.next().unwrap_or_default(), streams.next().unwrap_or_default());
        Said { events, public, acknowledged: self.entries.join().unwrap() }
    }
}

/// Every whole event until the connection breaks.
fn listen(address: &str, path: &str, cookie: &str) -> Vec<String> {
    let Ok(mut stream) = TcpStream::connect(address) else { return Vec::new() };
    if stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\n\r\n").as_bytes()).is_err() {
        return Vec::new();
    }
    let (mut events, mut kind, mut data) = (Vec::new(), String::new(), String::new());
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { break };
        if let Some(of) = line.strip_prefix("event: ") {
            kind = of.to_owned();
        } else if let Some(of) = line.strip_prefix("data: ") {
            data = of.to_owned();
        } else if line.is_empty() && !data.is_empty() {
            // Only with its end it has come whole.
            if !matches!(kind.as_str(), "snapshot" | "hall") {
                events.push(std::mem::take(&mut data));
            }
            data.clear();
        }
    }
    events
}

/// Entries that change little, one after the other, until the daemon is gone.
fn enter(address: &str, cookie: &str, boards: usize, life: usize, over: &AtomicBool) -> Vec<(String, String, u64)> {
    let mut acknowledged = Vec::new();
    for n in 0.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let (board, note) = ((n % boards + 1).to_string(), format!("life {life}, entry {n}"));
        let order = if n % 3 == 0 { r#""do":"assistant","by":"white""# } else { r#""do":"arrived","by":"black""# };
        let answer = ureq::post(format!("http://{address}/api/v1/arbiter/boards/{board}/entries"))
            .content_type("application/json")
            .header("cookie", cookie)
            .send(format!(r#"{{{order},"note":"{note}"}}"#));
        if let Ok(mut answer) = answer
            && let Ok(json) = answer.body_mut().read_json::<Value>()
            && let Some(seq) = json["seq"].as_u64()
        {
            acknowledged.push((board, note, seq));
        }
        thread::sleep(Duration::from_millis(15));
    }
    acknowledged
}

/// The board objects with their moves, as soon as the daemon answers.
pub(crate) fn boards(address: &str, boards: usize) -> Vec<Value> {
    let get = |n: usize| {
        let mut answer = ureq::get(format!("http://{address}/api/v1/boards/{n}")).call().unwrap();
        answer.body_mut().read_json::<Value>().unwrap()
    };
    (1..=boards).map(get).collect()
}
