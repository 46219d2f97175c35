//! The real daemon, and servers that never come to an end: a body, headers, a line, a list, one byte a second. What is taken of each answer and what
//! the process needs for it are bounded, and the board plays on.
use super::daemon::{Daemon, until_played};
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// Endless for whoever listens; the test itself must end.
const END: usize = 96 * 1024 * 1024;
/// What the system holds on the way of one connection, and what may be read of it.
const TAKEN: usize = 24 * 1024 * 1024;
/// What the whole daemon may need at its peak, debug build: twice of what it needs in peace.
const PEAK: u64 = 200 * 1024 * 1024;

/// What a server does, by the number of the connection.
type Script = fn(usize, &mut TcpStream) -> (&'static str, usize);

/// A server without end, and what was taken from it by connection.
struct Endless {
    address: SocketAddr,
    taken: Arc<Mutex<Vec<(&'static str, usize)>>>,
}

impl Endless {
    fn new(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, taken) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<_>>>::default());
        let note = taken.clone();
        thread::spawn(move || {
            for (n, stream) in listener.incoming().enumerate() {
                let (mut stream, note) = (stream.unwrap(), note.clone());
                thread::spawn(move || {
                    stream.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
                    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
                    let took = script(n, &mut stream);
                    note.lock().unwrap().push(took);
                });
            }
        });
        Self { address, taken }
    }

    /// The connections that are over, by what was done to them.
    fn taken(&self) -> Vec<(&'static str, usize)> {
        self.taken.lock().unwrap().clone()
    }

    fn met(&self, what: &str) -> bool {
        self.taken().iter().any(|(done, _)| *done == what)
    }
}

/// Writes `piece` again and again until nobody takes it any more; how much was taken.
fn flood(stream: &mut TcpStream, piece: &[u8]) -> usize {
    let portion = piece.repeat((64 * 1024 / piece.len()).max(1));
    let mut taken = 0;
    while taken < END {
        match stream.write(&portion) {
            Ok(count) if count > 0 => taken += count,
            _ => break,
        }
    }
    taken
}

/// One byte a second, for a while.
fn drip(stream: &mut TcpStream) -> usize {
    (0..15)
        .take_while(|_| {
            stream.write_all(b"x").is_ok() && stream.flush().is_ok() && {
                thread::sleep(Duration::from_secs(1));
                true
            }
        })
        .count()
}

/// An HTTP server: the head of the request is read, then it answers.
fn http(n: usize, stream: &mut TcpStream) -> (&'static str, usize) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    while lines.next().and_then(Result::ok).is_some_and(|line| !line.is_empty()) {}
    match n % 4 {
        0 => {
            _ = stream.write_all(b"HTTP/1.1 500 Oops\r\nContent-Type: application/xml\r\n\r\n<Error>");
            ("a body", flood(stream, b"x"))
        }
        1 => {
            _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
            ("headers", flood(stream, b"X-More: and more\r\n"))
        }
        2 => {
            _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
            ("a good body", flood(stream, b"{"))
        }
        _ => {
            _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
            ("a drip", drip(stream))
        }
    }
}

/// An FTP server: lets in, and has no end somewhere.
fn ftp(n: usize, stream: &mut TcpStream) -> (&'static str, usize) {
    match n % 3 {
        0 => return ("a line", flood(stream, b"220 welcome ")),
        1 => return ("a greeting", flood(stream, b"220-welcome\r\n")),
        _ => {}
    }
    _ = stream.write_all(b"220 welcome\r\n");
    let commands = BufReader::new(stream.try_clone().unwrap()).lines();
    for command in commands.map_while(Result::ok) {
        let answer: &[u8] = match command.split(' ').next().unwrap_or_default() {
            "USER" => b"331 and the password\r\n",
            "PASS" => b"230 come in\r\n",
            "PASV" => return ("an answer", flood(stream, b"227-Entering\r\n")),
            "MKD" => b"257 made\r\n",
            "TYPE" | "NOOP" => b"200 done\r\n",
            _ => b"250 done\r\n",
        };
        if stream.write_all(answer).is_err() {
            break;
        }
    }
    ("nothing", 0)
}

#[test]
fn servers_that_answer_without_end_cost_little_and_the_board_plays_on() {
    let (s3, lichess, alerts, files) = (Endless::new(http), Endless::new(http), Endless::new(http), Endless::new(ftp));
    let folder = tempfile::tempdir().unwrap();
    let (link, secret) = (folder.path().join("board"), folder.path().join("secret"));
    fs::write(&secret, "secret\n").unwrap();
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let config = format!(
        "data_dir = \"{0}/data\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n[[board]]\nname = \"1\"\nlink = \"serial:{1}\"\n\
         [[upload]]\nkind = \"s3\"\nname = \"cdn\"\nbucket = \"chess\"\nregion = \"eu-central-1\"\nurl = \"http://{2}\"\nuser = \"AK\"\npassword_file = \"{6}\"\n\
         [[upload]]\nkind = \"ftp\"\nname = \"files\"\nurl = \"ftp://{5}/live\"\nuser = \"chess\"\npassword_file = \"{6}\"\n\
         [lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"{6}\"\nbase_url = \"http://{3}\"\n\
         [[alert]]\nurl = \"http://{4}/hook\"\n",
        folder.path().display(),
        link.display(),
        s3.address,
        lichess.address,
        alerts.address,
        files.address,
        secret.display()
    );
    let (runtime, token) = (Runtime::new().unwrap(), CancellationToken::new());
    let mut game = games::bundled().swap_remove(0);
    game.moves.truncate(30);
    let options = Options { speed: 100.0, ..Options::new(Kind::Clean, 3) };
    let play = Programme { games: vec![game], repeat: false, options, link: Some(link) };
    let _board = runtime.block_on(async { pty::spawn(play, token.clone()) }).unwrap();
    let daemon = Daemon::start(folder.path(), &config);
    until_played(&daemon.url, 29);
    // Each kind of trouble is met at least once; how long the daemon pauses between its tries is its own affair.
    for _ in 0..1200 {
        if [&s3, &lichess].iter().all(|server| server.met("a body") && server.met("headers") && server.met("a good body"))
            && alerts.met("a body")
            && ["a line", "a greeting", "an answer"].iter().all(|what| files.met(what))
        {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    let peak = daemon.peak();
    for (name, server) in [("s3", &s3), ("lichess", &lichess), ("alerts", &alerts), ("ftp", &files)] {
        println!("{name}: {:?}", server.taken());
        assert!(server.taken().len() >= if name == "alerts" { 1 } else { 3 }, "{name}: {:?}", server.taken());
        assert!(server.taken().iter().all(|(_, taken)| *taken < TAKEN), "{name}: {:?}", server.taken());
    }
    println!("the daemon's peak: {} MB", peak / 1024 / 1024);
    assert!(peak < PEAK, "{} MB at the peak", peak / 1024 / 1024);
    token.cancel();
}
