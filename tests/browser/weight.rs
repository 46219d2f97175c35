//! What the public page costs a phone: the network, the processor, the wait for the first board.
//!
//! `FLAGFALL_SECONDS=30 cargo test --test web weight -- --nocapture` plays 60 boards for so long and prints the table in docs/performance.md.
use super::stage::{Browser, Hall, Screen};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep_until};

const BOARDS: u32 = 60;
/// A move on each board, so often: blitz.
const MOVE_EVERY: Duration = Duration::from_secs(6);
const GAME: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 Bb3 Ba7 h3 h6 Nbd2 Re8 Nf1 Be6 Bc2 d5 exd5 Bxd5 Ng3";
/// Says when the first board stood.
const WATCH: &str =
    "const look = () => document.querySelector('.card .piece') ? (window.stood = performance.now()) : requestAnimationFrame(look); look();";
/// Chrome's own presets: name, milliseconds of latency, bytes a second down and up.
const NETWORKS: [(&str, f64, f64, f64); 2] = [("Fast 3G", 562.5, 188_743.7, 86_400.0), ("Slow 3G", 2000.0, 51_200.0, 51_200.0)];

/// Passes connections on and counts what comes back.
async fn counted(to: std::net::SocketAddr) -> (std::net::SocketAddr, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, count) = (listener.local_addr().unwrap(), Arc::new(AtomicU64::new(0)));
    let counter = count.clone();
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            let counter = counter.clone();
            tokio::spawn(async move {
                let Ok(far) = TcpStream::connect(to).await else { return };
                let ((mut near_in, mut near_out), (mut far_in, mut far_out)) = (near.into_split(), far.into_split());
                tokio::spawn(async move { tokio::io::copy(&mut near_in, &mut far_out).await });
                let mut buffer = vec![0; 16 * 1024];
                while let Ok(n @ 1..) = tokio::io::AsyncReadExt::read(&mut far_in, &mut buffer).await {
                    counter.fetch_add(n as u64, Ordering::Relaxed);
                    if tokio::io::AsyncWriteExt::write_all(&mut near_out, &buffer[..n]).await.is_err() {
                        break;
                    }
                }
            });
        }
    });
    (address, count)
}

/// Seconds that the page's main thread has worked; of these for scripts, layout and styles.
async fn worked(browser: &Browser) -> [f64; 4] {
    let Value::Object(answer) = browser.tell("Performance.getMetrics", json!({})).await else { panic!("no metrics") };
    let metrics = answer["metrics"].as_array().unwrap();
    ["TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"]
        .map(|name| metrics.iter().find(|metric| metric["name"] == name).and_then(|metric| metric["value"].as_f64()).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn weight_of_the_page_on_a_phone() {
    let Some(browser) = Browser::start("weight_of_the_page_on_a_phone", Screen::Pocket, false).await else { return };
    let seconds: u64 = std::env::var("FLAGFALL_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(3);
    let mut hall = Hall::open().await;
    for board in 1..=BOARDS {
        hall.begin(&board.to_string(), "blitz", "180+2");
        hall.players(&board.to_string(), "Lindqvist, Maja", "Okonkwo, Daniel");
    }
    let (address, bytes) = counted(hall.address()).await;
    let url = format!("http://{address}/");
    browser.tell("Performance.enable", json!({})).await;
    browser.tell("Network.enable", json!({})).await;
    browser.tell("Page.addScriptToEvaluateOnNewDocument", json!({"source": WATCH})).await;
    let mut stood = Vec::new();
    for (name, latency, down, up) in NETWORKS {
        if seconds < 10 && name == "Slow 3G" {
            continue;
        }
        let network = json!({"offline": false, "latency": latency, "downloadThroughput": down, "uploadThroughput": up});
        browser.tell("Network.emulateNetworkConditions", network).await;
        browser.tell("Network.clearBrowserCache", json!({})).await;
        bytes.store(0, Ordering::Relaxed);
        browser.goto("about:blank").await.unwrap();
        browser.goto(&url).await.unwrap();
        browser.wait_for(".card .piece").await;
        browser.wait_for("#connection.live").await;
        let first = browser.ask("return window.stood;").await.as_f64().unwrap();
        stood.push(format!("first board over {name}: {:.2} s", first / 1000.0));
    }
    let free = json!({"offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
    browser.tell("Network.emulateNetworkConditions", free).await;
    let opened = bytes.swap(0, Ordering::Relaxed);
    let (work, began) = (worked(&browser).await, Instant::now());
    let sans: Vec<&str> = GAME.split(' ').collect();
    let step = MOVE_EVERY / BOARDS;
    let mut at = began;
    'playing: for (ply, san) in sans.iter().enumerate() {
        for board in 1..=BOARDS {
            at += step;
            if at > began + Duration::from_secs(seconds) {
                break 'playing;
            }
            sleep_until(at).await;
            let left = 180 - i64::try_from(ply).unwrap() * 2;
            hall.play(&board.to_string(), san, left, left);
        }
    }
    let (done, took) = (worked(&browser).await, began.elapsed().as_secs_f64());
    let [all, script, layout, style] = [0, 1, 2, 3].map(|i| (done[i] - work[i]) / took * 100.0);
    let rate = bytes.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64() / 1000.0;
    println!(
        "60 boards, 390 × 844, {seconds} s: main thread {all:.1} % of a core (scripts {script:.1}, layout {layout:.1}, styles {style:.1}), {rate:.1} kB/s; {:.0} kB to open; {}",
        opened as f64 / 1000.0,
        stood.join(", ")
    );
    browser.end().await;
}
