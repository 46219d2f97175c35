//! The machine without accounts: strangers behind a proxy on it, the link, the machine's own socket.
use super::daemon::{Answer, Daemon, program};
use crate::signed_in;
use serde_json::{Value, json};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Output};

const RESULT: &str = "/api/v1/arbiter/boards/1/result";

/// `flagfall` at the daemon's own socket, as this user.
fn at_socket(daemon: &Daemon, args: &[&str], uid: Option<u32>) -> Output {
    let mut command = Command::new(program());
    command.args(args).arg("--socket").arg(&daemon.socket).env_clear();
    if let Some(uid) = uid {
        command.uid(uid).gid(uid);
    }
    command.output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// What a plain `proxy_pass http://127.0.0.1:PORT;` and its relatives send for a visitor from anywhere.
fn proxies(daemon: &Daemon) -> Vec<Vec<(&'static str, String)>> {
    let host = || ("Host", daemon.address.to_string());
    vec![
        vec![host()],
        vec![host(), ("Connection", String::from("close"))],
        vec![("Host", String::from("localhost"))],
        vec![host(), ("X-Forwarded-For", String::from("127.0.0.1")), ("X-Real-IP", String::from("127.0.0.1"))],
        vec![host(), ("Forwarded", String::from("for=127.0.0.1;host=localhost;proto=https"))],
        vec![host(), ("X-Forwarded-User", String::from("root")), ("Remote-User", String::from("root"))],
        vec![host(), ("Cookie", String::from("flagfall_session=")), ("Authorization", String::from("Bearer "))],
    ]
}

#[test]
fn a_plain_proxy_makes_nobody_an_arbiter() {
    let daemon = Daemon::start_with(false, "");
    let as_proxy = |headers: &[(&'static str, String)], method: &str, path: &str, body: &Value| -> Answer {
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        if method == "GET" { daemon.get(path, &headers) } else { daemon.post(path, &headers, body) }
    };
    let (mut let_in, mut asked) = (Vec::new(), 0);
    for headers in proxies(&daemon) {
        for (method, path, body) in [
            ("POST", RESULT, json!({"result": "1-0"})),
            ("POST", "/api/v1/arbiter/boards/1/entries", json!({"do": "stop"})),
            ("POST", "/api/v1/arbiter/link", json!({})),
            ("GET", "/api/v1/arbiter/boards", Value::Null),
            ("GET", "/api/v1/operator/alarms", Value::Null),
            ("GET", "/api/v1/me", Value::Null),
        ] {
            let answer = as_proxy(&headers, method, path, &body);
            asked += 1;
            if answer.status != 401 {
                let_in.push(format!("{method} {path} {headers:?}: {}", answer.status));
            }
        }
    }
    println!("{} of {asked} requests of strangers were let in", let_in.len());
    assert!(let_in.is_empty(), "strangers were let in {} times:\n{}", let_in.len(), let_in.join("\n"));
    assert_eq!(daemon.get("/api/v1/boards/1", &[]).json()["game"]["result"], "*");
    daemon.assert_sound();
}

#[test]
fn the_link_lets_one_browser_in_and_the_machine_makes_another() {
    let daemon = Daemon::start_with(false, "");
    let printed = daemon.errors.lock().unwrap().lines().find_map(|line| Some(line.strip_prefix("arbiters: ")?.to_owned()));
    let printed = printed.expect("the daemon prints a link");
    assert!(printed.starts_with(&format!("http://{}/arbiter#key=", daemon.address)), "{printed}");
    let key = |link: &str| json!({"key": link.split("#key=").nth(1).unwrap()});
    let enter = |link: &str| daemon.post("/api/v1/login/link", &[], &key(link));
    let first = enter(&printed);
    let cookie = first.cookie().expect("the link lets one in");
    assert!(first.head.contains("HttpOnly") && !first.head.contains("Secure"), "{}", first.head);
    assert_eq!((&first.json()["name"], &first.json()["role"]), (&Value::Null, &json!("arbiter")));
    assert_eq!(daemon.post(RESULT, &[("Cookie", &cookie)], &json!({"result": "1/2-1/2"})).status, 200);
    let second = enter(&printed);
    assert_eq!((second.status, second.cookie()), (401, None));
    assert!(second.json()["hint"].as_str().unwrap().contains("flagfall account link"), "{}", second.body);

    // Whoever sits at the machine makes another one; the one before is no use then.
    let renew = || said(&at_socket(&daemon, &["account", "link"], None)).trim().to_owned();
    let (old, new) = (renew(), renew());
    assert_eq!((enter(&old).status, enter(&new).status, enter(&new).status), (401, 200, 401));
    // Nothing of it stands in a log of requests.
    assert!(!daemon.errors.lock().unwrap().contains(new.split("#key=").nth(1).unwrap()));
    daemon.assert_sound();
}

#[test]
fn the_machines_own_socket_is_for_root_the_daemons_user_and_the_group() {
    let daemon = Daemon::start_with(false, "");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let (socket, folder) = (mode(&daemon.socket), mode(daemon.socket.parent().unwrap()));
    assert_eq!((socket & 0o007, folder & 0o007), (0, 0), "{socket:o} {folder:o}");
    let ruled = at_socket(&daemon, &["rule", "1", "result", "1-0", "--name", "Olga"], None);
    assert!(ruled.status.success(), "{}", said(&ruled));
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        println!("skipped in part: only root can be another user here");
        return;
    }
    // A user of this machine, first before a closed folder, then before an open one: the mode alone does not decide.
    let stranger = || at_socket(&daemon, &["rule", "1", "result", "0-1"], Some(65_534));
    let refused = stranger();
    assert_eq!(refused.status.code(), Some(77), "{}", said(&refused));
    assert!(said(&refused).contains("add yourself to the group"), "{}", said(&refused));
    for path in daemon.socket.ancestors().take_while(|path| path.starts_with(std::env::temp_dir()) && *path != std::env::temp_dir()) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    let refused = stranger();
    assert!(!refused.status.success(), "{}", said(&refused));
    // It is public when it cannot be undone any more.
    let shown = || daemon.get("/api/v1/boards/1", &[]).json()["game"]["result"].clone();
    for _ in 0..600 {
        if shown() == "1-0" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(shown(), "1-0");
    daemon.assert_sound();
}

#[test]
fn with_accounts_the_socket_rules_in_its_users_name_and_links_let_nobody_in() {
    let daemon = Daemon::start();
    let made = at_socket(&daemon, &["account", "link"], None);
    assert!(!made.status.success(), "{}", said(&made));
    assert!(said(&made).contains("there are accounts"), "{}", said(&made));
    assert_eq!(daemon.post("/api/v1/login/link", &[], &json!({"key": "x"})).status, 401);
    let ruled = at_socket(&daemon, &["rule", "1", "report", "two-hands", "--by", "white"], None);
    assert!(ruled.status.success(), "{}", said(&ruled));
    let board = daemon.get("/api/v1/arbiter/boards/1", &[("Authorization", &format!("Bearer {}", daemon.arbiter_token))]).json();
    let user = std::fs::metadata("/proc/self").unwrap().uid();
    let expected = if user == 0 { json!("root") } else { board["rulings"][0]["who"].clone() };
    assert_eq!(board["rulings"][0]["who"], expected, "{board}");
    assert!(board["rulings"][0]["who"].is_string(), "{board}");
    // A page of another site cannot reach it, and a name there is an account's.
    let link = UnixStream::connect(&daemon.socket).unwrap();
    drop(link);
    let wrong = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(["rule", "1", "stop", "--name", "Olga", "--socket"])
        .arg(&daemon.socket)
        .env_clear()
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(77), "{}", said(&wrong));
    let _ = signed_in::socket(&daemon.address.to_string()).unwrap();
}

#[test]
fn cookies_are_secure_where_a_proxy_that_encrypts_is_declared_and_by_no_header() {
    let daemon = Daemon::start_with(false, "public_url = \"https://boards.club.example\"");
    let printed = daemon.errors.lock().unwrap().lines().find_map(|line| Some(line.strip_prefix("arbiters: ")?.to_owned())).unwrap();
    assert!(printed.starts_with("https://boards.club.example/arbiter#key="), "{printed}");
    let headers = [("Host", "boards.club.example"), ("Origin", "https://boards.club.example")];
    let answer = daemon.post("/api/v1/login/link", &headers, &json!({"key": printed.split("#key=").nth(1).unwrap()}));
    assert!(answer.status == 200 && answer.head.contains("; Secure"), "{answer:?}");
    let plain = Daemon::start();
    for header in [("X-Forwarded-Proto", "https"), ("Forwarded", "proto=https"), ("X-Forwarded-Ssl", "on")] {
        let answer = plain.post("/api/v1/login", &[header], &json!({"name": "Olga", "password": super::daemon::PASSWORD}));
        assert!(answer.status == 200 && !answer.head.contains("; Secure"), "{answer:?}");
    }
}
