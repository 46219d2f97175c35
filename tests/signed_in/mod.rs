//! An arbiter's session at a daemon without accounts, as whoever sits at its machine gets one: its own socket gives a link, the link lets one in.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "a test may, and not every test needs all of it")]
use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Mutex;

/// The socket of the daemon whose page is at this address, and a number that no other socket has.
pub fn socket(address: &str) -> Option<(PathBuf, String)> {
    let file = format!("/{}.sock", plain(address).rsplit_once(':')?.1);
    let sockets = fs::read_to_string("/proc/net/unix").unwrap();
    let mut all = sockets.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    // The one that listens; connections to it have the same path.
    let found = all.find(|fields| fields.len() == 8 && fields[3] == "00010000" && fields[7].ends_with(&file))?;
    Some((PathBuf::from(found[7]), String::from(found[6])))
}

/// What a request to the daemon at this address sends as `Cookie`; one session for all that ask.
pub fn cookie(address: &str) -> String {
    static KNOWN: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);
    let (path, number) = socket(address).unwrap_or_else(|| panic!("the daemon at {address} has no socket"));
    let mut known = KNOWN.lock().unwrap();
    let known = known.get_or_insert_default();
    known.entry(number).or_insert_with(|| by_link(address, &link(UnixStream::connect(path).unwrap()))).clone()
}

/// A new link.
pub fn link(socket: impl Read + Write) -> String {
    let answer = post(socket, "localhost", "/api/v1/arbiter/link", "{}");
    let link = answer.split("\"link\":\"").nth(1).and_then(|rest| rest.split('"').next());
    link.unwrap_or_else(|| panic!("no link: {answer}")).to_owned()
}

/// The cookie that a link gives.
pub fn by_link(address: &str, link: &str) -> String {
    let key = link.split("#key=").nth(1).unwrap();
    let host = plain(address);
    let answer = post(TcpStream::connect(host).unwrap(), host, "/api/v1/login/link", &format!("{{\"key\":\"{key}\"}}"));
    let line = answer.lines().find(|line| line.to_lowercase().starts_with("set-cookie: flagfall_session"));
    let line = line.unwrap_or_else(|| panic!("no cookie: {answer}"));
    line["set-cookie: ".len()..].split(';').next().unwrap().to_owned()
}

fn plain(address: &str) -> &str {
    address.trim_start_matches("http://").split('/').next().unwrap()
}

fn post(mut socket: impl Read + Write, host: &str, path: &str, body: &str) -> String {
    let head = format!("POST {path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
    socket.write_all((head + body).as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}
