//! Other sites, old cookies, guessed passwords, huge and slow requests, crowds.
use crate::daemon::{Daemon, PASSWORD, send};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
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

#[test]
fn guessing_becomes_slow_and_keeps_nobody_else_out() {
    let daemon = Daemon::start();
    let guess = |n: u32| {
        let socket = daemon.connect_from(Ipv4Addr::new(127, 0, 0, 9));
        let body = json!({ "name": "Olga", "password": format!("guess {n}") }).to_string();
        send(socket, daemon.address, "POST", "/api/v1/login", &[("Content-Type", "application/json")], body.as_bytes())
    };
    let mut looked_at = 0;
    for n in 0..60 {
        let answer = guess(n);
        assert!(matches!(answer.status, 401 | 429), "{answer:?}");
        looked_at += u32::from(answer.status == 401);
        if answer.status == 429 {
            assert!(answer.head.to_lowercase().contains("retry-after: "), "{}", answer.head);
        }
    }
    assert!(looked_at < 20, "{looked_at} of 60 guesses were looked at");
    // The boards' visitors notice nothing; from another address she comes in as soon as the name has rested.
    daemon.assert_sound();
    assert_eq!(daemon.login("Boris", PASSWORD).status, 200);
    let answer = (0..30).map(|_| {
        thread::sleep(Duration::from_millis(500));
        daemon.login("Olga", PASSWORD)
    });
    assert!(answer.into_iter().any(|answer| answer.status == 200), "she never came in");
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
