//! Clients that mean no good, or are broken: nobody else notices.
use super::client::{Client, request};
use super::table::Served;
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

#[test]
fn a_page_whose_name_was_made_to_lead_here_reads_nothing() {
    let served = Served::new();
    let ask = |host: &str| {
        let mut stream = TcpStream::connect(served.address).unwrap();
        write!(stream, "GET /api/v1.0/eboards HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    let port = served.address.port();
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}"), String::from("192.0.2.7:1982")] {
        assert_eq!(ask(&host), "200", "{host}");
    }
    for host in [format!("evil.example:{port}"), String::from("localhost.evil.example"), String::from("127.0.0.1.evil.example:1982")] {
        assert_eq!(ask(&host), "421", "{host}");
    }
}

#[test]
fn foreign_pages_are_refused_with_403() {
    let served = Served::with(&["https://club.example"]);
    let own = format!("http://localhost:{}", served.address.port());
    for origin in [None, Some("https://lichess.org"), Some("https://www.chess.com"), Some("https://club.example"), Some(own.as_str())] {
        Client::open(served.address, origin).unwrap_or_else(|status| panic!("{origin:?}: {status}"));
    }
    for origin in ["https://evil.example", "null", "http://lichess.org", "http://localhost"] {
        assert_eq!(Client::open(served.address, Some(origin)).err(), Some(403), "{origin}");
        let (status, head, _) = request(served.address, "GET", "/api/v1.0/eboards", &format!("Origin: {origin}\r\n"));
        assert_eq!(status, 403, "{origin}");
        assert!(!head.contains("access-control-allow-origin"), "{head}");
    }
    let (status, head, _) = request(served.address, "GET", "/api/v1.0/eboards", "Origin: https://lichess.org\r\n");
    assert!(status == 200 && head.contains("access-control-allow-origin: https://lichess.org"), "{head}");
    let asks = "Origin: https://lichess.org\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Private-Network: true\r\n";
    let (status, head, _) = request(served.address, "OPTIONS", "/api/v1.0/eboards", asks);
    assert!(status == 204 && head.contains("access-control-allow-private-network: true"), "{head}");
}

/// More connections than there are places, all silent: whoever comes is served, and who is there stays.
#[test]
fn silent_connections_make_room_for_whoever_comes() {
    let served = Served::new();
    let ask = r#"{"id":1,"call":"eboards"}"#;
    let mut early = Client::new(served.address);
    let silent: Vec<TcpStream> = (0..400).map(|_| TcpStream::connect(served.address).unwrap()).collect();
    let mut late: Vec<Client> = (0..40).map(|_| Client::new(served.address)).collect();
    for client in late.iter_mut().chain([&mut early]) {
        assert_eq!(client.call(ask)["param"], serde_json::json!([]));
    }
    drop(silent);
}

#[test]
fn the_second_address_serves_too() {
    let served = Served::new();
    let Some(second) = served.livechess.addresses().get(1) else {
        println!("skipped: this machine has no [::1]");
        return;
    };
    assert_eq!((second.port(), second.ip().to_string().as_str()), (served.address.port(), "::1"));
    assert_eq!(Client::new(*second).call(r#"{"id":1,"call":"eboards"}"#)["param"], serde_json::json!([]));
}

#[test]
fn malformed_frames_are_answered_and_the_connection_stays() {
    let served = Served::new();
    drop(served.game("1", "30017"));
    served.livechess.catch_up();
    let mut client = Client::new(served.address);
    let deep = "[".repeat(30_000);
    let long = format!(r#"{{"id":"{}","call":"{}"}}"#, "i".repeat(20_000), "c".repeat(20_000));
    for text in [
        "",
        " ",
        "{",
        "}",
        "null",
        "1",
        "\"\"",
        "[]",
        "{}",
        "{\"id\":",
        deep.as_str(),
        "{\"id\":1,\"call\":\"eboards\",\"id\":2}",
        long.as_str(),
    ] {
        assert_eq!(client.call(text)["response"], "error", "{}", &text[..text.len().min(40)]);
    }
    let mut nested = String::from(r#"{"id":1,"call":"subscribe","param":"#);
    nested.push_str(&"{\"a\":".repeat(500));
    assert_eq!(client.call(&nested)["response"], "error");
    client.message(Message::binary(vec![0, 159, 146, 150]));
    assert_eq!(client.json()["response"], "error");
    client.message(Message::Ping(vec![1, 2, 3].into()));
    for fen in ["", "8/8/8/8/8/8/8/8 w - - 0 1", "9/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/7K x - - 0 1", &"k".repeat(5000)] {
        client.subscribe("30017");
        let call = format!(r#"{{"id":3,"call":"call","param":{{"id":1,"method":"setup","param":{{"fen":"{fen}"}}}}}}"#);
        assert_eq!(client.call(&call)["response"], "error", "{fen}");
    }
    assert_eq!(client.call(r#"{"id":9,"call":"eboards"}"#)["param"][0]["serialnr"], "30017");
}

#[test]
fn a_huge_frame_ends_its_connection_and_no_other() {
    let served = Served::new();
    drop(served.game("1", "30017"));
    served.livechess.catch_up();
    let mut other = Client::new(served.address);
    let mut client = Client::new(served.address);
    client.message(Message::text(" ".repeat(65_537)));
    assert_eq!(client.next(), None);
    // A frame that says it is terabytes long.
    let mut raw = TcpStream::connect(served.address).unwrap();
    let upgrade = "GET /api/v1.0 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    raw.write_all(upgrade.as_bytes()).unwrap();
    raw.write_all(&[0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4]).unwrap();
    let mut answer = Vec::new();
    // Reset or closed: both are an end.
    let _ = raw.read_to_end(&mut answer);
    assert!(answer.starts_with(b"HTTP/1.1 101"));
    assert_eq!(other.call(r#"{"id":9,"call":"eboards"}"#)["param"][0]["serialnr"], "30017");
}

#[test]
fn who_only_talks_nonsense_is_sent_away() {
    let served = Served::new();
    let mut client = Client::new(served.address);
    let mut answers = 0;
    for _ in 0..100 {
        client.send("nonsense");
    }
    while client.next().is_some() {
        answers += 1;
    }
    assert_eq!(answers, 100);
}

#[test]
fn subscriptions_of_one_connection_have_a_limit() {
    let served = Served::new();
    drop(served.game("1", "30017"));
    served.livechess.catch_up();
    let mut client = Client::new(served.address);
    let subscribe =
        |n: u32| format!(r#"{{"id":{n},"call":"subscribe","param":{{"feed":"eboardevent","id":{n},"param":{{"serialnr":"30017"}}}}}}"#);
    for n in 0..512 {
        assert_eq!(client.call(&subscribe(n))["response"], "call", "{n}");
    }
    assert_eq!(client.call(&subscribe(512))["response"], "error");
    assert_eq!(client.call(&subscribe(5))["response"], "call", "a feed that is replaced needs no new place");
}

#[test]
fn a_client_that_reads_nothing_keeps_nobody_waiting() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    served.livechess.catch_up();
    let stalled: Vec<Client> = (0..3)
        .map(|_| {
            let mut client = Client::new(served.address);
            client.subscribe("30017");
            client
        })
        .collect();
    let mut reader = Client::new(served.address);
    reader.subscribe("30017");
    for _ in 0..500 {
        table.plays("g1f3 g8f6 f3g1 f6g8");
    }
    served.livechess.catch_up();
    table.shows("4k3/8/8/8/8/8/8/4K3");
    loop {
        let frame: Value = reader.json();
        if frame["param"]["board"] == "4k3/8/8/8/8/8/8/4K3" {
            break;
        }
    }
    drop(stalled);
}
