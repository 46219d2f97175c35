//! How long a press takes from the tty to the public stream while the daemon is attacked, how long a login, and what it costs in memory.
//!
//! ```sh
//! cargo bench --bench attack
//! ```
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "a bench may, and shares its helpers with the tests")]
#[path = "../arbiter_security/daemon.rs"]
mod daemon;
#[path = "../schema/mod.rs"]
mod schema;
#[path = "../scripted_board/mod.rs"]
mod scripted_board;

use daemon::{Daemon, send};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const PRESSES: usize = 300;

fn main() {
    let daemon = Daemon::start();
    let before = daemon.memory("VmRSS");
    let mut socket = daemon.connect();
    write!(socket, "GET /api/v1/events HTTP/1.0\r\nHost: {}\r\n\r\n", daemon.address).unwrap();
    let mut lines = BufReader::new(socket).lines().map(Result::unwrap);
    // The clock is started first: that is no press.
    daemon.board.say_now(&clock(0));
    thread::sleep(Duration::from_millis(500));
    let mut turn = 0;
    let mut measure = |what: &str| {
        let mut taken: Vec<Duration> = (0..PRESSES)
            .map(|_| {
                turn += 1;
                thread::sleep(Duration::from_millis(10));
                let from = now();
                daemon.board.say_now(&clock(turn));
                lines.find(|line| line.contains("\"type\":\"press\"")).unwrap();
                from.elapsed()
            })
            .collect();
        taken.sort_unstable();
        let share = |p: usize| taken[(taken.len() * p / 100).min(taken.len() - 1)].as_micros();
        println!("{what}: median {} µs, p99 {} µs, longest {} µs", share(50), share(99), share(100));
    };
    measure("at rest");
    let crowd: Vec<TcpStream> = (0..2000).map_while(|_| TcpStream::connect_timeout(&daemon.address, Duration::from_secs(5)).ok()).collect();
    measure(&format!("{} idle connections", crowd.len()));
    drop(crowd);
    let (stop, made) = (AtomicBool::new(false), AtomicUsize::new(0));
    let during = |measure: &mut dyn FnMut(&str), what: &str, attack: &(dyn Fn(usize) + Sync)| {
        stop.store(false, Ordering::Relaxed);
        made.store(0, Ordering::Relaxed);
        thread::scope(|scope| {
            for n in 0..8 {
                let (stop, made) = (&stop, &made);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        attack(n);
                        made.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            thread::sleep(Duration::from_millis(500));
            measure(what);
            stop.store(true, Ordering::Relaxed);
        });
        println!("  {} requests meanwhile", made.load(Ordering::Relaxed));
    };
    let json_body = [("Content-Type", "application/json")];
    during(&mut measure, "guessing passwords from 2,000 addresses, eight at a time", &|n| {
        let count = made.load(Ordering::Relaxed);
        let source = Ipv4Addr::new(127, 1, u8::try_from(n).unwrap(), u8::try_from(count % 250 + 1).unwrap());
        let body = json!({ "name": format!("guess {count}"), "password": "a guess" }).to_string();
        send(daemon.connect_from(source), daemon.address, "POST", "/api/v1/login", &json_body, body.as_bytes());
    });
    let authorization = format!("Bearer {}", daemon.arbiter_token);
    during(&mut measure, "malformed entries, eight at a time", &|_| {
        let headers = [("Authorization", authorization.as_str()), ("Content-Type", "application/json")];
        daemon.ask("POST", "/api/v1/arbiter/boards/1/entries", &headers, "[".repeat(30_000).as_bytes());
    });
    during(&mut measure, "bodies too large, eight at a time", &|_| {
        daemon.ask("POST", "/api/v1/login", &json_body, &vec![b' '; 200_000]);
    });
    logins(&daemon);
    let (most, now) = (daemon.memory("VmHWM"), daemon.memory("VmRSS"));
    // What checks of passwords took is given back when nobody has signed in for one to two minutes.
    thread::sleep(Duration::from_secs(125));
    println!("memory: {before} kB before, {most} kB at the peak, {now} kB at the end, {} kB two minutes later", daemon.memory("VmRSS"));
    daemon.assert_sound();
}

/// How long an arbiter's login takes beside 1,000 guesses a second at her own name from 50 addresses.
fn logins(daemon: &Daemon) {
    let login = |source: [u8; 4], cookies: &str, password: &str| {
        let body = json!({ "name": "Olga", "password": password }).to_string();
        let headers = [("Content-Type", "application/json"), ("Cookie", cookies)];
        send(daemon.connect_from(Ipv4Addr::from(source)), daemon.address, "POST", "/api/v1/login", &headers, body.as_bytes())
    };
    let lines = login([127, 0, 5, 1], "", daemon::PASSWORD).head;
    let device =
        lines.lines().filter_map(|line| line.split_once(": ")?.1.split(';').next()).find(|cookie| cookie.starts_with("flagfall_device_"));
    let device = device.unwrap().to_owned();
    let (over, made, looked_at) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for n in 0..50 {
            // Twenty a second, however many of them wait: twelve at once at each address.
            for _ in 0..12 {
                let (over, made, looked_at, login) = (&over, &made, &looked_at, &login);
                scope.spawn(move || {
                    while !over.load(Ordering::Relaxed) {
                        let from = now();
                        looked_at.fetch_add(usize::from(login([127, 0, 4, n + 1], "", "a guess").status == 401), Ordering::Relaxed);
                        made.fetch_add(1, Ordering::Relaxed);
                        thread::sleep(Duration::from_millis(600).saturating_sub(from.elapsed()));
                    }
                });
            }
        }
        thread::sleep(Duration::from_secs(3));
        let (before, from) = (made.load(Ordering::Relaxed), now());
        for (what, known, cookies) in
            [("a known address", true, ""), ("a known device", false, device.as_str()), ("her first login", false, "")]
        {
            let mut taken: Vec<u128> = Vec::new();
            for n in 0..10 {
                let source = if known { [127, 0, 5, 1] } else { [127, 0, if cookies.is_empty() { 7 } else { 6 }, n + 1] };
                let from = now();
                assert_eq!(login(source, cookies, daemon::PASSWORD).status, 200, "{what}");
                taken.push(from.elapsed().as_millis());
            }
            taken.sort_unstable();
            println!("login beside guesses, {what}: median {} ms, longest {} ms", taken[5], taken[9]);
        }
        let rate = (made.load(Ordering::Relaxed) - before) as f64 / from.elapsed().as_secs_f64();
        println!(
            "  {rate:.0} guesses a second meanwhile, {} of {} looked at",
            looked_at.load(Ordering::Relaxed),
            made.load(Ordering::Relaxed)
        );
        over.store(true, Ordering::Relaxed);
    });
}

/// A running clock after `turn` presses.
fn clock(turn: usize) -> [u8; 10] {
    let left = 7_200 - turn % 3_000;
    let bcd = |n: usize| u8::try_from(n / 10 * 16 + n % 10).unwrap();
    let status = if turn.is_multiple_of(2) { 0x13 } else { 0x09 };
    [0x8D, 0x00, 0x0A, 0x01, 0x00, 0x00, u8::try_from(left / 3600).unwrap(), bcd(left / 60 % 60), bcd(left % 60), status]
}

#[allow(clippy::disallowed_methods, reason = "a bench measures")]
fn now() -> Instant {
    Instant::now()
}
