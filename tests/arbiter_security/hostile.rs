//! Other sites, old cookies, guessed passwords, huge and slow requests, crowds.
use super::daemon::{Answer, Daemon, PASSWORD, send};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

#[test]
fn pages_of_other_sites_come_no_further() {
    let daemon = Daemon::start();
    let cookie = daemon.login("Olga", PASSWORD).cookie().unwrap();
    let own = format!("http://{}", daemon.address);
    let port = daemon.address.port();
    for (extra, expected) in [
        (vec![("Origin", own.as_str()), ("Sec-Fetch-Site", "same-origin")], 200),
        (vec![], 200),
        (vec![("Origin", "http://evil.example")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Sec-Fetch-Site", "cross-site")], 403),
        (vec![("Sec-Fetch-Site", "same-site")], 403),
        (vec![("Host", &format!("evil.example:{port}"))], 421),
    ] {
        let mut headers = vec![("Cookie", cookie.as_str())];
        headers.extend(extra);
        for answer in [
            daemon.get("/api/v1/arbiter/boards", &headers),
            daemon.post("/api/v1/arbiter/boards/1/entries", &headers, &json!({"do": "stop"})),
        ] {
            assert_eq!(answer.status, expected, "{headers:?}: {}", answer.body);
        }
    }
    // A form of another site can send no JSON.
    let answer = daemon.ask(
        "POST",
        "/api/v1/arbiter/boards/1/entries",
        &[("Cookie", &cookie), ("Content-Type", "text/plain")],
        b"{\"do\":\"stop\"}",
    );
    assert_eq!(answer.status, 415);
    let public = daemon.get("/api/v1/boards", &[("Origin", "http://evil.example")]);
    assert!(!public.head.to_lowercase().contains("access-control"), "{}", public.head);
}

#[test]
fn a_cookie_is_worth_nothing_after_logout_and_its_streams_end() {
    let daemon = Daemon::start();
    let answer = daemon.login("Olga", PASSWORD);
    let line = answer.head.lines().find(|line| line.to_lowercase().starts_with("set-cookie")).unwrap().to_owned();
    assert!(line.contains("HttpOnly") && line.contains("SameSite=Strict") && line.contains("Path=/"), "{line}");
    let cookie = answer.cookie().unwrap();
    let mut stream = daemon.connect();
    write!(stream, "GET /api/v1/arbiter/events HTTP/1.0\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n").unwrap();
    let mut head = [0; 16];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(daemon.get("/api/v1/me", &[("Cookie", &cookie)]).json()["name"], "Olga");
    assert_eq!(daemon.post("/api/v1/logout", &[("Cookie", &cookie)], &json!({})).status, 204);
    assert_eq!(daemon.get("/api/v1/me", &[("Cookie", &cookie)]).status, 401);
    assert_eq!(daemon.get("/api/v1/arbiter/boards", &[("Cookie", &cookie)]).status, 401);
    stream.read_to_end(&mut Vec::new()).expect("the stream ends");
}

/// A login from this address, with these cookies.
fn login(daemon: &Daemon, source: Ipv4Addr, cookies: &str, name: &str, password: &str) -> Answer {
    let body = json!({ "name": name, "password": password }).to_string();
    let headers = [("Content-Type", "application/json"), ("Cookie", cookies)];
    send(daemon.connect_from(source), daemon.address, "POST", "/api/v1/login", &headers, body.as_bytes())
}

/// All cookies that an answer sets.
fn cookies(answer: &Answer) -> String {
    let lines = answer.head.lines().filter(|line| line.to_lowercase().starts_with("set-cookie: "));
    lines.map(|line| &line["set-cookie: ".len()..]).filter_map(|line| line.split(';').next()).collect::<Vec<_>>().join("; ")
}

#[test]
fn guessing_becomes_slow_and_keeps_nobody_else_out() {
    let daemon = Daemon::start();
    let (here, there) = (Ipv4Addr::new(127, 0, 0, 9), Ipv4Addr::new(127, 0, 0, 8));
    let guesses: Vec<Answer> = thread::scope(|scope| {
        let guess = |n: u32| {
            scope.spawn({
                let daemon = &daemon;
                move || login(daemon, here, "", "Olga", &format!("guess {n}"))
            })
        };
        let all: Vec<_> = (0..60).map(guess).collect();
        all.into_iter().map(|guess| guess.join().unwrap()).collect()
    });
    assert!(guesses.iter().all(|answer| matches!(answer.status, 401 | 429)), "{guesses:?}");
    assert!(guesses.iter().all(|answer| answer.status == 401 || answer.head.to_lowercase().contains("retry-after: ")));
    let looked_at = guesses.iter().filter(|answer| answer.status == 401).count();
    assert!((1..20).contains(&looked_at), "{looked_at} of 60 guesses were looked at");
    // The boards' visitors notice nothing; others come in from there, and she from anywhere.
    daemon.assert_sound();
    assert_eq!(login(&daemon, here, "", "Boris", PASSWORD).status, 200);
    assert_eq!(login(&daemon, there, "", "Olga", PASSWORD).status, 200);
    assert_eq!(login(&daemon, here, "", "Olga", PASSWORD).status, 200);
}

#[test]
fn wrong_guesses_behind_the_same_address_keep_out_neither_others_nor_her_nor_her_tablet() {
    let daemon = Daemon::start();
    let here = Ipv4Addr::new(127, 0, 0, 7);
    for n in 0..7 {
        assert_eq!(login(&daemon, here, "", "Olga", &format!("guess {n}")).status, 401);
    }
    let mut refused = Vec::new();
    for n in 0..6 {
        for name in ["Olga", "Boris"] {
            let answer = login(&daemon, here, "", name, PASSWORD);
            if answer.status != 200 {
                refused.push(format!("{name}: {}", answer.status));
            }
        }
        assert_eq!(login(&daemon, here, "", "Olga", &format!("another guess {n}")).status, 401);
    }
    println!("{} of 12 right passwords were refused", refused.len());
    assert!(refused.is_empty(), "{} of 12 right passwords were refused: {refused:?}", refused.len());
    // All places in line of that address are taken all the time: her tablet has one of its own.
    let tablet = cookies(&login(&daemon, here, "", "Olga", PASSWORD));
    let over = AtomicBool::new(false);
    let statuses = thread::scope(|scope| {
        for n in 0..8 {
            let (daemon, over) = (&daemon, &over);
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    login(daemon, here, "", if n % 2 == 0 { "Olga" } else { "Boris" }, "a guess");
                }
            });
        }
        let statuses: Vec<u16> = (0..6).map(|_| login(&daemon, here, &tablet, "Olga", PASSWORD).status).collect();
        over.store(true, Ordering::Relaxed);
        statuses
    });
    assert_eq!(statuses, [200; 6]);
    // The tablet's cookie opens nothing.
    let device = tablet.split("; ").find(|cookie| cookie.starts_with("flagfall_device_")).unwrap();
    assert_eq!(daemon.get("/api/v1/me", &[("Cookie", device)]).status, 401);
    assert_eq!(login(&daemon, here, device, "Olga", "a guess").status, 401);
    daemon.assert_sound();
}

#[test]
fn forty_logins_take_the_memory_of_two() {
    let daemon = Daemon::start();
    let before = daemon.memory("VmRSS");
    thread::scope(|scope| {
        for n in 1..=40 {
            let daemon = &daemon;
            scope.spawn(move || {
                let source = Ipv4Addr::new(127, 0, 1, n);
                // On a machine that does much besides, a line may be full for a moment.
                while login(daemon, source, "", if n % 2 == 0 { "Olga" } else { "Boris" }, PASSWORD).status != 200 {}
            });
        }
    });
    let (most, now) = (daemon.memory("VmHWM"), daemon.memory("VmRSS"));
    println!("memory: {before} kB before, {most} kB at the peak, {now} kB after forty logins");
    assert!(most - before < 64 * 1024, "{before} kB before, {most} kB at the peak, {now} kB after");
    daemon.assert_sound();
}

#[test]
fn four_phones_with_all_the_streams_they_can_get_keep_nobody_out() {
    let daemon = Daemon::start();
    let cookie = daemon.login("Olga", PASSWORD).cookie().unwrap();
    let stream = |source: Ipv4Addr, path: &str, cookie: &str| -> Option<TcpStream> {
        let mut socket = daemon.connect_from(source);
        write!(socket, "GET {path} HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n\r\n", daemon.address).ok()?;
        let mut head = [0; 12];
        socket.read_exact(&mut head).ok()?;
        (&head == b"HTTP/1.1 200").then_some(socket)
    };
    let phones: Vec<TcpStream> =
        (0..4 * 128).filter_map(|n| stream(Ipv4Addr::new(127, 0, 2, n as u8 % 4 + 1), "/api/v1/events", "")).collect();
    // Who reads their answers to the end? Nobody; and they ask for pages besides.
    let idle: Vec<TcpStream> = (0..4 * 128).map(|n| daemon.connect_from(Ipv4Addr::new(127, 0, 2, n as u8 % 4 + 1))).collect();
    let here = Ipv4Addr::new(127, 0, 2, 9);
    let arbiters: Vec<TcpStream> = (0..20).filter_map(|_| stream(here, "/api/v1/arbiter/events", &cookie)).collect();
    let entered = daemon.post("/api/v1/arbiter/boards/1/entries", &[("Cookie", &cookie)], &json!({"do": "stop"})).status;
    let again = login(&daemon, here, "", "Olga", PASSWORD).status;
    let public = stream(here, "/api/v1/events", "").is_some();
    let local = daemon.at_socket(&["rule", "1", "stop"]).status.success();
    println!(
        "{} streams of four phones: {} of 20 streams of arbiters, entry {entered}, login {again}, a visitor's stream: {public}, the machine itself: {local}",
        phones.len(),
        arbiters.len()
    );
    assert_eq!((arbiters.len(), entered, again, public, local), (20, 200, 200, true, true));
    drop((phones, idle, arbiters));
    daemon.assert_sound();
}

#[test]
fn what_is_too_large_is_refused_and_what_is_too_slow_is_cut_off() {
    let daemon = Daemon::start();
    let authorization = format!("Bearer {}", daemon.arbiter_token);
    let headers = [("Authorization", authorization.as_str()), ("Content-Type", "application/json")];
    let entries = "/api/v1/arbiter/boards/1/entries";
    let note = json!({ "do": "stop", "note": "x".repeat(100_000) }).to_string();
    assert_eq!(daemon.ask("POST", entries, &headers, note.as_bytes()).status, 413);
    assert_eq!(daemon.post(entries, &headers[..1], &json!({ "do": "stop", "note": "x".repeat(5000) })).status, 422);
    assert_eq!(daemon.get("/healthz", &[("X-Long", &"x".repeat(20_000))]).status, 431);
    assert_eq!(daemon.get(&format!("/{}", "x".repeat(5000)), &[]).status, 414);
    // A megabyte of headers is not even read.
    assert_eq!(daemon.get("/healthz", &[("X-Long", &"x".repeat(1_000_000))]).status / 100 % 4, 0);
    let slow = |first: String, then: &'static [u8]| {
        let mut socket = daemon.connect();
        thread::spawn(move || {
            socket.write_all(first.as_bytes()).unwrap();
            let mut answer = Vec::new();
            let mut reader = socket.try_clone().unwrap();
            let drip = thread::spawn(move || {
                while !then.is_empty() && socket.write_all(then).is_ok() {
                    thread::sleep(Duration::from_secs(1))
                }
            });
            // An end or an error; a time-out of this test is a socket that was not cut off.
            let ended = match reader.read_to_end(&mut answer) {
                Ok(_) => true,
                Err(error) => !matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut),
            };
            drop(reader);
            drip.join().unwrap();
            ended
        })
    };
    let body = format!(
        "POST {entries} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {authorization}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{{"
    );
    let all = [
        ("silence", slow(String::new(), b"")),
        ("half a head", slow(String::from("GET / HTTP/1.1\r\nHost: x"), b"")),
        ("a head byte by byte", slow(String::from("GET / HTTP/1.1\r\nHost: localhost\r\nX: "), b"x")),
        ("a body byte by byte", slow(body, b" ")),
    ];
    for (what, thread) in all {
        assert!(thread.join().unwrap(), "{what} was not cut off");
    }
    daemon.assert_sound();
}

#[test]
fn two_thousand_idle_connections_keep_nobody_out_and_no_board_waits() {
    let daemon = Daemon::start();
    let public = daemon.listen();
    public.expect("event: snapshot");
    // The child has its own limit; this process needs as many.
    let crowd: Vec<TcpStream> = (0..2000).map_while(|_| TcpStream::connect_timeout(&daemon.address, Duration::from_secs(5)).ok()).collect();
    if crowd.len() < 2000 {
        println!("skipped: only {} connections can be opened here (ulimit -n)", crowd.len());
        return;
    }
    for (turn, side) in [0x13, 0x09, 0x13, 0x09].into_iter().enumerate() {
        daemon.board.say_now(&[0x8D, 0x00, 0x0A, 0x01, 0x00, 0x00, 0x01, 0x30, 0x59 - turn as u8, side]);
        thread::sleep(Duration::from_millis(50));
    }
    public.expect("event: press");
    let cookie = daemon.login("Olga", PASSWORD).cookie().expect("she comes in");
    assert_eq!(daemon.get("/api/v1/arbiter/boards", &[("Cookie", &cookie)]).status, 200);
    assert_eq!(daemon.post("/api/v1/arbiter/boards/1/entries", &[("Cookie", &cookie)], &json!({"do": "stop"})).status, 200);
    drop(crowd);
    daemon.assert_sound();
}
