//! What one reader of all events sees, and what the program takes meanwhile.
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// How old each event is when it comes, in milliseconds.
pub(super) struct Seen {
    taken: Arc<Mutex<HashMap<&'static str, Vec<i64>>>>,
    /// When each completed move was read on the tty, by board and ply; the newest game of a board wins.
    pub(super) completed: Arc<Mutex<HashMap<(String, u64), i64>>>,
}

impl Seen {
    pub(super) fn watch(web: SocketAddr) -> Self {
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

    pub(super) fn phase(&self, what: &str, seconds: u64, process: u32) {
        self.taken.lock().unwrap().clear();
        let (before, from) = (processor_time(process), now_ms());
        let own = processor_time(std::process::id());
        let resident: Vec<f64> = (0..seconds)
            .map(|_| {
                thread::sleep(Duration::from_secs(1));
                resident(process)
            })
            .collect();
        let busy = |before: f64, now: f64| (now - before) * 100_000.0 / (now_ms() - from) as f64;
        println!(
            "{what}: {:.0} % of one core (boards, readers: {:.0} %), {:.1} MB resident",
            busy(before, processor_time(process)),
            busy(own, processor_time(std::process::id())),
            resident.last().unwrap_or(&0.0)
        );
        for kind in ["press", "placement", "move-completed"] {
            let mut taken = self.taken.lock().unwrap().remove(kind).unwrap_or_default();
            println!("  {kind}: {}", share(&mut taken));
        }
        if resident.len() >= 120 {
            let minutes: Vec<_> = resident.chunks_exact(60).map(minute).collect();
            println!("  MB resident, median and highest of each minute: {}", minutes.join(", "));
        }
    }
}

fn minute(taken: &[f64]) -> String {
    let mut taken = taken.to_vec();
    taken.sort_unstable_by(f64::total_cmp);
    format!("{:.0} ({:.0})", taken[taken.len() / 2], taken[taken.len() - 1])
}

pub(super) fn stream(web: SocketAddr) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(web).unwrap();
    write!(stream, "GET /api/v1/events HTTP/1.0\r\nHost: {web}\r\n\r\n").unwrap();
    BufReader::new(stream)
}

pub(super) fn share(taken: &mut [i64]) -> String {
    taken.sort_unstable();
    let Some(last) = taken.len().checked_sub(1) else { return String::from("none") };
    let at = |p: usize| taken[(taken.len() * p / 100).min(last)];
    format!("{} events, median {} ms, p90 {} ms, p99 {} ms, longest {} ms", taken.len(), at(50), at(90), at(99), at(100))
}

#[allow(clippy::disallowed_methods, reason = "a bench measures")]
pub(super) fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// Megabytes.
fn resident(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}

/// Seconds, user and system; the kernel counts in hundredths.
fn processor_time(process: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}
