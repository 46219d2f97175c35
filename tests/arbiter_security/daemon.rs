//! The real program with one scripted board, two accounts and two tokens; and requests to it, written by hand.
use crate::scripted_board::{Kind, ScriptedBoard};
use flagfall::web::arbiter::accounts;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) const PASSWORD: &str = "correct horse";

pub(crate) struct Daemon {
    child: Child,
    pub(crate) address: SocketAddr,
    /// For commands of the machine itself.
    pub(crate) socket: PathBuf,
    pub(crate) board: ScriptedBoard,
    pub(crate) operator_token: String,
    pub(crate) arbiter_token: String,
    pub(crate) errors: Arc<Mutex<String>>,
    _folder: tempfile::TempDir,
}

/// The program that is attacked: another build where `FLAGFALL_BIN` names one.
pub(crate) fn program() -> OsString {
    std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into())
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// The cookie that it sets, as a request sends it back.
    pub(crate) fn cookie(&self) -> Option<String> {
        let line = self.head.lines().find(|line| line.to_lowercase().starts_with("set-cookie: "))?;
        Some(line["set-cookie: ".len()..].split(';').next()?.to_owned())
    }
}

impl Daemon {
    pub(crate) fn start() -> Self {
        Self::start_with(true, "")
    }

    /// With accounts or without any; `web`: more lines for `[web]`.
    pub(crate) fn start_with(accounts: bool, web: &str) -> Self {
        Self::start_where("", accounts, web)
    }

    /// The same, with these lines before every section.
    pub(crate) fn start_where(general: &str, accounts: bool, web: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let board = ScriptedBoard::new(Kind::Board("24680"));
        let hash = accounts::hash(PASSWORD).unwrap();
        let ((operator_token, operator_hash), (arbiter_token, arbiter_hash)) = (accounts::token().unwrap(), accounts::token().unwrap());
        let accounts = if !accounts {
            String::new()
        } else {
            format!(
                "[[account]]\nname = \"Olga\"\nrole = \"arbiter\"\nhash = \"{hash}\"\n\
                 [[account]]\nname = \"Boris\"\nrole = \"operator\"\nhash = \"{hash}\"\n\
                 [[account]]\nname = \"office\"\nrole = \"operator\"\ntoken_hash = \"{operator_hash}\"\n\
                 [[account]]\nname = \"tablet\"\nrole = \"arbiter\"\ntoken_hash = \"{arbiter_hash}\"\n"
            )
        };
        let config = format!(
            "{general}\n[web]\nlisten = \"127.0.0.1:0\"\n{web}\n[livechess]\nenabled = false\n[discovery]\nserial = false\n{accounts}\
             [[board]]\nname = \"1\"\nlink = \"serial:{}\"\n",
            board.path.display()
        );
        let file = folder.path().join("flagfall.toml");
        fs::write(&file, config).unwrap();
        let errors = Arc::new(Mutex::new(String::new()));
        let (child, address, socket) = begin(folder.path(), &errors);
        let daemon = Self { child, address, socket, board, operator_token, arbiter_token, errors, _folder: folder };
        daemon.wait_for_board();
        daemon
    }

    /// Ends in good order and starts again, at another port.
    pub(crate) fn restart(&mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap();
        (self.child, self.address, self.socket) = begin(self._folder.path(), &self.errors);
        self.wait_for_board();
    }

    /// Where it keeps what is to last.
    pub(crate) fn data(&self) -> PathBuf {
        self._folder.path().join("data")
    }

    /// The configuration.
    pub(crate) fn config(&self) -> PathBuf {
        self._folder.path().join("flagfall.toml")
    }

    /// Has it read the configuration again.
    pub(crate) fn reload(&self) {
        assert!(Command::new("kill").args(["-HUP", &self.child.id().to_string()]).status().unwrap().success());
    }

    fn wait_for_board(&self) {
        for _ in 0..200 {
            if self.get("/api/v1/boards/1", &[]).json()["game"]["rules"].is_string() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the board did not come up: {}", self.errors.lock().unwrap());
    }

    pub(crate) fn connect(&self) -> TcpStream {
        self.connect_from(Ipv4Addr::LOCALHOST)
    }

    /// From another address of this machine's loopback, so that one test's guesses slow down no other.
    pub(crate) fn connect_from(&self, source: Ipv4Addr) -> TcpStream {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let socket = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::from((source, 0))).unwrap();
            socket.connect(self.address).await.unwrap().into_std().unwrap()
        });
        socket.set_nonblocking(false).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
        socket
    }

    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask("GET", path, headers, b"")
    }

    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let mut all = vec![("Content-Type", "application/json")];
        all.extend(headers);
        self.ask("POST", path, &all, body.to_string().as_bytes())
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let answer = send(self.connect(), self.address, method, path, headers, body);
        // Of a stream there is a head only; what was no request gets no answer of the interface.
        if !answer.head.contains("text/event-stream") && answer.status != 0 {
            crate::schema::answer(method, path, answer.status, &answer.body);
        }
        answer
    }

    pub(crate) fn login(&self, name: &str, password: &str) -> Answer {
        self.post("/api/v1/login", &[], &json!({ "name": name, "password": password }))
    }

    /// `flagfall` at its own socket.
    pub(crate) fn at_socket(&self, args: &[&str]) -> Output {
        Command::new(program()).args(args).arg("--socket").arg(&self.socket).env_clear().output().unwrap()
    }

    /// A figure of `/proc/PID/status`, kB: `VmRSS` is what it has in memory, `VmHWM` the most it ever had.
    pub(crate) fn memory(&self, what: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':')).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Nothing went wrong inside.
    pub(crate) fn assert_sound(&self) {
        assert_eq!(self.get("/healthz", &[]).status, 200);
        assert_eq!(self.get("/api/v1/boards/1", &[]).json()["link"], "up");
        let errors = self.errors.lock().unwrap();
        assert!(!errors.contains("panicked") && !errors.contains("mistake in flagfall"), "{errors}");
    }

    /// The public stream of all boards from now on; what it says until [`Listening::end`].
    pub(crate) fn listen(&self) -> Listening {
        self.listen_at("/api/v1/events", "")
    }

    /// The same at another stream, with these lines in the request's head.
    pub(crate) fn listen_at(&self, path: &str, head: &str) -> Listening {
        let mut socket = self.connect();
        write!(socket, "GET {path} HTTP/1.0\r\nHost: {}\r\n{head}\r\n", self.address).unwrap();
        let heard = Arc::new(Mutex::new(String::new()));
        let (into, reader) = (heard.clone(), BufReader::new(socket.try_clone().unwrap()));
        std::thread::spawn(move || reader.lines().map_while(Result::ok).for_each(|line| into.lock().unwrap().push_str(&(line + "\n"))));
        Listening { socket, heard }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

pub(crate) struct Listening {
    socket: TcpStream,
    heard: Arc<Mutex<String>>,
}

impl Listening {
    /// Waits until `text` was heard.
    pub(crate) fn expect(&self, text: &str) {
        for _ in 0..400 {
            if self.heard.lock().unwrap().contains(text) {
                return;
            }
            std::thread::sleep(Duration::from_millis(25));
        }
        panic!("{text:?} was not heard in {}", self.heard.lock().unwrap());
    }

    pub(crate) fn end(self) -> String {
        _ = self.socket.shutdown(std::net::Shutdown::Both);
        self.heard.lock().unwrap().clone()
    }
}

/// Sends one request and reads its answer; of a stream only the head.
pub(crate) fn send(mut socket: TcpStream, host: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut text = format!("{method} {path} HTTP/1.0\r\n");
    if !headers.iter().any(|(name, _)| *name == "Host") {
        text += &format!("Host: {host}\r\n");
    }
    headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
    text += &format!("Content-Length: {}\r\n\r\n", body.len());
    // A refusal may come before all is sent.
    _ = socket.write_all(text.as_bytes()).and_then(|()| socket.write_all(body));
    let mut reader = BufReader::new(socket);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap_or(0) > 0 {}
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let length = head.to_lowercase().split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    _ = reader.read_exact(&mut body);
    Answer { status, head, body: String::from_utf8_lossy(&body).into_owned() }
}

/// Starts the program in this folder; its address and its own socket.
fn begin(folder: &Path, errors: &Arc<Mutex<String>>) -> (Child, SocketAddr, PathBuf) {
    let mut command = Command::new(program());
    command.args(["run", "--config"]).arg(folder.join("flagfall.toml")).arg("--data-dir").arg(folder.join("data"));
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut find = |start: &str| stderr.find_map(|line| Some(line.strip_prefix(start)?.trim_end_matches('/').to_owned())).unwrap();
    let (line, socket) = (find("web: http://"), find("local: "));
    let log = errors.clone();
    std::thread::spawn(move || stderr.for_each(|line| log.lock().unwrap().push_str(&(line + "\n"))));
    (child, line.parse().unwrap(), socket.into())
}
