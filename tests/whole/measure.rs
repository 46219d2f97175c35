//! What is measured: how late a press is on a hall's page, and what processes cost.
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Milliseconds from the read at the board to a reader of the page's stream: presses, and completed moves.
#[derive(Clone, Default)]
pub(crate) struct Late {
    pub(crate) presses: Arc<Mutex<Vec<f64>>>,
    pub(crate) moves: Arc<Mutex<Vec<f64>>>,
    events: Arc<AtomicU64>,
}

impl Late {
    /// Reads the public stream of the page at `address` until that ends. Boards and page are on one machine, so one wall clock tells.
    pub(crate) fn listen(&self, address: &str) {
        let (own, address) = (self.clone(), String::from(address));
        std::thread::spawn(move || {
            let Ok(mut stream) = TcpStream::connect(&address) else { return };
            if write!(stream, "GET /api/v1/events HTTP/1.0\r\nHost: {address}\r\n\r\n").is_err() {
                return;
            }
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let Some(event) = line.strip_prefix("data: ").and_then(|data| serde_json::from_str::<Value>(data).ok()) else { continue };
                own.events.fetch_add(1, Ordering::Relaxed);
                let into = match event["type"].as_str() {
                    Some("press") => &own.presses,
                    Some("move-completed") => &own.moves,
                    _ => continue,
                };
                let Some(at) = event["at"].as_str().and_then(|at| at.parse::<jiff::Timestamp>().ok()) else { continue };
                into.lock().unwrap().push(now().duration_since(at).as_secs_f64() * 1e3);
            }
        });
    }

    /// What was measured since the last time: of presses and moves count, median and p99 in milliseconds; and all events.
    pub(crate) fn take(&self) -> [(usize, f64, f64); 2] {
        [&self.presses, &self.moves].map(|all| {
            let mut all = std::mem::take(&mut *all.lock().unwrap());
            (all.len(), quantile(&mut all, 0.5), quantile(&mut all, 0.99))
        })
    }
}

#[allow(clippy::disallowed_methods, reason = "a bench measures")]
fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

pub(crate) fn quantile(values: &mut [f64], of: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = ((values.len() as f64 * of) as usize).min(values.len().saturating_sub(1));
    values.get(at).copied().unwrap_or(f64::NAN)
}

/// Processor seconds and resident megabytes of processes.
pub(crate) fn cost(ids: &[u32]) -> (f64, f64) {
    let one = |id: &u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
        let number = |n: usize| fields.get(n).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
        // The kernel counts in hundredths of a second and pages of 4 KB.
        ((number(11) + number(12)) / 100.0, number(21) / 256.0)
    };
    ids.iter().map(one).fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1))
}
