//! `flagfall run` and `flagfall demo` as somebody at a terminal starts and ends them.
use super::{file, run};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A running daemon and everything it has printed so far; ended when dropped.
struct Daemon {
    child: Child,
    printed: Arc<Mutex<String>>,
}

impl Daemon {
    /// Starts it with a home and a folder for temporary files of its own.
    fn start(folder: &Path, args: &[&str]) -> Self {
        let tmp = folder.join("tmp");
        std::fs::create_dir_all(&tmp).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_flagfall"))
            .args(args)
            .env_clear()
            .env("HOME", folder)
            .env("TMPDIR", &tmp)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let printed = Arc::new(Mutex::new(String::new()));
        let streams: [Box<dyn Read + Send>; 2] = [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for stream in streams {
            let printed = printed.clone();
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    printed.lock().unwrap().push_str(&(line + "\n"));
                }
            });
        }
        Self { child, printed }
    }

    fn printed(&self) -> String {
        self.printed.lock().unwrap().clone()
    }

    /// Asks until there is an answer; the time is only how long to wait before giving up.
    fn until<T>(&mut self, what: &str, mut ask: impl FnMut(&mut Self) -> Option<T>) -> T {
        for _ in 0..1200 {
            if let Some(answer) = ask(self) {
                return answer;
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("it ended ({status}) before {what}:\n{}", self.printed());
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("no {what}:\n{}", self.printed());
    }

    /// The address of the page as it was printed.
    fn address(&mut self) -> String {
        self.until("address", |daemon| {
            let printed = daemon.printed();
            // The line is whole when its end is there.
            let line = printed.split_inclusive('\n').find(|l| l.contains("http://127.0.0.1:") && l.ends_with('\n'))?;
            let address = line.split("http://").nth(1)?.split(['/', ' ', '\n']).next()?;
            Some(address.to_owned())
        })
    }

    /// Interrupts it and waits for its end: exit code.
    fn interrupt(mut self) -> Option<i32> {
        let status = Command::new("sh").args(["-c", &format!("kill -INT {}", self.child.id())]).status().unwrap();
        assert!(status.success());
        let mut code = None;
        for _ in 0..400 {
            if let Some(status) = self.child.try_wait().unwrap() {
                code = status.code();
                break;
            }
            thread::sleep(Duration::from_millis(50));
        }
        code
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body of a page, if it is there.
fn get(address: &str, path: &str) -> Option<serde_json::Value> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
    serde_json::from_str(body).ok()
}

#[test]
fn a_port_in_use_is_69_and_says_how_to_take_another() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let config = file(folder.path(), "f.toml", "[livechess]\nenabled = false\n[discovery]\nserial = false\n");
    for args in [&["demo", "--listen", &address][..], &["run", "--listen", &address, "--config", config.to_str().unwrap()]] {
        let (code, _, err) = run(args);
        assert_eq!(code, 69, "{args:?}: {err}");
        assert!(err.contains(&address) && err.contains("in use") && err.contains("--listen"), "{err}");
    }
}

#[test]
fn a_board_that_is_not_there_is_a_state_and_no_exit() {
    let folder = tempfile::tempdir().unwrap();
    let config = "[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n\
                  [[board]]\nname = \"top\"\nlink = \"serial:/nowhere/ttyUSB0\"\n";
    let config = file(folder.path(), "f.toml", config);
    let mut daemon = Daemon::start(folder.path(), &["run", "--config", config.to_str().unwrap()]);
    let address = daemon.address();
    let boards = daemon.until("boards", |_| get(&address, "/api/v1/boards"));
    assert_eq!((&boards[0]["board"], &boards[0]["link"]), (&"top".into(), &"down".into()), "{boards}");
    let health = daemon.until("health", |_| get(&address, "/healthz"));
    assert!(health.to_string().contains(&address), "{health}");
    assert_eq!(daemon.interrupt(), Some(0));
}

#[test]
fn the_demo_plays_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut daemon = Daemon::start(folder.path(), &["demo", "--boards", "2", "--speed", "20", "--listen", "127.0.0.1:0"]);
    let address = daemon.address();
    let boards = daemon.until("completed move on each board", |_| {
        let boards = get(&address, "/api/v1/boards")?;
        let moving = boards.as_array()?.iter().filter(|b| b["plies_completed"].as_u64().is_some_and(|n| n >= 1)).count();
        (moving == 2).then_some(boards)
    });
    assert!(boards.as_array().unwrap().iter().all(|b| b["link"] == "up"), "{boards}");
    assert!(std::fs::read_dir(folder.path().join("tmp")).unwrap().count() > 0);
    assert_eq!(daemon.interrupt(), Some(0));
    let left: Vec<_> = std::fs::read_dir(folder.path().join("tmp")).unwrap().map(|e| e.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_demo_says_what_it_is_and_points_at_the_illegal_move_that_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    let mut daemon = Daemon::start(folder.path(), &["demo", "--boards", "2", "--speed", "0.1", "--listen", "127.0.0.1:0"]);
    let line = daemon.until("pointer", |daemon| {
        let printed = daemon.printed();
        printed
            .split_inclusive('\n')
            .find(|line| line.starts_with("board 1: illegal move. White ") && line.ends_with('\n'))
            .map(String::from)
    });
    let printed = daemon.printed();
    let at = |part: &str| printed.find(part).unwrap_or_else(|| panic!("no {part:?} in\n{printed}"));
    assert!(at("flagfall demo: 2 boards") < at("web: http") && at("web: http") < at("flagfall watch") && at("be the arbiter") < at(&line));
    // The link in it is the one that signs in, and leads to the card.
    let link = line.split_whitespace().find(|word| word.contains("/arbiter#key=")).unwrap();
    let (root, place) = link.split_once("/board/").unwrap();
    assert_eq!(place, "1/finding/1");
    assert!(printed.contains(&format!("arbiters: {root}\n")), "{printed}");
    assert_eq!(printed.matches("illegal move. ").count(), 1, "{printed}");
    assert_eq!(daemon.interrupt(), Some(0));
}

#[test]
fn a_quiet_demo_announces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut daemon =
        Daemon::start(folder.path(), &["demo", "--boards", "1", "--speed", "20", "--incidents", "off", "--listen", "127.0.0.1:0"]);
    let address = daemon.address();
    // The ply with which it would have happened.
    daemon.until("third ply", |_| get(&address, "/api/v1/boards")?[0]["plies_completed"].as_u64().filter(|n| *n >= 3));
    let printed = daemon.printed();
    assert!(printed.contains("be the arbiter") && !printed.contains("illegal move"), "{printed}");
    assert_eq!(daemon.interrupt(), Some(0));
}

#[test]
fn impossible_demos_are_refused() {
    for args in [
        &["demo", "--boards", "0"][..],
        &["demo", "--speed", "0"],
        &["demo", "--speed", "fast"],
        &["demo", "--listen", "here"],
        &["demo", "--incidents", "on"],
    ] {
        let (code, _, err) = run(args);
        assert_eq!(code, 64, "{args:?}: {err}");
    }
}
