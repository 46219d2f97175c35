//! Halls over a cluster of three brokers: how long an event takes to the hall's page, what it costs, and what failures lose (nothing).
//!
//! ```sh
//! cargo bench --bench halls                      # 12, 100 and 500 boards, then every failure
//! FLAGFALL_HALLS="12 100" cargo bench --bench halls
//! ```
//! The boards' events are recorded games, sent as Pis send them (one at a time a board, each acknowledged and sent again until it is), at `FLAGFALL_HALLS_PACE`
//! events a second and board (2: blitz). `FLAGFALL_HALLS_SECONDS` is how long each size and each failure lasts (20). What the Pis acknowledged is compared with the stream, event
//! by event, and with what the halls show.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a bench may, and measures")]
#[path = "../halls/cluster.rs"]
mod cluster;
#[path = "../free_port/mod.rs"]
mod free_port;
#[path = "../signed_in/mod.rs"]
mod signed_in;

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::{self, Context};
use cluster::{Cluster, Hall};
use flagfall::feeds::nats::wire::{self, BoardPresence, Journals, Kind, Names, Presence};
use flagfall_events::Event;
use flagfall_events::Touches;
use flagfall_score::public::PublicView;
use futures_util::StreamExt as _;
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Boards of one Pi.
const OF_ONE: usize = 12;

fn setting(name: &str, other: f64) -> f64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other)
}

/// A board's name, its epoch, the number of its last event and that of its last public one.
type Done = (String, String, u64, u64);

/// What the boards said: when each public event was sent first, and what was acknowledged.
#[derive(Default)]
struct Said {
    sent: Mutex<HashMap<(String, u64), Instant>>,
    acknowledged: AtomicU64,
    bytes: AtomicU64,
    stop: AtomicBool,
    /// The first Pi's network is cut.
    cut: AtomicBool,
}

/// One board of one Pi: its game over and over, numbered on.
async fn board(name: String, pi: String, urls: Vec<String>, game: Arc<Vec<Event>>, pace: f64, said: Arc<Said>, cuts: bool) -> Done {
    let (epoch, names) = (wire::random(8), Names::new("open"));
    let client = async_nats::ConnectOptions::new().retry_on_initial_connect().connect(urls).await.unwrap();
    let mut jetstream = jetstream::new(client);
    jetstream.set_timeout(Duration::from_secs(2));
    let began = Instant::now();
    let (mut seq, mut view) = (0_u64, PublicView::new(Touches::Public, 0));
    while !said.stop.load(Ordering::Relaxed) || (cuts && said.cut.load(Ordering::Relaxed)) {
        // What is behind is sent as fast as it is acknowledged.
        let due = Duration::from_secs_f64(seq as f64 / pace);
        sleep(due.saturating_sub(began.elapsed())).await;
        while cuts && said.cut.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(50)).await;
        }
        let event = &game[usize::try_from(seq).unwrap() % game.len()];
        seq += 1;
        let event = Event { seq, board: name.as_str().into(), ..event.clone() };
        let (subject, body) = (names.subject(&name, Kind::Arbiter), serde_json::to_vec(&event).unwrap());
        let mut headers = HeaderMap::new();
        headers.insert(wire::MSG_ID, wire::msg_id(&name, &epoch, seq));
        headers.insert(wire::PI, wire::token(&pi));
        headers.insert(wire::EPOCH, epoch.as_str());
        headers.insert(wire::SEQ, seq.to_string());
        headers.insert(wire::AGE, "0");
        said.bytes.fetch_add(body.len() as u64, Ordering::Relaxed);
        for public in view.take(&event) {
            said.sent.lock().unwrap().insert((name.clone(), public.seq), Instant::now());
        }
        loop {
            let sent = jetstream.publish_with_headers(subject.clone(), headers.clone(), body.clone().into()).await;
            let answer = match sent {
                Ok(answer) => answer.await.is_ok(),
                Err(_) => false,
            };
            if answer {
                break;
            }
            sleep(Duration::from_millis(200)).await;
        }
        said.acknowledged.fetch_add(1, Ordering::Relaxed);
    }
    (name, epoch, seq, view.number())
}

/// Pis say that they are there.
async fn presence(urls: Vec<String>, pis: HashMap<String, Vec<String>>, said: Arc<Said>) {
    let client = async_nats::ConnectOptions::new().retry_on_initial_connect().connect(urls).await.unwrap();
    let bucket = Names::new("open").presence();
    while !said.stop.load(Ordering::Relaxed) {
        for (pi, boards) in &pis {
            let boards = boards.iter().map(|board| BoardPresence {
                board: board.clone(),
                epoch: String::new(),
                seq: 0,
                link: flagfall_events::LinkState::Up,
                serial: None,
                sent_seq: 0,
                checkpoint: None,
                way: None,
                trouble: None,
                exchanged: None,
            });
            let now = flagfall::time::now();
            let body = Presence {
                pi: pi.clone(),
                version: String::new(),
                started_at: now,
                at: now,
                boards: boards.collect(),
                journal: Journals::Ok,
                behind: 0,
                key: None,
                temperature_c: None,
            };
            let _ = client.publish(wire::bucket_subject(&bucket, &wire::token(pi)), serde_json::to_vec(&body).unwrap().into()).await;
        }
        sleep(Duration::from_secs(5)).await;
    }
}

/// Reads a hall's public stream; milliseconds from sending to here.
fn listen(hall: &Hall, said: Arc<Said>, into: Arc<Mutex<Vec<f64>>>) {
    let reader = hall.stream();
    std::thread::spawn(move || {
        for line in BufReader::new(reader).lines().map_while(Result::ok) {
            let Some(data) = line.strip_prefix("data: ") else { continue };
            let Ok(event) = serde_json::from_str::<Value>(data) else { continue };
            let (Some(board), Some(seq), true) = (event["board"].as_str(), event["seq"].as_u64(), event["type"].is_string()) else {
                continue;
            };
            if let Some(at) = said.sent.lock().unwrap().get(&(String::from(board), seq)) {
                into.lock().unwrap().push(at.elapsed().as_secs_f64() * 1e3);
            }
        }
    });
}

fn quantile(values: &mut [f64], of: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(((values.len() as f64 * of) as usize).min(values.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

/// Every event of the stream: per board in order, none missing, none twice, as many as were acknowledged.
async fn compare(jetstream: &Context, boards: &[Done]) -> (u64, Vec<String>) {
    let stream = jetstream.get_stream(Names::new("open").stream()).await.unwrap();
    let last = stream.cached_info().state.last_sequence;
    let mut messages = stream.create_consumer(pull::OrderedConfig::default()).await.unwrap().messages().await.unwrap();
    let (mut next, mut wrong, mut count): (HashMap<(String, String), u64>, Vec<String>, u64) = Default::default();
    while let Some(Ok(message)) = messages.next().await {
        let header = |name| message.headers.as_ref().unwrap().get(name).unwrap().to_string();
        let (board, seq) = (wire::board_of(&message.subject).unwrap().0, header(wire::SEQ).parse::<u64>().unwrap());
        let expected = next.entry((board.clone(), header(wire::EPOCH))).or_insert(1);
        if seq != *expected {
            wrong.push(format!("board {board}: {seq} where {expected} was expected"));
        }
        *expected = seq + 1;
        count += 1;
        if message.info().unwrap().stream_sequence >= last {
            break;
        }
    }
    for (board, epoch, seq, _) in boards {
        let there = next.get(&(board.clone(), epoch.clone())).map_or(0, |next| next - 1);
        if there != *seq {
            wrong.push(format!("board {board}: {seq} acknowledged, {there} in the stream"));
        }
    }
    (count, wrong)
}

fn main() {
    let sizes: Vec<usize> = std::env::var("FLAGFALL_HALLS")
        .unwrap_or_else(|_| String::from("12 100 500"))
        .split_whitespace()
        .map(|n| n.parse().unwrap())
        .collect();
    let (seconds, pace) = (setting("FLAGFALL_HALLS_SECONDS", 20.0), setting("FLAGFALL_HALLS_PACE", 2.0));
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures/human-mate.events");
    let game: Arc<Vec<Event>> =
        Arc::new(std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    println!("| boards | events/s | p50 ms | p99 ms | hall CPU | hall MB | brokers CPU | brokers MB |\n|---|---|---|---|---|---|---|---|");
    for (i, boards) in sizes.iter().enumerate() {
        let Some(mut cluster) = Cluster::start() else { return };
        let (a, b) = (cluster.hall("a"), cluster.hall("b"));
        a.until("a speaks", |hall| hall["speaks"] == true);
        let said = Arc::new(Said::default());
        let mut pis: HashMap<String, Vec<String>> = HashMap::new();
        let mut tasks = Vec::new();
        for n in 0..*boards {
            let (pi, name) = (format!("pi-{}", n / OF_ONE), (n + 1).to_string());
            pis.entry(pi.clone()).or_default().push(name.clone());
            tasks.push(runtime.spawn(board(name, pi, cluster.urls(), game.clone(), pace, said.clone(), n < OF_ONE)));
        }
        let there = runtime.spawn(presence(cluster.urls(), pis, said.clone()));
        std::thread::sleep(Duration::from_secs(5));
        let times = Arc::new(Mutex::new(Vec::new()));
        listen(&a, said.clone(), times.clone());
        let (cpu, began, before) = ((a.cpu(), cluster.cpu()), Instant::now(), said.acknowledged.load(Ordering::Relaxed));
        std::thread::sleep(Duration::from_secs_f64(seconds));
        let (took, rate) = (began.elapsed().as_secs_f64(), (said.acknowledged.load(Ordering::Relaxed) - before) as f64);
        let mut seen = std::mem::take(&mut *times.lock().unwrap());
        println!(
            "| {boards} | {:.0} | {:.1} | {:.1} | {:.0} % | {} | {:.0} % | {} |",
            rate / took,
            quantile(&mut seen, 0.5),
            quantile(&mut seen, 0.99),
            (a.cpu() - cpu.0) / took * 100.0,
            a.megabytes(),
            (cluster.cpu() - cpu.1) / took * 100.0,
            cluster.megabytes()
        );
        let last = i + 1 == sizes.len();
        let (mut a, mut voice) = (Some(a), String::new());
        if last {
            failures(&mut cluster, &mut a, &b, &said, seconds, &mut voice);
        }
        said.stop.store(true, Ordering::Relaxed);
        let done: Vec<_> = tasks.into_iter().map(|task| runtime.block_on(task).unwrap()).collect();
        runtime.block_on(there).unwrap();
        let client = runtime.block_on(async_nats::connect(cluster.urls())).unwrap();
        let (count, wrong) = runtime.block_on(async { compare(&jetstream::new(client), &done).await });
        println!(
            "\n{boards} boards: {count} events in the stream, {} KB a board, {} wrong {:?}",
            said.bytes.load(Ordering::Relaxed) / 1024 / *boards as u64,
            wrong.len(),
            wrong.first()
        );
        for hall in a.iter().chain([&b]) {
            hall.until("it has everything", |health| health["behind"] == 0);
            let shown = |(board, _, _, public): &&Done| hall.board(board)["seq"].as_u64().is_some_and(|shown| shown + 12 >= *public);
            let began = Instant::now();
            while done.iter().filter(shown).count() < done.len() && began.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(200));
            }
            println!(
                "hall {}: {} of {boards} boards as their last events say; missing {}",
                hall.name,
                done.iter().filter(shown).count(),
                hall.figure("flagfall_hall_events_missing_total")
            );
        }
        if !voice.is_empty() {
            println!("{voice}");
        }
    }
}

/// One after the other, while the boards play.
fn failures(cluster: &mut Cluster, a: &mut Option<Hall>, b: &Hall, said: &Arc<Said>, seconds: f64, voice: &mut String) {
    let acknowledged = || said.acknowledged.load(Ordering::Relaxed);
    let pause = || std::thread::sleep(Duration::from_secs_f64(seconds / 2.0));
    let report = |what: &str, began: Instant, before: u64| {
        println!("{what}: {} events acknowledged in the {:.0} s around it", acknowledged() - before, began.elapsed().as_secs_f64())
    };
    for (what, node) in [("kill -9 of a follower", cluster.follower()), ("kill -9 of the leader", cluster.leader())] {
        let (began, before) = (Instant::now(), acknowledged());
        cluster.kill(node);
        pause();
        cluster.revive(node);
        pause();
        report(what, began, before);
    }
    let (began, before) = (Instant::now(), acknowledged());
    (0..3).for_each(|node| cluster.kill(node));
    std::thread::sleep(Duration::from_secs_f64(seconds * 3.0));
    (0..3).for_each(|node| cluster.revive(node));
    pause();
    report("kill -9 of all three", began, before);
    // The first Pi is cut off, then everything it has is sent.
    said.cut.store(true, Ordering::Relaxed);
    std::thread::sleep(Duration::from_secs_f64(seconds * 3.0));
    let (began, before) = (Instant::now(), acknowledged());
    said.cut.store(false, Ordering::Relaxed);
    std::thread::sleep(Duration::from_secs(2));
    println!(
        "a Pi cut off: {:.0} events a second in the first two seconds after it is back, all boards together",
        (acknowledged() - before) as f64 / began.elapsed().as_secs_f64()
    );
    if let Some(a) = a.take() {
        let speaker = if b.health()["speaks"] == true { b.name.clone() } else { String::from("a") };
        let began = Instant::now();
        drop(a);
        b.until("b speaks", |hall| hall["speaks"] == true);
        *voice = format!("kill -9 of hall a (speaker was {speaker}): b speaks after {:.1} s", began.elapsed().as_secs_f64());
    }
}
