//! Readers of a hall's event streams, the public one and the arbiters': they hang up now and then, come back with the last `id` that they saw, and go on
//! when the hall was started again. What they have seen must not come again.
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The streams that are read.
const PATHS: [&str; 2] = ["/api/v1/events", "/api/v1/arbiter/events"];
/// At most so many events are heard before one hangs up.
const PATIENCE: usize = 60;

/// What they heard.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) events: usize,
    /// How often one came back with an `id`.
    pub(crate) returned: usize,
    /// What came again, and states older than what was seen.
    pub(crate) wrong: Vec<String>,
}

/// Where the hall is: its address, and the cookie of a session there.
type Place = Arc<Mutex<(String, String)>>;

/// Both readers.
pub(crate) struct Reader {
    place: Place,
    over: Arc<AtomicBool>,
    readers: Vec<JoinHandle<Heard>>,
}

impl Reader {
    pub(crate) fn begin(seed: u64) -> Self {
        let (place, over) = (Place::default(), Arc::new(AtomicBool::new(false)));
        let reader = |path: &'static str| {
            let (place, over) = (place.clone(), over.clone());
            let random = ChaCha8Rng::seed_from_u64(seed ^ path.len() as u64);
            thread::spawn(move || One { path, random, id: None, seen: HashMap::new(), heard: Heard::default() }.read(&place, &over))
        };
        let readers = PATHS.map(reader).into();
        Self { place, over, readers }
    }

    /// The hall is here now.
    pub(crate) fn go_to(&self, address: &str) {
        *self.place.lock().unwrap() = (address.to_owned(), crate::signed_in::cookie(address));
    }

    /// What all of them heard.
    pub(crate) fn end(self) -> Heard {
        self.over.store(true, Ordering::Relaxed);
        self.readers.into_iter().map(|reader| reader.join().unwrap()).fold(Heard::default(), |mut all, one| {
            all.events += one.events;
            all.returned += one.returned;
            all.wrong.extend(one.wrong);
            all
        })
    }
}

struct One {
    path: &'static str,
    random: ChaCha8Rng,
    /// The last `id`.
    id: Option<String>,
    /// The last event that was seen of each board.
    seen: HashMap<String, u64>,
    heard: Heard,
}

impl One {
    fn read(mut self, place: &Place, over: &AtomicBool) -> Heard {
        while !over.load(Ordering::Relaxed) {
            let (address, cookie) = place.lock().unwrap().clone();
            if self.connect(&address, &cookie, over).is_none() {
                thread::sleep(Duration::from_millis(10));
            }
        }
        self.heard
    }

    /// Until it is tired of it or the connection breaks.
    fn connect(&mut self, address: &str, cookie: &str, over: &AtomicBool) -> Option<()> {
        let mut stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(1))).ok()?;
        let last = self.id.as_ref().map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        self.heard.returned += usize::from(!last.is_empty());
        write!(stream, "GET {} HTTP/1.0\r\nHost: {address}\r\nCookie: {cookie}\r\n{last}\r\n", self.path).ok()?;
        let (mut id, mut kind, mut data) = (None, String::new(), String::new());
        let mut left = self.random.random_range(1..=PATIENCE);
        for line in BufReader::new(stream).lines() {
            let line = line.ok()?;
            if over.load(Ordering::Relaxed) || left == 0 {
                break;
            }
            if let Some(of) = line.strip_prefix("id: ") {
                id = Some(of.to_owned());
            } else if let Some(of) = line.strip_prefix("event: ") {
                of.clone_into(&mut kind);
            } else if let Some(of) = line.strip_prefix("data: ") {
                of.clone_into(&mut data);
            } else if line.is_empty() && !data.is_empty() {
                // Only with its end it has come whole.
                self.take(&kind, &data);
                self.id = id.take().or_else(|| self.id.take());
                data.clear();
                left -= 1;
            }
        }
        Some(())
    }

    fn take(&mut self, kind: &str, data: &str) {
        let value: Value = serde_json::from_str(data).unwrap();
        let (Some(board), Some(seq)) = (value["board"].as_str(), value["seq"].as_u64()) else { return };
        let seen = self.seen.entry(board.to_owned()).or_default();
        if kind == "snapshot" {
            if seq < *seen {
                self.heard.wrong.push(format!("{}: board {board} as it was at {seq}, after event {seen}", self.path));
            }
            *seen = seq.max(*seen);
            return;
        }
        self.heard.events += 1;
        if seq <= *seen {
            self.heard.wrong.push(format!("{}: board {board}, event {seq} after {seen}", self.path));
        }
        *seen = seq.max(*seen);
    }
}
